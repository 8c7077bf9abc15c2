// One MCP server instance for one connection or one HTTP request: our own list and call handlers on the SDK's protocol.
import { McpServer, ProtocolError, type ServerContext } from '@modelcontextprotocol/server'
import { quoted } from '#contract/errors.ts'
import type { Outcome } from '#kernel/invoke.ts'
import type { Tool } from '#kernel/tool.ts'
import { noteConversation } from './conversation.ts'
import type { Hub } from '../hub.ts'
import { INVALID_PARAMS } from '../json-rpc.ts'
import { capabilitiesOf, serverInfo } from './greeting.ts'
import { instructions } from './instructions.ts'
import { callOf, type Peer, type Request, toolResult, toolsFor } from './peer.ts'
import { serveResources } from './resources.ts'
import { hasResources } from './toolsets.ts'

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

export function mcpServer<S>(hub: Hub<S>, peer: Peer, era: Era): Instance {
  const hasMore = hasResources(peer.offer)
  const mcp = new McpServer(serverInfo(hub), {
    capabilities: capabilitiesOf(peer),
    instructions: instructions(hub, peer),
    cacheHints: { 'tools/list': CACHE, 'prompts/list': CACHE, 'resources/templates/list': CACHE },
  })
  const server = mcp.server
  const invoke = (tool: Tool<S>, args: unknown, context: ServerContext): Promise<Outcome> => {
    const request = requestOf(context)
    noteConversation(hub, peer, request.meta)
    return hub.invoker.invoke(tool, args, callOf(peer, request))
  }

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
      if (!subscribed) return
      if (era === 'modern') return deliver(server.sendResourceUpdated({ uri }))
      for (const asked of subscribed.askedFor(uri)) deliver(server.sendResourceUpdated({ uri: asked }))
    },
    toolsChanged: () => deliver(server.sendToolListChanged()),
    resync: () => {
      deliver(server.sendToolListChanged())
      for (const uri of subscribed?.all() ?? []) deliver(server.sendResourceUpdated({ uri }))
    },
  }
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
