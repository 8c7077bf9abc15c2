// The HTTP surface. The guard and the token come before any body is read. Without a token there are `/healthz`, the dashboard's own
// files, and `/login`.
import {
  createServer as createHttpServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import type { Duplex } from 'node:stream'
import type { Caller } from '#contract/caller.ts'
import { CoreError, HubError, type Lang } from '#contract/errors.ts'
import { parseLang } from '#contract/lang.ts'
import { PASS_HEADER, REFUSED_HEADER, REFUSED_HOST, RELAY_HEADER, RELAY_LINES } from '#contract/limits.ts'
import { PROOF_HEADER } from '#contract/proof.ts'
import type { ExportOptions, Imported } from '#kernel/dump.ts'
import { errorBody, httpStatus } from './errors.ts'
import { type Callers, peerOf } from './callers.ts'
import type { Crowd } from './crowd.ts'
import { bearer, type Guard, sameSecret } from './guard.ts'
import type { Hub } from './hub.ts'
import type { Login } from './login.ts'
import type { McpOverHttp } from './mcp/over-http.ts'
import { isPagePath, type Page } from './page.ts'
import { prove, proveAsBefore, wantsPass } from './proof.ts'
import type { Listener } from './routes.ts'

export type HttpOptions<S> = {
  hub: Hub<S>
  guard: Guard
  token: string
  streamable: McpOverHttp<S>
  callers: Callers
  tls?: { cert: Buffer; key: Buffer }
  /** The dashboard, at a door that browsers can reach. */
  page?: { files: Page; login: Login }
  crowd: Crowd
  exportLines(what: ExportOptions): AsyncIterable<string>
  importLines(lines: readonly string[]): Promise<Imported>
}

const OPERATOR: Caller = { kind: 'operator' }
const HEADERS_MS = 5_000

export function createHttp<S>(options: HttpOptions<S>): Server {
  const callers = new WeakMap<IncomingMessage, Caller>()
  let loading: Promise<Listener> | undefined
  const load = async () => (await import('./routes.ts')).listener(options, request => callers.get(request))
  /** True when the request may go on; else it has its answer. */
  const admit = async (request: IncomingMessage, response: ServerResponse): Promise<boolean> => {
    response.setHeader('cache-control', 'no-store')
    response.setHeader('x-content-type-options', 'nosniff')
    const [path, query] = splitOnce(request.url ?? '/', '?')
    const refusal = options.guard.refuse(request, options.page !== undefined && isPagePath(path))
    if (refusal?.host) response.setHeader(REFUSED_HEADER, REFUSED_HOST)
    if (refusal) return end(response, refusal.status, refusal.message)
    if (path === '/healthz') return health(request, response, new URLSearchParams(query))
    if (options.page && (path === '/login' || path === '/logout')) {
      await options.page.login.serve(request, response, path)
      return false
    }
    if (options.page?.files.serve(request, response, path)) return false
    const shown = await shownBy(options, request, path)
    if (!shown) {
      response.setHeader('www-authenticate', 'Bearer')
      return end(response, 401, CoreError.UNAUTHENTICATED().message)
    }
    const caller = await options.callers.of(shown, request)
    const crowded = options.crowd.admit(request, caller.kind === 'operator' && path.startsWith('/api/'))
    if (crowded) throw crowded
    callers.set(request, caller)
    // `//` and the like, which are no address: code that reads the path further on would fail.
    if (!/^\/(?!\/)/.test(path) || !URL.canParse(path, 'http://hub'))
      return end(response, 400, 'this is not a valid path')
    return true
  }
  /** The proof shows a client that this port is the hub's, before the client sends its own token. A client that proves itself gets a pass. */
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
      loading ??= load()
      const serve = await loading
      await serve(request, response)
    } catch (error) {
      if (error instanceof HubError)
        return endRefused(response, error, langOfHeader(request.headers['accept-language'], options.hub.lang))
      options.hub.log.error({ err: error }, 'a request could not be admitted')
      end(response, 500, 'the request could not be admitted')
    }
  }
  const server = createServer(options.tls, (request, response) => void handler(request, response))
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    void handler(request, response, () => response.writeContinue())
  })
  server.on('clientError', sayBadRequest)
  options.crowd.watch(server)
  server.headersTimeout = HEADERS_MS
  server.requestTimeout = 300_000
  // Long enough for the upgrade that follows a proof. Idle sockets need no token, so they must not pile up.
  server.keepAliveTimeout = 5_000
  return server
}

/** The operator may go everywhere; a page to the operations, and a Runner, too, of which it may call its own. */
async function shownBy<S>(
  options: HttpOptions<S>,
  request: IncomingMessage,
  path: string,
): Promise<Caller | undefined> {
  const credential = bearer(request)
  const isOperation = /^\/api\/\w+\.[\w.]+$/.test(path)
  if (credential === undefined) return isOperation ? options.page?.login.callerOf(request) : undefined
  if (sameSecret(credential, options.token)) return OPERATOR
  const isRunner = credential.startsWith('rnr_') && isOperation
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
  return tls
    ? createHttpsServer({ ...tls, ...settings, handshakeTimeout: HEADERS_MS }, handler)
    : createHttpServer(settings, handler)
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

/** The language that a request asks for. */
export function langOfHeader(header: string | null | undefined, fallback: Lang): Lang {
  return header && header !== '*' ? parseLang(header) : fallback
}
