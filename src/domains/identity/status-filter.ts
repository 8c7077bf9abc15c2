import { RUN_STATUSES, type RunStatus } from '#contract/crews.ts'
import { CoreError } from '#contract/errors.ts'

/** `all` is the same as none. */
export function statusFilter(status: string | undefined): RunStatus | undefined {
  if (status === undefined || status === 'all') return undefined
  const known = RUN_STATUSES.find(candidate => candidate === status)
  if (known) return known
  const names = [...RUN_STATUSES, 'all'].join(', ')
  throw CoreError.INVALID_ARGUMENT({
    reason: { en: `status must be one of ${names}.`, ja: `status には ${names} のいずれかを指定してください。` },
  })
}
