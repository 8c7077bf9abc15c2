// What HTTP connections are upgraded to: `/bridge` for agents, over WebSocket or in lines; `/events`, `/tabs/{id}/terminal` and
// `/runs/{id}/log` for people, over WebSocket. Every upgrade passes the guard and shows a credential first.
import { randomBytes } from 'node:crypto'
import type { IncomingMessage, Server } from 'node:http'
import { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { type WebSocket, WebSocketServer } from 'ws'
import { confinedTo } from '#contract/access.ts'
import { type Caller, callerId, isRevocable } from '#contract/caller.ts'
import { HubError, type Lang, type Text } from '#contract/errors.ts'
import { parseLang } from '#contract/lang.ts'
import {
  CONNECTION_HEADER,
  DIRECTORY_HEADER,
  ERRORS_HEADER,
  EVENTS_PROTOCOL,
  FRAME_BYTES,
  LANG_HEADER,
  LOG_PROTOCOL,
  RELAY_LINES,
  RELAY_PROTOCOL,
  TERMINAL_PROTOCOL,
} from '#contract/limits.ts'
import { withoutSecrets } from '#contract/secrets.ts'
import type { TabId } from '#contract/id-types.ts'
import { tellEnd } from '#kernel/terminals/tell-end.ts'
import { RHYTHM, watchSocket } from '#kernel/watch-socket.ts'
import { Heartbeat } from '#system/heartbeat.ts'
import { TerminalError, type TerminalExit } from '#kernel/terminals/terminals.ts'
import { type Callers, forPeople, peerOf } from './callers.ts'
import { type Crowd, TRY_AGAIN } from './crowd.ts'
import { httpStatus } from './errors.ts'
import { EventFeed, REVOKED, UNAUTHORISED } from './event-feed.ts'
import { bearer, type Guard } from './guard.ts'
import type { Hub } from './hub.ts'
import { LineSocket } from './line-socket.ts'
import { logStart, sendLog } from './log-socket.ts'
import type { Login } from './login.ts'
import { errorForms } from './mcp/error-forms.ts'
import {
  type FrameConnection,
  type FrameConnectionOptions,
  type FrameSocket,
  serveFrames,
} from './mcp/frame-connection.ts'
import { offerFor } from './mcp/toolsets.ts'
import { viewerOf } from './terminal.ts'
import { decodePath, header, refuse, switchedToLines, wrongQuery } from './upgrade.ts'

/** What is over the limit by less than this is read and answered with an error; what is longer closes the socket. */
const ANSWERED_BYTES = 4 * FRAME_BYTES
/** A peer that got its close and does not close is not waited for any longer. */
const CLOSE_MS = 5_000

const UPDATE = `This hub speaks ${RELAY_PROTOCOL}; update the bridge: end the program that started it, and start it again.`

/** The credentials of agents, runs, tabs and runners. */
const TICKET = /^(tkt|rtk|ttk|rnr)_/

export class Sockets<S> {
  readonly #hub: Hub<S>
  readonly #guard: Guard
  readonly #callers: Callers
  readonly #login: Login
  readonly #server: WebSocketServer
  readonly #terminals: WebSocketServer
  readonly #connections = new Map<FrameSocket, FrameConnection>()
  readonly #lines = new Set<LineSocket>()
  /** What is said beside the upgrade. */
  readonly #forms = new WeakMap<IncomingMessage, string>()
  readonly #feed: EventFeed<S>
  readonly #heart = new Heartbeat(RHYTHM)
  #pages = 0

  constructor(hub: Hub<S>, guard: Guard, callers: Callers, login: Login) {
    this.#hub = hub
    this.#guard = guard
    this.#callers = callers
    this.#login = login
    this.#feed = new EventFeed(hub)
    const options = { noServer: true, maxPayload: ANSWERED_BYTES, perMessageDeflate: false, autoPong: false }
    this.#server = new WebSocketServer({
      ...options,
      // One message of a connection a turn: a flood of tiny ones must not keep all others waiting.
      allowSynchronousEvents: false,
      handleProtocols: offered =>
        [RELAY_PROTOCOL, EVENTS_PROTOCOL, LOG_PROTOCOL].find(protocol => offered.has(protocol)) ?? false,
    })
    this.#server.on('headers', (lines, request) => {
      const forms = this.#forms.get(request)
      if (forms !== undefined) lines.push(`${ERRORS_HEADER}: ${forms}`)
    })
    // For viewers whose terminal is gone: no pty-host can notify them.
    this.#terminals = new WebSocketServer({
      ...options,
      handleProtocols: offered => offered.has(TERMINAL_PROTOCOL) && TERMINAL_PROTOCOL,
    })
  }

  get size(): number {
    return this.#clients().length + this.#lines.size
  }

  /** The pages that are open now. */
  get pages(): number {
    return this.#pages
  }

  /** The connections that are there now, for the heartbeat of their sessions. */
  secrets(): string[] {
    return [...this.#connections.values()]
      .filter(connection => connection.caller.kind === 'agent')
      .map(connection => connection.secret)
  }

  touched(uri: string): void {
    for (const connection of this.#connections.values()) connection.touched(uri)
  }

  attach(server: Server, crowd: Crowd): void {
    server.on('upgrade', (request, socket, head) => {
      socket.on('error', () => socket.destroy())
      this.#upgrade(request, socket, head, crowd).catch(error => {
        if (error instanceof HubError) return refuse(socket, httpStatus(error), error.message)
        this.#hub.log.error({ err: error }, 'an upgrade failed')
        refuse(socket, 500, 'the upgrade failed')
      })
    })
  }

  async dispose(): Promise<void> {
    this.#heart.stop()
    for (const socket of [...this.#clients(), ...this.#lines]) socket.close(1001, 'the hub stops')
    const ended = Promise.allSettled([...this.#connections.values()].map(connection => connection.close()))
    const patience = setTimeout(() => {
      for (const socket of [...this.#clients(), ...this.#lines]) socket.terminate()
    }, 500)
    await ended
    await Promise.all(
      [this.#server, this.#terminals].map(server => new Promise<void>(resolve => server.close(() => resolve()))),
    )
    clearTimeout(patience)
  }

  #clients(): WebSocket[] {
    return [...this.#server.clients, ...this.#terminals.clients]
  }

  async #upgrade(request: IncomingMessage, socket: Duplex, head: Buffer, crowd: Crowd): Promise<void> {
    const refusal = this.#guard.refuse(request)
    if (refusal) return refuse(socket, refusal.status, refusal.message)
    const credential = bearer(request)
    const page = credential === undefined ? await this.#login.callerOfSocket(request) : undefined
    if (credential === undefined && page === undefined) return refuse(socket, 401, 'a token is needed')
    if (!URL.canParse(request.url ?? '/', 'http://hub')) return refuse(socket, 400, 'this is not a valid path')
    const url = new URL(request.url ?? '/', 'http://hub')
    const wrong = wrongQuery(url.searchParams)
    if (wrong !== undefined) return refuse(socket, 400, wrong)
    const tab = /^\/tabs\/([\w-]{1,100})\/terminal$/.exec(url.pathname)?.[1]
    const run = /^\/runs\/([\w-]{1,100})\/log$/.exec(url.pathname)?.[1]
    // Not even redeemed: what an agent holds is of no use here.
    if (run !== undefined && TICKET.test(credential ?? '')) return refuse(socket, 403, 'logs are for people')
    if (tab !== undefined && TICKET.test(credential ?? '')) return refuse(socket, 403, 'terminals are for people')
    const secret = header(request, CONNECTION_HEADER)
    // What a person looks at; the tools are for programs.
    if (page && tab === undefined && run === undefined && url.pathname !== '/events')
      return refuse(socket, 404, 'nothing is served here')
    const shown = page ?? (await this.#hub.identities.fromCredential(credential ?? '', secret, peerOf(request)))
    const caller = await this.#callers.of(shown, request)
    const crowded = crowd.admit(request, caller.kind === 'operator' && url.pathname !== '/bridge')
    if (crowded) return this.#turnAway(request, socket, head, crowded)
    if (tab !== undefined) return this.#terminal(request, socket, head, url, caller, tab)
    if (run !== undefined) return this.#log(request, socket, head, url, caller, run)
    switch (url.pathname) {
      case '/bridge':
        return this.#bridge(request, socket, head, url, caller, secret ?? randomBytes(32).toString('hex'))
      case '/events':
        if (caller.kind === 'runner')
          return this.#server.handleUpgrade(request, socket, head, client => {
            this.#watch(client)
            this.#feed.hints(client, caller.name)
          })
        if (caller.kind !== 'operator') throw forPeople(EVENTS, caller)
        return this.#server.handleUpgrade(request, socket, head, client => {
          this.#politely(socket, client)
          this.#watch(client)
          if (page) this.#pageUntilClosed(client)
          this.#feed.events(client, socket, url)
        })
      default:
        return refuse(socket, 404, 'nothing is served here')
    }
  }

  #pageUntilClosed(client: WebSocket): void {
    this.#pages++
    client.once('close', () => this.#pages--)
  }

  /** In the words of what was asked for: a page cannot read why an upgrade was refused. */
  #turnAway(request: IncomingMessage, socket: Duplex, head: Buffer, why: HubError): void {
    if (request.headers.upgrade?.toLowerCase() === RELAY_LINES) {
      socket.end(`${switchedToLines('')}bye ${TRY_AGAIN} ${why.text[this.#langOf(request)]}\n`, () => socket.destroy())
      return
    }
    this.#server.handleUpgrade(request, socket, head, client => {
      this.#watch(client)
      client.close(TRY_AGAIN, why.message)
    })
  }

  #langOf(request: IncomingMessage): Lang {
    const lang = header(request, LANG_HEADER)
    return lang === undefined ? this.#hub.lang : parseLang(lang)
  }

  async #bridge(
    request: IncomingMessage,
    socket: Duplex,
    head: Buffer,
    url: URL,
    credential: Caller,
    secret: string,
  ): Promise<void> {
    const offered = request.headers['sec-websocket-protocol']
    const foreign = offered?.includes('toryo-relay') && !offered.split(/,\s*/).includes(RELAY_PROTOCOL)
    const inLines = request.headers.upgrade?.toLowerCase() ?? ''
    if (foreign || (inLines.startsWith('toryo-lines') && inLines !== RELAY_LINES)) return refuse(socket, 400, UPDATE)
    const identity = await this.#hub.identities.onConnection(secret)
    // A ticket is valid for its own agent only, whatever agent signed in on this connection.
    if (identity && !maySpeakAs(credential, identity))
      return refuse(socket, 403, 'this connection belongs to another agent')
    const offer = await offerFor(this.#hub, credential, url.searchParams)
    const given = header(request, DIRECTORY_HEADER)
    const directory = given === undefined ? undefined : decodePath(given)
    if (directory?.includes('\0'))
      return refuse(socket, 400, 'the directory is not a path: it contains a NUL character')
    const options: FrameConnectionOptions = {
      credential,
      identity,
      secret,
      offer,
      lang: this.#langOf(request),
      ...(directory !== undefined && { directory }),
    }
    const forms = errorForms(this.#hub, offer)
    if (inLines === RELAY_LINES) return this.#inLines(socket, head, options, forms)
    this.#forms.set(request, forms)
    this.#server.handleUpgrade(request, socket, head, client => {
      this.#politely(socket, client)
      this.#watch(client)
      const frames = overWebSocket(client)
      const { events } = this.#connection(frames, options)
      client.on('message', (data: Buffer, isBinary) => events.message(data, isBinary))
      client.on('error', error => events.error(error))
      client.on('close', () => {
        this.#connections.delete(frames)
        events.close()
      })
    })
  }

  async #terminal(
    request: IncomingMessage,
    socket: Duplex,
    head: Buffer,
    url: URL,
    caller: Caller,
    tab: string,
  ): Promise<void> {
    if (caller.kind !== 'operator') throw forPeople(TERMINALS, caller)
    if (!request.headers['sec-websocket-protocol']?.split(/,\s*/).includes(TERMINAL_PROTOCOL))
      return refuse(socket, 400, `this hub speaks ${TERMINAL_PROTOCOL}; update the client`)
    const ended = (exit: TerminalExit) =>
      this.#terminals.handleUpgrade(request, socket, head, client => {
        this.#watch(client)
        tellEnd(client, exit)
      })
    try {
      const exit = await this.#hub.terminals.show(tab, {
        ...viewerOf(request, socket, head, url.searchParams),
        revocable: isRevocable(caller),
      })
      if (exit) ended(exit)
    } catch (error) {
      if (!(error instanceof TerminalError)) throw error
      if (error.problem !== 'no-terminal') return refuse(socket, 503, error.message)
      const exit = await this.#hub.tabEnd(tab as TabId)
      if (!exit) return refuse(socket, 404, `tab ${withoutSecrets(tab)} not found`)
      ended(exit)
    }
  }

  async #log(
    request: IncomingMessage,
    socket: Duplex,
    head: Buffer,
    url: URL,
    caller: Caller,
    run: string,
  ): Promise<void> {
    if (caller.kind !== 'operator') throw forPeople(LOGS, caller)
    const start = logStart(url.searchParams)
    if (!start) return refuse(socket, 400, 'say from=<offset> or tail=<bytes>')
    const gone = new AbortController()
    // Before anything is answered: a request for a run that does not exist gets a status.
    const steps = await this.#hub.logs.follow(run, start, caller, gone.signal)
    this.#server.handleUpgrade(request, socket, head, client => {
      this.#politely(socket, client)
      this.#watch(client)
      client.on('close', () => gone.abort())
      sendLog(client, steps, gone.signal).catch(error => {
        this.#hub.log.warn({ err: error, run }, 'a reader of a log was cut off')
        client.close(1011)
      })
    })
  }

  /** Should the token be revoked that it was opened with. */
  #politely(socket: Duplex, client: Pick<FrameSocket, 'close'>): void {
    if (socket instanceof Socket) this.#callers.live.politely(socket, () => client.close(UNAUTHORISED, REVOKED))
  }

  #inLines(socket: Duplex, head: Buffer, options: FrameConnectionOptions, forms: string): void {
    // It may have gone while its credential was looked up.
    if (socket.destroyed) return
    if (socket instanceof Socket) socket.setTimeout(0).setNoDelay(true)
    socket.write(switchedToLines(forms))
    const lines = new LineSocket(socket, ANSWERED_BYTES, this.#heart)
    this.#politely(socket, lines)
    this.#lines.add(lines)
    const { events } = this.#connection(lines, options)
    const close = () => {
      this.#lines.delete(lines)
      this.#connections.delete(lines)
      events.close()
    }
    lines.listen({ ...events, close }, head)
  }

  #connection(socket: FrameSocket, options: FrameConnectionOptions): FrameConnection {
    const connection = serveFrames(this.#hub, socket, options)
    this.#connections.set(socket, connection)
    return connection
  }

  #watch(client: WebSocket): void {
    const fault = (error: Error) => this.#hub.log.debug({ err: error }, 'a socket was closed for a fault')
    watchSocket(client, { heart: this.#heart, closeMs: CLOSE_MS, fault })
  }
}

const EVENTS: Text = { en: 'Events are', ja: 'イベントの購読は' }
const LOGS: Text = { en: 'Logs are', ja: 'ログの閲覧は' }
const TERMINALS: Text = { en: 'Terminals are', ja: 'ターミナルの表示と操作は' }

function overWebSocket(client: WebSocket): FrameSocket {
  return {
    numbered: client.protocol === RELAY_PROTOCOL,
    get isOpen() {
      return client.readyState === client.OPEN
    },
    get unsent() {
      return client.bufferedAmount
    },
    send: text => client.send(text),
    close: (code, reason) => client.close(code, reason),
    terminate: () => client.terminate(),
  }
}

/** A run or a tab signs in as agents of its own project alone. */
function maySpeakAs(credential: Caller, identity: Caller): boolean {
  if (credential.kind === 'starter') return callerId(identity) === credential.agentId
  const own = confinedTo(credential)
  return own === undefined || own === confinedTo(identity)
}
