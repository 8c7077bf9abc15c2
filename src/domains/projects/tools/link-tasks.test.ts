import { expect } from 'vitest'
import { onBoth, refuses, rowsOf, type Scene, success, taskElsewhere } from '#test/scene.ts'

const make = async ({ worker }: Pick<Scene, 'worker'>, title: string, more: Record<string, unknown> = {}) =>
  (success(await worker.call('create_task', { title, ...more }))['task'] as { task_id: string }).task_id

onBoth('puts tasks in order, and takes them out of it', async scene => {
  const { hub, worker } = scene
  const a = await make(scene, 'a')
  const b = await make(scene, 'b')
  const link = { task_id: b, depends_on: [a], parent: a }
  const { body } = await worker.call('link_tasks', link)
  expect(body).toMatchObject({ code: 'TASK_CYCLE', error: expect.stringContaining('demo-3 → demo-2 → demo-3') })
  const c = await make(scene, 'c')
  const placed = { task_id: b, depends_on: [a], parent: c }
  expect(success(await worker.call('link_tasks', placed))['task']).toMatchObject({ depends_on: [a], parent_id: c })
  const before = await rowsOf(hub)
  success(await worker.call('link_tasks', placed))
  expect({ ...(await rowsOf(hub)), answers: [] }).toEqual({ ...before, answers: [] })
  const removed = success(await worker.call('link_tasks', { ...placed, remove: true }))['task']
  expect(removed).not.toHaveProperty('depends_on')
  expect(removed).not.toHaveProperty('parent_id')
})

onBoth('an agent may link after what another works on, and changes nothing else of it', async scene => {
  const { hub, worker, projectId, peerId } = scene
  const theirs = { project_id: projectId, title: 'theirs', assignee_id: peerId, status: 'in_progress' as const }
  const { task_id: busy } = await hub.api('task.add', theirs)
  const own = await make(scene, 'own')
  expect(success(await worker.call('link_tasks', { task_id: own, depends_on: [busy] }))['task']).toMatchObject({
    stage: 'waiting',
  })
  for (const args of [
    { task_id: busy, depends_on: [own] },
    { task_id: own, parent: busy },
  ])
    expect((await worker.call('link_tasks', args)).body).toMatchObject({ code: 'TASK_IN_HANDS' })
})

refuses('link_tasks', [
  taskElsewhere,
  {
    ...taskElsewhere,
    name: 'a dependency in another project, for an agent',
    args: s => ({ task_id: s.taskId, depends_on: [s.other.taskId] }),
  },
  {
    name: 'tasks of two projects',
    args: s => ({ task_id: s.taskId, depends_on: [s.other.taskId] }),
    error: 'demo-1 and other-1 belong to different projects; only tasks of one project can be linked.',
    code: 'OTHER_PROJECT',
  },
  { name: 'no task', args: () => ({}), error: /^Wrong arguments\. task_id: /, code: 'INVALID_ARGUMENT' },
])
