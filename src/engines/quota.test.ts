import { describe, expect, test } from 'vitest'
import { claude } from './claude.ts'
import { quotaIn, resetIn } from './quota.ts'

const NOW = Date.parse('2026-11-16T12:00:00Z')
const at = (text: string) => Date.parse(text)

describe('when the quota comes back', () => {
  test.each([
    ['Claude AI usage limit reached|1794838800', at('2026-11-16T14:20:00Z')],
    ['{"type":"usage_limit_reached","resets_at":1794838800,"resets_in_seconds":1}', at('2026-11-16T14:20:00Z')],
    ['{"resetsAt": 1794838800000}', at('2026-11-16T14:20:00Z')],
    ['"resets_in_seconds": 3600', at('2026-11-16T13:00:00Z')],
    ['Too many requests (429) retry-after: 30', at('2026-11-16T12:00:30Z')],
    [
      "You've hit your usage limit. Upgrade to Pro or try again in 2 days 17 hours 14 minutes.",
      at('2026-11-19T05:14:00Z'),
    ],
    ['Quota exceeded. Please retry in 12.5s.', at('2026-11-16T12:00:12.5Z')],
    ['RESOURCE_EXHAUSTED {"retryDelay": "34s"}', at('2026-11-16T12:00:34Z')],
    ["You've hit your limit · resets 2pm (Asia/Shanghai)", at('2026-11-17T06:00:00Z')],
    ["You've hit your limit · resets 9:30pm (Asia/Tokyo)", at('2026-11-16T12:30:00Z')],
    ['5-hour limit reached ∙ resets 2am (UTC)', at('2026-11-17T02:00:00Z')],
    ['limit reached, resets 12am (Etc/UTC)', at('2026-11-17T00:00:00Z')],
    // Local times: all tests run in the time of Kathmandu, five hours and three quarters ahead of UTC.
    ['try again at 18:45', at('2026-11-16T13:00:00Z')],
    ['try again at 15:45', at('2026-11-17T10:00:00Z')],
    ['or try again at Nov 20th, 2026 11:52 AM.', at('2026-11-20T06:07:00Z')],
    ["You've hit your weekly limit · resets Nov 22, 6pm (UTC)", at('2026-11-22T18:00:00Z')],
    ['Weekly limit reached ∙ resets Thu 9am (UTC)', at('2026-11-19T09:00:00Z')],
    ['resets Thu 9am', at('2026-11-19T03:15:00Z')],
    ['resets Mon 11am (UTC)', at('2026-11-23T11:00:00Z')],
    ['resets Monday, 1pm (UTC)', at('2026-11-16T13:00:00Z')],
    ['resets Dec 12, 10:59am (America/New_York)', at('2026-12-12T15:59:00Z')],
    ['Too Many Requests [retrying in 2h 30m attempt #1]', at('2026-11-16T14:30:00Z')],
    ['limit reached, resets 3am (No/Where)', at('2026-11-16T21:15:00Z')],
    // It has been, or is more than a month away.
    ['try again at Nov 1st, 2026 11:52 AM', undefined],
    ['resets Mar 3, 6pm (UTC)', undefined],
    ['usage limit reached', undefined],
    ['resets_at: 1000000000', undefined],
    ['resets_at: 9999999999', undefined],
  ])('%s', (message, expected) => {
    const reset = resetIn(message, NOW)
    expect(reset && new Date(reset).toISOString()).toBe(expected && new Date(expected).toISOString())
  })
})

test.each([
  // Clocks go back at three, and forward at two: five in the morning is five in the morning.
  ['2026-10-24T19:00:00Z', 'resets 5am (Europe/Berlin)', '2026-10-25T04:00:00Z'],
  ['2027-03-27T19:00:00Z', 'resets 5am (Europe/Berlin)', '2027-03-28T03:00:00Z'],
  ['2026-12-30T12:00:00Z', 'resets Jan 2, 6pm (UTC)', '2027-01-02T18:00:00Z'],
])('at %s, %s', (now, message, expected) => {
  expect(new Date(resetIn(message, at(now)) ?? 0).toISOString()).toBe(new Date(expected).toISOString())
})

describe('what is about the quota', () => {
  test.each([
    ["You've hit your usage limit.", true],
    ['exceeded retry limit, last status: 429 Too Many Requests', true],
    ['[API Error: {"error":{"code":429,"status":"RESOURCE_EXHAUSTED"}}]', true],
    ['insufficient credits', true],
    ['Your credit balance is too low to access the Anthropic API. Please go to Plans & Billing.', true],
    ['unexpected status 402 Payment Required', true],
    ['API Error: 402 {"error":{"message":"no credit"}}', true],
    ['src/cart.ts:402: expected a number', false],
    ['unexpected status 401 Unauthorized', false],
    ['API Error: 500 server', false],
    ['Request timed out', false],
    ['context window limit', false],
  ])('%s: %s', (message, expected) => {
    expect(quotaIn(message, NOW) !== undefined).toBe(expected)
  })
})

test('claude tells the time itself, before the message that tells people', () => {
  const reader = claude.reader({ now: () => NOW })
  const info = { status: 'rejected', resetsAt: 1794838800, rateLimitType: 'five_hour' }
  const result = {
    type: 'result',
    subtype: 'success',
    is_error: true,
    api_error_status: 429,
    result: "You've hit your limit",
  }
  reader.push(
    Buffer.from(`${JSON.stringify({ type: 'rate_limit_event', rate_limit_info: info })}\n${JSON.stringify(result)}\n`),
  )
  expect(reader.facts.quota).toEqual({ message: "You've hit your limit", resetsAt: 1794838800000 })
  expect(reader.facts.end).toMatchObject({ outcome: 'error' })
})

test('a warning that the limit is near is not the limit', () => {
  const reader = claude.reader()
  reader.push(
    Buffer.from('{"type":"rate_limit_event","rate_limit_info":{"status":"allowed_warning","resetsAt":1794838800}}\n'),
  )
  expect(reader.facts.quota).toBeUndefined()
})
