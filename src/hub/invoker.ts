import type { EventLog } from '#kernel/events.ts'
import { Invoker } from '#kernel/invoke.ts'
import { Quotas } from '#kernel/quotas.ts'
import type { ComposeOptions } from './compose.ts'
import type { Bind, Services } from './services.ts'

/** The one road, with the check that its caller may still take it: a caller that was overtaken, revoked or ended meanwhile writes no more. */
export function invokerOf(options: ComposeOptions, events: EventLog, bind: Bind): Invoker<Services> {
  const { database, clock, ids, log, config } = options
  return new Invoker<Services>({
    database,
    events,
    clock,
    ids,
    log,
    quotas: new Quotas(() => config().limits, clock),
    bind,
    admit: async (db, caller, opener = caller) => {
      const inside = bind(db)
      if (caller.kind === 'runner') return inside.runners.admit(caller)
      await inside.tokens.admit(opener)
      await inside.pages.admit(opener)
      await inside.identity.admit(caller)
      await inside.runTickets.admit(opener)
      await inside.tabTickets.admit(opener)
    },
    named: (db, token, { caller, connection }) => bind(db).identity.named(token, caller, connection?.secret),
    onConnection: secret => bind(database).identity.onConnection(secret),
    idOf: (db, of, name) => (of === 'task' ? bind(db).tasks.idNamed(name) : bind(db).projects.idNamed(name)),
  })
}
