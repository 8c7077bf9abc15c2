// One search over everything that has a page, as the palette asks it.
import { expect } from 'vitest'
import { insertRows, selects, watchQueries } from './queries.ts'
import { onBoth } from './scene.ts'

onBoth('one word finds tasks, decisions, topics, agents and projects, each with what tells it apart', async scene => {
  const { hub, projectId, taskId, agentId } = scene
  const topic = await hub.api('memory.topic.add', { project_id: projectId, title: 'The roof' })
  const decision = { topic_id: topic.id, decision: 'Slate for the roof', reason: 'It lasts' }
  const { id } = await hub.api('memory.decision.add', decision)
  const { found } = await hub.api('search.find', { text: 'ROOF', project_id: projectId })
  expect(found).toEqual([
    {
      ...{ kind: 'task', id: taskId, title: 'Build the roof', detail: 'demo-1', project_id: projectId },
      status: expect.any(String),
    },
    { kind: 'decision', id: String(id), title: 'Slate for the roof', detail: 'The roof', project_id: projectId },
    { kind: 'topic', id: String(topic.id), title: 'The roof', detail: '', project_id: projectId },
  ])
  const named = (await hub.api('search.find', { text: 'demo' })).found
  expect(named).toContainEqual(expect.objectContaining({ kind: 'project', id: projectId, title: 'demo' }))
  expect(named).toContainEqual(expect.objectContaining({ kind: 'agent', id: agentId }))
  // As people call a decision.
  const numbered = (await hub.api('search.find', { text: `#${id}` })).found
  expect(numbered[0]).toMatchObject({ kind: 'decision', id: String(id) })
})

onBoth('kinds, a project and a limit narrow it; nothing is found for what is nowhere', async scene => {
  const { hub, projectId, other } = scene
  for (let count = 0; count < 8; count++)
    await hub.api('task.add', { project_id: projectId, title: `Paint wall ${count} 壁を塗る` })
  const tasks = (await hub.api('search.find', { text: 'wall', kinds: ['task'], limit: 3 })).found
  expect(tasks.map(({ kind }) => kind)).toEqual(['task', 'task', 'task'])
  expect((await hub.api('search.find', { text: '壁を', kinds: ['task'] })).found).toHaveLength(5)
  expect((await hub.api('search.find', { text: 'wall', project_id: other.projectId })).found).toEqual([])
  expect((await hub.api('search.find', { text: 'zebra' })).found).toEqual([])
  expect((await hub.api('search.find', { text: '%' })).found).toEqual([])
})

onBoth('a closed task is found by its text however old it is, and the newest first', async scene => {
  const { hub, projectId, other } = scene
  const closed = (n: number, title: string, more = {}) => ({
    ...{ id: `tsk_done_${n}`, project_id: projectId, title, folded: title.toLowerCase(), description: '' },
    ...{ status: 'done', priority: 'low', number: n + 10, created_at: n, updated_at: n },
    ...{ reported_at: n, verified_at: n, accepted_at: n, queued_at: n, merged_at: n, deleted_at: null, ...more },
  })
  // Many have changed at the same moment.
  const rows = Array.from({ length: 4000 }, (_, n) => closed(n, `Done ${n}`, { updated_at: Math.floor(n / 700) }))
  rows[3] = closed(3, 'Oldest beam', { updated_at: 0 })
  rows[1500] = closed(1500, 'Older beam', { updated_at: 2 })
  rows[3999] = closed(3999, 'Newest beam', { updated_at: 9 })
  rows.push(closed(4000, 'Deleted beam', { deleted_at: 5 }))
  await insertRows(hub.target.db, 'tasks', rows)
  using watched = watchQueries()
  const find = async (text: string, limit: number, more: { project_id?: string } = {}) => {
    watched.take()
    const { found } = await hub.api('search.find', { text, kinds: ['task'], limit, ...more })
    return { titles: found.map(({ title }) => title), asked: ofTasks(watched.take()).length }
  }
  const all = ['Newest beam', 'Older beam', 'Oldest beam']
  expect((await find('BEAM', 5)).titles).toEqual(all)
  expect((await find('beam', 5, { project_id: projectId })).titles).toEqual(all)
  expect((await find('beam', 5, { project_id: other.projectId })).titles).toEqual([])
  expect((await find('oldest', 5)).titles).toEqual(['Oldest beam'])
  expect((await find(scene.taskId, 5)).titles).toEqual(['Build the roof'])
  // Where there are enough among the newest, no more are looked through: the name, those that are open, where a page ends, and that page.
  const few = await find('done', 3)
  expect(few).toEqual({ titles: ['Done 3998', 'Done 3997', 'Done 3996'], asked: 4 })
  expect((await find('roof', 1)).asked).toBe(2)
  const whole = await find('nowhere', 3)
  expect(whole.asked).toBe(2 + 2 * 5)
})

const ofTasks = (queries: Parameters<typeof selects>[0]) =>
  selects(queries).filter(({ sql }) => /from "(tasks|projects)"/.test(sql) && sql.includes('"tasks"'))
