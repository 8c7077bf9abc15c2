import { readdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { describe, expect, test } from 'vitest'
import { placeFor } from '#test/database.ts'
import { databases } from '#test/hub.ts'
import { Refused } from '../refused.ts'
import { type Migration, pending } from './migrate.ts'

const step = (id: string): Migration => ({
  id,
  up: db => db.schema.createTable(id.replace('.', '_')).addColumn('n', 'integer').execute(),
})

describe.each(databases)('on %s', database => {
  test('each step is taken once, in order, and new ones are taken at the next start', async () => {
    await using place = await placeFor(database)
    const applied = async (...steps: Migration[]) => {
      await using opened = await place.open(steps)
      const rows = opened
        .tables<{ migrations: { id: string; position: number } }>()
        .selectFrom('migrations')
        .selectAll()
      return (await rows.orderBy('position').execute()).map(({ id }) => id)
    }
    expect(await applied(step('a.1'))).toEqual(['a.1'])
    expect(await applied(step('a.1'), step('b.1'))).toEqual(['a.1', 'b.1'])
    expect(await applied(step('a.1'), step('b.1'))).toEqual(['a.1', 'b.1'])
    if (database === 'sqlite')
      expect(readdirSync(dirname(place.db)).filter(name => name.includes('.before-b.1-'))).toHaveLength(1)
  })

  test('a step that fails leaves nothing of itself or of the others', async () => {
    await using place = await placeFor(database)
    await (await place.open([step('a.1')])).close()
    const broken: Migration = {
      id: 'c.1',
      up: async () => {
        throw new Error('no such luck')
      },
    }
    await expect(place.open([step('a.1'), step('b.1'), broken])).rejects.toThrow('no such luck')
    await using again = await place.open([step('a.1'), step('b.1')])
    expect(await again.tables<{ b_1: { n: number } }>().selectFrom('b_1').selectAll().execute()).toEqual([])
  })

  test('a database of a newer program is refused, with a sentence', async () => {
    await using place = await placeFor(database)
    await (await place.open([step('a.1'), step('z.9')])).close()
    const refusal = await place.open([step('a.1')]).catch((error: unknown) => error)
    // What people read, in both languages.
    expect(refusal).toBeInstanceOf(Refused)
    const made = (refusal as Refused).text
    expect(made.en).toMatch(/by a newer Toryo.*; update /)
    expect(made.ja).toContain('より新しい Toryo')
  })
})

test('what is pending keeps its order', () => {
  expect(pending(['a.2'], [step('a.1'), step('a.2'), step('a.3')]).map(({ id }) => id)).toEqual(['a.1', 'a.3'])
})
