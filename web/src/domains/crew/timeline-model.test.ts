import { expect, test } from 'vitest'
import { type Bar, fitting, lanesOf, spanOf, stageStarts, ticksOf, zoomed } from './timeline-model.ts'

const bar = (id: string, label: string, created: number, ended: number | null, stage: number | null = null): Bar => ({
  ...{ id, label, detail: '', status: 'running', created, started: created, ended, href: '', cost: null, stage },
})

test('a stage begins when the first of it starts; one stage alone is not marked', () => {
  const waiting = { ...bar('w', 'fixer', 0, null, 2), started: null }
  const bars = [bar('c', 'tester', 40, 50, 1), bar('a', 'worker', 0, 10, 0), bar('b', 'fixer', 30, 60, 1), waiting]
  expect(stageStarts(bars)).toEqual([
    { stage: 0, at: 0 },
    { stage: 1, at: 30 },
  ])
  expect(stageStarts([bar('a', 'worker', 0, 10, 0), bar('b', 'worker', 5, 10)])).toEqual([])
})

test('a text beside a bar is as long as there is room, and left out where it says nothing', () => {
  expect(fitting('edits src/cart.ts', 400)).toBe('edits src/cart.ts')
  expect(fitting('edits src/cart.ts', 80)).toBe('edits src/c…')
  expect(fitting('edits src/cart.ts', 40)).toBe('')
  expect(fitting('カートの合計を整数にする', 120)).toBe('カートの合計を整…')
  expect(fitting('短い', 40)).toBe('短い')
})

test('bars of one label share a lane as long as they do not overlap; stages come in their order', () => {
  const bars = [
    bar('c', 'tester', 0, 5, 1),
    bar('a', 'worker', 0, 10),
    bar('b', 'worker', 10, 20),
    bar('d', 'worker', 15, null),
  ]
  const lanes = lanesOf(bars, 30)
  expect(lanes.map(({ label, bars }) => [label, ...bars.map(({ id }) => id)])).toEqual([
    ['worker', 'a', 'b'],
    ['worker', 'd'],
    ['tester', 'c'],
  ])
})

test('all of them are in the span, up to now for those that go on', () => {
  const { from, to } = spanOf([bar('a', 'x', 1000, 2000), bar('b', 'x', 5000, null)], 90_000)
  expect(from).toBeLessThan(1000)
  expect(to).toBeGreaterThan(90_000)
})

test('zooming keeps the moment under the pointer, and has limits', () => {
  expect(zoomed({ from: 0, to: 100_000 }, 0.5, 25_000)).toEqual({ from: 12_500, to: 62_500 })
  const near = zoomed({ from: 0, to: 3000 }, 0.001, 0)
  expect(near.to - near.from).toBe(2000)
})

test('the axis has round moments, and not too many', () => {
  const from = Date.parse('2026-01-01T10:00:07')
  const ticks = ticksOf({ from, to: from + 600_000 }, 6)
  expect(ticks.map(at => new Date(at).getMinutes() % 2)).toEqual([0, 0, 0, 0, 0])
  expect(ticks.map(at => new Date(at).getSeconds())).toEqual([0, 0, 0, 0, 0])
})
