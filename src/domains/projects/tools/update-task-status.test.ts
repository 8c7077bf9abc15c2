import { expect } from 'vitest'
import { TASK_STATUSES } from '#contract/task-values.ts'
import { eventsOf, onBoth, refuses, rowsOf, success } from '#test/scene.ts'

onBoth('moves a task to each status, with one event each', async ({ hub, worker, taskId }) => {
  const path = [...TASK_STATUSES, 'in_progress']
  for (const status of path)
    expect(success(await worker.call('update_task_status', { task_id: taskId, status }))).toMatchObject({
      success: true,
      task: { task_id: taskId, status },
    })
  const moves = eventsOf(await rowsOf(hub, 'events'), 'task.moved').map(({ to }) => to)
  expect(moves).toEqual(path)
})

onBoth('the status it has already changes nothing, not even why it is blocked', async scene => {
  const { hub, worker, token, taskId } = scene
  await worker.call('get_my_task', { session_token: token })
  await worker.call('report_completed', { session_token: token, result: 'failed', summary: 'no nails left' })
  const before = await rowsOf(hub)
  const body = success(await hub.call('update_task_status', { task_id: taskId, status: 'blocked' }))
  expect(body).toMatchObject({ task: { status: 'blocked', blocked_reason: 'no nails left' } })
  expect({ ...(await rowsOf(hub)), answers: [] }).toEqual({ ...before, answers: [] })
})

onBoth('the reason goes when the task goes on', async ({ hub, worker, token, taskId }) => {
  await worker.call('get_my_task', { session_token: token })
  await worker.call('report_completed', { session_token: token, result: 'blocked', summary: 'no nails left' })
  const body = success(await hub.call('update_task_status', { task_id: taskId, status: 'todo' }))
  expect(body).toMatchObject({ task: { status: 'todo', blocked_reason: null } })
})

refuses('update_task_status', [
  {
    name: 'an unknown task',
    args: () => ({ task_id: 'tsk_x', status: 'done' }),
    error: 'Task tsk_x not found. Use list_tasks to list them.',
    code: 'TASK_NOT_FOUND',
  },
  {
    name: 'a task of another project, for an agent',
    by: 'worker',
    args: s => ({ task_id: s.other.taskId, status: 'done' }),
    error: 'This connection belongs to agt_demo in project prj_demo; the request is about another project.',
    code: 'NOT_ALLOWED',
  },
  {
    name: 'an unknown status',
    args: s => ({ task_id: s.taskId, status: 'DONE' }),
    error: /^Wrong arguments\. status: /,
    code: 'INVALID_ARGUMENT',
  },
])
