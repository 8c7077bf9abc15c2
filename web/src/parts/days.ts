// Pure: days of the calendar, as the reader of the page counts them.

export type Days = { from: string; to: string /** Where each of them begins. */; starts: string[] }

/** The last so many days, today included. Not of 24 hours each: where clocks change, a day has 23 or 25. */
export function lastDays(count: number, now = new Date()): Days {
  const at = (day: number) => new Date(now.getFullYear(), now.getMonth(), now.getDate() + day - count + 1).toISOString()
  const starts = Array.from({ length: count }, (_, day) => at(day))
  return { from: at(0), to: at(count), starts }
}
