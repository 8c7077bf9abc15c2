import { expect } from 'vitest'
import { onBoth, refuses, type Scene, success } from '#test/scene.ts'

const summaries = (body: Record<string, unknown>) =>
  (body['handoffs'] as { summary: string }[]).map(({ summary }) => summary)

async function handOver({ hub, taskId, agentId, peerId, other }: Scene): Promise<void> {
  const ours = { task_id: taskId, from_agent_id: agentId }
  await hub.call('create_handoff', { ...ours, to_agent_id: peerId, summary: 'to the peer' })
  await hub.call('create_handoff', { ...ours, to_agent_id: agentId, summary: 'to myself' })
  await hub.call('create_handoff', { ...ours, summary: 'to nobody' })
  await hub.call('create_handoff', { task_id: other.taskId, from_agent_id: other.agentId, summary: 'elsewhere' })
}

onBoth('lists what nobody accepted: all, or those to an agent or to nobody', async scene => {
  const { hub, peerId } = scene
  await handOver(scene)
  const all = success(await hub.call('get_pending_handoffs'))
  expect(summaries(all)).toEqual(['to the peer', 'to myself', 'to nobody', 'elsewhere'])
  const [first] = all['handoffs'] as { handoff_id: string }[]
  await hub.call('accept_handoff', { handoff_id: first?.handoff_id, agent_id: peerId })
  const open = success(await hub.call('get_pending_handoffs', { agent_id: peerId }))
  expect(summaries(open)).toEqual(['to nobody', 'elsewhere'])
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
