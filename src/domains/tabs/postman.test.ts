// When a message may be typed: the rule by itself, and the postman that follows a program through its start.
import { describe, expect, test } from 'vitest'
import type { Screen } from '#kernel/terminals/terminals.ts'
import { TestClock } from '#test/hub.ts'
import { until } from '#test/scripted.ts'
import { isReady, mayType, type Message, type Moment, type Sight, type Tab } from './model.ts'
import { Postman, type PostmanDeps } from './postman.ts'

describe('a message', () => {
  const long = { waitedMs: 600_000, openMs: 600_000 }
  const shown: Moment = { ...long, sight: 'idle', takesPaste: true, known: true, prompted: true, blank: false }

  test.each<[string, Partial<Moment>, boolean]>([
    ['into an empty prompt, at once', { waitedMs: 0, openMs: 0, prompted: false }, true],
    ['into a dialog', { sight: 'dialog' }, false],
    ["behind somebody's line", { sight: 'typing' }, false],
    ['into one that works', { sight: 'busy', waitedMs: 9999 }, false],
    ['into one that works on', { sight: 'busy', waitedMs: 10_000 }, true],
    ['into one that cannot be read, for now', { sight: 'unknown', waitedMs: 9999 }, false],
    ['into one that cannot be read', { sight: 'unknown', waitedMs: 10_000 }, true],
    ['into one that has not shown its prompt', { sight: 'unknown', prompted: false, openMs: 59_999 }, false],
    ['into one whose prompt is never found', { sight: 'unknown', prompted: false, openMs: 60_000 }, true],
    ['into one that takes no paste yet', { sight: 'unknown', takesPaste: false, openMs: 59_999 }, false],
    ['into an empty screen', { sight: 'unknown', prompted: false, blank: true }, false],
    ['into an unknown program that shows nothing', { sight: 'unknown', known: false, blank: true }, true],
  ])('%s', (_, changes, may) => {
    expect(mayType({ ...shown, ...changes })).toBe(may)
  })
})

test.each<[Sight, boolean, number, boolean]>([
  ['idle', true, 0, true],
  ['busy', true, 0, true],
  ['dialog', false, 0, true],
  ['unknown', true, 59_999, false],
  ['unknown', true, 60_000, true],
  ['unknown', false, 9999, false],
  ['unknown', false, 10_000, true],
])('one that shows %s (known: %s) after %d ms has started: %s', (sight, known, openMs, ready) => {
  expect(isReady(sight, { known, openMs })).toBe(ready)
})

/** What the screen shows at each look, how much later the next look is, and at which of them the message was typed. */
async function typedAt(looks: readonly [Sight, number][]): Promise<number> {
  const clock = new TestClock()
  const message = { id: 'msg_1', kind: 'prompt', line: 'begin', sender: 'operator' } as Message
  let looked = 0
  let at = 0
  const deps = {
    terminals: {
      screen: async () => {
        clock.advance(looks[looked - 1]?.[1] ?? 0)
        looked += 1
        const [sight] = looks[looked - 1] ?? ['idle']
        return { lines: [sight], bracketedPaste: true, seq: looked } as Screen
      },
      type: async () => {
        at = looked
        return 'typed'
      },
      write: async () => {},
    },
    engines: { sight: (_, { lines }) => lines[0] as Sight, holds: () => false, knows: () => true },
    messages: { nextFor: async () => (at === 0 ? message : undefined), delivered: async () => {} },
    clock,
    log: { warn: () => {} },
    by: { kind: 'operator' },
  } as unknown as PostmanDeps
  const postman = new Postman(deps, { id: 'tab_1', engine: 'claude' } as Tab)
  await until(() => at > 0)
  await postman.dispose()
  return at
}

test('waits for the prompt of a program that loads for long', async () => {
  const loading: [Sight, number] = ['unknown', 12_000]
  expect(await typedAt([loading, loading, loading, ['idle', 0]])).toBe(4)
})

test('waits again for one that loads once its question was answered, however long that took', async () => {
  const loading: [Sight, number] = ['unknown', 12_000]
  const question: [Sight, number][] = [
    ['dialog', 300_000],
    ['dialog', 150],
  ]
  expect(await typedAt([loading, ...question, loading, loading, ['idle', 0]])).toBe(6)
})

test('a question in the middle of the work begins the wait anew', async () => {
  const working: [Sight, number] = ['busy', 9000]
  expect(await typedAt([working, ['dialog', 9000], working, working, working])).toBe(4)
})
