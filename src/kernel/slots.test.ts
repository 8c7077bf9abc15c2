import { describe, expect, test } from 'vitest'
import { placeFor } from '#test/database.ts'
import { databases } from '#test/hub.ts'
import { freeSlot, slotMigrations, takeSlots } from './slots.ts'

describe.each(databases)('on %s', kind => {
  test('a request gets all its slots or none, also when many ask at once', async () => {
    await using place = await placeFor(kind)
    await using database = await place.open(slotMigrations)
    const ask = (name: string, count: number) =>
      database.tx(tx =>
        takeSlots(
          tx,
          'runs',
          10,
          Array.from({ length: count }, (_, index) => `${name}${index}`),
          0,
        ),
      )
    const answers = await Promise.all(Array.from({ length: 50 }, (_, index) => ask(`r${index}-`, 3)))
    expect(answers.filter(Boolean)).toHaveLength(3)
    expect(await ask('one', 1)).toBe(true)
    expect(await ask('more', 1)).toBe(false)
    expect(await ask('nothing', 0)).toBe(true)
  })

  test('they survive the hub, belong to their pool, and are given back once', async () => {
    await using place = await placeFor(kind)
    {
      await using database = await place.open(slotMigrations)
      expect(await database.tx(tx => takeSlots(tx, 'tabs', 1, ['a'], 0))).toBe(true)
    }
    await using database = await place.open(slotMigrations)
    const take = (pool: string, holder: string) => database.tx(tx => takeSlots(tx, pool, 1, [holder], 0))
    expect(await take('tabs', 'b')).toBe(false)
    expect(await take('runs', 'b')).toBe(true)
    await database.tx(tx => freeSlot(tx, 'tabs', 'nobody'))
    expect(await take('tabs', 'b')).toBe(false)
    await database.tx(tx => freeSlot(tx, 'tabs', 'a'))
    expect(await take('tabs', 'b')).toBe(true)
  })
})
