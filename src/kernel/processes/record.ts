// Names one process for good. A pid alone names nobody: numbers are used again, also while we were not looking.
import { bootId, carries, findProcess } from './table.ts'

/** Can be stored, and compared after a crash of whoever wrote it. */
export type ProcessRecord = { boot: string; pid: number; start: string; marker: string }

/**
 * To be stored before the launch: should we crash before the real record is stored, the mark alone still finds whatever was
 * started.
 */
export function plannedRecord(marker: string): ProcessRecord {
  return { boot: bootId(), pid: 0, start: '', marker }
}

/** For a child of our own that nobody has waited for yet: until then its number belongs to it, even when it has ended. */
export function recordOf(pid: number, marker: string): ProcessRecord {
  return { boot: bootId(), pid, start: findProcess(pid)?.start ?? '', marker }
}

/** True only when that very process still runs: same boot, same number, same start, and it carries our mark. */
export function isStill(record: ProcessRecord): boolean {
  if (record.boot !== bootId() || record.start === '') return false
  const now = findProcess(record.pid)
  return now !== undefined && !now.zombie && now.start === record.start && carries(record.pid, record.marker)
}
