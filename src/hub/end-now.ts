// A second Ctrl-C: ends what the hub has started with the signal that cannot be refused, and waits for no answer. Nothing of it is
// stored: the next hub finds the rows open, and settles them.
import type { ProcessRecord } from '#kernel/processes/record.ts'
import { stop } from '#kernel/processes/stop.ts'

export type EndedNow = {
  /** How many processes were ended. */
  ended: number
  /** Those that run still. */
  left: number[]
}

const KILL_MS = 1000

export async function endNow(records: readonly ProcessRecord[]): Promise<EndedNow> {
  const reports = await Promise.all(records.map(record => stop(record, { graceMs: 0, killMs: KILL_MS })))
  // A program that cannot be looked at has no number.
  const left = [...new Set(reports.flatMap(({ survivors }) => survivors.filter(pid => pid > 0)))]
  const found = reports.reduce((sum, report) => sum + report.found, 0)
  return { ended: Math.max(0, found - left.length), left }
}
