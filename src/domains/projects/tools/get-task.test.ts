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
    error: 'There is no task __proto__; list_tasks shows the ones there are.',
    code: 'TASK_NOT_FOUND',
  },
  taskElsewhere,
  { name: 'null', args: () => ({ task_id: null }), error: /^Wrong arguments\. task_id: /, code: 'INVALID_ARGUMENT' },
])
