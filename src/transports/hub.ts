import type { Caller, Chore } from '#contract/caller.ts'
import type { Lang } from '#contract/errors.ts'
import type { PageId, TabId, WorktreeId } from '#contract/id-types.ts'
import type { WorktreeChanged } from '#contract/worktrees.ts'
import type { EventLog } from '#kernel/events.ts'
import type { Invoker } from '#kernel/invoke.ts'
import type { Log } from '#kernel/log.ts'
import type { Peer } from '#kernel/processes/peer.ts'
import type { PeerOrigin } from '#kernel/processes/peers.ts'
import type { Registry } from '#kernel/registry.ts'
import type { Toolset } from '#kernel/tool.ts'
import type { Prompt, Resource } from '#kernel/resource.ts'
import type { TerminalExit, Terminals } from '#kernel/terminals/terminals.ts'

/** What the transports know of the hub behind them. `S` is its services, which they only pass on. */
export type Hub<S> = {
  readonly version: string
  readonly lang: Lang
  readonly log: Log
  readonly events: EventLog
  readonly registry: Registry<S>
  /** What the CLI, the dashboard and Runners call; loaded when it is asked for. */
  operations(): Promise<Registry<S>>
  readonly invoker: Invoker<S>
  readonly resources: readonly Resource<S>[]
  readonly prompts: readonly Prompt<S>[]
  readonly identities: Identities
  readonly toolsets: GivenToolsets
  readonly terminals: Pick<Terminals, 'show'>
  /** Of a tab whose terminal is gone: how its program ended. */
  tabEnd(tabId: TabId): Promise<TerminalExit | undefined>
  readonly logs: Logs
  readonly watching: WatchedFolders
  /** The program in this tab has said how it names its conversation. */
  conversation(tabId: TabId, sessionId: string): Promise<void>
}

export interface Identities {
  /** The caller that a credential stands for; throws for an unknown one. */
  fromCredential(credential: string, connectionSecret: string | undefined, peer: Peer): Promise<Caller>
  /** Which tab, run or instance the process at the other end belongs to, whatever credential it shows. */
  originOf(peer: Peer): Promise<PeerOrigin<Caller | Chore>>
  /** The digest of the credential whose digest begins so, to prove with that we know it. */
  digestOf(key: string): Promise<string | undefined>
  /** The same, of the credentials that have the operator's rights. */
  operatorDigest(key: string): Promise<string | undefined>
  readonly pages: SignedInPages
  /** The agent that signed in on this connection earlier. */
  onConnection(connectionSecret: string): Promise<Caller | undefined>
}

/** What runs wrote, for people. */
export interface Logs {
  /** Throws when there is no such run. What it answers ends when the run has ended, or by the signal. */
  follow(
    id: string,
    start: { from: number } | { tail: number },
    by: Caller,
    signal: AbortSignal,
  ): Promise<AsyncIterable<LogStep>>
}

/** Worktrees that clients look at. */
export interface WatchedFolders {
  /** Answers how to stop. */
  watch(id: WorktreeId, heard: (change: WorktreeChanged) => void): () => void
}

/** Where it goes on from, or what is there. `shortened`: the writer dropped some of the middle since. */
export type LogStep = { readonly bytes: Buffer } | { readonly from: number; readonly shortened: boolean }

/** Browsers at the dashboard. */
export interface SignedInPages {
  /** What the browser keeps: a cookie and a token of the page. Throws for an invalid link. */
  signIn(link: string, browser: string): Promise<{ id: PageId; cookie: string; token: string; lifeMs: number }>
  /** The caller that both halves together stand for; throws if there is none. */
  identify(cookie: string, token: string): Promise<Caller>
  signOut(id: PageId): Promise<void>
}

export interface GivenToolsets {
  /** What a program that we started was given besides the tools of its own work. */
  given(opener: Caller): Promise<readonly Toolset[]>
  /** What the bridge in the engines' config files has, as the configuration stands now. */
  registered(): readonly Toolset[]
}
