// What an instance that a Runner started signs in with: the ticket of its start.
import type { Caller } from '#contract/caller.ts'
import { IdentityError } from '#contract/identity.ts'
import type { Db, Tx } from '#kernel/db/db.ts'
import type { HubTime } from '#kernel/hub-time.ts'
import { digest } from '#kernel/ids.ts'
import { InstanceStore } from './instance-store.ts'
import { SessionStore } from './store.ts'

export class Tickets {
  readonly #deps: { db: Db; clock: HubTime }

  constructor(deps: { db: Db; clock: HubTime }) {
    this.#deps = deps
  }

  /** Whom a ticket speaks for. The first connection to use it keeps it; anyone else with a copy is refused. */
  redeem(ticket: string, connectionSecret: string | undefined): Promise<Caller> {
    return this.#deps.db.tx(async tx => {
      if (connectionSecret === undefined) throw IdentityError.TICKET_REFUSED()
      const store = new SessionStore(tx)
      const lease = await store.findLeaseByTicket(digest(ticket))
      const connection = digest(connectionSecret)
      if (!lease) return this.#replaced(tx, digest(ticket), connection)
      if (lease.ticketConnection !== null && lease.ticketConnection !== connection) throw IdentityError.TICKET_REFUSED()
      const outOfDate = lease.startBy === null || lease.startBy <= this.#deps.clock.steady()
      if (lease.ticketConnection === null && outOfDate) throw IdentityError.TICKET_REFUSED()
      if (lease.ticketConnection === null) {
        await store.saveLease({ ...lease, ticketConnection: connection })
        await new InstanceStore(tx).bindTicket(digest(ticket), connection)
      }
      return { kind: 'starter', agentId: lease.agentId, projectId: lease.projectId, epoch: lease.epoch }
    })
  }

  /**
   * An instance whose pair another has by now gets in, and with every call hears that it was replaced: a connection that is
   * refused could only say to ask for a new ticket, which is for Runners.
   */
  async #replaced(tx: Tx, ticketDigest: string, connection: string): Promise<Caller> {
    const instance = await new InstanceStore(tx).findByTicket(ticketDigest)
    if (!instance || (instance.ticketConnection ?? connection) !== connection) throw IdentityError.TICKET_REFUSED()
    const { agentId, projectId, epoch } = instance
    const lease = await new SessionStore(tx).findLease(agentId, projectId)
    if (!lease || lease.epoch <= epoch) throw IdentityError.TICKET_REFUSED()
    return { kind: 'starter', agentId, projectId, epoch }
  }

  /** Of the ticket whose digest begins so. */
  async digestOf(key: string): Promise<string | undefined> {
    const { db } = this.#deps
    return (await new SessionStore(db).findTicket(key)) ?? (await new InstanceStore(db).findTicket(key))
  }
}
