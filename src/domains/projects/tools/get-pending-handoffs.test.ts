import { expect } from 'vitest'
import { onBoth, refuses, type Scene, success } from '#test/scene.ts'

const summaries = (body: Record<string, unknown>) =>
  (body['handoffs'] as { summary: string }[]).map(({ summary }) => summary)

/** One task each, so that none overtakes another. */
async function handOver({ hub, agentId, peerId, projectId, other }: Scene): Promise<void> {
  const pass = async (to: string | null, summary: string) => {
    const { task_id } = await hub.api('task.add', { project_id: projectId, title: summary, assignee_id: agentId })
    await hub.call('create_handoff', { task_id, from_agent_id: agentId, to_agent_id: to, summary })
  }
  await pass(peerId, 'to the peer')
  await pass(agentId, 'to myself')
  await pass(null, 'to nobody')
  await hub.call('create_handoff', { task_id: other.taskId, from_agent_id: other.agentId, summary: 'elsewhere' })
}

onBoth('lists what nobody accepted: all, or those to an agent or to nobody', async scene => {
  const { hub, peerId } = scene
  await handOver(scene)
  const all = success(await hub.call('get_pending_handoffs'))
  expect(summaries(all)).toEqual(['to the peer', 'to myself', 'to nobody', 'elsewhere'])
  expect(all['handoffs']).toMatchObject(Array.from({ length: 4 }, () => ({ status: 'pending' })))
  const [first] = all['handoffs'] as { handoff_id: string }[]
  await hub.call('accept_handoff', { handoff_id: first?.handoff_id, agent_id: peerId })
  const open = success(await hub.call('get_pending_handoffs', { agent_id: peerId }))
  expect(summaries(open)).toEqual(['to nobody', 'elsewhere'])
})

onBoth('what was overtaken, closed or given to another agent is no longer pending', async scene => {
  const { hub, taskId, agentId, peerId, projectId } = scene
  const pending = async () => summaries(success(await hub.call('get_pending_handoffs')))
  const ours = { task_id: taskId, from_agent_id: agentId }
  await hub.call('create_handoff', { ...ours, to_agent_id: peerId, summary: 'first' })
  await hub.call('create_handoff', { ...ours, from_agent_id: peerId, to_agent_id: agentId, summary: 'second' })
  expect(await pending()).toEqual(['second'])
  await hub.api('task.move', { task_id: taskId, status: 'done' })
  expect(await pending()).toEqual([])
  const { task_id } = await hub.api('task.add', { project_id: projectId, title: 'wall', assignee_id: agentId })
  await hub.call('create_handoff', { task_id, from_agent_id: agentId, summary: 'whoever can' })
  expect(await pending()).toEqual(['whoever can'])
  await hub.api('task.assign', { task_id, agent_id: peerId })
  expect(await pending()).toEqual([])
  const shown = await hub.api('task.show', { task_id })
  expect(shown.handoff).toMatchObject({ summary: 'whoever can', status: 'superseded', accepted_at: null })
})

onBoth('an agent sees its own, of its project', async scene => {
  await handOver(scene)
  expect(summaries(success(await scene.worker.call('get_pending_handoffs')))).toEqual(['to myself', 'to nobody'])
})

onBoth('pages meet end to end', async scene => {
  await handOver(scene)
  const first = success(await scene.hub.call('get_pending_handoffs', { limit: 3 }))
  const second = success(await scene.hub.call('get_pending_handoffs', { limit: 3, cursor: first['next_cursor'] }))
  expect([...summaries(first), ...summaries(second)]).toHaveLength(4)
  expect(summaries(second)).toEqual(['elsewhere'])
})

refuses('get_pending_handoffs', [
  {
    name: 'those of a peer',
    by: 'worker',
    args: s => ({ agent_id: s.peerId }),
    error: 'This connection belongs to agt_demo and cannot act as agt_demo_peer.',
    code: 'AGENT_MISMATCH',
  },
  {
    name: 'a negative limit',
    args: () => ({ limit: -1 }),
    error: /^Wrong arguments\. limit: /,
    code: 'INVALID_ARGUMENT',
  },
])
