// The HTTP surface. The guard and the token come before any body is read; `/healthz` alone answers without a token.
import {
  createServer as createHttpServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import type { Duplex } from 'node:stream'
import { getRequestListener } from '@hono/node-server'
import { Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { type Caller, callerName } from '#contract/caller.ts'
import { CoreError, HubError, type Lang, type Text } from '#contract/errors.ts'
import { parseLang } from '#contract/lang.ts'
import { FRAME_BYTES, PASS_HEADER, REFUSED_HEADER, REFUSED_HOST, RELAY_HEADER, RELAY_LINES } from '#contract/limits.ts'
import { PROOF_HEADER } from '#contract/proof.ts'
import type { ExportOptions, Imported } from '#kernel/dump.ts'
import type { Offer } from '#kernel/registry.ts'
import type { Call } from '#kernel/tool.ts'
import { accountOf } from './account.ts'
import { errorBody, httpStatus, retryAfterMs } from './errors.ts'
import { type Callers, forPeople, peerOf } from './callers.ts'
import { crowdedOut, limitConnections, SOCKETS } from './crowd.ts'
import { bearer, type Guard, sameSecret } from './guard.ts'
import type { Hub } from './hub.ts'
import type { Streamable } from './mcp/streamable.ts'
import { prove, proveAsBefore, wantsPass } from './proof.ts'

export type HttpOptions<S> = {
  hub: Hub<S>
  guard: Guard
  token: string
  streamable: Streamable<S>
  callers: Callers
  tls?: { cert: Buffer; key: Buffer }
  /** How many may be open at once. */
  connections?: number
  exportLines(what: ExportOptions): AsyncIterable<string>
  importLines(lines: readonly string[]): Promise<Imported>
}

type Bindings = { Bindings: { incoming: IncomingMessage } }

const OPERATOR: Caller = { kind: 'operator' }
const API: Offer = { toolsets: ['api'] }
const IMPORT_BYTES = 512 * 1024 * 1024
const HEADERS_MS = 5_000

export function createHttp<S>(options: HttpOptions<S>): Server {
  const callers = new WeakMap<IncomingMessage, Caller>()
  const app = routes(options, request => callers.get(request))
  const serve = getRequestListener(app.fetch)
  /** True when the request may go on; else it has its answer. */
  const admit = async (request: IncomingMessage, response: ServerResponse): Promise<boolean> => {
    response.setHeader('cache-control', 'no-store')
    response.setHeader('x-content-type-options', 'nosniff')
    const refusal = options.guard.refuse(request)
    if (refusal?.host) response.setHeader(REFUSED_HEADER, REFUSED_HOST)
    if (refusal) return end(response, refusal.status, refusal.message)
    const [path, query] = splitOnce(request.url ?? '/', '?')
    if (path === '/healthz') return health(request, response, new URLSearchParams(query))
    const crowded = crowdedOut(request.socket)
    if (crowded) {
      response.setHeader('connection', 'close')
      throw crowded
    }
    const shown = await shownBy(options, request, path)
    if (!shown) {
      response.setHeader('www-authenticate', 'Bearer')
      return end(response, 401, CoreError.UNAUTHENTICATED().message)
    }
    callers.set(request, await options.callers.of(shown, request))
    // `//` and the like, which are no address: whoever reads the path further on would stumble.
    if (!/^\/(?!\/)/.test(path) || !URL.canParse(path, 'http://hub')) return end(response, 400, 'this is no path')
    return true
  }
  /** The proof tells a client that this port is the hub's, before it shows its own token. A client that proves itself gets a pass. */
  const health = async (request: IncomingMessage, response: ServerResponse, query: URLSearchParams): Promise<false> => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return end(response, 405, 'GET only')
    const digestOf = (key: string) => options.hub.identities.digestOf(key)
    const isNamed = (host: string) => options.guard.isNamed(host)
    const proof = await prove(request, query, server.address(), { digestOf, isNamed })
    const shown = proof ?? proveAsBefore(query, options.token)
    if (shown !== undefined) response.setHeader(PROOF_HEADER, shown).setHeader(RELAY_HEADER, RELAY_LINES)
    const operatorDigest = (key: string) => options.hub.identities.operatorDigest(key)
    const isWanted = await wantsPass(request, query, operatorDigest)
    const pass = isWanted ? await options.callers.pass(request) : undefined
    if (pass !== undefined) response.setHeader(PASS_HEADER, pass)
    return end(response, 200, 'ok')
  }
  const handler = async (request: IncomingMessage, response: ServerResponse, before = () => {}) => {
    try {
      if (!(await admit(request, response))) return
      before()
      await serve(request, response)
    } catch (error) {
      if (error instanceof HubError) return endRefused(response, error, langOf(request.headers, options.hub.lang))
      options.hub.log.error({ err: error }, 'a request could not be admitted')
      end(response, 500, 'the request could not be admitted')
    }
  }
  const server = createServer(options.tls, (request, response) => void handler(request, response))
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    void handler(request, response, () => response.writeContinue())
  })
  server.on('clientError', sayBadRequest)
  limitConnections(server, options.connections ?? SOCKETS, options.tls !== undefined)
  server.headersTimeout = HEADERS_MS
  server.requestTimeout = 300_000
  // Long enough for the upgrade that follows a proof. Idle sockets need no token, so they must not pile up.
  server.keepAliveTimeout = 5_000
  return server
}

/** The operator may go everywhere; a Runner to the operations, of which it may call its own. */
async function shownBy<S>(
  options: HttpOptions<S>,
  request: IncomingMessage,
  path: string,
): Promise<Caller | undefined> {
  const credential = bearer(request)
  if (credential === undefined) return undefined
  if (sameSecret(credential, options.token)) return OPERATOR
  const isRunner = credential.startsWith('rnr_') && /^\/api\/\w+\.[\w.]+$/.test(path)
  if (!isRunner && !credential.startsWith('opr_')) return undefined
  try {
    const caller = await options.hub.identities.fromCredential(credential, undefined, peerOf(request))
    return caller.kind === 'runner' || caller.kind === 'operator' ? caller : undefined
  } catch (error) {
    if (error instanceof HubError && error.kind === 'unauthenticated') return undefined
    throw error
  }
}

function createServer(tls: HttpOptions<never>['tls'], handler: RequestListener): Server {
  // Looked at once a second: a client that sends its headers byte by byte is gone soon after its time is up.
  const settings = { connectionsCheckingInterval: 1_000 }
  return tls ? createHttpsServer({ ...tls, ...settings }, handler) : createHttpServer(settings, handler)
}

/** What is not HTTP gets an answer in HTTP, and the door. */
function sayBadRequest(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  const status = STATUS_OF_FAULT[error.code ?? ''] ?? '400 Bad Request'
  socket.end(`HTTP/1.1 ${status}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n`, () => socket.destroy())
}

const STATUS_OF_FAULT: Record<string, string> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
}

function splitOnce(text: string, separator: string): [string, string] {
  const at = text.indexOf(separator)
  return at === -1 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)]
}

/** As the operations refuse. */
function endRefused(response: ServerResponse, error: HubError, lang: Lang): void {
  response.setHeader('connection', 'close')
  response.writeHead(httpStatus(error), { 'content-type': 'application/json' })
  response.end(JSON.stringify(errorBody('api', error, lang)))
}

function end(response: ServerResponse, status: number, text: string): false {
  // What is left of the body is not wanted.
  if (status >= 400) response.setHeader('connection', 'close')
  const headers = { 'content-type': 'text/plain; charset=utf-8', 'content-length': Buffer.byteLength(text) }
  response.writeHead(status, headers).end(text)
  return false
}

export function routes<S>(
  options: HttpOptions<S>,
  callerOf: (request: IncomingMessage) => Caller | undefined,
): Hono<Bindings> {
  const { hub } = options
  const app = new Hono<Bindings>()
  app.all('/mcp', async c => {
    const caller = callerOf(c.env.incoming)
    if (!caller) return refuse(CoreError.UNAUTHENTICATED(), langOf(c.req.raw.headers, hub.lang))
    // A session belongs to whoever opened it: the token alone is not who it is.
    return options.streamable.handle(c.req.raw, `${bearer(c.env.incoming)} ${callerName(caller)}`, caller)
  })
  app.get('/api/export', c => {
    const refusal = unlessOperator(callerOf(c.env.incoming), WHOLE_DATABASE)
    if (refusal) return refuse(refusal, langOf(c.req.raw.headers, hub.lang))
    // An error on the way cuts the connection: half an export must not look like a whole one.
    const secrets = c.req.query('secrets') !== 'no'
    const lines = ReadableStream.from(options.exportLines({ secrets })).pipeThrough(new TextEncoderStream())
    return c.body(lines, 200, {
      'content-type': 'application/jsonl; charset=utf-8',
      'content-disposition': 'attachment; filename="toryo-export.jsonl"',
    })
  })
  app.post('/api/import', bodyLimit({ maxSize: IMPORT_BYTES, onError: tooLarge }), async c => {
    const refusal = unlessOperator(callerOf(c.env.incoming), WHOLE_DATABASE)
    if (refusal) return refuse(refusal, langOf(c.req.raw.headers, hub.lang))
    const text = await c.req.text()
    return c.json(await options.importLines(text.split('\n').filter(line => line !== '')))
  })
  app.post('/api/:operation', bodyLimit({ maxSize: FRAME_BYTES, onError: tooLarge }), async c => {
    const lang = langOf(c.req.raw.headers, hub.lang)
    const tool = hub.registry.find(c.req.param('operation'), API)
    if (!tool) return refuse(CoreError.INVALID_ARGUMENT({ reason: NO_OPERATION }), lang, 404)
    if (!/^application\/json\b/i.test(c.req.header('content-type') ?? ''))
      return refuse(CoreError.INVALID_ARGUMENT({ reason: NOT_JSON }), lang, 415)
    const body = parseJson(await c.req.text())
    if (!body) return refuse(CoreError.INVALID_ARGUMENT({ reason: NOT_JSON }), lang)
    const key = c.req.header('idempotency-key')
    const caller = callerOf(c.env.incoming)
    if (!caller) return refuse(CoreError.UNAUTHENTICATED(), lang)
    const call: Call = {
      caller,
      lang,
      signal: c.req.raw.signal,
      // Not by the token, which changes with each start: the same call sent to the next hub is still the same call.
      ...(key !== undefined && { clientKey: `api:${key}` }),
      // The operator's own commands and pages are for setting things right: no quota shuts them out.
      ...(caller.kind !== 'operator' && { account: accountOf(caller, undefined) }),
      progress: () => {},
    }
    const outcome = await hub.invoker.invoke(tool, body.value, call)
    return outcome.ok ? c.json(outcome.value as object) : refuse(outcome.error, lang)
  })
  // The hub as a source of prompts for others: its own ones, never what it was itself given.
  app.get('/prompts/:phase', async c => {
    const lang = langOf(c.req.raw.headers, hub.lang)
    const tool = hub.registry.find('phase.prompt.show', API)
    if (!tool) return c.notFound()
    const caller = callerOf(c.env.incoming)
    if (!caller) return refuse(CoreError.UNAUTHENTICATED(), lang)
    const call: Call = { caller, lang, signal: c.req.raw.signal, progress: () => {} }
    const outcome = await hub.invoker.invoke(tool, { phase: c.req.param('phase') }, call)
    return outcome.ok ? c.json(outcome.value as object) : refuse(outcome.error, lang)
  })
  app.notFound(c => c.text('There is nothing here.', 404))
  app.onError((error, c) => {
    if (error instanceof HubError) return refuse(error, langOf(c.req.raw.headers, hub.lang))
    // The client hung up in the middle of its body. Whatever is answered, nobody reads it.
    if (c.env.incoming.readableAborted) {
      hub.log.debug({ path: c.req.path }, 'a request broke off')
      return refuse(CoreError.INVALID_ARGUMENT({ reason: BROKEN_OFF }), langOf(c.req.raw.headers, hub.lang))
    }
    hub.log.error({ err: error, path: c.req.path }, 'a request failed')
    return refuse(CoreError.INTERNAL_ERROR({ ref: 'http' }, error), langOf(c.req.raw.headers, hub.lang))
  })
  return app
}

const NO_OPERATION = { en: 'There is no such operation.', ja: 'そのような操作はありません。' }
const NOT_JSON = {
  en: 'Send a JSON object as application/json.',
  ja: 'application/json で JSON オブジェクトを送ってください。',
}
const BROKEN_OFF = { en: 'The body broke off before its end.', ja: '本文が途中で途切れました。' }
const TOO_LARGE = { en: 'The body is too large.', ja: '本文が大きすぎます。' }

function tooLarge(): Response {
  const response = refuse(CoreError.INVALID_ARGUMENT({ reason: TOO_LARGE }), 'en', 413)
  // The rest of the body is not read, so nothing can follow it.
  response.headers.set('connection', 'close')
  return response
}

function refuse(error: HubError, lang: Lang, status: number = httpStatus(error)): Response {
  const ms = retryAfterMs(error)
  const headers: Record<string, string> = ms === undefined ? {} : { 'retry-after': String(Math.ceil(ms / 1000)) }
  return Response.json(errorBody('api', error, lang), { status, headers })
}

function unlessOperator(caller: Caller | undefined, what: Text): HubError | undefined {
  if (!caller) return CoreError.UNAUTHENTICATED()
  return caller.kind === 'operator' ? undefined : forPeople(what, caller)
}

const WHOLE_DATABASE: Text = { en: 'The whole database is', ja: 'データベース全体の読み書きは' }

function langOf(headers: Headers | IncomingHttpHeaders, fallback: Lang): Lang {
  const header = headers instanceof Headers ? headers.get('accept-language') : headers['accept-language']
  return header && header !== '*' ? parseLang(header) : fallback
}

function parseJson(text: string): { value: unknown } | undefined {
  if (text === '') return { value: {} }
  try {
    return { value: JSON.parse(text) as unknown }
  } catch {
    return undefined
  }
}
