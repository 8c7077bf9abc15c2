import { expect } from 'vitest'
import { eventsOf, onBoth, refuses, rowsOf, success } from '#test/scene.ts'

onBoth('ends the session, and the pair is free at once', async ({ hub, worker, token, agentId, projectId }) => {
  expect(success(await worker.call('logout', { session_token: token }))).toEqual({ success: true })

  expect((await worker.call('get_my_task', { session_token: token })).body['code']).toBe('INVALID_SESSION')
  const rows = await rowsOf(hub)
  expect(rows['sessions']).toMatchObject([{ end_reason: 'logout' }])
  expect(eventsOf(rows, 'instance.signed_out')).toEqual([{ agentId, projectId, epoch: 1, reason: 'logout' }])
  const start = await hub.call('should_start', { agent_id: agentId, project_id: projectId })
  expect(start.body['should_start']).toBe(true)
})

onBoth('leaves no execution that looks as if it still ran', async ({ hub, worker, token, taskId }) => {
  await worker.call('get_my_task', { session_token: token })
  await worker.call('logout', { session_token: token })
  const { body } = await hub.call('list_execution_logs', { task_id: taskId })
  expect(body['logs']).toMatchObject([{ status: 'error', result: null, completedAt: expect.any(String) }])
})

onBoth('gives the connection back to whoever opened it', async ({ worker, token, other }) => {
  expect((await worker.call('get_task', { task_id: other.taskId })).body['code']).toBe('NOT_ALLOWED')
  await worker.call('logout', { session_token: token })
  expect((await worker.call('get_task', { task_id: other.taskId })).isError).toBe(false)
})

onBoth('an agent cannot sign out another, even with its token', async ({ hub, worker, other }) => {
  const stranger = await hub.connect()
  const theirs = await stranger.signIn(other.agentId, other.passkey, other.projectId)
  const { body } = await worker.call('logout', { session_token: theirs })
  expect(body).toMatchObject({ success: false, code: 'AGENT_MISMATCH' })
  expect((await stranger.call('get_my_task', { session_token: theirs })).isError).toBe(false)
})

refuses('logout', [
  {
    name: 'a token of nobody',
    args: () => ({ session_token: 'sess_unknown' }),
    error: 'Invalid or expired session_token',
    code: 'INVALID_SESSION',
  },
  { name: 'no token', args: () => ({}), error: /^Wrong arguments\. session_token: /, code: 'INVALID_ARGUMENT' },
])
