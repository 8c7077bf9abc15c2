import { expect, test } from 'vitest'
import { TestClock } from '#test/hub.ts'
import { CALLS_AT_ONCE, Quotas } from './quotas.ts'

const MEGABYTE = 1024 * 1024

function quotas(limits = { callsPerMinute: 60, writeMegabytesPerMinute: 4 }) {
  const clock = new TestClock()
  const made = new Quotas(() => limits, clock)
  const call = (name: string) => {
    const refusal = made.enter(name)
    if (!refusal) made.leave(name)
    return refusal
  }
  return { clock, limits, quotas: made, call }
}

test('a burst of a whole minute is allowed, the next call says when to come back, and then it is allowed', () => {
  const { clock, call } = quotas()
  for (let n = 0; n < 60; n++) expect(call('a')).toBeUndefined()
  const refusal = call('a')
  expect(refusal).toMatchObject({ code: 'QUOTA_EXCEEDED', retryable: true, details: { retryAfterMs: 1000 } })
  expect(refusal?.text.en).toContain('more than 60 calls within a minute')
  expect(refusal?.text.ja).toContain('1 分あたり 60 回')
  clock.advance(999)
  expect(call('a')).toBeDefined()
  clock.advance(1)
  expect(call('a')).toBeUndefined()
  expect(call('a')).toBeDefined()
})

test('one account’s use is nobody else’s', () => {
  const { call } = quotas()
  for (let n = 0; n < 100; n++) call('a')
  expect(call('a')).toBeDefined()
  expect(call('b')).toBeUndefined()
})

test('bytes refill by the minute, and a refused write takes none', () => {
  const { clock, quotas: q } = quotas()
  for (let n = 0; n < 3; n++) expect(q.write('a', MEGABYTE)).toBeUndefined()
  const refusal = q.write('a', MEGABYTE)
  expect(refusal).toMatchObject({ code: 'QUOTA_EXCEEDED', details: { quota: 'bytes', limit: 4 } })
  expect(q.write('a', MEGABYTE / 2)).toBeUndefined()
  clock.advance(Number(q.write('a', MEGABYTE)?.details['retryAfterMs']))
  expect(q.write('a', MEGABYTE)).toBeUndefined()
})

test('a write that is larger than the whole quota goes through when nothing else was written', () => {
  const { clock, quotas: q } = quotas({ callsPerMinute: 60, writeMegabytesPerMinute: 1 })
  expect(q.write('a', MEGABYTE)).toBeUndefined()
  expect(q.write('a', 1)).toBeDefined()
  clock.advance(2 * 60_000)
  expect(q.write('a', MEGABYTE)).toBeUndefined()
})

test('no account waits for more than so many answers at once', () => {
  const { quotas: q } = quotas({ callsPerMinute: 100_000, writeMegabytesPerMinute: 1 })
  for (let n = 0; n < CALLS_AT_ONCE; n++) expect(q.enter('a')).toBeUndefined()
  expect(q.enter('a')).toMatchObject({ code: 'QUOTA_EXCEEDED', details: { quota: 'waiting' } })
  expect(q.enter('b')).toBeUndefined()
  q.leave('a')
  expect(q.enter('a')).toBeUndefined()
})

test('a limit that is changed counts at once, for what was used before too', () => {
  const { limits, call } = quotas()
  for (let n = 0; n < 60; n++) call('a')
  expect(call('a')).toBeDefined()
  limits.callsPerMinute = 120
  expect(call('a')).toBeUndefined()
})

test('accounts that were not used for a minute are forgotten', () => {
  const { clock, quotas: q, call } = quotas()
  q.enter('busy')
  for (let n = 0; n < 10_000; n++) {
    call(`connection:${n}`)
    if (n % 100 === 0) clock.advance(60_000)
  }
  expect(q.size).toBeLessThan(1_100)
  // What is still under way is remembered.
  for (let n = 1; n < CALLS_AT_ONCE; n++) {
    q.enter('busy')
    clock.advance(60_000)
  }
  expect(q.enter('busy')).toMatchObject({ details: { quota: 'waiting' } })
})
