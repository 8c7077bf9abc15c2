import { expect } from 'vitest'
import { eventsOf, onBoth, refuses, rowsOf, type Scene, success } from '#test/scene.ts'

const execution = async ({ hub, taskId }: Scene) =>
  ((await hub.call('list_execution_logs', { task_id: taskId })).body['logs'] as Record<string, unknown>[])[0]

onBoth('success closes the task and its execution, and frees the pair', async scene => {
  const { hub, worker, token, taskId, agentId, projectId } = scene
  await worker.call('get_my_task', { session_token: token })
  const report = { session_token: token, result: 'success', summary: 'the roof is on', next_steps: 'paint it' }
  expect(success(await worker.call('report_completed', report))).toEqual({
    success: true,
    instruction: expect.stringContaining('session has ended'),
  })
  expect((await hub.call('get_task', { task_id: taskId })).body['task']).toMatchObject({
    status: 'done',
    blocked_reason: null,
  })
  expect(await execution(scene)).toMatchObject({ agentId, status: 'completed', result: 'success' })
  const { body } = await hub.call('get_task_context', { task_id: taskId })
  expect(body['context']).toMatchObject({ progress: 'the roof is on', next_steps: 'paint it', agent_id: agentId })
  const start = await hub.call('should_start', { agent_id: agentId, project_id: projectId })
  expect(start.body).toEqual({ should_start: false, reason: 'no_work' })
})

for (const result of ['failed', 'blocked'])
  onBoth(`${result} blocks the task with the summary, and the execution keeps the true result`, async scene => {
    const { hub, worker, token, taskId } = scene
    await worker.call('get_my_task', { session_token: token })
    success(await worker.call('report_completed', { session_token: token, result, summary: 'no nails left' }))
    expect((await hub.call('get_task', { task_id: taskId })).body['task']).toMatchObject({
      status: 'blocked',
      blocked_reason: 'no nails left',
    })
    expect(await execution(scene)).toMatchObject({ status: 'failed', result })
  })

onBoth('the same report again answers the same and changes nothing; another is refused', async scene => {
  const { hub, worker, token } = scene
  await worker.call('get_my_task', { session_token: token })
  const report = { session_token: token, result: 'success', summary: 'done' }
  const first = success(await worker.call('report_completed', report))
  const before = await rowsOf(hub)
  expect(success(await worker.call('report_completed', report))).toEqual(first)
  expect({ ...(await rowsOf(hub)), answers: [] }).toEqual({ ...before, answers: [] })
  const { body } = await worker.call('report_completed', { ...report, result: 'failed' })
  expect(body).toEqual({ success: false, error: 'Invalid or expired session_token', code: 'INVALID_SESSION' })
})

onBoth('with no task it ends the session', async ({ hub, worker, token, taskId }) => {
  success(await worker.call('report_completed', { session_token: token, result: 'success' }))
  const rows = await rowsOf(hub)
  expect(rows['sessions']).toMatchObject([{ end_reason: 'completed' }])
  expect(rows['tasks']).toContainEqual(expect.objectContaining({ id: taskId, status: 'in_progress' }))
  expect(rows['runs']).toEqual([])
})

onBoth('after a handoff the sender’s report closes its own execution only', async scene => {
  const { hub, worker, token, taskId, agentId, peerId } = scene
  await worker.call('get_my_task', { session_token: token })
  const handoff = { task_id: taskId, from_agent_id: agentId, to_agent_id: peerId, summary: 's' }
  await worker.call('create_handoff', handoff)
  success(await worker.call('report_completed', { session_token: token, result: 'success' }))
  expect((await hub.call('get_task', { task_id: taskId })).body['task']).toMatchObject({
    status: 'in_progress',
    assignee_id: peerId,
  })
  expect(await execution(scene)).toMatchObject({ agentId, status: 'completed' })
})

onBoth(
  'no execution of the session stays open: a task passed on ends with the report, one left lying as an error',
  async scene => {
    const { hub, worker, token, taskId, agentId, peerId, projectId } = scene
    const add = (id: string, priority: 'high' | 'urgent') =>
      hub.api('task.add', {
        id,
        project_id: projectId,
        title: id,
        assignee_id: agentId,
        priority,
        status: 'in_progress',
      })
    await worker.call('get_my_task', { session_token: token })
    const handoff = { task_id: taskId, from_agent_id: agentId, to_agent_id: peerId, summary: 's' }
    await worker.call('create_handoff', handoff)
    await add('tsk_left', 'high')
    await worker.call('get_my_task', { session_token: token })
    await add('tsk_last', 'urgent')
    await worker.call('get_my_task', { session_token: token })
    await worker.call('report_completed', { session_token: token, result: 'success' })

    const { body } = await hub.call('list_execution_logs', { agent_id: agentId })
    expect(body['logs']).toMatchObject([
      { taskId: 'tsk_last', status: 'completed', result: 'success' },
      { taskId: 'tsk_left', status: 'error', result: null },
      { taskId, status: 'completed', result: 'success' },
    ])
    const { tasks } = await rowsOf(hub)
    expect(tasks).toContainEqual(expect.objectContaining({ id: 'tsk_last', status: 'done' }))
    expect(tasks).toContainEqual(expect.objectContaining({ id: 'tsk_left', status: 'in_progress' }))
  },
)

onBoth('another agent’s token is refused and recorded', async ({ hub, worker, other }) => {
  const stranger = await hub.connect()
  const theirs = await stranger.signIn(other.agentId, other.passkey, other.projectId)
  const { body } = await worker.call('report_completed', { session_token: theirs, result: 'failed' })
  expect(body).toMatchObject({ success: false, code: 'AGENT_MISMATCH' })
  const rows = await rowsOf(hub)
  expect(eventsOf(rows, 'call.refused')).toHaveLength(1)
  expect(eventsOf(rows, 'instance.signed_out')).toEqual([])
})

refuses('report_completed', [
  {
    name: 'a token of nobody',
    args: () => ({ session_token: 'sess_x', result: 'success' }),
    error: 'Invalid or expired session_token',
    code: 'INVALID_SESSION',
  },
  {
    name: 'a result of its own',
    args: s => ({ session_token: s.token, result: 'done' }),
    error: /^Wrong arguments\. result: /,
    code: 'INVALID_ARGUMENT',
  },
])
