// When the hub does not want this Runner at all.
import { HubError, type Text } from '#contract/errors.ts'
import { Refused } from './hub-line.ts'

/** Of ourselves; a ticket that is refused is another matter. */
export function isRefusal(error: unknown): boolean {
  if (error instanceof Refused) return true
  return error instanceof HubError && REFUSALS.includes(error.code)
}

export function textOf(error: Error): Text {
  return error instanceof HubError ? error.text : { en: error.message, ja: error.message }
}

const REFUSALS = ['UNAUTHENTICATED', 'TOKEN_UNKNOWN', 'HUB_OUTDATED', 'RUNNER_REFUSED']
