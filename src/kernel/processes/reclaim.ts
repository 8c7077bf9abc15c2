// After our own crash: finds what was started before, by record, and ends it. Its output is gone with us, so that no one
// could read what it does.
import { isStill, type ProcessRecord } from './record.ts'
import { stop, type StopOptions, type StopReport } from './stop.ts'

export type Reclaimed = {
  /** The process itself was still running; its descendants may have been, in either case. */
  ran: boolean
  stopped: StopReport
}

/** Answers in the order of the records. A number that now belongs to another process is left alone. */
export function reclaim(records: readonly ProcessRecord[], options: StopOptions = {}): Promise<Reclaimed[]> {
  return Promise.all(records.map(async record => ({ ran: isStill(record), stopped: await stop(record, options) })))
}
