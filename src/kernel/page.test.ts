import { expect, test } from 'vitest'
import { z } from 'zod'
import { limitOf, pageOf, readCursor } from './page.ts'

const writeCursor = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

const page = (rows: string[], limit: number, used?: unknown) =>
  pageOf(
    rows,
    limit,
    row => row,
    row => row,
    used,
  )

test('a limit above the maximum is cut to it', () => {
  expect([limitOf(undefined), limitOf(undefined, 20), limitOf(7), limitOf(1e9)]).toEqual([50, 20, 7, 200])
})

test('the last page has no cursor, any other points behind its last item', () => {
  expect(page(['a', 'b'], 2)).toEqual({ items: ['a', 'b'] })
  expect(page([], 2)).toEqual({ items: [] })
  expect(page(['a', 'b', 'c'], 2)).toEqual({ items: ['a', 'b'], next_cursor: writeCursor('b') })
})

test('large items end a page early, but never make it empty', () => {
  const big = 'x'.repeat(1_000_000)
  expect(page([big, big, big, big], 10)).toEqual({ items: [big, big], next_cursor: writeCursor(big), truncated: true })
  const huge = 'x'.repeat(5_000_000)
  expect(page([huge, 'a'], 10)).toMatchObject({ items: [huge], truncated: true })
  expect(page([big, big], 10, { context: big })).toMatchObject({ items: [big], truncated: true })
})

test.each(['', 'x', '!!!', writeCursor({ a: 1 }), writeCursor(1e300), Buffer.from('[').toString('base64url')])(
  'a cursor of another list is refused: %j',
  cursor => {
    expect(() => readCursor(cursor, z.string())).toThrow('cursor is not one that this list gave out')
  },
)

test('a cursor comes back as it went out', () => {
  expect(readCursor(undefined, z.string())).toBeUndefined()
  expect(readCursor(writeCursor('棟'), z.string())).toBe('棟')
})
