import { PostgresQueryCompiler, SqliteQueryCompiler } from 'kysely'
import { expect, test, vi } from 'vitest'
import { HUB } from '#hub/own-caller.ts'
import { type OpenMemory, openMemory } from '#test/memory.ts'

/** All statements that were prepared. */
const prepared = vi.hoisted((): string[] => [])
vi.mock('@photostructure/sqlite', async original => {
  const library = await original<typeof import('@photostructure/sqlite')>()
  class Counting extends library.DatabaseSync {
    override prepare(...args: Parameters<InstanceType<typeof library.DatabaseSync>['prepare']>) {
      prepared.push(args[0])
      return super.prepare(...args)
    }
  }
  return { ...library, DatabaseSync: Counting }
})

/** More than wait for the index, and more than wait to be counted: every way of a write is among them. */
const WRITES = 140

test('writing and reading memory prepares no statement and builds no query again', async () => {
  await using memory = await openMemory('sqlite')
  const { project, topicId } = await begin(memory)
  await useAll(memory, project, topicId, WRITES)
  expect(prepared).not.toEqual([])
  prepared.length = 0
  const compile = vi.spyOn(SqliteQueryCompiler.prototype, 'compileQuery')
  await useAll(memory, project, topicId, WRITES)
  expect(prepared).toEqual([])
  expect(compile).not.toHaveBeenCalled()
})

test('listing memory builds no query again on PostgreSQL', async () => {
  await using memory = await openMemory('postgres')
  const { project, topicId } = await begin(memory)
  await list(memory, project, topicId)
  const compile = vi.spyOn(PostgresQueryCompiler.prototype, 'compileQuery')
  await list(memory, project, topicId)
  expect(compile).not.toHaveBeenCalled()
})

test('a project whose first records were called off is indexed when they come again', async () => {
  await using memory = await openMemory('sqlite')
  const project = await memory.project('p')
  const add = async (many: number) =>
    memory.database.tx(async tx => {
      for (let index = 0; index < many; index++)
        await memory
          .within(tx)
          .memory.addTopic(project, { title: `t ${index}`, description: null, parentId: null }, HUB)
      if (many < WRITES) throw new Error('called off')
    })
  await expect(add(WRITES - 1)).rejects.toThrow('called off')
  await add(WRITES)
  const found = await memory.services.exact.topics({ project, keyword: 't 139', before: undefined, limit: 5 })
  expect(found.map(topic => topic.title)).toEqual(['t 139'])
  const { results } = await memory.services.recalling.answer(project, { queries: ['139'], limit: 5 }, HUB)
  expect(results.map(hit => hit.title)).toEqual(['t 139'])
})

async function begin(memory: OpenMemory) {
  const project = await memory.project('p')
  const { memory: verbs } = memory.services
  const { id } = await verbs.addTopic(project, { title: 'first', description: null, parentId: null }, HUB)
  return { project, topicId: id }
}

async function useAll(memory: OpenMemory, project: number, topicId: number, writes: number): Promise<void> {
  const { memory: verbs } = memory.services
  for (let index = 0; index < writes; index++) {
    const fresh = { topicId, project: undefined, decision: `we chose ${index}`, reason: 'measured', supersedes: null }
    const { id } = await verbs.addDecision(fresh, HUB)
    await verbs.addDecision({ ...fresh, supersedes: id }, HUB)
    await verbs.addEntry(topicId, `said ${index}`, HUB)
    await verbs.addTopic(project, { title: `topic ${index}`, description: 'x', parentId: topicId }, HUB)
  }
  await list(memory, project, topicId)
  await search(memory, project)
}

async function list(memory: OpenMemory, project: number, topicId: number): Promise<void> {
  const { memory: verbs } = memory.services
  await verbs.listProjects(0, 5, HUB)
  for (const from of [undefined, 1]) {
    await verbs.listDecisions(topicId, from, 5, HUB)
    await verbs.listEntries(topicId, from, 5, HUB)
  }
  for (const parentId of [null, topicId])
    for (const decided of [undefined, true, false]) await verbs.listTopics(project, { parentId, decided }, 0, 5, HUB)
  await verbs.listTree(project, topicId, 20, HUB)
}

async function search(memory: OpenMemory, project: number): Promise<void> {
  const { exact } = memory.services
  for (const keyword of ['c', 'chose', 'a long keyword of which there is none']) {
    await exact.decisions({ project, keyword, before: undefined, limit: 5 })
    await exact.topics({ project, keyword, before: undefined, limit: 5 })
  }
}
