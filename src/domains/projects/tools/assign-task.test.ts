import { expect } from 'vitest'
import { eventsOf, onBoth, refuses, rowsOf, success } from '#test/scene.ts'

onBoth('gives a task to an agent of its project, and to nobody', async ({ hub, worker, taskId, agentId, peerId }) => {
  const assign = async (assignee_id: string | null) =>
    success(await worker.call('assign_task', { task_id: taskId, assignee_id }))
  expect(await assign(peerId)).toMatchObject({ success: true, task: { assignee_id: peerId, status: 'in_progress' } })
  await assign(peerId)
  // It has given it away: from now on it is the other's.
  const taken = await worker.call('assign_task', { task_id: taskId, assignee_id: agentId })
  expect(taken.body).toMatchObject({ code: 'TASK_IN_HANDS' })
  const none = success(await hub.call('assign_task', { task_id: taskId, assignee_id: null }))
  expect(none).toMatchObject({ task: { assignee_id: null } })
  const rows = await rowsOf(hub)
  expect(eventsOf(rows, 'task.assigned')).toEqual([
    { taskId, from: agentId, agentId: peerId },
    { taskId, from: peerId, agentId: null },
  ])
  expect(rows['tasks']).toContainEqual(expect.objectContaining({ id: taskId, assignee_id: null, assigned_at: null }))
})

refuses('assign_task', [
  {
    name: 'an agent of another project',
    args: s => ({ task_id: s.taskId, assignee_id: s.other.agentId }),
    error: 'Agent other worker is not assigned to project demo; run `toryo project assign demo agt_other`.',
    code: 'AGENT_NOT_ASSIGNED',
  },
  {
    name: 'an agent that does not exist',
    args: s => ({ task_id: s.taskId, assignee_id: 'agt_x' }),
    error: 'Agent agt_x not found. Use list_agents to list them.',
    code: 'AGENT_NOT_FOUND',
  },
  {
    name: 'an unknown task',
    args: s => ({ task_id: 'tsk_x', assignee_id: s.agentId }),
    error: 'Task tsk_x not found. Use list_tasks to list them.',
    code: 'TASK_NOT_FOUND',
  },
  {
    name: 'a task of another project, for an agent',
    by: 'worker',
    args: s => ({ task_id: s.other.taskId, assignee_id: s.agentId }),
    error: 'This connection belongs to agt_demo in project prj_demo; the request is about another project.',
    code: 'NOT_ALLOWED',
  },
  {
    name: 'nobody named',
    args: s => ({ task_id: s.taskId }),
    error: /^Wrong arguments\. assignee_id: /,
    code: 'INVALID_ARGUMENT',
  },
])
