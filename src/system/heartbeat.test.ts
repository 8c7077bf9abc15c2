import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Heartbeat } from './heartbeat.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
})

afterEach(() => {
  vi.useRealTimers()
})

/** The timer, and the two turns after it. */
async function beat(): Promise<void> {
  vi.advanceTimersByTime(1000)
  for (let turn = 0; turn < 3; turn++) await nextTurn()
}

function peer() {
  const said: string[] = []
  let ready = true
  return {
    said,
    set ready(value: boolean) {
      ready = value
    },
    ask: () => void said.push('asked'),
    lost: () => void said.push('lost'),
    isReady: () => ready,
  }
}

test('gives up a peer that left more questions unanswered than it may', async () => {
  const heart = new Heartbeat({ everyMs: 1000, missed: 2 })
  const silent = peer()
  heart.watch(silent)
  for (let n = 0; n < 3; n++) await beat()
  expect(silent.said).toEqual(['asked', 'asked', 'lost'])
  heart.stop()
})

test('whatever a peer says counts as an answer', async () => {
  const heart = new Heartbeat({ everyMs: 1000, missed: 1 })
  const talker = peer()
  const pulse = heart.watch(talker)
  for (let n = 0; n < 5; n++) {
    await beat()
    pulse.heard()
  }
  expect(talker.said).toEqual(Array.from({ length: 5 }, () => 'asked'))
  heart.stop()
})

test('time in which a peer could not be asked does not count', async () => {
  const heart = new Heartbeat({ everyMs: 1000, missed: 1 })
  const paused = peer()
  heart.watch(paused)
  await beat()
  paused.ready = false
  for (let n = 0; n < 5; n++) await beat()
  paused.ready = true
  await beat()
  expect(paused.said).toEqual(['asked', 'lost'])
  heart.stop()
})

test('what came while we were held up is heard before anybody is given up', async () => {
  const heart = new Heartbeat({ everyMs: 1000, missed: 1 })
  const late = peer()
  const pulse = heart.watch(late)
  await beat()
  vi.advanceTimersByTime(1000)
  // Read in the first turn, handed out in the second.
  await nextTurn()
  pulse.heard()
  for (let turn = 0; turn < 2; turn++) await nextTurn()
  expect(late.said).toEqual(['asked', 'asked'])
  heart.stop()
})

test('asks nobody who has gone, and nobody at all once it was stopped', async () => {
  const heart = new Heartbeat({ everyMs: 1000, missed: 9 })
  const [gone, here] = [peer(), peer()]
  const pulse = heart.watch(gone)
  heart.watch(here)
  pulse.end()
  await beat()
  heart.stop()
  await beat()
  expect([gone.said, here.said]).toEqual([[], ['asked']])
  expect(vi.getTimerCount()).toBe(0)
})
