// Whether the hub can be reached, as people and the log hear of it: once when it is away, once when it is back.
import { HubError } from '#contract/errors.ts'
import type { Log } from '#kernel/log.ts'
import type { Notice } from './notice.ts'
import { isRefusal, textOf } from './refusal.ts'

/** What a person can do something about. */
const UNPROVEN = ['HUB_NOT_PROVEN', 'HOST_NOT_ALLOWED', 'CERTIFICATE_REFUSED']

type Deps = {
  log: Log
  notice: ((notice: Notice) => void) | undefined
  /** The hub does not want this Runner at all. */
  refused: () => void
  stopping: AbortSignal
}

export class Contact {
  readonly #deps: Deps
  #away = false

  constructor(deps: Deps) {
    this.#deps = deps
  }

  failed(error: unknown, message: string): void {
    const { log, notice, refused, stopping } = this.#deps
    if (stopping.aborted) return
    if (isRefusal(error)) {
      log.error({ err: error }, 'the hub refuses this Runner')
      if (error instanceof Error) notice?.({ kind: 'refused', why: textOf(error) })
      refused()
      return
    }
    // Once: a hub that is away for an hour needs no thousand lines.
    if (this.#away) return
    this.#away = true
    log.warn({ err: error }, message)
    if (error instanceof HubError && error.code === 'DATABASE_IS_NEWER')
      return notice?.({ kind: 'halted', why: error.text })
    const isUnproven = error instanceof HubError && UNPROVEN.includes(error.code)
    notice?.({ kind: 'away', ...(isUnproven && { why: error.text }) })
  }

  works(): void {
    if (!this.#away) return
    this.#away = false
    this.#deps.log.info({}, 'the hub is back')
    this.#deps.notice?.({ kind: 'back' })
  }
}
