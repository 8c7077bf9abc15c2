// One MCP server instance for one connection or one HTTP request: our own list and call handlers on the SDK's protocol.
import { McpServer, ProtocolError, type ServerContext } from '@modelcontextprotocol/server'
import type { Caller } from '#contract/caller.ts'
import { type HubError, type Lang, quoted } from '#contract/errors.ts'
import type { Outcome } from '#kernel/invoke.ts'
import type { Offer } from '#kernel/registry.ts'
import type { Call, Connection, ListedTool, Tool } from '#kernel/tool.ts'
import { accountOf } from '../account.ts'
import { errorBody } from '../errors.ts'
import type { Hub } from '../hub.ts'
import { INVALID_PARAMS } from '../json-rpc.ts'
import { instructions } from './instructions.ts'
import { serveResources } from './resources.ts'
import { withoutAdvice } from './tool-names.ts'
import { hasResources } from './toolsets.ts'

/** Who is at the other end. */
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

/** Lists change with the program only. */
const CACHE = { ttlMs: 300_000, cacheScope: 'private' } as const

export type Era = 'legacy' | 'modern'

export type Instance = {
  readonly server: McpServer
  touched(uri: string): void
  /** Its peer is offered other tools than before. */
  toolsChanged(): void
  /** Some updates were lost on the way: says of everything it watches that it may have changed. */
  resync(): void
}

/** The names of what a peer is offered, for whether they have changed. */
export function toolNames<S>(hub: Hub<S>, peer: Peer): string {
  return toolsFor(hub, peer)
    .map(({ name }) => name)
    .join()
}

function toolsFor<S>(hub: Hub<S>, peer: Peer): ListedTool[] {
  return hub.registry.list(peer.offer, peer.caller().kind)
}

export function mcpServer<S>(hub: Hub<S>, peer: Peer, era: Era): Instance {
  const hasMore = hasResources(peer.offer)
  const mcp = new McpServer(
    { name: 'toryo', title: 'Toryo', version: hub.version },
    {
      capabilities: {
        // Said in each case, or the SDK says yes. Without a connection there is no sign-in, and the list stays as it is.
        tools: { listChanged: peer.connection !== undefined },
        // What is listed of these never changes: resources are templates, prompts come with the program.
        ...(hasMore && {
          resources: { subscribe: true, listChanged: false },
          prompts: { listChanged: false },
          completions: {},
        }),
      },
      instructions: instructions(hub, peer),
      cacheHints: { 'tools/list': CACHE, 'prompts/list': CACHE, 'resources/templates/list': CACHE },
    },
  )
  const server = mcp.server
  const invoke = (tool: Tool<S>, args: unknown, context: ServerContext): Promise<Outcome> =>
    hub.invoker.invoke(tool, args, callOf(peer, requestOf(context)))

  server.setRequestHandler('tools/list', () => ({ tools: toolsFor(hub, peer) }))
  server.setRequestHandler('tools/call', async (request, context) => {
    const { name, arguments: args } = request.params
    const tool = hub.registry.find(name, peer.offer)
    if (!tool) throw new ProtocolError(INVALID_PARAMS, `Unknown tool: ${quoted(name)}`)
    return toolResult(hub, peer, tool, await invoke(tool, args, context))
  })
  const subscribed = hasMore ? serveResources(mcp, hub, invoke, peer.lang) : undefined

  const deliver = (sending: Promise<void>): void =>
    void sending.catch(error => hub.log.debug({ err: error }, 'an update was not delivered'))
  return {
    server: mcp,
    touched: uri => {
      // A 2026 connection says what it watches to the SDK, which drops the rest; an older one said it to us.
      if (!subscribed || (era === 'legacy' && !subscribed.has(uri))) return
      deliver(server.sendResourceUpdated({ uri }))
    },
    toolsChanged: () => deliver(server.sendToolListChanged()),
    resync: () => {
      deliver(server.sendToolListChanged())
      for (const uri of subscribed ?? []) deliver(server.sendResourceUpdated({ uri }))
    },
  }
}

/** What a call is made from, whoever read it from the wire. */
export type Request = {
  readonly id: string | number
  readonly meta: Record<string, unknown> | undefined
  readonly signal: AbortSignal
  notify: (progress: { progressToken: string | number; progress: number; total?: number; message?: string }) => void
}

function requestOf({ mcpReq }: ServerContext): Request {
  return {
    id: mcpReq.id,
    meta: mcpReq._meta,
    signal: mcpReq.signal,
    // A client that is gone does not need it.
    notify: params => void mcpReq.notify({ method: 'notifications/progress', params }).catch(() => {}),
  }
}

export function callOf(peer: Peer, request: Request): Call {
  return new PeerCall(peer, request)
}

/** A class, since each call makes one: an object with a getter of its own is dear to make. */
class PeerCall implements Call {
  readonly caller: Caller
  readonly lang: Lang
  readonly connection: Connection | undefined
  readonly key: string | undefined
  readonly clientKey: string | undefined
  readonly account: string
  readonly #request: Request

  constructor(peer: Peer, request: Request) {
    this.caller = peer.caller()
    this.lang = peer.lang
    this.connection = peer.connection
    this.key = peer.keyOf?.(request.id)
    const chosen = request.meta?.['toryo/idempotencyKey']
    this.clientKey = typeof chosen === 'string' ? `${peer.keyScope}:${chosen}` : undefined
    this.account = accountOf(this.caller, peer.connection)
    this.#request = request
  }

  get signal(): AbortSignal {
    return this.#request.signal
  }

  progress(progress: number, total?: number, message?: string): void {
    const token = this.#request.meta?.['progressToken'] as string | number | undefined
    if (token === undefined) return
    this.#request.notify({
      progressToken: token,
      progress,
      ...(total !== undefined && { total }),
      ...(message && { message }),
    })
  }
}

function toolResult<S>(hub: Hub<S>, peer: Peer, tool: Tool<S>, outcome: Outcome) {
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
