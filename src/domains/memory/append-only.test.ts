// What was said and decided is never rewritten: not by our verbs, and not by a hand in the database.
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { databases } from '#test/hub.ts'
import { openMemory } from '#test/memory.ts'
import { HUB } from '#hub/own-caller.ts'

describe.each(databases)('memory is append-only on %s', database => {
  test('the database itself refuses to change, remove or replace a record, and still takes new ones', async () => {
    await using memory = await openMemory(database)
    const { services, database: db } = memory
    const project = await memory.project('shop')
    const add = async () => {
      const topic = await services.memory.addTopic(project, { title: 't', description: null, parentId: null }, HUB)
      await services.memory.addEntry(topic.id, 'said', HUB)
      const fresh = { topicId: topic.id, project: undefined, decision: 'd', reason: 'r', supersedes: null }
      await services.memory.addDecision(fresh, HUB)
    }
    await add()
    const rows = async () =>
      Promise.all(
        ['topics', 'entries', 'decisions'].map(table =>
          db.tables<Record<string, { id: number }>>().selectFrom(table).selectAll().execute(),
        ),
      )
    const before = await rows()
    const attempts = [
      ...['topics', 'entries', 'decisions'].flatMap(table => [
        `UPDATE ${table} SET created_at = 1`,
        `DELETE FROM ${table}`,
      ]),
      ...(db.shared
        ? ['TRUNCATE topics, entries, decisions CASCADE']
        : ["REPLACE INTO entries (id, project, topic_id, content, created_at) VALUES (1, 1, 1, 'other', 1)"]),
    ]
    for (const attempt of attempts)
      await expect(
        db.tx(async tx => void (await sql.raw(attempt).execute(tx.tables()))),
        attempt,
      ).rejects.toThrow(/append-only/)
    expect(await rows()).toEqual(before)
    await add()
    await memory.rebuild('another').run(() => {}, true)
    const found = await services.recalling.answer(
      project,
      { queries: ['said'], kinds: undefined, topicId: undefined, limit: 5 },
      HUB,
    )
    expect(found.results).not.toEqual([])
    expect((await rows()).map(found => found.length)).toEqual([2, 2, 2])
  })
})
