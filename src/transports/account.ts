import { type Caller, callerKey } from '#contract/caller.ts'
import type { Connection } from '#kernel/tool.ts'

/** Of the last caller of each connection: nearly always the same, and the text for it is made at every call. */
const known = new WeakMap<Connection, { readonly caller: Caller; readonly account: string }>()

/**
 * On whose account a call goes. Whatever has an identity of its own has one account, over however many connections; a client
 * of the operator has one for its connection, which a bridge that reconnects keeps.
 */
export function accountOf(caller: Caller, connection: Connection | undefined): string {
  if (!connection) return accountFor(caller, undefined)
  const last = known.get(connection)
  if (last?.caller === caller) return last.account
  const account = accountFor(caller, connection)
  known.set(connection, { caller, account })
  return account
}

function accountFor(caller: Caller, connection: Connection | undefined): string {
  // A run or a tab that signs in stays the program that it is.
  const who = connection && connection.opener.kind !== 'operator' ? connection.opener : caller
  if (who.kind === 'operator') return connection ? `connection:${connection.secret}` : 'operator'
  return who.kind === 'starter' ? `agent:${who.agentId}` : callerKey(who)
}
