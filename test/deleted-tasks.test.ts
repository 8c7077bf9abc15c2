// A task that a person deletes: hidden everywhere, kept for 30 days, then gone.
import { expect } from 'vitest'
import type { ApiInput } from '#contract/api.ts'
import type { Caller } from '#contract/caller.ts'
import type { AgentId, ProjectId } from '#contract/id-types.ts'
import { taskOperations } from '#domains/projects/api.ts'
import type { Services } from '#hub/services.ts'
import type { Tool } from '#kernel/tool.ts'
import { callBy, eventsOf, inTime, onBoth, rowsOf, type Scene, tend } from './scene.ts'
import type { TestHub } from './hub.ts'
import { until } from './until.ts'

const DAY_MS = 24 * 3600_000

async function add({ hub, projectId }: Scene, title: string, more: Partial<ApiInput<'task.add'>> = {}) {
  return hub.api('task.add', { project_id: projectId, title, ...more })
}

inTime('a deleted task is cancelled and nowhere to be seen, but by its name', async (scene, clock) => {
  const { hub, projectId } = scene
  const task = await add(scene, 'Paint the wheelhouse', { status: 'in_progress' })
  const task_id = task.task_id
  const deleted = await hub.api('task.delete', { task_id })
  expect(deleted).toMatchObject({ status: 'cancelled', deleted_at: expect.any(String) })
  expect(Date.parse(deleted.gone_at ?? '') - Date.parse(deleted.deleted_at ?? '')).toBe(30 * DAY_MS)
  const { tasks } = await hub.api('task.list', { project_id: projectId })
  expect(tasks.map(one => one.task_id)).not.toContain(task_id)
  expect((await hub.api('task.cards', { project_id: projectId })).cards.map(one => one.task_id)).not.toContain(task_id)
  expect((await hub.api('task.tree', { project_id: projectId, all: true })).tasks).not.toContainEqual(
    expect.objectContaining({ task_id }),
  )
  expect(JSON.stringify(await hub.api('search.find', { text: 'wheelhouse' }))).not.toContain(task_id)
  expect((await hub.api('task.list', { deleted: true })).tasks).toMatchObject([{ task_id }])
  expect(await hub.api('task.show', { task_id })).toMatchObject({ deleted_at: deleted.deleted_at })
  expect(eventsOf(await rowsOf(hub, 'events'), 'task.deleted').at(-1)).toEqual({
    ...{ taskId: task_id, handle: task.handle, title: 'Paint the wheelhouse' },
  })
  // Once more changes nothing.
  clock.advance(1000)
  expect(await hub.api('task.delete', { task_id })).toEqual(deleted)
  expect(eventsOf(await rowsOf(hub, 'events'), 'task.deleted')).toHaveLength(1)
})

onBoth('two people who delete a task at once delete it once', async scene => {
  const { hub } = scene
  const { task_id } = await add(scene, 'Twice')
  const both = await Promise.all([hub.api('task.delete', { task_id }), hub.api('task.delete', { task_id })])
  expect(both[0]).toEqual(both[1])
  expect(eventsOf(await rowsOf(hub, 'events'), 'task.deleted')).toHaveLength(1)
})

onBoth('nothing is done with a deleted task until it is restored', async scene => {
  const { hub, agentId } = scene
  const { task_id } = await add(scene, 'Gone')
  const other = await add(scene, 'Stays')
  await hub.api('task.delete', { task_id })
  const refused = /TASK_DELETED/
  await expect(hub.api('task.move', { task_id, status: 'todo' })).rejects.toThrow(refused)
  await expect(hub.api('task.edit', { task_id, title: 'New' })).rejects.toThrow(refused)
  await expect(hub.api('task.assign', { task_id, agent_id: agentId })).rejects.toThrow(refused)
  await expect(hub.api('task.link', { task_id: other.task_id, depends_on: [task_id] })).rejects.toThrow(refused)
  await expect(hub.api('task.undo_merge', { task_id })).rejects.toThrow(refused)
  await expect(hub.api('task.merge', { task_id })).rejects.toThrow(refused)
  await expect(hub.api('task.pr', { task_id })).rejects.toThrow(refused)
  expect(await hub.api('task.restore', { task_id })).not.toHaveProperty('deleted_at')
  expect(eventsOf(await rowsOf(hub, 'events'), 'task.restored')).toHaveLength(1)
  await hub.api('task.restore', { task_id })
  expect(eventsOf(await rowsOf(hub, 'events'), 'task.restored')).toHaveLength(1)
  expect(await hub.api('task.move', { task_id, status: 'todo' })).toMatchObject({ status: 'todo' })
})

onBoth('a deleted task holds up none, and its sub-tasks stand on their own', async scene => {
  const { hub, projectId } = scene
  const needed = await add(scene, 'Needed')
  const part = await add(scene, 'A part', { parent_id: needed.task_id })
  const waits = await add(scene, 'Waits', { depends_on: [needed.task_id] })
  expect(waits.stage).toBe('waiting')
  await hub.api('task.delete', { task_id: needed.task_id })
  expect(await hub.api('task.show', { task_id: waits.task_id })).toMatchObject({ stage: 'planned', waits_for: [] })
  expect(eventsOf(await rowsOf(hub, 'events'), 'task.ready').at(-1)).toMatchObject({ taskId: waits.task_id })
  const roots = (await hub.api('task.tree', { project_id: projectId })).tasks
  expect(roots).toContainEqual(expect.objectContaining({ task_id: part.task_id, level: 1 }))
  expect((await hub.api('task.show', { task_id: part.task_id })).parent).toBeNull()
  await hub.api('task.restore', { task_id: needed.task_id })
  expect(await hub.api('task.show', { task_id: waits.task_id })).toMatchObject({ stage: 'waiting' })
})

onBoth('a finished task that is deleted stays finished', async scene => {
  const { hub } = scene
  const needed = await add(scene, 'Needed')
  const waits = await add(scene, 'Waits', { depends_on: [needed.task_id] })
  await hub.api('task.move', { task_id: needed.task_id, status: 'done' })
  expect(await hub.api('task.delete', { task_id: needed.task_id })).toMatchObject({ status: 'done' })
  await hub.api('task.restore', { task_id: needed.task_id })
  expect(await hub.api('task.show', { task_id: waits.task_id })).toMatchObject({ stage: 'planned' })
})

onBoth('agents neither delete tasks nor see deleted ones', async scene => {
  const { hub, projectId, agentId, worker } = scene
  const { task_id } = await add(scene, 'Mine', { assignee_id: agentId })
  const by: Caller = { kind: 'agent', agentId: agentId as AgentId, projectId: projectId as ProjectId, epoch: 1 }
  const operation = taskOperations.find(({ name }) => name === 'task.delete') as unknown as Tool<Services>
  expect(await hub.running.hub.invoker.invoke(operation, { task_id }, callBy(by))).toMatchObject({
    ...{ ok: false, error: { code: 'NOT_ALLOWED' } },
  })
  expect(await hub.api('task.show', { task_id })).toMatchObject({ status: 'todo' })
  await hub.api('task.delete', { task_id })
  const body = JSON.stringify((await worker.call('list_tasks', { project_id: projectId })).body)
  expect(body).not.toContain(task_id)
  const { body: refused } = await worker.call('get_task', { task_id })
  expect(JSON.stringify(refused)).toContain('TASK_NOT_FOUND')
})

inTime('after 30 days it is gone for good, with all that belonged to it', async (scene, clock) => {
  const { hub, agentId } = scene
  const { task_id } = await add(scene, 'Gone', { labels: ['old'], assignee_id: agentId, status: 'in_progress' })
  const part = await add(scene, 'A part', { parent_id: task_id })
  const waits = await add(scene, 'Waits', { depends_on: [task_id] })
  const kept = await add(scene, 'Kept')
  await hub.call('save_context', { task_id, agent_id: agentId, progress: 'Half of it' })
  await hub.api('task.delete', { task_id })
  await hub.api('task.delete', { task_id: kept.task_id })
  clock.advance(30 * DAY_MS - 1000)
  await tend(hub)
  expect((await hub.api('task.list', { deleted: true })).tasks).toHaveLength(2)
  await hub.api('task.restore', { task_id: kept.task_id })
  clock.advance(2000)
  await until(async () => {
    await tend(hub)
    return (await hub.api('task.list', { deleted: true })).tasks.length === 0
  })
  await expect(hub.api('task.show', { task_id })).rejects.toThrow(/TASK_NOT_FOUND/)
  expect(await tablesWith(hub, task_id)).toEqual([])
  expect(await hub.api('task.show', { task_id: part.task_id })).toMatchObject({ parent: null })
  expect(await hub.api('task.show', { task_id: waits.task_id })).toMatchObject({ stage: 'planned' })
  expect(await hub.api('task.show', { task_id: kept.task_id })).toMatchObject({ status: 'cancelled' })
  // Its number is not given again.
  const next = await add(scene, 'Next')
  expect(Number(next.handle.split('-')[1])).toBeGreaterThan(Number(kept.handle.split('-')[1]))
  expect(await rowsOf(hub, 'tasks')).not.toContainEqual(expect.objectContaining({ id: task_id }))
})

/** History keeps its name; nothing else does. */
async function tablesWith(hub: TestHub, id: string): Promise<string[]> {
  const tables = Object.entries(await rowsOf(hub)).filter(([, rows]) => JSON.stringify(rows).includes(id))
  return tables.map(([name]) => name).filter(name => !/^(?:events|event_|answers)/.test(name))
}
