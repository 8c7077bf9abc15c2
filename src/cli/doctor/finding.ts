import { HubError, type Text } from '#contract/errors.ts'

/** `warn`: works, but look at it. `fail`: does not work until it is fixed. */
export type Finding = {
  readonly check: string
  readonly level: 'ok' | 'warn' | 'fail'
  readonly text: Text
  readonly fix?: Text
}

/** A refusal names its own next step. */
export function refusal(check: string, problem: unknown, fix?: Text): Finding {
  const text = problem instanceof HubError ? problem.text : both((problem as Error).message)
  return { check, level: 'fail', text, ...(fix ? { fix } : {}) }
}

export function both(sentence: string): Text {
  return { en: sentence, ja: sentence }
}
