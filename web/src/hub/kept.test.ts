import { expect, test } from 'vitest'
import { keeper } from './kept.ts'

const full = (there: Record<string, string>) =>
  ({
    getItem: (key: string) => there[key] ?? null,
    setItem: () => {
      throw new DOMException('full', 'QuotaExceededError')
    },
    removeItem: (key: string) => void delete there[key],
  }) as unknown as Storage

test('a storage that is blocked keeps what was set while the page is open', () => {
  const kept = keeper(() => {
    throw new DOMException('denied', 'SecurityError')
  })
  expect(kept.getItem('a')).toBeNull()
  kept.setItem('a', '1')
  expect([kept.getItem('a'), kept.keys()]).toEqual(['1', ['a']])
  kept.removeItem('a')
  expect([kept.getItem('a'), kept.keys()]).toEqual([null, []])
})

test('in a full storage the newest value counts, and the older one does not come back', () => {
  const there: Record<string, string> = { a: 'old' }
  const kept = keeper(() => full(there))
  expect(kept.getItem('a')).toBe('old')
  kept.setItem('a', 'new')
  expect(kept.getItem('a')).toBe('new')
  expect(there).toEqual({})
})
