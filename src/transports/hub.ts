import type { Caller } from '#contract/caller.ts'
import type { Lang } from '#contract/errors.ts'
import type { EventLog } from '#kernel/events.ts'
import type { Invoker } from '#kernel/invoke.ts'
import type { Log } from '#kernel/log.ts'
import type { Registry } from '#kernel/registry.ts'
import type { Prompt, Resource } from '#kernel/resource.ts'
import type { Terminals } from '#kernel/terminals/terminals.ts'

/** What the transports know of the hub behind them. `S` is its services, which they only pass on. */
export type Hub<S> = {
  readonly version: string
  readonly lang: Lang
  readonly log: Log
  readonly events: EventLog
  readonly registry: Registry<S>
  readonly invoker: Invoker<S>
  readonly resources: readonly Resource<S>[]
  readonly prompts: readonly Prompt<S>[]
  readonly identities: Identities
  readonly terminals: Pick<Terminals, 'show'>
}

/** The two ends of a connection as the system knows them: enough to find the process at the other one. */
export type Peer = { readonly localPort: number | undefined; readonly remotePort: number | undefined }

export interface Identities {
  /** Who a credential speaks for; throws when it is nobody's. */
  fromCredential(credential: string, connectionSecret: string | undefined, peer: Peer): Promise<Caller>
  /** The digest of the credential whose digest begins so, to prove with that we know it. */
  digestOf(key: string): Promise<string | undefined>
  /** Whom of ours the process at the other end comes from, when its credential alone does not tell. */
  behind(peer: Peer): Promise<Caller | undefined>
  /** The agent that signed in on this connection earlier. */
  onConnection(connectionSecret: string): Promise<Caller | undefined>
}
