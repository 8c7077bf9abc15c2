import { expect, test } from 'vitest'
import { distance } from './startable.ts'

test.each([
  ['claude', 'cluade', 1],
  ['codex', 'codx', 1],
  ['gemini', 'gemni', 1],
  ['opencode', 'open-code', 1],
  ['claude', 'aider', 4],
])('%s and %s are %i slips apart', (a, b, slips) => {
  expect(distance(a, b)).toBe(slips)
})
