// Names one process that we started, by its mark as well: after a crash before the rest was known, the mark alone still finds it.
import { identityOf, isRunning, type ProcessIdentity } from '#system/process-identity.ts'
import { bootId, carries } from '#system/processes.ts'

/** Can be stored, and compared after a crash of the process that wrote it. */
export type ProcessRecord = ProcessIdentity & { readonly marker: string }

/**
 * To be stored before the launch: should we crash before the real record is stored, the mark alone still finds whatever was
 * started.
 */
export function plannedRecord(marker: string): ProcessRecord {
  return { boot: bootId(), pid: 0, start: '', marker }
}

/** For our child that was not reaped yet: until then its pid belongs to it, even when it has ended. */
export function recordOf(pid: number, marker: string): ProcessRecord {
  return { ...identityOf(pid), marker }
}

/** True only when that very process still runs, and it carries our mark. */
export function isStill(record: ProcessRecord): boolean {
  return isRunning(record) && carries(record.pid, record.marker)
}
