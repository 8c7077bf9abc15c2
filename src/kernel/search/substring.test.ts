import fc from 'fast-check'
import { expect, test } from 'vitest'
import { databases } from '#test/hub.ts'
import { type OpenMemory, openMemory } from '#test/memory.ts'
import { fold } from './fold.ts'
import { gramsIn, gramsOf } from './grams.ts'
import { rarest, UNITS } from './sqlite-substring.ts'
import type { SubstringTable } from './text-search.ts'

const TABLE: SubstringTable = {
  name: 'topic_texts',
  source: { table: 'topics', a: 'title', b: 'description', scope: 'project' },
}
const SCOPE = 1

test.each(databases)(
  'finds the newest rows of needles that are in every row, in some and in few, on %s',
  async kind => {
    await using memory = await openMemory(kind)
    // More than are read as they are, over the border between two spans of ids, and with a gap.
    const ids = Array.from({ length: 3_000 }, (_, index) => 15_000 + index + (index < 1_500 ? 0 : 20_000))
    await fill(memory, ids, textOf)
    const Query = fc.record({
      every: fc.constantFrom(...EVERY),
      limit: fc.integer({ min: 1, max: 40 }),
      before: fc.option(fc.integer({ min: 14_990, max: 38_000 }), { nil: undefined }),
    })
    await fc.assert(
      fc.asyncProperty(Query, async ({ every, limit, before }) => {
        const needle = `every ${every}.`
        const expected = ids.filter(id => id % every === 0 && id < (before ?? Number.POSITIVE_INFINITY))
        const query = { scope: SCOPE, needle, before, limit }
        const found = await memory.database.search.substring.find(memory.database, TABLE, query)
        expect(found).toEqual(expected.reverse().slice(0, limit))
      }),
      { numRuns: 60 },
    )
  },
)

test.each(databases)('finds needles of any length in any case and width, on %s', async kind => {
  await using memory = await openMemory(kind)
  // Later ones first, and a block of rows in several parts, as a rebuild leaves them.
  const ids = [...numbers(70, 160), ...numbers(1, 70), ...numbers(160, 172)]
  const letters = ['ab', 'AB', 'ａｂ', 'é', 'E\u0301', 'ｶﾞ', 'ガ', 'Straße', '認証', 'ſ', '🏠']
  const texts = new Map(ids.map(id => [id, [0, 1, 2].map(part => letters[(id * (part + 3)) % 11]).join('')]))
  await fill(memory, ids, id => texts.get(id) as string)
  const { substring } = memory.database.search
  const Needle = fc.record({
    id: fc.constantFrom(...ids),
    from: fc.nat(5),
    length: fc.integer({ min: 1, max: 6 }),
    before: fc.option(fc.integer({ min: 1, max: 180 }), { nil: undefined }),
    limit: fc.integer({ min: 1, max: 60 }),
  })
  await fc.assert(
    fc.asyncProperty(Needle, async ({ id, from, length, before, limit }) => {
      const needle = Array.from(fold(texts.get(id) as string))
        .slice(from, from + length)
        .join('')
      fc.pre(needle !== '')
      const holding = ids.filter(one => fold(texts.get(one) as string).includes(needle))
      const expected = holding.filter(one => one < (before ?? Infinity)).sort((a, b) => b - a)
      const found = await substring.find(memory.database, TABLE, { scope: SCOPE, needle, before, limit })
      expect(found).toEqual(expected.slice(0, limit))
    }),
    { numRuns: 200 },
  )
})

test('SQLite is asked for the rarest grams of a needle, wherever in it they are', async () => {
  await using memory = await openMemory('sqlite')
  const ids = Array.from({ length: 30_000 }, (_, index) => index + 1)
  // Numbers, since most words of an index are rare.
  await fill(memory, ids, id => `common but ${id % 1_000 === 0 ? 'rare' : id * 7_919}`)
  const common = new Set(gramsOf(SCOPE, ['common but '], UNITS))
  const chosen = await rarest(memory.database, TABLE.name, gramsIn(SCOPE, 'common but rare', UNITS))
  expect(chosen.length).toBeGreaterThan(1)
  expect(chosen.filter(gram => common.has(gram))).toEqual([])
})

const numbers = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => from + index)

const EVERY = [1, 2, 7, 60, 250, 400, 900, 2_999]

/** Says of which numbers its id is a multiple. */
function textOf(id: number): string {
  return EVERY.filter(every => id % every === 0)
    .map(every => `every ${every}.`)
    .join(' ')
}

async function fill(memory: OpenMemory, ids: readonly number[], text: (id: number) => string): Promise<void> {
  const { database } = memory
  const project = await memory.project('filled')
  const rows = ids.map(id => ({ id, scope: SCOPE, a: text(id), b: '' }))
  await database.tx(async tx => {
    for (const { id, a: title } of rows) {
      const topic = { id, project, title, created_at: 0 }
      await tx.tables<{ topics: typeof topic }>().insertInto('topics').values(topic).execute()
    }
    // In parts, as they come to the index.
    for (let from = 0; from < rows.length; from += 32)
      await database.search.substring.add(tx, TABLE, rows.slice(from, from + 32))
  })
}
