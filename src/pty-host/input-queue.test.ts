import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { TerminalError } from '#kernel/terminals/terminals.ts'
import { InputQueue } from './input-queue.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }))
afterEach(() => void vi.useRealTimers())

/** A terminal with room for so many bytes, which a test makes. */
function terminal(room: number, options: { capBytes?: number; stallMs?: number } = {}) {
  const state = { room, taken: '', asked: 0, ends: [] as string[] }
  const queue = new InputQueue({
    take: bytes => {
      state.asked++
      const took = Math.min(state.room, bytes.length)
      state.room -= took
      state.taken += Buffer.from(bytes.subarray(0, took)).toString('latin1')
      return took
    },
    ...options,
  })
  const push = (text: string) =>
    queue.push(Buffer.from(text, 'latin1'), (error?: TerminalError) => state.ends.push(error?.problem ?? 'done'))
  return { state, queue, push }
}

test('what fits is taken at once', () => {
  const { state, push } = terminal(100)
  push('hello')
  expect(state).toMatchObject({ taken: 'hello', ends: ['done'] })
})

test('what does not fit follows in order when there is room, and is told of once', () => {
  const { state, push } = terminal(3)
  push('hello ')
  push('world')
  expect(state).toMatchObject({ taken: 'hel', ends: [] })
  state.room = 5
  vi.advanceTimersByTime(50)
  expect(state).toMatchObject({ taken: 'hello wo', ends: ['done'] })
  state.room = 100
  vi.advanceTimersByTime(100)
  expect(state).toMatchObject({ taken: 'hello world', ends: ['done', 'done'] })
})

test('a program that does not read is looked at now and then, not all the time', () => {
  const { state, push } = terminal(0)
  push('x')
  vi.advanceTimersByTime(10_000)
  expect(state.asked).toBeLessThan(250)
  expect(state.ends).toEqual([])
})

test('after too long without a byte all that waits is given up, and what comes later is tried anew', () => {
  const { state, push } = terminal(2, { stallMs: 1000 })
  push('abc')
  push('def')
  vi.advanceTimersByTime(2000)
  expect(state).toMatchObject({ taken: 'ab', ends: ['stalled', 'stalled'] })
  state.room = 10
  push('new')
  expect(state).toMatchObject({ taken: 'abnew', ends: ['stalled', 'stalled', 'done'] })
})

test('a slow reader is no stalled one', () => {
  const { state, push } = terminal(0, { stallMs: 1000 })
  push('abcde')
  for (let second = 0; second < 5; second++) {
    vi.advanceTimersByTime(900)
    state.room = 1
    vi.advanceTimersByTime(60)
  }
  expect(state).toMatchObject({ taken: 'abcde', ends: ['done'] })
})

test('more than the cap is refused at once and keeps nothing of it', () => {
  const { state, push } = terminal(0, { capBytes: 10 })
  push('12345678')
  push('too much')
  expect(state.ends).toEqual(['full'])
  state.room = 100
  vi.advanceTimersByTime(100)
  expect(state).toMatchObject({ taken: '12345678', ends: ['full', 'done'] })
})

test('an answer of the emulator goes before what waits, but not into it; too many are dropped', () => {
  const { state, queue, push } = terminal(2)
  push('first')
  push('second')
  queue.reply(Buffer.from('<answer>'))
  for (let at = 0; at < 10_000; at++) queue.reply(Buffer.from('flood'))
  state.room = 100_000
  vi.advanceTimersByTime(100)
  expect(state.taken.replaceAll('flood', '')).toBe('first<answer>second')
  expect(state.taken.length).toBeLessThan(17_000)
})

test('when the program has ended, who waits is told', () => {
  const { state, queue, push } = terminal(0)
  push('x')
  queue.close()
  push('y')
  vi.advanceTimersByTime(60_000)
  expect(state).toMatchObject({ taken: '', ends: ['ended', 'ended'] })
})

test('a long text is not cut in the middle of a character', () => {
  const pieces: string[] = []
  const queue = new InputQueue({
    take: bytes => {
      pieces.push(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
      return bytes.length
    },
  })
  for (const text of ['x日本語', '👩', 'é', 'x']) {
    const long = text.repeat(5000)
    pieces.length = 0
    queue.push(Buffer.from(long))
    expect(pieces.length).toBeGreaterThan(1)
    expect(pieces.join('')).toBe(long)
  }
  // Every byte of what is not text still arrives.
  let bytes = 0
  const other = new InputQueue({ take: piece => ((bytes += piece.length), piece.length) })
  other.push(Buffer.alloc(10_000, 0x80))
  expect(bytes).toBe(10_000)
})
