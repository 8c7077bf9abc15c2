import { expect } from 'vitest'
import { eventsOf, onBoth, refuses, rowsOf, success } from '#test/scene.ts'

onBoth('gives the task with its directory, and opens its execution once', async scene => {
  const { hub, worker, token, taskId, agentId } = scene
  const body = success(await worker.call('get_my_task', { session_token: token }))
  expect(body).toEqual({
    success: true,
    has_task: true,
    task: {
      task_id: taskId,
      title: 'Build the roof',
      description: '屋根を作る',
      priority: 'medium',
      working_directory: expect.stringMatching(/^\//),
      context: null,
      answer: null,
      handoff: null,
    },
    instruction: expect.stringContaining('report_completed'),
  })
  expect(success(await worker.call('get_my_task', { session_token: token }))).toEqual(body)
  const rows = await rowsOf(hub)
  expect(rows['runs']).toMatchObject([{ task_id: taskId, agent_id: agentId, ended_at: null, log_path: null }])
  const fact = { runId: rows['runs']?.[0]?.['id'], taskId, crewId: null, engine: null, agentId }
  expect(eventsOf(rows, 'run.started')).toEqual([fact])
})

onBoth('the most urgent first, then the oldest', async ({ hub, worker, token, projectId, agentId, taskId }) => {
  const add = (id: string, priority: 'urgent' | 'high' | 'low') =>
    hub.api('task.add', { id, project_id: projectId, title: id, assignee_id: agentId, priority, status: 'in_progress' })
  await add('tsk_low', 'low')
  await add('tsk_high_1', 'high')
  await add('tsk_high_2', 'high')
  await add('tsk_urgent', 'urgent')
  const order: unknown[] = []
  for (;;) {
    const { body } = await worker.call('get_my_task', { session_token: token })
    if (body['has_task'] !== true) break
    const { task_id } = body['task'] as { task_id: string }
    order.push(task_id)
    await hub.api('task.move', { task_id, status: 'done' })
  }
  expect(order).toEqual(['tsk_urgent', 'tsk_high_1', 'tsk_high_2', taskId, 'tsk_low'])
})

onBoth('brings the newest context, and the newest handoff to this agent or to nobody', async scene => {
  const { hub, worker, token, taskId, agentId, peerId } = scene
  await worker.call('save_context', { task_id: taskId, progress: 'first' })
  await worker.call('save_context', { task_id: taskId, progress: 'second' })
  const hand = (to: string | null, summary: string) =>
    hub.call('create_handoff', { task_id: taskId, from_agent_id: peerId, to_agent_id: to, summary })
  await hand(agentId, 'for you')
  await hand(null, 'for anybody')
  await hand(peerId, 'for the peer')
  await hub.api('task.assign', { task_id: taskId, agent_id: agentId })
  expect(success(await worker.call('get_my_task', { session_token: token }))['task']).toMatchObject({
    context: { progress: 'second' },
    handoff: { summary: 'for anybody' },
  })
})

onBoth('says so when there is nothing to do', async ({ hub, worker, token, taskId }) => {
  await hub.api('task.move', { task_id: taskId, status: 'todo' })
  expect(success(await worker.call('get_my_task', { session_token: token }))).toEqual({
    success: true,
    has_task: false,
    instruction: expect.stringContaining('No task is assigned to you now'),
  })
  expect((await rowsOf(hub, 'runs'))['runs']).toEqual([])
})

onBoth('the token alone is enough on a connection without an identity', async ({ hub, token, taskId }) => {
  const body = success(await hub.call('get_my_task', { session_token: token }))
  expect(body['task']).toMatchObject({ task_id: taskId })
  expect((await rowsOf(hub, 'events'))['events']).toContainEqual(
    expect.objectContaining({ type: 'run.started', caller: 'agent:agt_demo' }),
  )
})

onBoth('another agent’s token is refused and recorded', async ({ hub, worker, other }) => {
  const stranger = await hub.connect()
  const theirs = await stranger.signIn(other.agentId, other.passkey, other.projectId)
  const { body } = await worker.call('get_my_task', { session_token: theirs })
  const error = 'This connection belongs to agt_demo and cannot act as agt_other.'
  expect(body).toEqual({ success: false, error, code: 'AGENT_MISMATCH' })
  expect(eventsOf(await rowsOf(hub, 'events'), 'call.refused')).toEqual([
    { tool: 'get_my_task', code: 'AGENT_MISMATCH', claimed: null },
  ])
})

refuses('get_my_task', [
  {
    name: 'a token of nobody',
    args: () => ({ session_token: 'sess_x' }),
    error: 'Invalid or expired session_token',
    code: 'INVALID_SESSION',
  },
  { name: 'no token', args: () => ({}), error: /^Wrong arguments\. session_token: /, code: 'INVALID_ARGUMENT' },
])
