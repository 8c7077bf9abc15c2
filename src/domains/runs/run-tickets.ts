// What the process of a run in a crew connects with: its ticket, and whether it may still write.
import type { Caller } from '#contract/caller.ts'
import { IdentityError } from '#contract/identity.ts'
import { RunError } from '#contract/runs.ts'
import type { Db } from '#kernel/db/db.ts'
import { digest } from '#kernel/ids.ts'
import type { Peer } from '#kernel/processes/peer.ts'
import { CrewRunStore } from './crew-run-store.ts'
import type { CrewRun } from './model.ts'

export type RunTicketsDeps = {
  db: Db
  /** Whether the process at the other end of a connection comes from the process with this mark. */
  descends: (peer: Peer, marker: string) => Promise<boolean>
}

export class RunTickets {
  readonly #deps: RunTicketsDeps

  constructor(deps: RunTicketsDeps) {
    this.#deps = deps
  }

  /** Whom a run's ticket speaks for: the first connection that uses it, and others that come from the run's own process. */
  async redeem(ticket: string, connectionSecret: string | undefined, peer: Peer): Promise<Caller> {
    if (connectionSecret === undefined) throw IdentityError.TICKET_REFUSED()
    const connection = digest(connectionSecret)
    const found = await new CrewRunStore(this.#deps.db).findByTicket(digest(ticket))
    const isAnother = found?.ticketConnection !== null && found?.ticketConnection !== connection
    const descends = isAnother && found?.process ? await this.#deps.descends(peer, found.process.marker) : false
    return this.#deps.db.tx(async tx => {
      const store = new CrewRunStore(tx)
      const run = await store.findByTicket(digest(ticket))
      if (!run || run.endedAt !== null) throw IdentityError.TICKET_REFUSED()
      if (run.ticketConnection === null) await store.save(run.id, { ticketConnection: connection })
      else if (run.ticketConnection !== connection && !descends) throw IdentityError.TICKET_REFUSED()
      return callerOf(run)
    })
  }

  /** A run that has ended writes no more, under any identity. */
  async admit(opener: Caller): Promise<void> {
    if (opener.kind !== 'run') return
    const run = await new CrewRunStore(this.#deps.db).find(opener.runId)
    if (run?.endedAt !== null) throw RunError.RUN_ENDED({ runId: opener.runId })
  }
}

/** As whom its process calls. */
export function callerOf(run: CrewRun): Caller {
  const { id: runId, crewId, projectId, depth, work } = run
  return { kind: 'run', runId, crewId, projectId, depth, ...(work !== null && { work }) }
}
