import { describe, expect, test } from 'vitest'
import type { ProjectId, TaskId } from '#contract/id-types.ts'
import { STAGES, TASK_STATUSES } from '#contract/task-values.ts'
import { migrations } from '#hub/schema.ts'
import { placeFor } from '#test/database.ts'
import { databases, TestClock, testHub } from '#test/hub.ts'
import { type Facts, stageOf, type Task } from './model.ts'
import type { ProjectTables } from './schema.ts'
import { ProjectStore } from './project-store.ts'
import { TaskStore } from './task-store.ts'

const FACTS = ['reportedAt', 'verifiedAt', 'acceptedAt', 'queuedAt', 'mergedAt'] as const

describe.each(databases)('on %s', database => {
  test('tasks are found by text, label, agent, status and stage, alone and together, page by page', async () => {
    await using hub = await testHub({ database })
    await hub.seed('shop')
    await hub.api('project.add', { name: 'Yard' })
    const add = (project_id: string, title: string, more: object = {}) =>
      hub.api('task.add', { project_id, title, ...more })
    await add('shop', 'Fix the LOGIN', { labels: ['Bug'] })
    await add('shop', 'Write it down', { description: 'how a login works, 100%', assignee_id: 'agt_shop' })
    await add('yard', 'ログイン画面', { labels: ['login'], status: 'backlog' })
    await add('yard', 'a_b\\c', { status: 'done' })
    const find = async (filter: object) => (await hub.api('task.list', filter)).tasks.map(({ handle }) => handle)
    expect(await find({ search: 'login' })).toEqual(['shop-2', 'shop-3', 'yard-1'])
    expect(await find({ search: 'ｌＯＧＩＮ' })).toEqual(['shop-2', 'shop-3', 'yard-1'])
    expect(await find({ search: 'ﾛｸﾞｲﾝ' })).toEqual(['yard-1'])
    expect(await find({ search: '100%' })).toEqual(['shop-3'])
    expect(await find({ search: 'a_b\\' })).toEqual(['yard-2'])
    expect(await find({ search: 'axb' })).toEqual([])
    expect(await find({ search: '%' })).toEqual(['shop-3'])
    expect(await find({ search: 'YARD-1' })).toEqual(['yard-1'])
    expect(await find({ search: 'ug' })).toEqual(['shop-2'])
    // Over the border of two texts is nowhere.
    expect(await find({ search: 'down\nhow' })).toEqual([])
    expect(await find({ label: 'BUG' })).toEqual(['shop-2'])
    expect(await find({ label: 'ug' })).toEqual([])
    expect(await find({ stage: 'planned', search: 'login' })).toEqual(['shop-2', 'shop-3', 'yard-1'])
    expect(await find({ stage: 'planned', status: 'backlog' })).toEqual(['yard-1'])
    expect(await find({ stage: 'working' })).toEqual(['shop-1'])
    expect(await find({ stage: 'done' })).toEqual(['yard-2'])
    expect(await find({ assignee_id: 'agt_shop', search: 'login' })).toEqual(['shop-3'])
    expect(await find({ project_id: 'yard', search: 'login', label: 'LOGIN', stage: 'planned' })).toEqual(['yard-1'])
    const first = await hub.api('task.list', { search: 'login', limit: 2 })
    expect(first.tasks).toHaveLength(2)
    expect(await find({ search: 'login', limit: 2, cursor: first.next_cursor })).toEqual(['yard-1'])
    // What is edited is found as it is now.
    await hub.api('task.edit', { task_id: 'shop-2', title: 'Fix the door', add_labels: ['wood'] })
    expect(await find({ search: 'login' })).toEqual(['shop-3', 'yard-1'])
    expect(await find({ search: 'DOOR', label: 'wood' })).toEqual(['shop-2'])
    for (const search of ['', '  ', 'x'.repeat(501)]) await expect(find({ search })).rejects.toThrow('INVALID_ARGUMENT')
    // As long as it folds to be.
    expect(await find({ search: 'ﷺ'.repeat(500) })).toEqual([])
  })

  test('tasks are listed by their ids and in the order that is asked for, and pages of each order meet', async () => {
    const clock = new TestClock()
    await using hub = await testHub({ database, clock })
    await hub.api('project.add', { id: 'shop', name: 'Shop' })
    for (const title of ['one', 'two', 'three', 'four']) {
      await hub.api('task.add', { id: `tsk_${title}`, project_id: 'shop', title })
      clock.advance(1000)
    }
    await hub.api('task.edit', { task_id: 'tsk_two', title: 'two again' })
    const titles = async (filter: object) => {
      const found: string[] = []
      let cursor: string | undefined
      do {
        const page = await hub.api('task.list', { ...filter, limit: 2, ...(cursor !== undefined && { cursor }) })
        found.push(...page.tasks.map(({ task_id }) => task_id.slice(4)))
        cursor = page.next_cursor
      } while (cursor !== undefined)
      return found
    }
    expect(await titles({})).toEqual(['one', 'two', 'three', 'four'])
    expect(await titles({ order: 'created' })).toEqual(['one', 'two', 'three', 'four'])
    expect(await titles({ order: 'newest' })).toEqual(['four', 'three', 'two', 'one'])
    expect(await titles({ order: 'updated' })).toEqual(['two', 'four', 'three', 'one'])
    expect(await titles({ ids: ['tsk_three', 'tsk_one', 'tsk_none'] })).toEqual(['one', 'three'])
    expect(await titles({ ids: [] })).toEqual([])
  })

  test('the stage that SQL filters by is the one that a task has, whatever its status and facts', async () => {
    await using place = await placeFor(database, { migrated: true })
    await using db = await place.open(migrations)
    const expected = new Map<string, string[]>(STAGES.map(stage => [stage, []]))
    await db.tx(async tx => {
      const project = await new ProjectStore(tx).insert({
        ...{ id: 'prj_1' as ProjectId, key: 'shop', name: 'Shop', description: '', directory: null, asanaUrl: null },
        ...{ active: true, workspace: 'folder', base: null, accept: 'report', reviewerId: null, merge: 'merge' },
        createdAt: 1,
      })
      const store = new TaskStore(tx)
      let number = 0
      const insert = async (given: Pick<Task, 'status' | 'waits' | 'facts'>) => {
        number += 1
        const id = `tsk_${String(number).padStart(4, '0')}` as TaskId
        await store.insert({
          ...{ id, projectId: project.id, number, handle: '', parentId: null, dependsOn: [], branch: null, labels: [] },
          ...{
            title: id,
            description: '',
            priority: 'low',
            assigneeId: null,
            assignedAt: null,
            blocked: null,
            isForPeople: false,
            rank: null,
            deletedAt: null,
          },
          ...{ createdAt: number, updatedAt: number, ...given },
        })
        expected.get(stageOf(given))?.push(id)
        return id
      }
      const none = Object.fromEntries(FACTS.map(name => [name, null])) as Facts
      const open = await insert({ status: 'todo', waits: false, facts: none })
      const accepted = await insert({ status: 'done', waits: false, facts: { ...none, acceptedAt: 1 } })
      const links = tx.tables<ProjectTables>()
      for (const status of TASK_STATUSES)
        for (const waits of [false, true])
          for (let bits = 0; bits < 1 << FACTS.length; bits++) {
            const set = FACTS.map((name, bit) => [name, bits & (1 << bit) ? 7 : null])
            const id = await insert({ status, waits, facts: Object.fromEntries(set) as Facts })
            // One that it depends on is accepted in any case.
            const needed = waits ? [open, accepted] : [accepted]
            const rows = needed.map(depends_on => ({ task_id: id, depends_on, at: 1 }))
            await links.insertInto('task_links').values(rows).execute()
          }
    })
    const store = new TaskStore(db)
    for (const stage of STAGES) {
      const found = await store.list({ stage }, undefined, 1000)
      expect(
        found.map(({ id }) => id),
        stage,
      ).toEqual(expected.get(stage))
      expect(found.every(task => stageOf(task) === stage)).toBe(true)
      expect(found.length, stage).toBeGreaterThan(0)
    }
  })
})
