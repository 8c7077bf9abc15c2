import { expect, test } from 'vitest'
import { type Bar, lanesOf, spanOf, ticksOf, zoomed } from './timeline-model.ts'

const bar = (id: string, label: string, created: number, ended: number | null, stage: number | null = null): Bar => ({
  ...{ id, label, detail: '', status: 'running', created, started: created, ended, href: '', cost: null, stage },
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
