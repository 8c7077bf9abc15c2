// The only place that maps errors to the wire: error shapes per toolset, HTTP status.
import type { HubError, Lang } from '#contract/errors.ts'
import type { Toolset } from '#kernel/tool.ts'

/** The error body as the toolset's callers know it. */
export function errorBody(
  toolset: Toolset,
  error: HubError,
  lang: Lang,
  message: string = error.text[lang],
): Record<string, unknown> {
  switch (toolset) {
    case 'crews':
    case 'tabs':
      return { error: true, code: error.code, message, ...retry(error) }
    case 'phases':
      return { error: { ...phasesCode(error), message, ...retry(error) } }
    case 'memory':
      return { error: { code: memoryCode(error), message, reason: error.code, ...retry(error) } }
    case 'api':
      return { error: { code: error.code, message, kind: error.kind, retryable: error.retryable, ...extra(error) } }
    default:
      return { success: false, error: message, code: error.code, ...retry(error) }
  }
}

/** How long to wait before another try, where that is known. */
export function retryAfterMs({ details }: HubError): number | undefined {
  return typeof details['retryAfterMs'] === 'number' ? details['retryAfterMs'] : undefined
}

/** The same for a body. */
export function retry(error: HubError): { retryable?: true; retry_after_ms?: number } {
  const ms = retryAfterMs(error)
  return ms === undefined ? {} : { retryable: true, retry_after_ms: ms }
}

/** Bad input and faults have the names that phases' callers know; of a fault ours goes into `details`. */
function phasesCode(error: HubError): { code: string; details?: Record<string, unknown> } {
  if (error.code === 'INVALID_ARGUMENT') return { code: 'VALIDATION_ERROR', ...extra(error) }
  if (['STORAGE_FULL', 'DB_UNAVAILABLE', 'HUB_UNAVAILABLE'].includes(error.code))
    return { code: 'INTERNAL_ERROR', details: { reason: error.code } }
  return { code: error.code, ...extra(error) }
}

/** Three codes are all that memory's callers know; ours goes into `reason`. */
function memoryCode(error: HubError): string {
  if (error.kind === 'not-found') return 'NOT_FOUND'
  if (error.kind === 'internal' || error.kind === 'unavailable') return 'DATABASE_ERROR'
  return 'INVALID_PARAMETER'
}

/** Details that are plain data travel along; sentences and causes do not. */
function extra(error: HubError): { details?: Record<string, unknown> } {
  const entries = Object.entries(error.details).filter(([name]) => name !== 'reason' && name !== 'what')
  return entries.length > 0 ? { details: Object.fromEntries(entries) } : {}
}

export function httpStatus(error: HubError): 400 | 401 | 403 | 404 | 409 | 429 | 500 | 503 {
  switch (error.kind) {
    case 'invalid':
      return 400
    case 'unauthenticated':
      return 401
    case 'forbidden':
      return 403
    case 'not-found':
      return 404
    case 'conflict':
      return 409
    case 'limit':
      return 429
    case 'unavailable':
      return 503
    default:
      return 500
  }
}
