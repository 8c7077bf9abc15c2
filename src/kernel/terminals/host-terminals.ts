// The hub's side of the terminals: finds the pty-host of an earlier hub or starts one, mirrors what it holds, and when it
// dies, ends what it left behind and says so. One pty-host per hub.
import fs from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { z } from 'zod'
import type { Log } from '#kernel/log.ts'
import { reclaim } from '#kernel/processes/reclaim.ts'
import { isStill, type ProcessRecord } from '#kernel/processes/record.ts'
import { stop } from '#kernel/processes/stop.ts'
import { HostFiles, type HostState } from './host-files.ts'
import { HostLink, OtherProtocol } from './host-link.ts'
import { Exit, exitOf, Opened, Screened, Stroked, type HostMessage, type Welcome } from './protocol.ts'
import { startHost } from './start-host.ts'
import {
  type ViewerConnection,
  type ListedTerminal,
  type OpenTerminal,
  type Screen,
  type Stroke,
  TerminalError,
  type TerminalExit,
  type Terminals,
} from './terminals.ts'
import { HandOver, Passages, requestOf } from './viewer-connections.ts'

export type HostTerminalsOptions = {
  /** Of this hub's pty-host alone. */
  folder: string
  release: string
  log: Log
  /** The bundled pty-host; by default the one beside the hub. */
  program?: string
  /** For the pty-host; tests shorten its patience. */
  hostArgs?: readonly string[]
}

type Known = { record: ProcessRecord; exit: TerminalExit | undefined }

type Host = { state: HostState; link: HostLink }

const RECONNECT_MS = 50
const REACH_MS = 10_000
/** A busy hub or host may miss the time for a greeting: the terminals are not given up for one or two of them. */
const GREETINGS = 5
/** The ladder of every terminal, and a little more. */
const END_MS = 25_000
const LEAVE_MS = 2000
const LOOK_MS = 5000
const PAST_MS = 60_000

export class HostTerminals implements Terminals {
  readonly #options: HostTerminalsOptions
  readonly #files: HostFiles
  readonly #known = new Map<string, Known>()
  readonly #listeners = new Set<(id: string, exit: TerminalExit) => void>()
  readonly #passages = new Passages()
  /** How terminals ended that were forgotten a moment ago: a viewer that was cut off comes back and asks. */
  readonly #past = new Map<string, TerminalExit>()
  #host: Promise<Host> | undefined
  /** To the host that this hub started, with the mark of that host. */
  #handOver: { to: string; by: HandOver } | undefined
  #viewers = 0
  /** Work on the connection itself, one after the other: start, reconnect, burial. */
  #recovering: Promise<unknown> = Promise.resolve()
  #disposed = false

  /** Takes over what an earlier hub left: terminals that run, and how others ended meanwhile. */
  static async start(options: HostTerminalsOptions): Promise<HostTerminals> {
    const terminals = new HostTerminals(options)
    // A hub without terminals is better than none; the next `open` reports the same problem to its caller.
    await terminals.#adopt().catch(error => options.log.error({ err: error }, 'terminals could not be taken over'))
    return terminals
  }

  private constructor(options: HostTerminalsOptions) {
    this.#options = options
    this.#files = new HostFiles(options.folder)
  }

  /** How many programs run. */
  get running(): number {
    return [...this.#known.values()].filter(({ exit }) => !exit).length
  }

  /** What runs: the host, as far as it is known, and the programs in its terminals. */
  records(): ProcessRecord[] {
    const host = fs.existsSync(this.#options.folder) ? this.#files.state()?.record : undefined
    const programs = [...this.#known.values()].flatMap(({ record, exit }) => (exit ? [] : [record]))
    return host ? [host, ...programs] : programs
  }

  /** How many viewers there are. */
  get viewers(): number {
    return this.#viewers
  }

  async open(options: OpenTerminal): Promise<ProcessRecord> {
    const { link } = await this.#ready()
    const { id, program, args, cwd, env, marker, cols, rows, logFile } = options
    const asked = { id, program, args: [...args], cwd, env: { ...env }, marker, cols, rows, logFile }
    // At once, before the next frame is read: that could already report its end.
    const known = await link.request({ do: 'open', ...asked }, done => {
      return this.#add(id, Opened.parse(done).record)
    })
    return known.record
  }

  async list(): Promise<ListedTerminal[]> {
    await this.#recovering
    return [...this.#known].map(([id, { record, exit }]) => ({ id, record, exit }))
  }

  async screen(id: string): Promise<Screen> {
    const screen = this.#ask(id, link => link.request({ do: 'screen', id }))
    return Screened.parse(await inTime(LOOK_MS, screen))
  }

  async type(id: string, { key, paste, pauseMs, enter, ifSeq }: Stroke): Promise<'typed' | 'changed'> {
    if (this.#get(id).exit) throw new TerminalError('ended', `the program in terminal ${id} has ended`)
    const [line, end] = [paste, enter].map(bytes => Buffer.from(bytes).toString('base64')) as [string, string]
    const asked = { do: 'stroke' as const, id, key, paste: line, pauseMs, enter: end, ifSeq }
    return Stroked.parse(await this.#ask(id, link => link.request(asked)))
  }

  async show(id: string, viewer: ViewerConnection): Promise<TerminalExit | undefined> {
    await this.#recovering
    const past = this.#known.has(id) ? undefined : this.#past.get(id)
    if (past) return past
    const { exit } = this.#get(id)
    const host = await this.#host
    if (!host) {
      if (exit) return exit
      throw new TerminalError('no-host', 'the process that held the terminal is gone')
    }
    const request = requestOf(id, viewer, exit)
    const isOurs = this.#handOver?.to === host.state.record.marker && !viewer.revocable
    const direct = isOurs && this.#handOver?.by.give(viewer, request)
    if (!direct)
      await this.#passages.begin(host.state, viewer, request).catch(cause => {
        throw new TerminalError('no-host', `the process that holds the terminal does not answer: ${cause.message}`)
      })
    return undefined
  }

  async stop(id: string): Promise<TerminalExit> {
    const known = this.#get(id)
    if (known.exit) return known.exit
    try {
      return exitOf(Exit.parse(await this.#ask(id, link => link.request({ do: 'stop', id }))))
    } catch (error) {
      // The host died over it: what it left behind is being ended, and then this one has an exit, too.
      await this.#recovering
      const after = this.#known.get(id)?.exit
      if (after) return after
      throw error
    }
  }

  async forget(id: string): Promise<void> {
    const known = this.#known.get(id)
    if (!known?.exit) return
    this.#known.delete(id)
    this.#past.set(id, known.exit)
    setTimeout(() => this.#past.delete(id), PAST_MS).unref()
    const host = await this.#host?.catch(() => undefined)
    await host?.link.request({ do: 'forget', id }).catch(() => {}) // Gone with its host.
  }

  onExit(listener: (id: string, exit: TerminalExit) => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  async dispose(mode: 'leave' | 'end'): Promise<void> {
    if (this.#disposed) return
    this.#disposed = true
    await this.#recovering
    const host = await this.#host?.catch(() => undefined)
    if (mode === 'leave' && host) {
      await within(LEAVE_MS, host.link.request({ do: 'leave' }))
      host.link.close()
    }
    // Viewers that were handed over stay with the host; those whose bytes we pass on cannot.
    if (mode === 'leave') this.#passages.dispose()
    this.#handOver?.by.close()
    if (mode === 'leave' || !host) return
    await within(END_MS, host.link.request({ do: 'end' }))
    const deadline = performance.now() + LEAVE_MS
    while (isStill(host.state.record) && performance.now() < deadline) await sleep(5)
    host.link.close()
    // Whatever it could not end, and itself should it hang.
    await stop(host.state.record, { own: true, graceMs: LEAVE_MS })
    await this.#bury()
  }

  #get(id: string): Known {
    const known = this.#known.get(id)
    if (!known) throw new TerminalError('no-terminal', `terminal ${id} not found`)
    return known
  }

  async #ask<T>(id: string, ask: (link: HostLink) => Promise<T>): Promise<T> {
    this.#get(id)
    await this.#recovering
    const host = await this.#host
    if (!host) throw new TerminalError('no-host', 'the process that held the terminal is gone')
    return ask(host.link)
  }

  /** The host, started when there is none. */
  async #ready(): Promise<Host> {
    await this.#recovering
    if (this.#disposed) throw new TerminalError('no-host', 'the hub stops')
    if (!this.#host) {
      const starting = this.#start()
      this.#host = starting
      // The next caller tries again.
      starting.catch(() => {
        if (this.#host === starting) this.#host = undefined
      })
    }
    return this.#host
  }

  async #start(): Promise<Host> {
    this.#files.prepare()
    const { program, hostArgs, release } = this.#options
    const options = { files: this.#files, release, ...(program && { program }), ...(hostArgs && { args: hostArgs }) }
    const { state, channel } = await startHost(options)
    if (channel) this.#handOver = { to: state.record.marker, by: new HandOver(channel) }
    const host = await this.#greet(state)
    this.#options.log.info({ pid: state.record.pid }, 'the pty-host was started')
    return host
  }

  /** The one that we just started. */
  async #greet(state: HostState): Promise<Host> {
    for (let greeting = 1; ; greeting += 1) {
      try {
        return await this.#connect(state)
      } catch (error) {
        if (greeting === GREETINGS || !isStill(state.record)) throw error
        await sleep(RECONNECT_MS)
      }
    }
  }

  async #connect(state: HostState): Promise<Host> {
    const link = await HostLink.connect(state, {
      welcomed: welcome => this.#mirror(welcome),
      event: event => this.#event(event),
      closed: () => this.#lost(state),
    })
    if (link.closed) throw new Error('the pty-host closed the connection')
    return { state, link }
  }

  async #adopt(): Promise<void> {
    if (!fs.existsSync(this.#options.folder)) return
    this.#files.prepare()
    const state = this.#files.state()
    if (state && isStill(state.record)) await this.#reach(state)
    if (!this.#host) await this.#bury()
    const found = this.running
    if (found > 0) this.#options.log.info({ terminals: found }, 'terminals of an earlier hub were taken over')
  }

  /** A host that runs but cannot be talked to is ended, and its terminals with it. */
  async #reach(state: HostState): Promise<void> {
    const { log } = this.#options
    const deadline = performance.now() + REACH_MS
    for (let greeting = 1; ; greeting += 1) {
      try {
        const host = await this.#connect(state)
        this.#host = Promise.resolve(host)
        return
      } catch (error) {
        if (!isStill(state.record)) return
        const late = greeting >= GREETINGS && performance.now() > deadline
        const hopeless = error instanceof OtherProtocol || late
        if (!hopeless) {
          await sleep(RECONNECT_MS)
          continue
        }
        log.warn(
          { err: error, release: state.release, pid: state.record.pid },
          'the pty-host of an earlier hub cannot be spoken to; its terminals are ended',
        )
        await stop(state.record)
        return
      }
    }
  }

  /** Of a host that is gone: ends what it left running, and keeps how its terminals ended. */
  async #bury(): Promise<void> {
    const entries = this.#files.journal()
    const open = entries.filter(({ exit }) => !exit)
    await reclaim(open.map(({ record }) => record))
    for (const { id, record, exit } of entries) {
      const known = this.#known.get(id) ?? this.#add(id, record)
      if (!known.exit) this.#ended(id, known, exit ? exitOf(exit) : { code: undefined, signal: undefined, lost: true })
    }
    // Opened, but too early for the journal to be believed.
    for (const [id, known] of this.#known)
      if (!known.exit) this.#ended(id, known, { code: undefined, signal: undefined, lost: true })
    this.#files.clear()
  }

  /** The connection ended. Either the host did, too, or it is there and can be reached again. */
  #lost(state: HostState): void {
    if (this.#disposed) return
    this.#host = undefined
    this.#viewers = 0
    const recover = async () => {
      const { log } = this.#options
      if (isStill(state.record)) await this.#reach(state)
      if (this.#host || this.#disposed) return
      log.error({ pid: state.record.pid, terminals: this.running }, 'the pty-host died; its terminals are ended')
      await this.#bury()
    }
    this.#recovering = this.#recovering
      .then(recover)
      .catch(error => this.#options.log.error({ err: error }, 'what a dead pty-host left could not be ended'))
  }

  /** What the host says that it holds is what there is. */
  #mirror({ terminals, viewers }: z.infer<typeof Welcome>): void {
    this.#viewers = viewers
    for (const { id, record, exit } of terminals) {
      const known = this.#known.get(id) ?? this.#add(id, record)
      if (exit && !known.exit) this.#ended(id, known, exitOf(exit))
    }
  }

  #add(id: string, record: ProcessRecord): Known {
    const known: Known = { record, exit: undefined }
    this.#known.set(id, known)
    return known
  }

  #event(event: Extract<HostMessage, { event: string }>): void {
    if (event.event === 'viewers') {
      this.#viewers = event.count
      return
    }
    const known = this.#known.get(event.id)
    if (!known) return
    if (event.event === 'exit') return this.#ended(event.id, known, exitOf(event.exit))
    this.#options.log.warn({ terminal: event.id, problem: event.problem }, "a person's input was not taken")
  }

  #ended(id: string, known: Known, exit: TerminalExit): void {
    if (known.exit) return
    known.exit = exit
    for (const listener of this.#listeners) {
      try {
        listener(id, exit)
      } catch (error) {
        this.#options.log.error({ err: error, terminal: id }, 'a listener to the end of a terminal failed')
      }
    }
  }
}

/** Whatever became of it. */
async function within(ms: number, work: Promise<unknown>): Promise<void> {
  await inTime(ms, work).catch(() => {})
}

/** A host that hangs must not block a caller that only reads. */
async function inTime<T>(ms: number, work: Promise<T>): Promise<T> {
  const done = new AbortController()
  const late = sleep(ms, undefined, { signal: done.signal }).then(() => {
    throw new TerminalError('no-host', 'the process that holds the terminals does not answer')
  })
  try {
    return await Promise.race([work, late])
  } finally {
    late.catch(() => {}) // No longer awaited.
    done.abort()
  }
}
