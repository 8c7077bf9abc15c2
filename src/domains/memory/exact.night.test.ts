import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { Sqlite } from '#kernel/db/sqlite-port.ts'
import { fold } from '#kernel/search/fold.ts'
import { HUB } from '#hub/own-caller.ts'
import { type OpenMemory, openMemory } from '#test/memory.ts'

/** What has surprised text search before: width, case that changes length, marks, joiners, operators. */
const PIECES =
  `認証 基盤 決定 議論ログ ひらがな カタカナ ｶﾞ ガ が か\u3099 、 。 ー JWT ＪＷＴ token Token STRASSE straße É é e\u0301 İ i ı
  Σ ς σ ﬁ ſ % _ \\ " ' * ( ) AND OR NOT NEAR : ^ - + { } 🎉 👩‍👩‍👧 🇯🇵 \u0301 ① ㍿ ½ ０ 0 a b ab aba Å \u200d 한국 각`
    .split(/\s+/)
    .concat('　', ' ', '\n', '\t')
const Texts = fc.array(
  fc.oneof(fc.constantFrom(...PIECES), fc.string({ unit: 'grapheme', minLength: 1, maxLength: 4 })),
  {
    minLength: 1,
    maxLength: 12,
  },
)
const Text = Texts.map(parts => parts.join('').replaceAll('\0', '')).filter(text => text.isWellFormed() && text !== '')
/** A piece of what is there, or something else. */
const Cut = fc.record({
  of: fc.nat(),
  from: fc.nat(),
  length: fc.integer({ min: 1, max: 12 }),
  other: Text,
  alien: fc.boolean(),
})

const Case = fc.record({
  rows: fc.array(fc.tuple(Text, fc.option(Text, { nil: '' }), fc.boolean()), { minLength: 1, maxLength: 8 }),
  cuts: fc.array(Cut, { minLength: 4, maxLength: 8 }),
})

test('finds on both databases exactly what a full scan finds, newest first', async () => {
  await using sqlite = await openMemory('sqlite')
  await using postgres = await openMemory('postgres')
  let count = 0
  await fc.assert(
    fc.asyncProperty(Case, async ({ rows, cuts }) => {
      count += 1
      const keywords = cuts.map(cut => (cut.alien ? cut.other : pieceOf(rows, cut)))
      const answers = []
      for (const memory of [sqlite, postgres]) answers.push(await findAll(memory, `p${count}`, rows, keywords))
      expect(answers[0]).toEqual(answers[1])
    }),
    { numRuns: 40 },
  )
})

type Row = [string, string, boolean]

async function findAll(memory: OpenMemory, name: string, rows: readonly Row[], keywords: string[]) {
  const { services } = memory
  const number = await memory.project(name)
  const other = await memory.project(`${name} other`)
  const topics: { id: number; texts: string[] }[] = []
  const decisions: { id: number; texts: string[] }[] = []
  // Sent together they are committed together, in this order.
  await Promise.all(
    rows.flatMap(([first, second, everywhere]) => {
      const texts = [first, second]
      const fresh = { topicId: null, decision: first, reason: second, supersedes: null }
      return [
        services.memory
          .addTopic(number, { title: first, description: second, parentId: null }, HUB)
          .then(topic => topics.push({ id: topic.id, texts })),
        // One that holds everywhere stays for the cases after this one: it is looked at apart.
        services.memory
          .addDecision({ ...fresh, project: everywhere ? undefined : number }, HUB)
          .then(decision => !everywhere && decisions.push({ id: decision.id, texts })),
        services.memory.addDecision({ ...fresh, project: other }, HUB),
      ]
    }),
  )
  for (const list of [topics, decisions]) list.sort((a, b) => b.id - a.id)
  const answers = []
  for (const keyword of keywords) {
    const contains = ({ texts }: { texts: string[] }) => texts.some(text => fold(text).includes(fold(keyword)))
    const query = { project: number, keyword, before: undefined, limit: 1000 }
    const foundTopics = (await services.exact.topics(query)).map(topic => topic.id)
    expect(foundTopics, `topics with ${JSON.stringify(keyword)}`).toEqual(
      topics.filter(contains).map(topic => topic.id),
    )
    const found = await services.exact.decisions(query)
    const own = found.filter(decision => decision.project === number).map(decision => decision.id)
    expect(own, `decisions with ${JSON.stringify(keyword)}`).toEqual(decisions.filter(contains).map(({ id }) => id))
    for (const decision of found) {
      expect([number, null]).toContain(decision.project)
      expect(contains({ texts: [decision.decision, decision.reason] })).toBe(true)
    }
    answers.push({ foundTopics, decisions: found.map(decision => decision.id) })
  }
  return answers
}

function pieceOf(rows: readonly Row[], { of, from, length }: { of: number; from: number; length: number }): string {
  const row = rows[of % rows.length] as Row
  const characters = Array.from(row[of % 2 === 0 ? 0 : 1] || row[0])
  const start = from % characters.length
  return characters.slice(start, start + length).join('')
}

test('goes on finding everything while the index is being made again', async () => {
  await using memory = await openMemory('sqlite')
  const number = await memory.project('p')
  for (const title of ['認証', '認可', 'ＪＷＴ'])
    await memory.services.memory.addTopic(number, { title, description: null, parentId: null }, HUB)
  const search = (keyword: string) =>
    memory.services.exact.topics({ project: number, keyword, before: undefined, limit: 30 })
  const rebuild = memory.rebuild('another version')
  const seen: number[] = []
  await rebuild.run(() => {
    void search('認').then(found => seen.push(found.length))
  })
  await rebuild.dispose()
  expect((await search('認')).map(topic => topic.title)).toEqual(['認可', '認証'])
  expect((await search('jwt')).map(topic => topic.title)).toEqual(['ＪＷＴ'])
  expect(seen.every(count => count === 2)).toBe(true)
})

test('an index in many pieces is brought together at the next start, and finds the same', async () => {
  await using memory = await openMemory('sqlite')
  const project = await memory.project('p')
  const { database, services } = memory
  const count = async () => {
    const pieces = sql<{ count: number }>`SELECT count(DISTINCT segid) AS count FROM decision_texts_grams_idx`
    return (await pieces.execute(database.tables())).rows[0]?.count
  }
  const found = async () =>
    (await services.exact.decisions({ project, keyword: '認証基盤', before: undefined, limit: 30 })).map(({ id }) => id)
  // Left to itself, FTS5 would bring so few together as they come.
  await database.tx(async tx => {
    await sql`INSERT INTO decision_texts_grams (decision_texts_grams, rank) VALUES ('automerge', 0)`.execute(
      tx.tables(),
    )
  })
  // Thirty-two make a piece.
  for (let index = 0; index < 12 * 32; index++)
    await services.memory.addDecision(
      { topicId: null, project, decision: `認証基盤の決定 ${index}`, reason: 'r', supersedes: null },
      HUB,
    )
  expect(await count()).toBe(12)
  const before = await found()
  expect(before).toHaveLength(30)
  await memory.rebuild().run(() => {})
  expect(await count()).toBe(1)
  expect(await found()).toEqual(before)
  await memory.rebuild().run(() => {}, true)
  expect(await count()).toBe(1)
  expect(await found()).toEqual(before)
})

test.each(['memory.3', 'memory.4'])(
  'the indexes of %s are made again in their new form, and find the same',
  async form => {
    const folder = mkdtempSync(join(tmpdir(), 'toryo-test-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const file = join(folder, 'toryo.db')
    const find = async ({ services }: OpenMemory) => {
      const found = await services.exact.decisions({ project: 1, keyword: 'ＪＷＴ', before: undefined, limit: 50 })
      const { results } = await services.recalling.answer(1, { queries: ['認証'], limit: 10 }, HUB)
      return { found: found.map(({ id }) => id), recalled: results.map(({ id }) => id) }
    }
    let before: Awaited<ReturnType<typeof find>>
    {
      await using memory = await openMemory('sqlite', { file })
      const project = await memory.project('p')
      const { memory: verbs } = memory.services
      for (let index = 0; index < 40; index++)
        await verbs.addDecision(
          { topicId: null, project, decision: `JWT ${index}`, reason: '認証', supersedes: null },
          HUB,
        )
      before = await find(memory)
      expect(before.found).toHaveLength(40)
      expect(before.recalled).toHaveLength(10)
    }
    const sqlite = new Sqlite(file)
    for (const name of ['topic_texts', 'decision_texts']) {
      for (const part of ['', '_short', '_grams']) sqlite.exec(`DROP TABLE ${name}${part}`)
      sqlite.exec(`CREATE TABLE ${name} (id INTEGER PRIMARY KEY, scope INTEGER NOT NULL, a TEXT, b TEXT)`)
      const fts = `USING fts5(grams, content='', detail=none, tokenize='ascii')`
      sqlite.exec(`CREATE VIRTUAL TABLE ${name}_grams ${fts}`)
      if (form === 'memory.3') continue
      sqlite.exec(`CREATE TABLE ${name}_waiting (id INTEGER PRIMARY KEY)`)
      sqlite.exec(`CREATE VIRTUAL TABLE ${name}_short ${fts}`)
    }
    const columns = 'scope INTEGER NOT NULL, place INTEGER NOT NULL, changes BLOB NOT NULL'
    sqlite.exec(`DROP TABLE ranked_changes; DROP TABLE ranked_words_1; CREATE TABLE ranked_uncounted (${columns})`)
    sqlite.exec("CREATE VIRTUAL TABLE ranked_1 USING fts5(context, text, title, content='', tokenize='ascii')")
    if (form === 'memory.4') sqlite.exec('CREATE TABLE ranked_waiting (scope INTEGER, id INTEGER, columns BLOB)')
    sqlite.exec('ALTER TABLE memory_index DROP COLUMN indexed; DROP TABLE memory_documents')
    sqlite.exec(
      'CREATE TABLE memory_documents (id INTEGER PRIMARY KEY, scope INTEGER, topic_id INTEGER, length INTEGER, frequencies BLOB)',
    )
    sqlite.exec(`DELETE FROM migrations WHERE id > '${form}' AND id < 'memory.a'; PRAGMA user_version = 1`)
    sqlite.exec("INSERT OR REPLACE INTO memory_index (one, version, rebuild) VALUES (1, '3/icu', NULL)")
    sqlite.close()
    await using memory = await openMemory('sqlite', { file })
    expect(await find(memory)).toEqual(before)
  },
)
