import { expect, test } from 'vitest'
import type { Caller } from '#contract/caller.ts'
import { depthBelow, unwrapped, waitForLaunch } from './model.ts'

const run = { kind: 'run', runId: 'run_1', crewId: 'grp-1', projectId: 'prj_1' } as const
const tab = { kind: 'tab', tabId: 'tab_1', projectId: 'prj_1' } as const

test.each<[string, Caller, number]>([
  ['a person', { kind: 'operator' }, 1],
  ['a tab of a person', { ...tab, depth: 1 } as Caller, 2],
  ['a tab of a tab', { ...tab, depth: 2 } as Caller, 3],
  ['a run of a person', { ...run, depth: 1 } as Caller, 2],
  ['a run of a tab', { ...run, depth: 2 } as Caller, 3],
])('what %s launches is one deeper', (_who, by, depth) => {
  expect(depthBelow(by)).toBe(depth)
})

test.each<[string, number[], number | undefined]>([
  ['room', [1000, 2000], undefined],
  ['the oldest of a full window decides', [1000, 2000, 3000], 51_000],
  ['of more than are allowed only the last ones count', [0, 500, 2000, 3000, 4000], 52_000],
  ['at the very end of the window', [-49_999, 2000, 3000], 1],
  ['never less than a moment', [-60_000, 2000, 3000], 1],
])('how long to wait for the next launch: %s', (_name, launches, ms) => {
  expect(waitForLaunch(launches, 3, 10_000)).toBe(ms)
})

test('a line that was too long for the width of its terminal is one line, with the blank that stood at its end', () => {
  const lines = ['I looked.', 'Should the session be a cookie or a bear', 'er token,', 'or', '', '> ']
  const wrapped = [
    { row: 2, spaced: false },
    { row: 3, spaced: true },
  ]
  expect(unwrapped({ lines, wrapped })).toEqual([
    ...['I looked.', 'Should the session be a cookie or a bearer token, or', '', '>'],
  ])
  // A host of an earlier version does not say it.
  expect(unwrapped({ lines: ['a ', 'b'] })).toEqual(['a', 'b'])
})
