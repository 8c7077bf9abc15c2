// A client at the other end of a connection or of an HTTP request: what it is offered, what it calls, what it is answered.
import type { Caller } from '#contract/caller.ts'
import type { HubError, Lang } from '#contract/errors.ts'
import type { Outcome } from '#kernel/invoke.ts'
import type { Offer } from '#kernel/registry.ts'
import type { Call, Connection, ListedTool, Tool } from '#kernel/tool.ts'
import { accountOf } from '../account.ts'
import { errorBody } from '../errors.ts'
import type { Hub } from '../hub.ts'
import { withoutAdvice } from './tool-names.ts'

/** The client at the other end. */
export type Peer = {
  readonly offer: Offer
  readonly lang: Lang
  readonly connection?: Connection
  caller(): Caller
  /** The idempotency key that the connection itself gives a request, where it does. */
  keyOf?(id: string | number): string | undefined
  /** What the keys that the client chooses are apart from those of other doors by. */
  readonly keyScope: string
}

/** The names of what a peer is offered, for whether they have changed. */
export function toolNames<S>(hub: Hub<S>, peer: Peer): string {
  return toolsFor(hub, peer)
    .map(({ name }) => name)
    .join()
}

export function toolsFor<S>(hub: Hub<S>, peer: Peer): ListedTool[] {
  return hub.registry.list(peer.offer, peer.caller().kind)
}

/** What a call is made from, whichever transport read it. */
export type Request = {
  readonly id: string | number
  readonly meta: Record<string, unknown> | undefined
  readonly signal: AbortSignal
  notify: (progress: { progressToken: string | number; progress: number; total?: number; message?: string }) => void
}

export function callOf(peer: Peer, request: Request): Call {
  const caller = peer.caller()
  const chosen = request.meta?.['toryo/idempotencyKey']
  return {
    caller,
    lang: peer.lang,
    connection: peer.connection,
    key: peer.keyOf?.(request.id),
    clientKey: typeof chosen === 'string' ? `${peer.keyScope}:${chosen}` : undefined,
    account: accountOf(caller, peer.connection),
    // When it is asked for: few tools do, and making one costs more than the rest.
    get signal() {
      return request.signal
    },
    progress(progress, total, message) {
      const token = request.meta?.['progressToken'] as string | number | undefined
      if (token === undefined) return
      request.notify({
        progressToken: token,
        progress,
        ...(total !== undefined && { total }),
        ...(message && { message }),
      })
    },
  }
}

export function toolResult<S>(hub: Hub<S>, peer: Peer, tool: Tool<S>, outcome: Outcome) {
  if (!outcome.ok) {
    const { error } = outcome
    const text = JSON.stringify(errorBody(tool.toolset, error, peer.lang, messageFor(hub, peer, error)))
    return { content: [{ type: 'text' as const, text }], isError: true }
  }
  const value = outcome.value as Record<string, unknown>
  const text = tool.text ? tool.text(value) : JSON.stringify(value)
  return {
    content: [{ type: 'text' as const, text }],
    ...(!tool.prose && { structuredContent: value }),
    ...tool.topLevel?.(value),
  }
}

function messageFor<S>({ registry }: Hub<S>, peer: Peer, { text }: HubError): string {
  const has = registry.list(peer.offer, peer.caller().kind)
  return withoutAdvice(text[peer.lang], name => registry.knows(name) && !has.some(tool => tool.name === name))
}

/** The same as JSON. The value, which is in it twice, is written once. */
export function resultJson<S>(hub: Hub<S>, peer: Peer, tool: Tool<S>, outcome: Outcome): string {
  if (!outcome.ok || tool.text || tool.prose || tool.topLevel)
    return JSON.stringify(toolResult(hub, peer, tool, outcome))
  const json = JSON.stringify(outcome.value)
  return `{"content":[{"type":"text","text":${JSON.stringify(json)}}],"structuredContent":${json}}`
}
