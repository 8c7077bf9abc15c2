// MCP over HTTP. The 2026 protocol has no sessions: each request is served on its own. Older clients get a session,
// which only routes; the token on each request is what authorises.
import { randomBytes } from 'node:crypto'
import {
  createMcpHandler,
  isLegacyRequest,
  type JSONRPCMessage,
  type McpRequestContext,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'
import { type Caller, callerKey } from '#contract/caller.ts'
import { HubError, type Lang } from '#contract/errors.ts'
import { parseLang } from '#contract/lang.ts'
import { FRAME_BYTES } from '#contract/limits.ts'
import type { Clock } from '#kernel/clock.ts'
import { digest } from '#kernel/ids.ts'
import type { Offer } from '#kernel/registry.ts'
import type { Hub } from '../hub.ts'
import { INVALID_REQUEST, PARSE_ERROR, parseRpc, type RpcMessage } from '../json-rpc.ts'
import { beginning, RETRY_MS, watched } from './event-stream.ts'
import { HttpSessions, type Session, SESSIONS_PER_CALLER } from './http-sessions.ts'
import { wrongParams } from './params.ts'
import { type Peer, toolNames } from './peer.ts'
import { type Instance, mcpServer } from './server.ts'
import { type SessionEvents, SseEvents } from './sse-events.ts'
import { offerFor } from './toolsets.ts'

const BUSY = -32000
/** Not the token, which changes with each start of the hub, nor the session: a call may be sent again to the next one. */
const KEY_SCOPE = 'http'

type McpSession = Session & {
  readonly transport: WebStandardStreamableHTTPServerTransport
  readonly credential: string
  readonly instance: Instance
  readonly events: SessionEvents
  readonly secret: string
  caller(): Caller
}

type Who = {
  readonly credential: string
  readonly caller: Caller
  readonly offer: Offer
  readonly lang: Lang
}

export class Streamable<S> {
  readonly #hub: Hub<S>
  readonly #sessions: HttpSessions<McpSession>
  readonly #events: SseEvents
  /** Streams of the newer protocol, by listener. */
  readonly #listening = new Map<string, number>()
  readonly #modern
  readonly #reaper: NodeJS.Timeout

  constructor(hub: Hub<S>, clock: Clock) {
    this.#hub = hub
    this.#sessions = new HttpSessions(clock)
    this.#events = new SseEvents(clock)
    this.#modern = createMcpHandler(context => mcpServer(hub, this.#requestPeer(context), 'modern').server, {
      legacy: 'reject',
      maxRequestBodySize: FRAME_BYTES,
      onerror: error => hub.log.debug({ err: error }, 'a request was refused'),
    })
    this.#reaper = setInterval(() => {
      this.#sessions.reap()
      this.#events.forgetOld()
    }, 60_000)
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
    const wrong = body && wrongParams(body.parsed)
    if (wrong) return rpcFailure(200, wrong.id, wrong.code, wrong.message)
    const lang = langOf(request, this.#hub.lang)
    if (await isLegacyRequest(request, body?.parsed))
      return this.#legacy(request, body?.parsed, { credential, caller, offer, lang })
    const authInfo = { token: digest(credential), clientId: 'toryo', scopes: [], extra: { caller, offer, lang } }
    const answer = () => this.#modern.fetch(request, { authInfo, ...(body && { parsedBody: body.parsed }) })
    return body?.parsed.method === 'subscriptions/listen'
      ? this.#listen(callerKey(caller), body.parsed, answer)
      : answer()
  }

  touched(uri: string): void {
    this.#modern.notify.resourceUpdated(uri)
    for (const session of this.#sessions) session.instance.touched(uri)
  }

  /** The sessions of agents that are there now: one with an open stream is, whether it asks for anything or not. */
  secrets(): string[] {
    return [...this.#sessions]
      .filter(session => session.open > 0 && session.caller().kind === 'agent')
      .map(({ secret }) => secret)
  }

  async dispose(): Promise<void> {
    clearInterval(this.#reaper)
    await this.#modern.close()
    for (const session of this.#sessions) this.#sessions.end(session)
  }

  /** Each stream is a connection that stays open; one caller may not have them all. */
  async #listen(owner: string, { id }: RpcMessage, answer: () => Promise<Response>): Promise<Response> {
    const open = this.#listening.get(owner) ?? 0
    if (open >= SESSIONS_PER_CALLER)
      return rpcFailure(503, id ?? null, BUSY, 'Too many streams are open; close one first')
    this.#listening.set(owner, open + 1)
    const ended = () => {
      const left = (this.#listening.get(owner) ?? 1) - 1
      if (left > 0) this.#listening.set(owner, left)
      else this.#listening.delete(owner)
    }
    return watched(await answer(), ended)
  }

  async #legacy(request: Request, parsedBody: RpcMessage | undefined, who: Who): Promise<Response> {
    const id = request.headers.get('mcp-session-id')
    const session = id === null ? await this.#open(who) : this.#sessions.get(id)
    if (session === 'full')
      return rpcFailure(503, parsedBody?.id ?? null, BUSY, 'Every session is in use; end one, or close a stream')
    // A session of another credential is as unknown as one that never was.
    if (session?.credential !== digest(who.credential)) return rpcFailure(404, null, -32001, 'Session not found')
    const ended = this.#sessions.enter(session)
    try {
      return await this.#answer(session, request, parsedBody, ended)
    } catch (error) {
      ended()
      throw error
    }
  }

  async #answer(session: McpSession, request: Request, parsedBody: RpcMessage | undefined, ended: () => void) {
    const { transport, events, instance } = session
    const lastEvent = request.method === 'GET' ? request.headers.get('last-event-id') : null
    const left = lastEvent === null ? 'all' : events.after(lastEvent)
    if (left === 'no-answer')
      return watched(rpcFailure(400, null, INVALID_REQUEST, 'What followed this event is gone; ask again'), ended)
    // A stream that is begun again takes the place of the one that broke, whether we noticed that or not.
    if (left === 'not-all') transport.closeStandaloneSSEStream()
    const isFresh = request.method === 'GET' && (lastEvent === null || left === 'not-all')
    // Named before the stream stands: whatever comes over it comes after this. Again on one that is resumed, or a client that
    // loses it before the next event would not know any more where it was.
    const named = isFresh || lastEvent === null ? events.last() : lastEvent
    const first = request.method === 'GET' ? beginning(named, request.headers.get('mcp-protocol-version')) : undefined
    const options = parsedBody === undefined ? {} : { parsedBody: parsedBody as JSONRPCMessage }
    const response = await transport.handleRequest(isFresh ? withoutLastEvent(request) : request, options)
    // Only `initialize` opens a session.
    if (transport.sessionId === undefined) this.#sessions.end(session)
    if (left === 'not-all' && response.ok) instance.resync()
    return watched(response, ended, first)
  }

  async #open(who: Who): Promise<McpSession | 'full'> {
    const owner = callerKey(who.caller)
    if (!this.#sessions.makeRoom(owner)) return 'full'
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
        identifyAs: caller => {
          const before = toolNames(this.#hub, peer)
          identity = caller
          if (toolNames(this.#hub, peer) !== before) instance.toolsChanged()
        },
      },
      caller: () => identity ?? who.caller,
      keyScope: KEY_SCOPE,
    }
    const instance = mcpServer(this.#hub, peer, 'legacy')
    const events = this.#events.ofSession()
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => sessionId,
      maxRequestBodySize: FRAME_BYTES,
      eventStore: events,
      retryInterval: RETRY_MS,
      onsessionclosed: () => this.#sessions.end(session),
    })
    const session: McpSession = {
      ...{ id: sessionId, owner, transport, instance, events, secret, usedAt: 0, open: 0 },
      credential: digest(who.credential),
      caller: () => peer.caller(),
      close: () => {
        events.dispose()
        transport.close().catch(error => this.#hub.log.debug({ err: error }, 'a session did not close'))
      },
    }
    // At once, and in use: two that open at the same time are two.
    this.#sessions.add(session)
    const ended = this.#sessions.enter(session)
    await instance.server.connect(transport)
    ended()
    return session
  }

  #requestPeer(context: McpRequestContext): Peer {
    // What handle() put there; the SDK only carries it.
    const authInfo = context.authInfo as unknown as HandledAuth
    const { caller, offer, lang } = authInfo.extra
    return { offer, lang, caller: () => caller, keyScope: KEY_SCOPE }
  }
}

type HandledAuth = { token: string; extra: { caller: Caller; offer: Offer; lang: Lang } }

function langOf(request: Request, fallback: Lang): Lang {
  const header = request.headers.get('accept-language')
  return header && header !== '*' ? parseLang(header) : fallback
}

async function readBody(request: Request): Promise<{ parsed: RpcMessage } | Response> {
  if (!/^application\/json\b/i.test(request.headers.get('content-type') ?? ''))
    return rpcFailure(415, null, INVALID_REQUEST, 'Content-Type must be application/json')
  const text = await readLimited(request)
  if (text === undefined) return rpcFailure(413, null, INVALID_REQUEST, `The body is over ${FRAME_BYTES} bytes`)
  const result = parseRpc(text)
  if ('message' in result) return { parsed: result.message }
  const { id, code, message } = result.failure
  return rpcFailure(400, id, code === PARSE_ERROR ? PARSE_ERROR : code, message)
}

/** To the SDK it is a stream that begins now. */
function withoutLastEvent(request: Request): Request {
  if (!request.headers.has('last-event-id')) return request
  const headers = new Headers(request.headers)
  headers.delete('last-event-id')
  return new Request(request.url, { headers })
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
