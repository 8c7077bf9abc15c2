// What the program of a tab connects with: its ticket, and whether it may still write.
import type { Caller } from '#contract/caller.ts'
import { TabError } from '#contract/tabs.ts'
import type { Db } from '#kernel/db/db.ts'
import { digest } from '#kernel/ids.ts'
import type { Tab } from './model.ts'
import { TabStore } from './store.ts'

/** A program that is started again and again by the tab takes no more room than this. */
const CONNECTIONS = 64

export class TabTickets {
  readonly #db: Db

  constructor(db: Db) {
    this.#db = db
  }

  /**
   * Whom a ticket speaks for. The first connection keeps it; another one gets in only as a process that provably comes from
   * the tab.
   */
  async redeem(
    ticket: string,
    connectionSecret: string | undefined,
    comesFrom: (marker: string) => Promise<boolean>,
  ): Promise<Caller> {
    if (connectionSecret === undefined) throw TabError.TAB_TICKET_REFUSED()
    const connection = digest(connectionSecret)
    const found = await new TabStore(this.#db).findByTicket(digest(ticket))
    const isAnother = found !== undefined && !found.ticketConnections.includes(connection)
    const proven = isAnother && found.process !== null && (await comesFrom(found.process.marker))
    return this.#db.tx(async tx => {
      const store = new TabStore(tx)
      const tab = await store.findByTicket(digest(ticket))
      if (!tab || tab.endedAt !== null) throw TabError.TAB_TICKET_REFUSED()
      if (!tab.ticketConnections.includes(connection)) {
        if (tab.ticketConnections.length > 0 && !proven) throw TabError.TAB_TICKET_REFUSED()
        await store.save({ ...tab, ticketConnections: [...tab.ticketConnections, connection].slice(-CONNECTIONS) })
      }
      return speakerOf(tab)
    })
  }

  /** A tab that has ended writes no more, under any identity. */
  async admit(opener: Caller): Promise<void> {
    if (opener.kind !== 'tab') return
    const tab = await new TabStore(this.#db).find(opener.tabId)
    if (tab && tab.endedAt !== null) throw TabError.TAB_NOT_FOUND({ tabId: tab.id, ended: true })
  }
}

/** As whom its program calls. */
export function speakerOf({ id, projectId, depth }: Tab): Caller {
  return { kind: 'tab', tabId: id, projectId, depth }
}
