import { expect } from 'vitest'
import { onBoth, refuses, success, taskElsewhere } from '#test/scene.ts'

onBoth('shows the whole task', async ({ worker, taskId, projectId, agentId }) => {
  expect(success(await worker.call('get_task', { task_id: taskId }))).toEqual({
    success: true,
    task: {
      task_id: taskId,
      handle: 'demo-1',
      project_id: projectId,
      title: 'Build the roof',
      description: '屋根を作る',
      status: 'in_progress',
      stage: 'working',
      labels: [],
      branch: null,
      priority: 'medium',
      assignee_id: agentId,
      blocked_reason: null,
      created_at: expect.stringMatching(/Z$/),
      updated_at: expect.stringMatching(/Z$/),
    },
  })
})

refuses('get_task', [
  {
    name: 'an unknown task',
    args: () => ({ task_id: '__proto__' }),
    error: 'Task __proto__ not found. Use list_tasks to list them.',
    code: 'TASK_NOT_FOUND',
  },
  taskElsewhere,
  { name: 'null', args: () => ({ task_id: null }), error: /^Wrong arguments\. task_id: /, code: 'INVALID_ARGUMENT' },
])
