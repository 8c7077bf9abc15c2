// How a browser signs in to the dashboard, and what its later requests show: a cookie and the page's own token, never one without the
// other. Cookies go to every port of this machine, and script can read what a page keeps, so neither half is worth anything alone.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Caller } from '#contract/caller.ts'
import { CoreError, HubError } from '#contract/errors.ts'
import { IdentityError } from '#contract/identity.ts'
import { PAGE_HEADER, PAGE_PROTOCOL } from '#contract/limits.ts'
import { type Callers, forPeople } from './callers.ts'
import type { SignedInPages } from './hub.ts'

export type LoginOptions = {
  pages: SignedInPages
  callers: Callers
  /** Names the database: hubs of several share the cookies of 127.0.0.1. */
  database: string
  secure: boolean
  monotonic: () => number
}

const BODY_BYTES = 4096
/** So many wrong links within this time close the door for as long. */
const WRONG_MOST = 10
const WRONG_MS = 60_000
const TOKEN = /^[\w-]{20,200}$/

export class Login {
  readonly #options: LoginOptions
  readonly #cookieName: string
  #wrong: number[] = []
  #closedUntil = 0

  constructor(options: LoginOptions) {
    this.#options = options
    this.#cookieName = `${options.secure ? '__Host-' : ''}toryo_${options.database}`
  }

  /** `POST /login` with a link's token, and `POST /logout`. */
  async serve(request: IncomingMessage, response: ServerResponse, path: string): Promise<void> {
    if (request.method !== 'POST') return answer(response, 405, { error: 'POST only' })
    if (path === '/logout') return this.#logout(request, response)
    const { cookie, token, lifeMs } = await this.#signIn(request)
    response.setHeader('set-cookie', this.#cookie(cookie, Math.floor(lifeMs / 1000)))
    answer(response, 200, { page_token: token })
  }

  /** The caller behind a request of a signed-in page; undefined when it shows no such credential. */
  async callerOf(request: IncomingMessage): Promise<Caller | undefined> {
    const token = request.headers[PAGE_HEADER]
    return typeof token === 'string' ? this.#identify(request, token) : undefined
  }

  /** The same for a socket, which can bring no header of its own. */
  async callerOfSocket(request: IncomingMessage): Promise<Caller | undefined> {
    const offered = request.headers['sec-websocket-protocol']?.split(/,\s*/) ?? []
    const token = offered.find(protocol => protocol.startsWith(PAGE_PROTOCOL))?.slice(PAGE_PROTOCOL.length)
    return token === undefined ? undefined : this.#identify(request, token)
  }

  async #identify(request: IncomingMessage, token: string): Promise<Caller | undefined> {
    // The guard has compared it with our own. Every browser sends one here: what has none is not a page.
    if (request.headers.origin === undefined || !TOKEN.test(token)) return undefined
    // Pages of other ports can set cookies of our name, which the browser may put first; those do not sign a page out.
    for (const cookie of this.#cookiesOf(request)) {
      const caller = await this.#identifyBy(cookie, token)
      if (caller) return caller
    }
    return undefined
  }

  async #identifyBy(cookie: string, token: string): Promise<Caller | undefined> {
    try {
      return await this.#options.pages.identify(cookie, token)
    } catch (error) {
      if (error instanceof HubError && error.kind === 'unauthenticated') return undefined
      throw error
    }
  }

  async #signIn(request: IncomingMessage) {
    const { pages, callers } = this.#options
    this.#mustBeOpen()
    const link = await tokenIn(request)
    // A program that an agent started gets no page, wherever it found the link.
    const caller = await callers.of({ kind: 'operator' }, request)
    if (caller.kind !== 'operator') throw forPeople(LOGIN, caller)
    try {
      return await pages.signIn(link ?? '', request.headers['user-agent'] ?? '')
    } catch (error) {
      if (error instanceof HubError && error.kind === 'unauthenticated') this.#count()
      throw error
    }
  }

  async #logout(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const caller = await this.callerOf(request)
    if (caller?.kind !== 'operator' || caller.page === undefined) throw IdentityError.PAGE_SIGNED_OUT()
    // Its connections are closed by it. This one is, too, but not before the answer has left.
    this.#options.callers.live.politely(request.socket, () => {})
    await this.#options.pages.signOut(caller.page)
    response.setHeader('set-cookie', this.#cookie('', 0))
    answer(response, 200, {})
  }

  #mustBeOpen(): void {
    const left = this.#closedUntil - this.#options.monotonic()
    if (left > 0) throw IdentityError.LOGIN_CLOSED({ seconds: Math.ceil(left / 1000), retryAfterMs: Math.ceil(left) })
  }

  #count(): void {
    const now = this.#options.monotonic()
    this.#wrong = [...this.#wrong.filter(at => at > now - WRONG_MS), now]
    if (this.#wrong.length < WRONG_MOST) return
    this.#wrong = []
    this.#closedUntil = now + WRONG_MS
  }

  #cookie(value: string, seconds: number): string {
    const secure = this.#options.secure ? '; Secure' : ''
    return `${this.#cookieName}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Strict${secure}`
  }

  #cookiesOf({ headers }: IncomingMessage): string[] {
    const own = `${this.#cookieName}=`
    const parts = (headers.cookie ?? '').split(/;\s*/).filter(part => part.startsWith(own))
    return [...new Set(parts.map(part => part.slice(own.length)))]
  }
}

/** JSON alone: a form of another site cannot send that without asking first. */
async function tokenIn(request: IncomingMessage): Promise<string | undefined> {
  if (!/^application\/json\b/i.test(request.headers['content-type'] ?? ''))
    throw CoreError.INVALID_ARGUMENT({ reason: NOT_JSON })
  let text = ''
  for await (const chunk of request.setEncoding('utf8')) {
    text += chunk
    if (text.length > BODY_BYTES) throw CoreError.INVALID_ARGUMENT({ reason: NOT_JSON })
  }
  try {
    const { token } = JSON.parse(text) as { token?: unknown }
    return typeof token === 'string' && TOKEN.test(token) ? token : undefined
  } catch {
    throw CoreError.INVALID_ARGUMENT({ reason: NOT_JSON })
  }
}

const NOT_JSON = {
  en: 'Send {"token": "…"} as application/json.',
  ja: '{"token": "…"} を application/json で送ってください。',
}
const LOGIN = { en: 'The dashboard is', ja: 'ダッシュボードの利用は' }

function answer(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}
