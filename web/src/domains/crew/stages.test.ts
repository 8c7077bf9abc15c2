import { expect, test } from 'vitest'
import { type Chosen, put, shifted, stagesOf, toggled } from './stages.ts'

const shown = (chosen: readonly Chosen[]) => chosen.map(({ role, stage }) => `${role}${stage}`).join(' ')
const all = (...roles: string[]) => roles.reduce<Chosen[]>(toggled, [])

test('roles run side by side until one is moved to a stage of its own', () => {
  const two = all('a', 'b')
  expect(shown(two)).toBe('a0 b0')
  expect(shown(shifted(two, 'b', 1))).toBe('a0 b1')
  expect(shown(shifted(two, 'b', -1))).toBe('a1 b0')
  expect(shown(shifted(shifted(two, 'b', 1), 'b', -1))).toBe('a0 b0')
})

test('a stage that is left by all goes, and one that is alone in the last one stays there', () => {
  const two = shifted(all('a', 'b'), 'b', 1)
  expect(shown(shifted(two, 'b', 1))).toBe('a0 b1')
  expect(shown(toggled(two, 'a'))).toBe('b0')
  expect(shown(toggled(two, 'c'))).toBe('a0 b1 c1')
  expect(shown(put(two, 'a', 2))).toBe('a1 b0')
})

test('each role has its own prompt, or the one for all', () => {
  const chosen = shifted(all('a', 'b'), 'b', 1).map(one => (one.role === 'b' ? { ...one, prompt: 'Fix it.' } : one))
  expect(stagesOf(chosen, 'Look.')).toEqual([
    { tasks: [{ role: 'a', prompt: 'Look.' }] },
    { tasks: [{ role: 'b', prompt: 'Fix it.' }] },
  ])
})
