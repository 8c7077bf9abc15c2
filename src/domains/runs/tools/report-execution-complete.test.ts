import { expect } from 'vitest'
import { eventsOf, onBoth, refuses, rowsOf, type Scene, success } from '#test/scene.ts'

async function start({ worker, token, taskId }: Scene): Promise<string> {
  const body = success(await worker.call('report_execution_start', { session_token: token, task_id: taskId }))
  return String(body['execution_id'])
}

onBoth('records how it ended; said twice, the first one stands', async scene => {
  const { hub, worker, token, taskId } = scene
  const execution_id = await start(scene)
  const end = {
    session_token: token,
    execution_id,
    exit_code: 0,
    duration_seconds: 930.5,
    log_file_path: '/etc/passwd',
  }
  const body = success(await worker.call('report_execution_complete', end))
  expect(body).toEqual({
    success: true,
    execution_id,
    completed_at: expect.stringMatching(/Z$/),
    status: 'completed',
  })
  expect(success(await worker.call('report_execution_complete', { ...end, exit_code: 1 }))).toEqual(body)
  const { body: kept } = await hub.call('get_execution_log', { execution_id })
  expect(kept['log']).toMatchObject({
    status: 'completed',
    exitCode: 0,
    durationSeconds: 930.5,
    logFilePath: '/etc/passwd',
  })
  const fact = { runId: execution_id, taskId, crewId: null, outcome: 'completed', reason: 'reported' }
  expect(eventsOf(await rowsOf(hub, 'events'), 'run.ended')).toEqual([fact])
})

onBoth('any other exit code is a failure', async scene => {
  const { worker, token } = scene
  const execution_id = await start(scene)
  const end = { session_token: token, execution_id, exit_code: -9, duration_seconds: 0, log_file_path: '' }
  expect(success(await worker.call('report_execution_complete', end))).toMatchObject({ status: 'failed' })
})

onBoth('another agent’s token is refused', async scene => {
  const { hub, other } = scene
  const execution_id = await start(scene)
  const stranger = await hub.connect()
  await stranger.signIn(other.agentId, other.passkey, other.projectId)
  const end = { session_token: scene.token, execution_id, exit_code: 0, duration_seconds: 1, log_file_path: 'x' }
  expect((await stranger.call('report_execution_complete', end)).body).toMatchObject({ code: 'AGENT_MISMATCH' })
  expect((await rowsOf(hub, 'runs'))['runs']).toMatchObject([{ ended_at: null }])
})

const rest = { exit_code: 0, duration_seconds: 1, log_file_path: 'x' }
const error = 'Invalid execution_id or session_token'
const code = 'INVALID_EXECUTION_OR_SESSION'
refuses('report_execution_complete', [
  {
    name: 'an unknown execution',
    args: s => ({ session_token: s.token, execution_id: 'exec_x', ...rest }),
    error,
    code,
  },
  {
    name: 'a token of nobody',
    args: () => ({ session_token: 'sess_x', execution_id: 'exec_x', ...rest }),
    error,
    code,
  },
  {
    name: 'an exit code that no system has',
    args: s => ({ session_token: s.token, execution_id: 'e', ...rest, exit_code: 2 ** 40 }),
    error: /^Wrong arguments\. exit_code: /,
    code: 'INVALID_ARGUMENT',
  },
  {
    name: 'a negative time',
    args: s => ({ session_token: s.token, execution_id: 'e', ...rest, duration_seconds: -1 }),
    error: /^Wrong arguments\. duration_seconds: /,
    code: 'INVALID_ARGUMENT',
  },
])
