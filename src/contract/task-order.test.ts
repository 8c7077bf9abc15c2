import { expect, test } from 'vitest'
import { placeBehind, placeOf } from './task-order.ts'

const column = (...places: number[]) => places.map((place, index) => ({ id: 'abcdef'[index] ?? '', place }))

test('without a rank, the most urgent come first, and of those the oldest', () => {
  const of = (priority: 'urgent' | 'low', number: number, rank: number | null = null) =>
    placeOf({ rank, priority, number })
  const places = [of('urgent', 7), of('urgent', 8), of('low', 1), of('low', 2)]
  expect(places.toSorted((a, b) => a - b)).toEqual(places)
  expect(of('low', 2, -3)).toBe(-3)
})

test.each([
  ['behind the one above', 'c', 'a', 1.5],
  ['to the front', 'c', null, 0],
  ['to the end', 'a', 'c', 4],
  ['alone', 'a', null, 1],
] as const)('%s', (name, id, behind, place) => {
  const all = name === 'alone' ? column(1) : column(1, 2, 3)
  expect(placeBehind(all, id, behind)).toBe(place)
})

test('between two that have the same place, or no number between them, there is no place', () => {
  expect(placeBehind(column(1, 1, 2), 'c', 'a')).toBeUndefined()
  expect(placeBehind(column(1, 1 + Number.EPSILON, 2), 'c', 'a')).toBeUndefined()
})
