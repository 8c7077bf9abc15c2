import { expect } from 'vitest'
import { eventsOf, onBoth, refuses, rowsOf, type Scene, success, taskElsewhere } from '#test/scene.ts'

const make = async ({ worker }: Pick<Scene, 'worker'>, args: Record<string, unknown>) =>
  (success(await worker.call('create_task', args))['task'] as { task_id: string }).task_id

onBoth('changes what is given and leaves the rest; again changes nothing', async scene => {
  const { hub, worker, peerId } = scene
  const task_id = await make(scene, { title: 'Beams', description: 'two' })
  const change = { task_id, title: 'Oak beams', priority: 'urgent', assignee_id: peerId, status: 'backlog' }
  expect(success(await worker.call('update_task', change))['task']).toMatchObject({
    title: 'Oak beams',
    description: 'two',
    priority: 'urgent',
    assignee_id: peerId,
    status: 'backlog',
  })
  const before = await rowsOf(hub)
  success(await worker.call('update_task', change))
  expect({ ...(await rowsOf(hub)), answers: [] }).toEqual({ ...before, answers: [] })
  expect(eventsOf(before, 'task.edited')).toEqual([
    { taskId: task_id, title: 'Oak beams', fields: expect.arrayContaining(['title', 'priority']) },
  ])
  const none = { task_id, assignee_id: null, description: '' }
  expect(success(await worker.call('update_task', none))['task']).toMatchObject({ assignee_id: null, description: '' })
})

onBoth('an agent does not touch what another works on, and cancels only what it added', async scene => {
  const { hub, worker, projectId, peerId, agentId } = scene
  const add = async (title: string, assignee: string, status: 'todo' | 'in_progress') =>
    (await hub.api('task.add', { project_id: projectId, title, assignee_id: assignee, status })).task_id
  const busy = await add('theirs', peerId, 'in_progress')
  const error = `demo-2 is in the hands of agent ${peerId} and cannot be changed meanwhile. Link your own tasks after it, or ask the operator.`
  const refused = { success: false, code: 'TASK_IN_HANDS', error }
  expect((await worker.call('update_task', { task_id: busy, title: 'x' })).body).toEqual(refused)
  expect((await worker.call('create_task', { title: 'x', parent: busy })).body).toEqual(refused)
  expect(success(await hub.call('update_task', { task_id: busy, title: 'the operator may' }))).toBeDefined()

  const planned = await add('planned', peerId, 'todo')
  success(await worker.call('update_task', { task_id: planned, assignee_id: agentId }))
  expect((await worker.call('update_task', { task_id: planned, status: 'cancelled' })).body).toMatchObject({
    code: 'NOT_YOUR_PLAN',
  })
  const own = await make(scene, { title: 'own' })
  expect(success(await worker.call('update_task', { task_id: own, status: 'cancelled' }))['task']).toMatchObject({
    status: 'cancelled',
  })
})

refuses('update_task', [
  taskElsewhere,
  {
    name: 'a task of nobody',
    args: () => ({ task_id: 'tsk_none', title: 'x' }),
    error: 'Task tsk_none not found. Use list_tasks to list them.',
    code: 'TASK_NOT_FOUND',
  },
  {
    name: 'done: that is its agent’s to report',
    by: 'worker',
    args: s => ({ task_id: s.taskId, status: 'done' }),
    error: /^Wrong arguments\. status: /,
    code: 'INVALID_ARGUMENT',
  },
  {
    name: 'a task that a person added, cancelled by its own agent',
    by: 'worker',
    args: s => ({ task_id: s.taskId, title: 'y', status: 'cancelled' }),
    error: 'demo-1 was not added by you; only the operator or the one who added it may cancel it.',
    code: 'NOT_YOUR_PLAN',
  },
])
