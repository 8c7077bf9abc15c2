// One MCP server instance for one connection or one HTTP request: our own list and call handlers on the SDK's protocol.
import { McpServer, ProtocolError, type ServerContext } from '@modelcontextprotocol/server'
import type { Caller } from '#contract/caller.ts'
import { cut, type Lang } from '#contract/errors.ts'
import type { Outcome } from '#kernel/invoke.ts'
import type { Prompt, Resource } from '#kernel/resource.ts'
import type { Call, Connection, ListedTool, Tool, Toolset } from '#kernel/tool.ts'
import { accountOf } from '../account.ts'
import { errorBody, retry } from '../errors.ts'
import type { Hub } from '../hub.ts'
import { INTERNAL_ERROR, INVALID_PARAMS } from '../json-rpc.ts'
import { INSTRUCTIONS } from './instructions.ts'

/** Who is at the other end. */
export type Peer = {
  readonly toolsets: readonly Toolset[]
  readonly lang: Lang
  readonly connection?: Connection
  caller(): Caller
  /** The idempotency key of a request of this peer. */
  keyOf(id: string | number, meta: Record<string, unknown> | undefined): string | undefined
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
  return hub.registry.list(peer.toolsets, peer.caller().kind)
}

export function mcpServer<S>(hub: Hub<S>, peer: Peer, era: Era): Instance {
  const mcp = new McpServer(
    { name: 'toryo', title: 'Toryo', version: hub.version },
    {
      capabilities: {
        // Said in each case, or the SDK says yes. Without a connection there is no sign-in, and the list stays as it is.
        tools: { listChanged: peer.connection !== undefined },
        // What is listed of these never changes: resources are templates, prompts come with the program.
        resources: { subscribe: true, listChanged: false },
        prompts: { listChanged: false },
        completions: {},
      },
      instructions: INSTRUCTIONS[peer.lang],
      cacheHints: { 'tools/list': CACHE, 'prompts/list': CACHE, 'resources/templates/list': CACHE },
    },
  )
  const server = mcp.server
  const subscribed = new Set<string>()
  const invoke = (tool: Tool<S>, args: unknown, context: ServerContext): Promise<Outcome> =>
    hub.invoker.invoke(tool, args, callOf(peer, requestOf(context)))

  server.setRequestHandler('tools/list', () => ({ tools: toolsFor(hub, peer) }))
  server.setRequestHandler('tools/call', async (request, context) => {
    const { name, arguments: args } = request.params
    const tool = hub.registry.find(name, peer.toolsets)
    if (!tool) throw new ProtocolError(INVALID_PARAMS, `Unknown tool: ${cut(name)}`)
    return toolResult(tool, await invoke(tool, args, context), peer.lang)
  })

  server.setRequestHandler('resources/list', () => ({ resources: [] }))
  server.setRequestHandler('resources/templates/list', () => ({
    resourceTemplates: hub.resources.map(resource => ({
      uriTemplate: `${resource.scheme}://{${resource.parameter}}`,
      name: resource.name,
      title: resource.title,
      description: resource.description,
      mimeType: 'application/json',
    })),
  }))
  server.setRequestHandler('resources/read', async (request, context) => {
    const { uri } = request.params
    const { resource, id } = findResource(hub.resources, uri)
    const output = valueOf(await invoke(resource.tool, resource.args(id), context), peer.lang)
    return { contents: [{ uri, mimeType: 'application/json', text: JSON.stringify(resource.value(output)) }] }
  })
  server.setRequestHandler('resources/subscribe', async (request, context) => {
    const { uri } = request.params
    const { resource, id } = findResource(hub.resources, uri)
    // Whoever may not read it may not watch it either.
    valueOf(await invoke(resource.tool, resource.args(id), context), peer.lang)
    subscribed.add(uri)
    return {}
  })
  server.setRequestHandler('resources/unsubscribe', request => {
    subscribed.delete(request.params.uri)
    return {}
  })

  server.setRequestHandler('prompts/list', () => ({
    prompts: hub.prompts.map(prompt => ({
      name: prompt.name,
      title: prompt.title,
      description: prompt.description,
      arguments: prompt.arguments.map(({ name, description }) => ({ name, description, required: true })),
    })),
  }))
  server.setRequestHandler('prompts/get', async (request, context) => {
    const prompt = findPrompt(hub.prompts, request.params.name)
    const output = valueOf(await invoke(prompt.tool, request.params.arguments ?? {}, context), peer.lang)
    const text = String(output['text'])
    return { description: prompt.description, messages: [{ role: 'user', content: { type: 'text', text } }] }
  })
  server.setRequestHandler('completion/complete', async (request, context) => {
    const { ref, argument } = request.params
    const complete = completer(hub, ref, argument.name)
    if (!complete) return { completion: { values: [] } }
    const output = valueOf(await invoke(complete, { prefix: argument.value }, context), peer.lang)
    return { completion: { values: output['values'] as string[] } }
  })

  const deliver = (sending: Promise<void>): void =>
    void sending.catch(error => hub.log.debug({ err: error }, 'an update was not delivered'))
  return {
    server: mcp,
    touched: uri => {
      // A 2026 connection says what it watches to the SDK, which drops the rest; an older one said it to us.
      if (era === 'legacy' && !subscribed.has(uri)) return
      deliver(server.sendResourceUpdated({ uri }))
    },
    toolsChanged: () => deliver(server.sendToolListChanged()),
    resync: () => {
      deliver(server.sendToolListChanged())
      for (const uri of subscribed) deliver(server.sendResourceUpdated({ uri }))
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
  readonly account: string
  readonly #request: Request

  constructor(peer: Peer, request: Request) {
    this.caller = peer.caller()
    this.lang = peer.lang
    this.connection = peer.connection
    this.key = peer.keyOf(request.id, request.meta)
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

function toolResult<S>(tool: Tool<S>, outcome: Outcome, lang: Lang) {
  if (!outcome.ok) {
    const text = JSON.stringify(errorBody(tool.toolset, outcome.error, lang))
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

/** The same as JSON. The value, which is in it twice, is written once. */
export function resultJson<S>(tool: Tool<S>, outcome: Outcome, lang: Lang): string {
  if (!outcome.ok || tool.text || tool.prose || tool.topLevel) return JSON.stringify(toolResult(tool, outcome, lang))
  const json = JSON.stringify(outcome.value)
  return `{"content":[{"type":"text","text":${JSON.stringify(json)}}],"structuredContent":${json}}`
}

/** Resources and prompts have no error result of their own: a refusal is a protocol error that carries our code. */
function valueOf(outcome: Outcome, lang: Lang): Record<string, unknown> {
  if (outcome.ok) return outcome.value as Record<string, unknown>
  const { error } = outcome
  const isOurs = error.kind === 'internal' || error.kind === 'unavailable' || error.kind === 'limit'
  const data = { code: error.code, ...retry(error) }
  throw new ProtocolError(isOurs ? INTERNAL_ERROR : INVALID_PARAMS, error.text[lang], data)
}

function findResource<S>(resources: readonly Resource<S>[], uri: string): { resource: Resource<S>; id: string } {
  const [, scheme, id] = /^([a-z]+):\/\/([^/?#]+)$/.exec(uri) ?? []
  const resource = resources.find(candidate => candidate.scheme === scheme)
  if (!resource || id === undefined)
    throw new ProtocolError(INVALID_PARAMS, `Resource not found: ${cut(uri)}`, { uri: cut(uri) })
  return { resource, id: decode(id) }
}

function decode(id: string): string {
  try {
    return decodeURIComponent(id)
  } catch {
    // A stray percent sign: taken as it stands, it names nothing.
    return id
  }
}

function findPrompt<S>(prompts: readonly Prompt<S>[], name: string): Prompt<S> {
  const prompt = prompts.find(candidate => candidate.name === name)
  if (!prompt) throw new ProtocolError(INVALID_PARAMS, `Unknown prompt: ${cut(name)}`)
  return prompt
}

type CompletionRef = { type: string; name?: string; uri?: string }

function completer<S>(hub: Hub<S>, ref: CompletionRef, argument: string): Tool<S> | undefined {
  if (ref.type !== 'ref/prompt') return undefined
  return findPrompt(hub.prompts, ref.name ?? '').arguments.find(({ name }) => name === argument)?.complete
}
