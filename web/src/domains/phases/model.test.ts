import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { PhaseView } from '#contract/views.ts'
import { diffOf, durationOf, firstToShow, piecesOf } from './model.ts'

const phase = (status: PhaseView['status'], name: string, from: string | null = null, to: string | null = null) => ({
  ...{ phase: name, status, started_at: from, completed_at: to, outcome: null, summary: null, checkpoints: 0 },
  reason: null,
})

test('a diff has both texts in it, whatever they are', () => {
  const text = fc.array(fc.constantFrom('', 'a', 'b', 'c'), { minLength: 1, maxLength: 12 }).map(all => all.join('\n'))
  fc.assert(
    fc.property(text, text, (before, after) => {
      const lines = diffOf(before, after)
      const without = (kind: string) =>
        lines
          .filter(one => one.kind !== kind)
          .map(one => one.text)
          .join('\n')
      expect(without('added')).toBe(before)
      expect(without('removed')).toBe(after)
    }),
  )
})

test('what did not change is not marked', () => {
  expect(diffOf('a\nb\nc', 'a\nx\nc').map(({ kind, text }) => `${kind} ${text}`)).toEqual([
    'same a',
    'removed b',
    'added x',
    'same c',
  ])
})

test('the phase in progress is shown first, else the failed one, else the last', () => {
  expect(firstToShow([phase('completed', 'phase0'), phase('in_progress', 'phase1')])).toBe('phase1')
  expect(firstToShow([phase('failed', 'phase0'), phase('pending', 'phase1')])).toBe('phase0')
  expect(firstToShow([phase('completed', 'phase0'), phase('completed', 'phase1')])).toBe('phase1')
  expect(firstToShow([phase('pending', 'phase0')])).toBe('phase0')
})

test('it takes as long as it took, or as it has taken so far', () => {
  const from = '2026-01-01T00:00:00Z'
  expect(durationOf(phase('completed', 'phase0', from, '2026-01-01T01:00:00Z'), 0)).toBe(3600_000)
  expect(durationOf(phase('in_progress', 'phase0', from), Date.parse(from) + 5)).toBe(5)
  expect(durationOf(phase('pending', 'phase0'), 0)).toBeUndefined()
})

test('places are told from the text around them; a brace alone, an empty or a broken one is text', () => {
  expect(piecesOf('Plan {{project}} in {{ 年 }}.')).toEqual([
    ...[
      { text: 'Plan ', isPlace: false },
      { text: '{{project}}', isPlace: true },
      { text: ' in ', isPlace: false },
    ],
    ...[
      { text: '{{ 年 }}', isPlace: true },
      { text: '.', isPlace: false },
    ],
  ])
  const plain = '{one} {{}} {{a\nb}} {{'
  expect(piecesOf(plain)).toEqual([{ text: plain, isPlace: false }])
  expect(piecesOf('')).toEqual([])
})
