// MCP over HTTP. The 2026 protocol has no sessions: each request is served by itself. Older clients get a session,
// which only routes; the token on each request is what authorises.
import { randomBytes } from 'node:crypto'
import {
  createMcpHandler,
  isLegacyRequest,
  type JSONRPCMessage,
  type McpRequestContext,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'
import type { Caller } from '#contract/caller.ts'
import { HubError, type Lang } from '#contract/errors.ts'
import { parseLang } from '#contract/lang.ts'
import { FRAME_BYTES } from '#contract/limits.ts'
import { digest } from '#kernel/ids.ts'
import type { Offer } from '#kernel/registry.ts'
import type { Hub } from '../hub.ts'
import { INVALID_REQUEST, PARSE_ERROR, parseRpc } from '../json-rpc.ts'
import { mcpServer, type Peer } from './server.ts'
import { offerFor } from './toolsets.ts'

/** Clients often go without a goodbye. */
const IDLE_MS = 30 * 60 * 1000
const SESSIONS = 1024
/** Not the token, which changes with each start of the hub, nor the session: a call may be sent again to the next one. */
const KEY_SCOPE = 'http'

type Session = {
  readonly transport: WebStandardStreamableHTTPServerTransport
  readonly credential: string
  readonly touched: (uri: string) => void
  usedAt: number
  open: number
}

export class Streamable<S> {
  readonly #hub: Hub<S>
  readonly #sessions = new Map<string, Session>()
  readonly #modern
  readonly #reaper: NodeJS.Timeout

  constructor(hub: Hub<S>) {
    this.#hub = hub
    this.#modern = createMcpHandler(context => mcpServer(hub, this.#requestPeer(context), 'modern').server, {
      legacy: 'reject',
      maxRequestBodySize: FRAME_BYTES,
      onerror: error => hub.log.debug({ err: error }, 'a request was refused'),
    })
    this.#reaper = setInterval(() => this.#reap(), 60_000)
    this.#reaper.unref()
  }

  get size(): number {
    return this.#sessions.size
  }

  async handle(request: Request, credential: string, caller: Caller): Promise<Response> {
    let offer: Offer
    try {
      offer = await offerFor(this.#hub, caller, new URL(request.url).searchParams)
    } catch (error) {
      if (!(error instanceof HubError)) throw error
      return rpcFailure(400, null, INVALID_REQUEST, error.message)
    }
    const body = request.method === 'POST' ? await readBody(request) : undefined
    if (body instanceof Response) return body
    const lang = langOf(request, this.#hub.lang)
    if (await isLegacyRequest(request, body?.parsed))
      return this.#legacy(request, body?.parsed, { credential, caller, offer, lang })
    const authInfo = { token: digest(credential), clientId: 'toryo', scopes: [], extra: { caller, offer, lang } }
    return this.#modern.fetch(request, { authInfo, ...(body && { parsedBody: body.parsed }) })
  }

  touched(uri: string): void {
    this.#modern.notify.resourceUpdated(uri)
    for (const session of this.#sessions.values()) session.touched(uri)
  }

  async dispose(): Promise<void> {
    clearInterval(this.#reaper)
    await this.#modern.close()
    await Promise.allSettled([...this.#sessions.values()].map(session => session.transport.close()))
    this.#sessions.clear()
  }

  async #legacy(
    request: Request,
    parsedBody: unknown,
    who: { credential: string; caller: Caller; offer: Offer; lang: Lang },
  ): Promise<Response> {
    const id = request.headers.get('mcp-session-id')
    const session = id === null ? await this.#open(who) : this.#sessions.get(id)
    if (session === 'full') return rpcFailure(503, null, -32000, 'Too many sessions; end one first')
    // A session of another credential is as unknown as one that never was.
    if (session?.credential !== digest(who.credential)) return rpcFailure(404, null, -32001, 'Session not found')
    session.usedAt = performance.now()
    session.open++
    const options = parsedBody === undefined ? {} : { parsedBody: parsedBody as JSONRPCMessage }
    try {
      return await session.transport.handleRequest(request, options)
    } finally {
      session.open--
      session.usedAt = performance.now()
    }
  }

  async #open(who: { credential: string; caller: Caller; offer: Offer; lang: Lang }) {
    if (this.#sessions.size >= SESSIONS) this.#reap(IDLE_MS / 10)
    if (this.#sessions.size >= SESSIONS) return 'full'
    // Two of them: the id routes and may be seen, the secret is what an agent that signed in is known by.
    const sessionId = randomBytes(32).toString('hex')
    const secret = randomBytes(32).toString('hex')
    let identity: Caller | undefined
    const peer: Peer = {
      offer: who.offer,
      lang: who.lang,
      connection: {
        secret,
        opener: who.caller,
        become: caller => {
          identity = caller
        },
      },
      caller: () => identity ?? who.caller,
      keyScope: KEY_SCOPE,
    }
    const { server, touched } = mcpServer(this.#hub, peer, 'legacy')
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => sessionId,
      maxRequestBodySize: FRAME_BYTES,
      onsessioninitialized: sessionId => void this.#sessions.set(sessionId, session),
      onsessionclosed: sessionId => void this.#sessions.delete(sessionId),
    })
    const session: Session = {
      transport,
      credential: digest(who.credential),
      touched,
      usedAt: performance.now(),
      open: 0,
    }
    await server.connect(transport)
    return session
  }

  #requestPeer(context: McpRequestContext): Peer {
    // What handle() put there; the SDK only carries it.
    const authInfo = context.authInfo as unknown as HandledAuth
    const { caller, offer, lang } = authInfo.extra
    return { offer, lang, caller: () => caller, keyScope: KEY_SCOPE }
  }

  #reap(idleMs = IDLE_MS): void {
    const now = performance.now()
    for (const [id, session] of this.#sessions) {
      if (session.open > 0 || now - session.usedAt < idleMs) continue
      this.#sessions.delete(id)
      session.transport.close().catch(error => this.#hub.log.debug({ err: error }, 'a session did not close'))
    }
  }
}

type HandledAuth = { token: string; extra: { caller: Caller; offer: Offer; lang: Lang } }

function langOf(request: Request, fallback: Lang): Lang {
  const header = request.headers.get('accept-language')
  return header && header !== '*' ? parseLang(header) : fallback
}

async function readBody(request: Request): Promise<{ parsed: unknown } | Response> {
  if (!/^application\/json\b/i.test(request.headers.get('content-type') ?? ''))
    return rpcFailure(415, null, INVALID_REQUEST, 'Content-Type must be application/json')
  const text = await readLimited(request)
  if (text === undefined) return rpcFailure(413, null, INVALID_REQUEST, `The body is over ${FRAME_BYTES} bytes`)
  const result = parseRpc(text)
  if ('message' in result) return { parsed: result.message }
  const { id, code, message } = result.failure
  return rpcFailure(400, id, code === PARSE_ERROR ? PARSE_ERROR : code, message)
}

async function readLimited(request: Request): Promise<string | undefined> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of request.body ?? []) {
    size += chunk.byteLength
    if (size > FRAME_BYTES) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function rpcFailure(status: number, id: string | number | null, code: number, message: string): Response {
  // After 413 the rest of the body is not read, so nothing can follow it.
  const headers: Record<string, string> = status === 413 ? { connection: 'close' } : {}
  return Response.json({ jsonrpc: '2.0', id, error: { code, message } }, { status, headers })
}
