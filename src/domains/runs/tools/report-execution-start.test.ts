import { expect } from 'vitest'
import { eventsOf, onBoth, refuses, rowsOf, success } from '#test/scene.ts'

onBoth(
  'opens the execution, and the one that is open stays the one',
  async ({ hub, worker, token, taskId, agentId }) => {
    const args = { session_token: token, task_id: taskId }
    const body = success(await worker.call('report_execution_start', args))
    expect(body).toEqual({
      success: true,
      execution_id: expect.stringMatching(/^exec_[0-9a-z]{30,}$/),
      started_at: expect.stringMatching(/Z$/),
    })
    expect(success(await worker.call('report_execution_start', args))).toEqual(body)
    const fact = { runId: body['execution_id'], taskId, crewId: null, engine: null, agentId }
    expect(eventsOf(await rowsOf(hub, 'events'), 'run.started')).toEqual([fact])
  },
)

onBoth('another agent’s token is refused', async ({ hub, worker, other }) => {
  const stranger = await hub.connect()
  const theirs = await stranger.signIn(other.agentId, other.passkey, other.projectId)
  const { body } = await worker.call('report_execution_start', { session_token: theirs, task_id: other.taskId })
  expect(body).toMatchObject({ success: false, code: 'AGENT_MISMATCH' })
  expect((await rowsOf(hub, 'runs'))['runs']).toEqual([])
})

const error = 'Invalid session_token or task_id'
const code = 'INVALID_SESSION_OR_TASK'
refuses('report_execution_start', [
  { name: 'a token of nobody', args: s => ({ session_token: 'sess_x', task_id: s.taskId }), error, code },
  { name: 'an unknown task', args: s => ({ session_token: s.token, task_id: 'tsk_x' }), error, code },
  { name: 'a task of another project', args: s => ({ session_token: s.token, task_id: s.other.taskId }), error, code },
  {
    name: 'no task',
    args: s => ({ session_token: s.token }),
    error: /^Wrong arguments\. task_id: /,
    code: 'INVALID_ARGUMENT',
  },
])
