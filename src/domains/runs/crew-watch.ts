import type { CrewId } from '#contract/id-types.ts'
import type { EventLog } from '#kernel/events.ts'

/** Waits for news of one crew. */
export class CrewWatch {
  readonly #events: EventLog

  constructor(events: EventLog) {
    this.#events = events
  }

  /** The number of the last event that was looked at; at once when something happened after `seq`, else when it does. */
  async changed(crewId: CrewId, seq: number | undefined, waitMs: number, signal: AbortSignal): Promise<number> {
    if (seq === undefined || waitMs === 0) return this.#events.latest()
    const stop = new AbortController()
    const end = () => stop.abort()
    const timer = setTimeout(end, waitMs)
    signal.addEventListener('abort', end)
    try {
      let last = seq
      for await (const event of this.#events.follow(seq, stop.signal)) {
        last = event.seq
        const { crewId: ours, groupId } = event.payload as { crewId?: CrewId; groupId?: string }
        if (ours === crewId || groupId === crewId) return last
      }
      return last
    } finally {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
    }
  }
}
