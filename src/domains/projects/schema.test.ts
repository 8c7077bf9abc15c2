import { describe, expect, test } from 'vitest'
import { migrations } from '#hub/schema.ts'
import { placeFor } from '#test/database.ts'
import { databases, testHub } from '#test/hub.ts'

type Row = Record<string, string | number | null>
type Tables = { projects: Row; tasks: Row }

const isNewer = /^(projects\.(?:thread|labels|open)|thread\.)/
const before = migrations.filter(({ id }) => !isNewer.test(id))

const project = (id: string, name: string, directory: string | null = null) => ({
  ...{ id, name, directory, description: '', active: 1, created_at: 1 },
})
const task = (id: string, project_id: string, status: string, created_at: number) => ({
  ...{ id, project_id, status, created_at, title: id, description: '', priority: 'low', updated_at: 9 },
})

describe.each(databases)('on %s', kind => {
  test('projects and tasks of an older hub get keys and numbers, and what was done is accepted', async () => {
    await using place = await placeFor(kind)
    const old = await place.open(before)
    await old.tx(async tx => {
      const q = tx.tables<Tables>()
      const projects = [
        project('prj_1', 'Shop backend'),
        // People call it `shop`: nothing else may be called so.
        project('prj_2', 'shop'),
        project('yard', 'The yard'),
        project('prj_4', '屋根', '/home/aoi/roof'),
        project('prj_5', '屋根 2'),
        project('prj_6', '7 Wonders'),
      ]
      for (const row of projects) await q.insertInto('projects').values(row).execute()
      const tasks = [
        task('tsk_b', 'prj_1', 'todo', 5),
        task('tsk_a', 'prj_1', 'done', 5),
        task('tsk_c', 'prj_1', 'cancelled', 4),
        task('tsk_d', 'prj_4', 'in_progress', 1),
      ]
      for (const row of tasks) await q.insertInto('tasks').values(row).execute()
    })
    await old.close()

    await using database = await place.open(migrations)
    const q = database.tables<Tables>()
    const projects = await q.selectFrom('projects').select(['id', 'key', 'last_task']).orderBy('number').execute()
    expect(projects).toEqual([
      { id: 'prj_1', key: 'shop2', last_task: 3 },
      { id: 'prj_2', key: 'shop', last_task: 0 },
      { id: 'yard', key: 'yard', last_task: 0 },
      { id: 'prj_4', key: 'roof', last_task: 1 },
      { id: 'prj_5', key: 'p5', last_task: 0 },
      { id: 'prj_6', key: 'wonders', last_task: 0 },
    ])
    const tasks = await q
      .selectFrom('tasks')
      .select(['id', 'number', 'reported_at', 'accepted_at'])
      .orderBy('id')
      .execute()
    expect(tasks).toEqual([
      { id: 'tsk_a', number: 2, reported_at: 9, accepted_at: 9 },
      { id: 'tsk_b', number: 3, reported_at: null, accepted_at: null },
      { id: 'tsk_c', number: 1, reported_at: null, accepted_at: null },
      { id: 'tsk_d', number: 1, reported_at: null, accepted_at: null },
    ])
  })

  test('an export from before there were handles comes in with them, and no number is given twice', async () => {
    await using from = await testHub({ database: kind })
    await from.api('project.add', { id: 'prj_1', name: 'Shop' })
    for (const [id, status] of [
      ['tsk_1', 'done'],
      ['tsk_2', 'todo'],
    ] as const)
      await from.api('task.add', { id, project_id: 'shop', title: id, status })
    const lines = (await (await from.fetch('/api/export')).text()).trim().split('\n')
    const newer =
      /^(key|last_task|number|workspace|base|accept|reviewer_id|merge|parent_id|branch|(reported|verified|accepted|queued|merged)_at)$/
    const older = lines.map(line => {
      const entry = JSON.parse(line) as { table?: string; row: Row }
      if (entry.table !== 'projects' && entry.table !== 'tasks') return line
      const kept = Object.entries(entry.row).filter(
        ([name]) => !newer.test(name) || (name === 'number' && entry.table === 'projects'),
      )
      return JSON.stringify({ ...entry, row: Object.fromEntries(kept) })
    })
    await using to = await testHub({ database: kind })
    expect((await to.fetch('/api/import', { method: 'POST', body: older.join('\n') })).status).toBe(200)
    const { tasks } = await to.api('task.list', {})
    expect(tasks.map(({ task_id, handle, stage }) => [task_id, handle, stage])).toEqual([
      ['tsk_1', 'shop-1', 'done'],
      ['tsk_2', 'shop-2', 'planned'],
    ])
    expect((await to.api('task.add', { project_id: 'shop', title: 'Next' })).handle).toBe('shop-3')
  })

  test('an import keeps the handles that the export has', async () => {
    await using from = await testHub({ database: kind })
    await from.api('project.add', { name: 'Shop' })
    await from.api('project.edit', { project_id: 'shop', key: 'store' })
    await from.api('task.add', { project_id: 'store', title: 'One' })
    await using to = await testHub({ database: kind })
    const body = await (await from.fetch('/api/export')).text()
    expect((await to.fetch('/api/import', { method: 'POST', body })).status).toBe(200)
    expect(await to.api('task.show', { task_id: 'store-1' })).toMatchObject({ title: 'One' })
    expect((await to.api('task.add', { project_id: 'store', title: 'Two' })).handle).toBe('store-2')
  })
})
