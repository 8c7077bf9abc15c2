// Which days the view is about: a word or two dates, as they stand in the address. Pure, but for the time zone.

export const LATEST = ['today', '7', '14', '30'] as const
const USUAL = '14'
/** As many days as the hub sums up at once. */
const MOST_DAYS = 62

/** One of `LATEST`, `all`, or two dates: `2026-11-01..2026-11-10`. */
export type Days = string

type Span = { from: Date; to: Date }

const RANGE = /^(\d{4}-\d{2}-\d{2})\.\.(\d{4}-\d{2}-\d{2})$/

/** What cannot be read is the usual. All about one thing is of all days, unless an address says otherwise. */
export function daysIn(text: string | null, isAboutOne: boolean): Days {
  if (text !== null && (text === 'all' || LATEST.some(one => one === text) || rangeOf(text))) return text
  return isAboutOne ? 'all' : USUAL
}

/** Both days, in order, at most so many. */
export function rangeOf(days: Days): { first: string; last: string } | undefined {
  const [, one, other] = RANGE.exec(days) ?? []
  if (one === undefined || other === undefined) return undefined
  const [first, last] = [one, other].toSorted() as [string, string]
  const [from, to] = [midnight(first), midnight(last)]
  if (Number.isNaN(from.getTime()) || Number.isNaN(to.getTime())) return undefined
  const farthest = dayAfter(from, MOST_DAYS - 1)
  return { first, last: to > farthest ? dateOf(farthest) : last }
}

/** What is listed and exported. The latest days go on: what comes is a part of them. */
export function listed(days: Days, now: Date): { from?: string; to?: string } {
  if (days === 'all') return {}
  const { from, to } = spanOf(days, now)
  return { from: from.toISOString(), ...(rangeOf(days) && { to: to.toISOString() }) }
}

/** Local midnights: what is summed up. */
export function spanOf(days: Days, now: Date): Span {
  const range = rangeOf(days)
  if (range) return { from: midnight(range.first), to: dayAfter(midnight(range.last), 1) }
  const count = days === 'today' ? 1 : days === 'all' ? MOST_DAYS : Number(days)
  const to = dayAfter(midnight(dateOf(now)), 1)
  return { from: dayAfter(to, -count), to }
}

/** Where each of its days begins: where clocks change, one has 23 or 25 hours. */
export function startsIn({ from, to }: Span): string[] {
  const starts: string[] = []
  for (let day = from; day < to; day = dayAfter(day, 1)) starts.push(day.toISOString())
  return starts
}

export const dateOf = (moment: Date) =>
  [moment.getFullYear(), moment.getMonth() + 1, moment.getDate()].map(part => String(part).padStart(2, '0')).join('-')

const midnight = (date: string) => new Date(`${date}T00:00:00`)

/** The day's first moment, by the calendar: some days have 23 hours, and some of these no midnight. */
function dayAfter(moment: Date, days: number): Date {
  return new Date(moment.getFullYear(), moment.getMonth(), moment.getDate() + days)
}
