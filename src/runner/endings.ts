// Reports to the hub how instances ended, and repeats it until the hub has it. What is not reported yet is in the journal of this home.
import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from '#client/api.ts'
import type { ApiOutput } from '#contract/api.ts'
import { HubError } from '#contract/errors.ts'
import { runEnd } from '#contract/run-end.ts'
import type { Log } from '#kernel/log.ts'
import { reclaim } from '#kernel/processes/reclaim.ts'
import { HubAway } from './hub-line.ts'
import { end, type InstanceOptions } from './instance.ts'
import { type Ending, type Entry, Journal } from './journal.ts'
import { isRefusal } from './refusal.ts'

type Deps = {
  api: Client
  home: string
  log: Log
  callMs: number
  at: InstanceOptions['at'] | undefined
  /** What the hub calls itself and us; undefined before its first word. */
  hub: () => Pick<ApiOutput<'runner.hold'>, 'hub' | 'runner'> | undefined
  stopping: AbortSignal
}

export const TELL_MIN_MS = 200
const TELL_MAX_MS = 10_000
const LEFT = end('runner-lost', runEnd('runner-lost'))

export class Endings {
  readonly #deps: Deps
  readonly #telling = new Set<Promise<void>>()
  #farewellAt = Number.POSITIVE_INFINITY

  constructor(deps: Deps) {
    this.#deps = deps
  }

  /** What an earlier Runner of this home left running has no process to read its output or report its end. */
  async recover(): Promise<void> {
    for (const journal of Journal.abandoned(this.#deps.home)) {
      const entries = journal.entries()
      const reclaimed = await reclaim(entries.map(({ process }) => process))
      const left = entries.map((entry, index) => {
        const found = reclaimed[index]
        if (found?.stopped.how !== 'gone') this.#deps.log.warn({ entry, found }, 'ended what an earlier Runner left')
        return entry
      })
      const told = Promise.all(left.map(entry => this.tell(journal, entry, entry.ending ?? LEFT))).then(() =>
        journal.close(),
      )
      this.track(told)
    }
  }

  /** Until the hub has it. What we cannot report in our lifetime, the next Runner of this home reports. */
  async tell(journal: Journal, entry: Entry, ending: Ending): Promise<ApiOutput<'runner.ended'> | undefined> {
    const { api, log, at, callMs } = this.#deps
    for (let pause = TELL_MIN_MS; ; pause = Math.min(pause * 2, TELL_MAX_MS)) {
      try {
        const hub = this.#deps.hub()
        if (!hub) throw new HubAway('the hub was not heard of yet')
        const isOurs = entry.hub === hub.hub && entry.runner === hub.runner
        if (!isOurs) return undefined
        const told = await api.call('runner.ended', { instance_id: entry.instanceId, ...ending }, { timeoutMs: callMs })
        at?.('told')
        journal.remove(entry.instanceId)
        return told
      } catch (error) {
        if (error instanceof HubError && error.kind !== 'unavailable' && error.kind !== 'internal') {
          log.warn({ err: error, instance: entry.instanceId }, 'the hub does not want to hear of an end')
          if (!isRefusal(error)) journal.remove(entry.instanceId)
          return undefined
        }
        log.debug({ err: error, instance: entry.instanceId }, 'the hub did not hear of an end yet')
      }
      if (performance.now() > this.#farewellAt) return undefined
      await sleep(this.#deps.stopping.aborted ? TELL_MIN_MS : pause)
    }
  }

  track(work: Promise<unknown>): void {
    const tracked = work
      .then(
        () => {},
        error => this.#deps.log.error({ err: error }, 'an end could not be told'),
      )
      .finally(() => this.#telling.delete(tracked))
    this.#telling.add(tracked)
  }

  /** Those that cannot be reported within this time stay in the journal. */
  async toldWithin(ms: number): Promise<void> {
    this.#farewellAt = performance.now() + ms
    await Promise.all(this.#telling)
  }
}
