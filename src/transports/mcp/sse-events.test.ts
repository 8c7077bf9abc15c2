import type { JSONRPCMessage } from '@modelcontextprotocol/server'
import { expect, test } from 'vitest'
import { TestClock } from '#test/hub.ts'
import { type SessionEvents, SseEvents } from './sse-events.ts'

const GET = '_GET_stream'
const MEGABYTE = 1024 * 1024

const note = (text: string): JSONRPCMessage => ({ jsonrpc: '2.0', method: 'note', params: { text } })
const textOf = (message: JSONRPCMessage) => (message as unknown as { params: { text: string } }).params.text

async function replayed(events: SessionEvents, after: string): Promise<string[]> {
  const texts: string[] = []
  await events.replayEventsAfter(after, { send: async (_, message) => void texts.push(textOf(message)) })
  return texts
}

test('what came after an event comes again, of its own stream alone and in its order', async () => {
  const events = new SseEvents(new TestClock()).ofSession()
  const start = events.last()
  const beginning = await events.storeEvent('call-1', {} as JSONRPCMessage)
  await events.storeEvent(GET, note('a'))
  const b = await events.storeEvent(GET, note('b'))
  await events.storeEvent('call-1', note('answer'))
  await events.storeEvent(GET, note('c'))
  expect(await replayed(events, start)).toEqual(['a', 'b', 'c'])
  expect(await replayed(events, b)).toEqual(['c'])
  expect(await replayed(events, beginning)).toEqual(['answer'])
  expect(events.after(b)).toBe('all')
})

test('what is sent while a client resumes is neither lost nor doubled', async () => {
  const events = new SseEvents(new TestClock()).ofSession()
  const start = events.last()
  await events.storeEvent(GET, note('before'))
  const texts: string[] = []
  let isResumed = false
  let meanwhile: Promise<string> | undefined
  const resuming = events
    .replayEventsAfter(start, {
      send: async (_, message) => {
        texts.push(textOf(message))
        meanwhile ??= events.storeEvent(GET, note('meanwhile'))
      },
    })
    .then(() => (isResumed = true))
  await meanwhile
  // The sender continues only when the stream is open again.
  expect(isResumed).toBe(true)
  await resuming
  expect(texts).toEqual(['before', 'meanwhile'])
})

test('no session keeps more than its share, and a client that lost something can tell', async () => {
  const all = new SseEvents(new TestClock())
  const events = all.ofSession()
  const start = events.last()
  for (let n = 0; n < 20; n++) await events.storeEvent(GET, note('x'.repeat(MEGABYTE / 10)))
  expect(all.bytes).toBeLessThanOrEqual(MEGABYTE)
  expect(events.after(start)).toBe('not-all')
  const call = await events.storeEvent('call-1', {} as JSONRPCMessage)
  await events.storeEvent('call-1', note('y'.repeat(20 * MEGABYTE)))
  expect(events.after(call)).toBe('no-answer')
  expect(events.after(events.last())).toBe('all')
})

test('all sessions together keep no more than theirs; the oldest goes first', async () => {
  const all = new SseEvents(new TestClock())
  const sessions = Array.from({ length: 20 }, () => all.ofSession())
  for (const events of sessions) await events.storeEvent('call', note('x'.repeat(8 * MEGABYTE)))
  expect(all.bytes).toBeLessThanOrEqual(64 * MEGABYTE)
  expect(sessions.map(events => events.after('0.call'))).toEqual([
    ...Array.from({ length: 13 }, () => 'no-answer'),
    ...Array.from({ length: 7 }, () => 'all'),
  ])
  for (const events of sessions) events.dispose()
  expect(all.bytes).toBe(0)
})

test('old events are forgotten', async () => {
  const clock = new TestClock()
  const all = new SseEvents(clock)
  const events = all.ofSession()
  await events.storeEvent(GET, note('old'))
  clock.advance(4 * 60_000)
  await events.storeEvent(GET, note('new'))
  clock.advance(2 * 60_000)
  all.forgetOld()
  expect(await replayed(events, `1.${GET}`)).toEqual(['new'])
  expect(events.after(`0.${GET}`)).toBe('not-all')
})

test.each(['', 'x', '1', '1.', `-1.${GET}`, `99.${GET}`, '1e9.call', '1.a b'])('%j is no event of ours', id => {
  const events = new SseEvents(new TestClock()).ofSession()
  expect(events.after(id)).not.toBe('all')
})
