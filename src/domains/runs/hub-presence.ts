// Which hubs with runs of crews are there: each says so now and then, and the runs of a hub that fell silent are ended.
import type { Caller } from '#contract/caller.ts'
import { runEnd } from '#contract/run-end.ts'
import type { Db } from '#kernel/db/db.ts'
import type { HubTime } from '#kernel/hub-time.ts'
import { CrewRunStore } from './crew-run-store.ts'
import type { CrewRuns } from './crew-runs.ts'

/** A hub that did not say for so long that it is there is gone, and so is what it ran. */
const SILENT_MS = 120_000
/** Often enough for that. */
const WORD_MS = 30_000

type Deps = {
  db: Db
  clock: HubTime
  /** Names this hub's folder on this machine. */
  place: string
  runs: Pick<CrewRuns, 'end'>
}

export class HubPresence {
  readonly #deps: Deps

  constructor(deps: Deps) {
    this.#deps = deps
  }

  /** Whether it is time to say again that this hub is there, or a hub with open runs has not said so for too long. */
  async isDue(): Promise<boolean> {
    const { db, clock, place } = this.#deps
    const now = clock.steady()
    const store = new CrewRunStore(db)
    return (await store.isUnheard(place, now - WORD_MS)) || (await store.listSilent(now, SILENT_MS)).length > 0
  }

  /** Says that this hub is there, and ends the runs of hubs that are not. */
  renew(by: Caller): Promise<void> {
    const { db, clock, place, runs } = this.#deps
    return db.tx(async tx => {
      const store = new CrewRunStore(tx)
      const now = clock.steady()
      await store.heard(place, now)
      for (const run of await store.listSilent(now, SILENT_MS))
        await runs.end(run.id, { outcome: 'failed', reason: 'hub-lost', exitCode: null, end: runEnd('hub-lost') }, by)
    })
  }
}
