import { expect } from 'vitest'
import { callBy, eventsOf, invoke, onBoth, refuses, rowsOf, success, taskElsewhere } from '#test/scene.ts'

onBoth('an agent splits its task, in order, and each is started when nothing is missing', async scene => {
  const { hub, worker, taskId, projectId, peerId } = scene
  const make = async (args: Record<string, unknown>) => {
    const body = success(await worker.call('create_task', args))
    expect(body['created']).toBe(true)
    return body['task'] as Record<string, unknown>
  }
  const first = await make({ title: 'Beams', parent: taskId, description: '梁', priority: 'high', labels: ['wood'] })
  expect(first).toMatchObject({
    handle: 'demo-2',
    project_id: projectId,
    parent_id: taskId,
    status: 'todo',
    priority: 'high',
    description: '梁',
    labels: ['wood'],
    assignee_id: null,
  })
  const second = await make({
    title: 'Tiles',
    parent: taskId,
    depends_on: [first['task_id']],
    assignee_id: peerId,
    status: 'in_progress',
  })
  expect(second).toMatchObject({ stage: 'waiting', depends_on: [first['task_id']], assignee_id: peerId })
  const pair = { agent_id: peerId, project_id: projectId }
  expect((await hub.call('should_start', pair)).body).toMatchObject({ reason: 'no_work' })
  await hub.api('task.move', { task_id: String(first['task_id']), status: 'done' })
  expect((await hub.call('should_start', pair)).body).toMatchObject({ should_start: true })
  const { tasks } = await rowsOf(hub)
  expect(tasks?.filter(task => task['made_by'] !== null).map(task => task['made_by'])).toEqual([
    'agent:agt_demo',
    'agent:agt_demo',
  ])
})

onBoth('the same title in the same place is answered with the open task that is there', async scene => {
  const { hub, worker, taskId } = scene
  const make = async (args: Record<string, unknown>) => success(await worker.call('create_task', args))
  const { task: made } = await make({ title: 'Paint ｗａｌｌｓ', parent: taskId })
  const id = (made as { task_id: string }).task_id
  const before = await rowsOf(hub)
  const again = await make({ title: '  paint  Walls ', parent: taskId, description: 'another text' })
  expect(again).toMatchObject({ created: false, task: { task_id: id, title: 'Paint ｗａｌｌｓ', description: '' } })
  expect({ ...(await rowsOf(hub)), answers: [] }).toEqual({ ...before, answers: [] })
  expect(await make({ title: 'Paint walls' })).toMatchObject({ created: true })
  await hub.api('task.move', { task_id: id, status: 'cancelled' })
  expect(await make({ title: 'Paint walls', parent: taskId })).toMatchObject({ created: true })
  const added = eventsOf(await rowsOf(hub, 'events'), 'task.added')
  expect(added).toHaveLength(3 + 2)
  const told = { handle: expect.stringMatching(/-\d+$/), status: 'todo', priority: 'medium', agentId: null }
  expect(added.at(-1)).toEqual({ taskId: expect.any(String), title: 'Paint walls', ...told })
})

onBoth('an agent has at most 200 open tasks of its own in a project', async ({ hub, agentId, projectId, worker }) => {
  const by = callBy({ kind: 'agent', agentId: agentId as never, projectId: projectId as never, epoch: 1 })
  for (let n = 0; n < 200; n++)
    expect(await invoke(hub, 'create_task', { title: `${n}` }, by), String(n)).toMatchObject({ ok: true })
  const { body } = await worker.call('create_task', { title: 'one more' })
  expect(body).toEqual({
    success: false,
    code: 'PLAN_LIMIT',
    error: 'You have 200 open tasks of your own in this project, and cannot add more. Finish or cancel some first.',
  })
  expect((await rowsOf(hub, 'tasks'))['tasks']).toHaveLength(202)
  expect(success(await worker.call('create_task', { title: '7' }))).toMatchObject({ created: false })
  const { body: freed } = await worker.call('list_tasks', { project_id: projectId, status: 'todo', limit: 1 })
  const [task] = freed['tasks'] as { task_id: string }[]
  success(await worker.call('update_task', { task_id: task?.task_id, status: 'cancelled' }))
  success(await worker.call('create_task', { title: 'one more' }))
})

onBoth('an operator names the project, and may name it by the parent', async ({ hub, projectId, taskId }) => {
  expect(success(await hub.call('create_task', { title: 'a', project_id: projectId }))).toMatchObject({ created: true })
  expect(success(await hub.call('create_task', { title: 'b', parent: taskId }))).toMatchObject({
    task: { project_id: projectId },
  })
})

refuses('create_task', [
  { ...taskElsewhere, args: s => ({ title: 'x', parent: s.other.taskId }) },
  {
    ...taskElsewhere,
    name: 'another project, for an agent',
    args: s => ({ title: 'x', project_id: s.other.projectId }),
  },
  {
    name: 'no project at all',
    args: () => ({ title: 'x' }),
    error: 'project_id or parent is required: this connection belongs to no project.',
    code: 'INVALID_ARGUMENT',
  },
  {
    name: 'a parent that does not exist',
    args: () => ({ title: 'x', parent: 'tsk_none' }),
    error: 'Task tsk_none not found. Use list_tasks to list them.',
    code: 'TASK_NOT_FOUND',
  },
  {
    name: 'an assignee of another project',
    by: 'worker',
    args: s => ({ title: 'x', assignee_id: s.other.agentId }),
    error: 'Agent other worker is not assigned to project demo; run `toryo project assign demo agt_other`.',
    code: 'AGENT_NOT_ASSIGNED',
  },
  {
    name: 'a task that is done from the start',
    by: 'worker',
    args: () => ({ title: 'x', status: 'done' }),
    error: /^Wrong arguments\. status: /,
    code: 'INVALID_ARGUMENT',
  },
  { name: 'no title', args: () => ({ title: ' ' }), error: /^Wrong arguments\. title: /, code: 'INVALID_ARGUMENT' },
])
