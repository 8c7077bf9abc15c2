import { expect } from 'vitest'
import { onBoth, refuses, type Scene, success } from '#test/scene.ts'

const tasks = (body: Record<string, unknown>) => (body['logs'] as { taskId: string }[]).map(({ taskId }) => taskId)

/** One execution of each of three tasks, and one in the other project. */
async function work({ hub, worker, token, projectId, agentId, taskId, other }: Scene): Promise<void> {
  for (const id of ['tsk_1', 'tsk_2'])
    await hub.api('task.add', { id, project_id: projectId, title: id, assignee_id: agentId })
  for (const task_id of [taskId, 'tsk_1', 'tsk_2'])
    await worker.call('report_execution_start', { session_token: token, task_id })
  const stranger = await hub.connect()
  const theirs = await stranger.signIn(other.agentId, other.passkey, other.projectId)
  await stranger.call('get_my_task', { session_token: theirs })
}

onBoth('lists newest first, by task or by agent', async scene => {
  const { hub, agentId, taskId, other } = scene
  await work(scene)
  const all = success(await hub.call('list_execution_logs'))
  expect(tasks(all)).toEqual([other.taskId, 'tsk_2', 'tsk_1', taskId])
  expect((all['logs'] as unknown[]).at(-1)).toEqual({
    executionId: expect.stringMatching(/^exec_/),
    taskId,
    agentId,
    status: 'running',
    result: null,
    exitCode: null,
    durationSeconds: null,
    startedAt: expect.stringMatching(/Z$/),
    completedAt: null,
    reason: null,
  })
  expect(tasks(success(await hub.call('list_execution_logs', { task_id: 'tsk_1' })))).toEqual(['tsk_1'])
  expect(tasks(success(await hub.call('list_execution_logs', { agent_id: other.agentId })))).toEqual([other.taskId])
  expect(tasks(success(await hub.call('list_execution_logs', { task_id: 'tsk_x' })))).toEqual([])
})

onBoth('an agent sees those of its project', async scene => {
  await work(scene)
  expect(tasks(success(await scene.worker.call('list_execution_logs')))).toEqual(['tsk_2', 'tsk_1', scene.taskId])
  const theirs = { task_id: scene.other.taskId }
  expect(tasks(success(await scene.worker.call('list_execution_logs', theirs)))).toEqual([])
})

onBoth('pages meet end to end', async scene => {
  await work(scene)
  const first = success(await scene.hub.call('list_execution_logs', { limit: 3 }))
  const second = success(await scene.hub.call('list_execution_logs', { limit: 3, cursor: first['next_cursor'] }))
  expect([...tasks(first), ...tasks(second)]).toEqual([scene.other.taskId, 'tsk_2', 'tsk_1', scene.taskId])
})

refuses('list_execution_logs', [
  {
    name: 'a limit of nothing',
    args: () => ({ limit: 0 }),
    error: /^Wrong arguments\. limit: /,
    code: 'INVALID_ARGUMENT',
  },
])
