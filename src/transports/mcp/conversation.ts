// Some programs say in each call which of their conversations it comes from. Of a tab it is kept, so that a person can go on with it.
import type { Hub } from '../hub.ts'
import type { Peer } from './peer.ts'

/** As Codex names it. */
const FIELD = 'threadId'
const ID = /^[\w.-]{1,200}$/

const told = new WeakSet<Peer>()

/** The first of a connection counts: a program may hold others beside its own. */
export function noteConversation<S>(hub: Hub<S>, peer: Peer, meta: Record<string, unknown> | undefined): void {
  const said = meta?.[FIELD]
  if (typeof said !== 'string' || told.has(peer)) return
  const opener = peer.connection?.opener
  if (opener?.kind !== 'tab' || !ID.test(said)) return
  told.add(peer)
  hub.conversation(opener.tabId, said).catch(error => hub.log.warn({ err: error }, 'a conversation was not kept'))
}
