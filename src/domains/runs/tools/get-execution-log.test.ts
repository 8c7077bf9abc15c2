import { expect } from 'vitest'
import { onBoth, refuses, success } from '#test/scene.ts'

onBoth('shows one execution with its result and summary', async ({ hub, worker, token, taskId, agentId, other }) => {
  await worker.call('get_my_task', { session_token: token })
  await worker.call('report_completed', { session_token: token, result: 'blocked', summary: '釘がない' })
  const { body } = await hub.call('list_execution_logs')
  const [{ executionId: execution_id }] = body['logs'] as [{ executionId: string }]
  expect(success(await worker.call('get_execution_log', { execution_id }))).toEqual({
    success: true,
    log: {
      executionId: execution_id,
      taskId,
      agentId,
      status: 'failed',
      result: 'blocked',
      exitCode: null,
      durationSeconds: expect.any(Number),
      startedAt: expect.stringMatching(/Z$/),
      completedAt: expect.stringMatching(/Z$/),
      summary: '釘がない',
      logFilePath: null,
      reason: null,
      engine: null,
      model: null,
      runner: null,
      toolCallCount: null,
      deniedTools: [],
      createdFiles: [],
      editedFiles: [],
      deletedFiles: [],
      usage: null,
      costUsd: null,
      lastMessage: null,
    },
  })
  const stranger = await hub.connect()
  await stranger.signIn(other.agentId, other.passkey, other.projectId)
  const refused = await stranger.call('get_execution_log', { execution_id })
  const error = `Execution ${execution_id} belongs to another project.`
  expect(refused.body).toEqual({ success: false, error, code: 'NOT_ALLOWED' })
})

refuses('get_execution_log', [
  {
    name: 'an unknown execution',
    args: () => ({ execution_id: 'exec_x' }),
    error: 'Execution exec_x not found. Use list_execution_logs to list them.',
    code: 'EXECUTION_NOT_FOUND',
  },
  { name: 'no id', args: () => ({}), error: /^Wrong arguments\. execution_id: /, code: 'INVALID_ARGUMENT' },
])
