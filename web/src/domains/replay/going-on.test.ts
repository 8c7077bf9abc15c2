import { afterAll, expect, test, vi } from 'vitest'
import type { StoredEvent } from '#contract/events.ts'

const nothing = () => undefined
vi.stubGlobal('localStorage', { getItem: nothing, setItem: nothing })
vi.stubGlobal('document', { addEventListener: nothing, documentElement: { lang: 'en' }, visibilityState: 'visible' })
vi.stubGlobal('window', { addEventListener: nothing })
// Other files share the worker.
afterAll(() => void vi.unstubAllGlobals())
const { grown } = await import('./queries.ts')
const { film } = await import('./model.ts')
const { followed } = await import('./player.ts')

const event = (seq: number) =>
  ({
    seq,
    at: new Date(seq * 1000).toISOString(),
    type: 'x',
    caller: 'operator',
    payload: {},
  }) as unknown as StoredEvent
const names = { tasks: {}, agents: {}, projects: {}, tabs: {}, runs: {}, topics: {}, decisions: {} }
const before = { events: [event(1), event(2)], names, tasks: [], isCut: false, seen: 2 }

test('what happens while a recording is looked at is added to it, each once and in order', () => {
  const newer = { events: [event(5), event(3), event(2)], names: { ...names, agents: { agt_1: 'Aoi' } } }
  const after = grown(before, newer, 6)
  expect(after.events.map(({ seq }) => seq)).toEqual([1, 2, 3, 5])
  expect(after).toMatchObject({ seen: 6, names: { agents: { agt_1: 'Aoi' } } })
  // More than one answer holds: it goes on where this one ended.
  expect(grown(before, { ...newer, truncated: true }, 9).seen).toBe(5)
  expect(grown(before, { events: [], names }, 9)).toEqual({ ...before, seen: 9 })
})

test('who looks at the end goes along with it, and who looks at an earlier moment stays there', () => {
  const was = film(before.events, [])
  const now = film([...before.events, event(4)], [])
  expect(followed(was, now, was.length)).toBe(now.length)
  expect(followed(was, now, was.length - 1)).toBe(was.length - 1)
  expect(followed(was, now, -1)).toBe(-1)
})
