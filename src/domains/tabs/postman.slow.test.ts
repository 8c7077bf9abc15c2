// When a message may be typed: the rule alone, and the postman that follows a program through its start.
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

type Seen = Sight | 'line'
/** What a person does, midway to the next look. */
type Keys = 'types' | 'moves' | 'sends'
/** What the screen shows at a look, `line` being what was typed, and how much later the next look is. */
type Look = [seen: Seen, msUntilNext: number, keys?: Keys]
/** The last look goes on, a second at a time. */
const MS = 1000

type World = {
  known?: boolean
  /** It changes something with every look. */
  draws?: boolean
  /** The line was typed so long ago by a hub that is gone, and a person has pressed keys behind it since. */
  before?: { typedMs: number; keysMs: number }
}

/** At which looks the line was typed, and Enter was pressed. */
async function typedAt(looks: readonly Look[], { known = true, draws = false, before }: World = {}): Promise<number[]> {
  const clock = new TestClock()
  const message = { id: 'msg_1', kind: 'prompt', line: 'begin', sender: 'operator', typedAt: null } as Message
  const strokes = new Map<string, number>()
  let looked = 0
  let seq = 0
  let shown: Seen | undefined
  let keysAt: number | undefined
  let unsent = false
  let told = false
  let delivered = false
  if (before) {
    strokes.set(message.id, 0)
    message.typedAt = clock.now() - before.typedMs
    keysAt = clock.monotonic() - before.keysMs
    unsent = true
  }
  const terminals: PostmanDeps['terminals'] = {
    screen: async () => {
      const [, ms, keys] = looks[looked - 1] ?? [undefined, looked === 0 ? 0 : MS]
      if (keys) {
        keysAt = clock.monotonic() + ms / 2
        unsent = keys === 'moves' ? unsent : keys === 'types'
        seq += 1
      }
      clock.advance(ms)
      looked += 1
      const [seen] = looks[looked - 1] ?? looks.at(-1) ?? ['idle']
      if (draws || seen !== shown) seq += 1
      shown = seen
      const typedMs = keysAt === undefined ? null : clock.monotonic() - keysAt
      return { typedMs, unsent, bracketedPaste: true, lines: [seen], seq } as Screen
    },
    type: async (_, { key, ifSeq }) => {
      if (strokes.has(key)) return 'typed'
      if (ifSeq !== undefined && ifSeq !== seq) return 'changed'
      // Else what the program answers at once would not count as an answer to it.
      if (!told && !before) return 'changed'
      strokes.set(key, looked)
      return 'typed'
    },
  }
  const engines: PostmanDeps['engines'] = {
    sight: (_, { lines }) => (lines[0] === 'line' ? 'typing' : (lines[0] as Sight)),
    enterAnswers: (_, { lines }) => lines[0] === 'dialog',
    holds: (_, { lines }) => lines[0] === 'line',
    knows: () => known,
  }
  const messages = {
    nextFor: async () => (delivered ? undefined : message),
    cutBefore: async () => undefined,
    typing: async () => {
      told = true
      return true
    },
    delivered: async () => void (delivered = true),
  }
  const rest = { messages, clock, log: { warn: () => {} }, by: { kind: 'operator' } } as unknown as PostmanDeps
  const postman = new Postman({ ...rest, terminals, engines }, { id: 'tab_1', engine: 'claude' } as Tab)
  await until(() => delivered || looked > looks.length + 3)
  await postman.dispose()
  return [...strokes.values()]
}

const loading: Look = ['unknown', 12_000]
const line: Look = ['line', 400]
const done: Look = ['idle', 0]

test('waits for the prompt of a program that loads for long', async () => {
  expect(await typedAt([loading, loading, loading, ['idle', 0], line, line, done])).toEqual([4, 6])
})

test('waits again for one that loads once its question was answered, however long that took', async () => {
  const question: Look[] = [
    ['dialog', 300_000],
    ['dialog', 150],
  ]
  expect(await typedAt([loading, ...question, loading, loading, ['idle', 0], line, line, done])).toEqual([6, 8])
})

test('a question in the middle of the work begins the wait anew', async () => {
  const working: Look = ['busy', 9000]
  expect(await typedAt([working, ['dialog', 9000], working, working, line, line, done])).toEqual([4, 6])
})

test('Enter waits until the program shows the line, and no longer than half a minute', async () => {
  const frozen: Look = ['idle', 5000]
  expect(await typedAt([frozen, frozen, frozen, line, line, done])).toEqual([1, 5])
  expect(await typedAt([['idle', 0], ['idle', 31_000], done])).toEqual([1, 3])
})

test('Enter waits while a question is open that came between the line and it', async () => {
  const question: Look = ['dialog', 60_000]
  expect(await typedAt([['idle', 0], question, question, question, line, line, done])).toEqual([1, 6])
})

describe('a person', () => {
  const long: Look = ['line', 40_000]

  test('who types behind the line is the one to send it', async () => {
    expect(await typedAt([['idle', 500, 'types'], line, line, long, long])).toEqual([1])
    expect(await typedAt([['idle', 500, 'types'], line, ['line', 3000, 'sends'], ['busy', 0], done])).toEqual([1])
  })

  test('who only moves the cursor does not keep it from being sent', async () => {
    expect(await typedAt([['idle', 500, 'moves'], ['line', 3000], line, done])).toEqual([1, 3])
  })

  test('who touches a key before a slow program shows the line has not thrown it away', async () => {
    expect(await typedAt([['idle', 500, 'moves'], ['idle', 3000], line, line, done])).toEqual([1, 4])
  })

  test('who has just sent it is not followed by an Enter of ours, which the next question would take', async () => {
    const looks: Look[] = [['idle', 0], ['line', 200, 'sends'], ['line', 200], ['line', 200], ['dialog', 9000], done]
    expect(await typedAt(looks)).toEqual([1])
  })

  test('who answers a question with a letter does not keep the line from being sent', async () => {
    expect(await typedAt([['idle', 0], ['dialog', 1000, 'types'], line, line, done])).toEqual([1, 4])
  })

  test('who answers a question and then types behind the line is the one to send it', async () => {
    const looks: Look[] = [['idle', 0], ['dialog', 1000, 'types'], ['line', 200], ['line', 200, 'types'], long, long]
    expect(await typedAt(looks)).toEqual([1])
  })

  test('who typed behind the line of a hub that is gone is still the one to send it', async () => {
    expect(await typedAt([line, line, long, long], { before: { typedMs: 5000, keysMs: 3000 } })).toEqual([0])
    expect(await typedAt([line, line, line, done], { before: { typedMs: 3000, keysMs: 5000 } })).toEqual([0, 2])
  })
})

test('Enter is pressed again when the program goes on and still shows the line', async () => {
  const line6: Look = ['line', 6000]
  const looks = [['idle', 0] as Look, line, line, line6, line6, line, line, done]
  expect(await typedAt(looks, { draws: true })).toEqual([1, 3, 7])
})
