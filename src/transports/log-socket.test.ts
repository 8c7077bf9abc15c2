import { expect, test } from 'vitest'
import type { LogStep } from './hub.ts'
import { logStart, sendLog } from './log-socket.ts'

type Frame = string | Buffer

/** Takes frames as long as it has room. */
function client(room = Infinity) {
  const frames: Frame[] = []
  const closed: number[] = []
  return {
    frames,
    closed,
    send(frame: Frame, _options: unknown, sent: () => void) {
      frames.push(frame)
      if (frames.length <= room) sent()
    },
    close: (code: number) => void closed.push(code),
  }
}

async function* steps(count: number, read: () => void): AsyncGenerator<LogStep> {
  yield { from: 0, shortened: false }
  for (let step = 0; step < count; step++) {
    read()
    yield { bytes: Buffer.from('abc') }
  }
}

const signal = () => new AbortController().signal

test('each piece is read when the one before was taken; the end says where', async () => {
  const reader = client()
  await sendLog(
    reader as never,
    steps(2, () => {}),
    signal(),
  )
  expect(reader.frames.map(String)).toEqual(['{"from":0}', 'abc', 'abc', '{"ended":true,"at":6}'])
  expect(reader.closed).toEqual([1000])
})

test('a reader that takes nothing is told to come back, and no more is read for it', async () => {
  const reader = client(2)
  let read = 0
  await sendLog(
    reader as never,
    steps(1000, () => void read++),
    signal(),
    1,
  )
  expect(reader.closed).toEqual([4008])
  expect(read).toBe(2)
})

test.each([
  ['', { from: 0 }],
  ['from=12', { from: 12 }],
  ['tail=12', { tail: 12 }],
  ['tail=999999999999', { tail: 16 * 1024 * 1024 }],
  ['from=x', undefined],
  ['from=1&tail=2', undefined],
])('"%s" begins at %o', (query, start) => expect(logStart(new URLSearchParams(query))).toEqual(start))
