import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type OpenMemory, openMemory } from '#test/memory.ts'
import { gramsIn, gramsOf } from './grams.ts'
import { rarest } from './sqlite-substring.ts'

const NAME = 'topic_texts'
const SCOPE = 1

test.each(['sqlite', 'postgres'] as const)(
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
        const { units } = memory.database.search.substring
        const query = { scope: SCOPE, grams: gramsIn(SCOPE, needle, units), needle, before, limit }
        const found = await memory.database.search.substring.find(memory.database, NAME, query)
        expect(found).toEqual(expected.reverse().slice(0, limit))
      }),
      { numRuns: 60 },
    )
  },
)

test('SQLite is asked for the rarest grams of a needle, wherever in it they are', async () => {
  await using memory = await openMemory('sqlite')
  const ids = Array.from({ length: 30_000 }, (_, index) => index + 1)
  // Numbers, since most words of an index are rare.
  await fill(memory, ids, id => `common but ${id % 1_000 === 0 ? 'rare' : id * 7_919}`)
  const { units } = memory.database.search.substring
  const common = new Set(gramsOf(SCOPE, ['common but '], units))
  const chosen = await rarest(memory.database, NAME, gramsIn(SCOPE, 'common but rare', units))
  expect(chosen.length).toBeGreaterThan(1)
  expect(chosen.filter(gram => common.has(gram))).toEqual([])
})

const EVERY = [1, 2, 7, 60, 250, 400, 900, 2_999]

/** Says of which numbers its id is a multiple. */
function textOf(id: number): string {
  return EVERY.filter(every => id % every === 0)
    .map(every => `every ${every}.`)
    .join(' ')
}

async function fill(memory: OpenMemory, ids: readonly number[], text: (id: number) => string): Promise<void> {
  const { database } = memory
  await database.tx(async tx => {
    for (const id of ids) {
      const a = text(id)
      const row = { id, scope: SCOPE, a, b: '', grams: gramsOf(SCOPE, [a], database.search.substring.units) }
      await database.search.substring.add(tx, NAME, row)
    }
  })
}
