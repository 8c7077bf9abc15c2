// Recognises "nothing left of your quota" in what programs say, and when it comes back.
import type { Fact, Quota } from './facts.ts'

const SPENT =
  /usage.?limit|hit your (\w+ )?limit|limit reached|rate.?limit|quota|too many requests|\b429\b|resource.?exhausted|out of (extra )?(usage|credits)|insufficient.(credits|funds|balance)|credit balance|payment required|\b(?:status|code|error)\W{0,5}402\b/i

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
  const at = epoch(message) ?? wait(message, now) ?? clockTime(message, now)
  return at !== undefined && at > now && at < now + 32 * 86_400_000 ? at : undefined
}

/** `"resets_at": 1788879437`, `resetsAt=…`, `limit reached|1788879437`: seconds, or milliseconds when longer. */
function epoch(message: string): number | undefined {
  const [, digits] = /(?:reset\w{0,30}["']?\s{0,9}[:=]\s{0,9}"?|\|)(\d{10}(?:\d{3})?)\b/i.exec(message) ?? []
  return digits === undefined ? undefined : Number(digits) * (digits.length === 10 ? 1000 : 1)
}

const UNITS: Record<string, number> = { d: 86_400_000, h: 3_600_000, m: 60_000, s: 1000 }

/** `try again in 2 days 17 hours 14 minutes`, `retry in 12.5s`, `retrying in 2h 30m`, `"retryDelay": "34s"`, `resets_in_seconds: 9568`, `retry-after: 30`. */
function wait(message: string, now: number): number | undefined {
  const [, seconds] =
    /(?:resets?_in_seconds|retry.after(?:_seconds)?)["']?\s{0,9}[:=]\s{0,9}"?(\d{1,12})/i.exec(message) ?? []
  if (seconds !== undefined) return now + Number(seconds) * 1000
  const [, span] =
    /(?:again|retry(?:ing)?|resets?|retrydelay["']?\s{0,9}:\s{0,9}["']?)\s{0,9}(?:(?:in|after)\s{0,9})?((?:\d{1,9}(?:\.\d{1,9})?\s{0,9}(?:d|h|m|s)[a-z]{0,9}[\s,]{0,9}(?:and\s{1,9})?){1,9})/i.exec(
      message,
    ) ?? []
  if (span === undefined) return undefined
  const parts = [...span.matchAll(/(\d+(?:\.\d+)?)\s*([dhms])/gi)]
  return now + parts.reduce((sum, [, count, unit]) => sum + Number(count) * (UNITS[unit?.toLowerCase() ?? ''] ?? 0), 0)
}

const DAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat']
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const CLOCK_TIME = new RegExp(
  [
    String.raw`(?:resets?|again)(?: (?:at|on))?\s{1,9}`,
    String.raw`(?:(?<weekday>${DAYS.join('|')})[a-z]{0,6},?\s{1,9}|`,
    String.raw`(?<month>${MONTHS.join('|')})[a-z]{0,6}\s(?<day>\d{1,2})(?:st|nd|rd|th)?,?\s(?:(?<year>\d{4}),?\s)?)?`,
    String.raw`(?:at\s)?(?<hour>\d{1,2})(?::(?<minute>\d{2}))?\s{0,9}(?<half>[ap]m)?\b(?:\s{0,9}\((?<zone>[\w/+-]{1,60})\))?`,
  ].join(''),
  'i',
)

/**
 * What a clock and a calendar there show, the next time: `resets 2pm (Asia/Shanghai)`, `resets Thu 9am`, `resets Jan 12, 10:59am
 * (America/New_York)`, `try again at Jul 10th, 2026 11:52 AM`. Without a zone it is the machine's own, as programs on it print it.
 */
function clockTime(message: string, now: number): number | undefined {
  const { weekday, month, day, year, hour, minute, half, zone } = CLOCK_TIME.exec(message)?.groups ?? {}
  if (hour === undefined || (half === undefined && minute === undefined)) return undefined
  const hours = half === undefined ? Number(hour) : (Number(hour) % 12) + (half.toLowerCase() === 'pm' ? 12 : 0)
  const shown = new Date(shownAt(now, zone))
  /** On that day of the month, which may be beyond its end or before its begin. */
  const on = (y: number, m: number, d: number) => whenShown(Date.UTC(y, m, d, hours, Number(minute ?? 0)), zone)
  const today = [shown.getUTCFullYear(), shown.getUTCMonth(), shown.getUTCDate()] as const
  if (month !== undefined) {
    const dates = (year === undefined ? [today[0], today[0] + 1] : [Number(year)]).map(y =>
      on(y, MONTHS.indexOf(month.toLowerCase()), Number(day)),
    )
    return dates.find(at => at > now)
  }
  const ahead = weekday === undefined ? 0 : (DAYS.indexOf(weekday.toLowerCase()) - shown.getUTCDay() + 7) % 7
  const step = weekday === undefined ? 1 : 7
  return [ahead, ahead + step].map(days => on(today[0], today[1], today[2] + days)).find(at => at > now)
}

/** What a clock in that zone shows at a moment, as if it were UTC's. */
function shownAt(at: number, zone: string | undefined): number {
  const options = { dateStyle: 'short', timeStyle: 'medium', hourCycle: 'h23' } as const
  // Swedish dates are in the order of ISO 8601.
  let format = new Intl.DateTimeFormat('sv-SE', options)
  try {
    if (zone !== undefined) format = new Intl.DateTimeFormat('sv-SE', { ...options, timeZone: zone })
  } catch {
    // A zone that this system does not know: our own is the better guess than none.
  }
  return Date.parse(`${format.format(at).replace(' ', 'T')}Z`)
}

/** When a clock in that zone shows this. The second look is for a day on which clocks are changed in between. */
function whenShown(shown: number, zone: string | undefined): number {
  const guess = shown - (shownAt(shown, zone) - shown)
  return guess + shown - shownAt(guess, zone)
}
