import { expect } from 'vitest'
import { eventsOf, onBoth, refuses, rowsOf, type Scene, success } from '#test/scene.ts'

async function handOver({ hub, taskId, agentId }: Scene, to: string | null): Promise<string> {
  const args = { task_id: taskId, from_agent_id: agentId, to_agent_id: to, summary: 'half done' }
  return String(success(await hub.call('create_handoff', args))['handoff_id'])
}

onBoth('takes the task over', async scene => {
  const { hub, taskId, peerId, peerPasskey, projectId } = scene
  const handoff_id = await handOver(scene, null)
  const peer = await hub.connect()
  await peer.signIn(peerId, peerPasskey, projectId)
  const body = success(await peer.call('accept_handoff', { handoff_id, agent_id: peerId }))
  expect(body).toMatchObject({
    success: true,
    handoff: { handoff_id, to_agent_id: null, accepted_by: peerId, accepted_at: expect.stringMatching(/Z$/) },
  })
  const rows = await rowsOf(hub)
  expect(rows['tasks']).toContainEqual(
    expect.objectContaining({ id: taskId, assignee_id: peerId, status: 'in_progress' }),
  )
  expect(eventsOf(rows, 'handoff.accepted')).toEqual([{ handoffId: handoff_id, taskId, by: peerId }])
})

onBoth('only one of many that accept at once gets it', async scene => {
  const { hub, agentId, peerId } = scene
  const handoff_id = await handOver(scene, null)
  const claims = Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? agentId : peerId))
  const answers = await Promise.all(claims.map(agent_id => hub.call('accept_handoff', { handoff_id, agent_id })))
  const won = answers.filter(({ isError }) => !isError).map(({ body }) => body['handoff'] as { accepted_by: string })
  expect(won).toHaveLength(1)
  const error = `Handoff ${handoff_id} was already accepted by ${won[0]?.accepted_by}.`
  for (const { body } of answers.filter(({ isError }) => isError))
    expect(body).toEqual({ success: false, error, code: 'HANDOFF_ACCEPTED' })
})

onBoth('only the addressee may accept', async scene => {
  const { hub, worker, agentId, peerId } = scene
  const handoff_id = await handOver(scene, peerId)
  const error = `Handoff ${handoff_id} is addressed to ${peerId}; only that agent may accept it.`
  for (const caller of [hub, worker])
    expect((await caller.call('accept_handoff', { handoff_id, agent_id: agentId })).body).toEqual({
      success: false,
      error,
      code: 'HANDOFF_NOT_YOURS',
    })
  const rows = await rowsOf(hub)
  expect(rows['handoffs']).toMatchObject([{ accepted_by: null }])
  expect(eventsOf(rows, 'call.refused')).toEqual([
    { tool: 'accept_handoff', code: 'HANDOFF_NOT_YOURS', claimed: agentId },
    { tool: 'accept_handoff', code: 'HANDOFF_NOT_YOURS', claimed: agentId },
  ])
})

onBoth('a task that was closed meanwhile is not taken over', async scene => {
  const { hub, taskId, peerId } = scene
  const handoff_id = await handOver(scene, peerId)
  await hub.api('task.move', { task_id: taskId, status: 'cancelled' })
  const { body } = await hub.call('accept_handoff', { handoff_id, agent_id: peerId })
  expect(body).toMatchObject({ success: false, code: 'TASK_CLOSED' })
})

onBoth('an overtaken handoff does not take the task back from whoever works on it', async scene => {
  const { hub, taskId, peerId, other, projectId } = scene
  await hub.api('project.assign', { project_id: projectId, agent_id: other.agentId })
  const first = await handOver(scene, peerId)
  const onward = { task_id: taskId, from_agent_id: peerId, to_agent_id: other.agentId, summary: 'go on' }
  const second = String(success(await hub.call('create_handoff', onward))['handoff_id'])
  const { body } = await hub.call('accept_handoff', { handoff_id: first, agent_id: peerId })
  expect(body).toEqual({
    success: false,
    error: `Handoff ${first} is superseded: task ${taskId} was handed over again (${second}). Nothing is left to accept. Use get_pending_handoffs to list the open handoffs.`,
    code: 'HANDOFF_SUPERSEDED',
  })
  expect((await hub.call('get_task', { task_id: taskId })).body['task']).toMatchObject({ assignee_id: other.agentId })
  success(await hub.call('accept_handoff', { handoff_id: second, agent_id: other.agentId }))
  // Accepted or not, the newest one decides.
  const again = await hub.call('accept_handoff', { handoff_id: first, agent_id: peerId })
  expect(again.body).toMatchObject({ code: 'HANDOFF_SUPERSEDED' })
})

onBoth('a handoff of a task that was given to another agent since is superseded', async scene => {
  const { hub, taskId, agentId, peerId } = scene
  for (const to of [peerId, null]) {
    const handoff_id = await handOver(scene, to)
    await hub.api('task.assign', { task_id: taskId, agent_id: agentId })
    const { body } = await hub.call('accept_handoff', { handoff_id, agent_id: peerId })
    expect(body).toEqual({
      success: false,
      error: `Handoff ${handoff_id} is superseded: task ${taskId} is assigned to ${agentId} now. Nothing is left to accept. Use get_pending_handoffs to list the open handoffs.`,
      code: 'HANDOFF_SUPERSEDED',
    })
    expect((await hub.call('get_task', { task_id: taskId })).body['task']).toMatchObject({ assignee_id: agentId })
  }
})

refuses('accept_handoff', [
  {
    name: 'an unknown handoff',
    args: s => ({ handoff_id: 'hof_x', agent_id: s.agentId }),
    error: 'Handoff hof_x not found. Use get_pending_handoffs to list them.',
    code: 'HANDOFF_NOT_FOUND',
  },
  {
    name: 'in the name of a peer',
    by: 'worker',
    args: s => ({ handoff_id: 'hof_x', agent_id: s.peerId }),
    error: 'This connection belongs to agt_demo and cannot act as agt_demo_peer.',
    code: 'AGENT_MISMATCH',
  },
  {
    name: 'an array',
    args: () => ({ handoff_id: ['hof'], agent_id: 'a' }),
    error: /^Wrong arguments\. handoff_id: /,
    code: 'INVALID_ARGUMENT',
  },
])
