// Recognises "nothing left of your quota" in what programs say, and when it comes back.
import type { Fact, Quota } from './facts.ts'

const SPENT =
  /usage.?limit|hit your (\w+ )?limit|limit reached|rate.?limit|quota|too many requests|\b429\b|resource.?exhausted|out of (extra )?(usage|credits)|insufficient.(credits|funds|balance)/i

export function quotaIn(message: string, now: number): Quota | undefined {
  return SPENT.test(message) ? { message, resetsAt: resetIn(message, now) } : undefined
}

/** An error that may be about the quota, as facts. */
export function* troubleOf(message: string, now: number): Generator<Fact> {
  yield { kind: 'trouble', message }
  const quota = quotaIn(message, now)
  if (quota) yield { kind: 'quota', ...quota }
}

// Every repetition is bounded: a program may say anything, a megabyte of it, and say it often.

/** The time named in the message, in ms; nothing in the past, nothing beyond a month. */
export function resetIn(message: string, now: number): number | undefined {
  const at = epoch(message) ?? wait(message, now) ?? moment(message, now) ?? timeOfDay(message, now)
  return at !== undefined && at > now && at < now + 32 * 86_400_000 ? at : undefined
}

/** `"resets_at": 1788879437`, `resetsAt=…`, `limit reached|1788879437`: seconds, or milliseconds when longer. */
function epoch(message: string): number | undefined {
  const [, digits] = /(?:reset\w{0,30}["']?\s{0,9}[:=]\s{0,9}"?|\|)(\d{10}(?:\d{3})?)\b/i.exec(message) ?? []
  return digits === undefined ? undefined : Number(digits) * (digits.length === 10 ? 1000 : 1)
}

const UNITS: Record<string, number> = { d: 86_400_000, h: 3_600_000, m: 60_000, s: 1000 }

/** `try again in 2 days 17 hours 14 minutes`, `retry in 12.5s`, `"retryDelay": "34s"`, `resets_in_seconds: 9568`, `retry-after: 30`. */
function wait(message: string, now: number): number | undefined {
  const [, seconds] =
    /(?:resets?_in_seconds|retry.after(?:_seconds)?)["']?\s{0,9}[:=]\s{0,9}"?(\d{1,12})/i.exec(message) ?? []
  if (seconds !== undefined) return now + Number(seconds) * 1000
  const [, span] =
    /(?:again|retry|resets?|retrydelay["']?\s{0,9}:\s{0,9}["']?)\s{0,9}(?:(?:in|after)\s{0,9})?((?:\d{1,9}(?:\.\d{1,9})?\s{0,9}(?:d|h|m|s)[a-z]{0,9}[\s,]{0,9}(?:and\s{1,9})?){1,9})/i.exec(
      message,
    ) ?? []
  if (span === undefined) return undefined
  const parts = [...span.matchAll(/(\d+(?:\.\d+)?)\s*([dhms])/gi)]
  return now + parts.reduce((sum, [, count, unit]) => sum + Number(count) * (UNITS[unit?.toLowerCase() ?? ''] ?? 0), 0)
}

/** `try again at Jul 10th, 2026 11:52 AM`, in the machine's own zone, as programs on it print it. */
function moment(message: string, now: number): number | undefined {
  const [, date] =
    /(?:at|on)\s{1,9}([A-Z][a-z]{2,8} \d{1,2}(?:st|nd|rd|th)?,? (?:\d{4},? )?\d{1,2}:\d{2}(?: ?[AP]M)?)/i.exec(
      message,
    ) ?? []
  if (date === undefined) return undefined
  const plain = date.replace(/(\d)(st|nd|rd|th)/, '$1').replaceAll(',', '')
  const year = new Date(now).getFullYear()
  const at = Date.parse(/\d{4}/.test(plain) ? plain : plain.replace(/^(\w+ \d+)/, `$1 ${year}`))
  return Number.isNaN(at) ? undefined : at
}

/** `resets 2pm (Asia/Shanghai)`, `try again at 3:45 PM`: the next time the clock there says so. */
function timeOfDay(message: string, now: number): number | undefined {
  const [, hour, minute = '0', half, zone] =
    /(?:resets?|again)(?: at)?\s{1,9}(\d{1,2})(?::(\d{2}))?\s{0,9}([ap]m)?\b(?:\s{0,9}\(([\w/+-]{1,60})\))?/i.exec(
      message,
    ) ?? []
  if (hour === undefined || (half === undefined && !message.includes(`${hour}:${minute}`))) return undefined
  const hours = half === undefined ? Number(hour) : (Number(hour) % 12) + (half.toLowerCase() === 'pm' ? 12 : 0)
  const there = clock(now, zone)
  const ahead = (hours * 60 + Number(minute) - there + 1440) % 1440
  return Math.floor(now / 60_000) * 60_000 + (ahead || 1440) * 60_000
}

/** Minutes since midnight in that zone. */
function clock(at: number, zone: string | undefined): number {
  const options = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const
  let format = new Intl.DateTimeFormat('en-GB', options)
  try {
    if (zone !== undefined) format = new Intl.DateTimeFormat('en-GB', { ...options, timeZone: zone })
  } catch {
    // A zone that this system does not know: our own is the better guess than none.
  }
  const [hour = 0, minute = 0] = format.format(at).split(':').map(Number)
  return hour * 60 + minute
}
