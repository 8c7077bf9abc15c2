// Real terminals for tests: a pty-host of their own, from dist/, and viewers that remember what they were shown.
import fs from 'node:fs'
import http from 'node:http'
import https from 'node:https'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import type { Duplex } from 'node:stream'
import { WebSocket, WebSocketServer } from 'ws'
import { TERMINAL_PROTOCOL } from '#contract/limits.ts'
import { HostFiles, type HostState } from '#kernel/terminals/host-files.ts'
import { HostTerminals, type HostTerminalsOptions } from '#kernel/terminals/host-terminals.ts'
import { tellEnd } from '#kernel/terminals/tell-end.ts'
import type { OpenTerminal, Size } from '#kernel/terminals/terminals.ts'
import { openLog } from '#kernel/log.ts'
import { isRunning, markedProcesses, newMarker, temporaryFolder, until } from './scripted.ts'
import { build } from './processes.ts'

export class TerminalShop implements AsyncDisposable {
  readonly #temporary = temporaryFolder()
  readonly folder = path.join(this.#temporary.path, 'pty')
  readonly #hubs: HostTerminals[] = []
  readonly #markers: string[] = []
  readonly #hosts = new Map<number, string>()
  #count = 0

  constructor() {
    build()
  }

  get home(): string {
    return this.#temporary.path
  }

  /** The hub's side, as a hub that starts makes it. An earlier one is as good as dead then: the host turns to the latest. */
  async hub(options: Partial<HostTerminalsOptions> = {}): Promise<HostTerminals> {
    const log = openLog({ level: '3', file: this.file('hub.log') })
    const hub = await HostTerminals.start({ folder: this.folder, release: 'test', log, ...options })
    this.#hubs.push(hub)
    return hub
  }

  file(name: string): string {
    return path.join(this.#temporary.path, name)
  }

  /** A shell command in a terminal, by default. */
  terminal(script: string, changes: Partial<OpenTerminal> = {}): OpenTerminal {
    const id = `tab_${++this.#count}`
    const marker = newMarker()
    this.#markers.push(marker)
    return {
      id,
      program: '/bin/sh',
      args: ['-c', script],
      cwd: this.#temporary.path,
      env: { PATH: process.env['PATH'] ?? '' },
      marker,
      cols: 80,
      rows: 24,
      logFile: this.file(`${id}-${marker}.log`),
      ...changes,
    }
  }

  /** The state of the host that serves this folder now. */
  host(): HostState {
    const state = new HostFiles(this.folder).state()
    if (!state) throw new Error('there is no pty-host')
    this.#hosts.set(state.record.pid, state.record.start)
    return state
  }

  hubLog(): string {
    return fs.readFileSync(this.file('hub.log'), 'utf8')
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const state = new HostFiles(this.folder).state()
    await Promise.all(this.#hubs.map(hub => hub.dispose('end')))
    // A test that broke off in the middle, with a host that no hub is connected to.
    if (state && isRunning(state.record.pid)) process.kill(state.record.pid, 'SIGTERM')
    if (state) await until(() => !isRunning(state.record.pid))
    const left = this.#markers.flatMap(markedProcesses)
    this.#temporary[Symbol.dispose]()
    if (left.length > 0) throw new Error(`left behind: ${left.join(', ')}`)
  }
}

type Shown = { cols: number; rows: number; title: string; resync: boolean }
type Told =
  | ({ type: 'screen' } & Shown)
  | { type: 'resize'; cols: number; rows: number }
  | { type: 'exit'; code: number | null; signal: string | null; lost: boolean }
  | { type: 'notice'; code: string }

export type TestViewerOptions = {
  size?: Size
  readOnly?: boolean
  tls?: { cert: Buffer; key: Buffer }
  /** The hub has done its part; the pty-host may not have answered yet. */
  shown?: () => void
}

/** A viewer over a WebSocket of its own that remembers what it was shown. */
export class TestViewer implements Disposable {
  readonly screens: Shown[] = []
  readonly sizes: string[] = []
  readonly exits: Extract<Told, { type: 'exit' }>[] = []
  readonly notices: string[] = []
  /** The code with which the connection ended. */
  readonly closed: Promise<number>
  readonly #socket: WebSocket
  /** All bytes of the screens and of the output, in order. */
  readonly #parts: Buffer[] = []

  /** As a hub lets a viewer in; settles with the first screen, or when it cannot come any more. Rejects with what `show` rejects with. */
  static async at(hub: HostTerminals, id: string, options: TestViewerOptions = {}): Promise<TestViewer> {
    const { size, readOnly = false, tls, shown } = options
    const door = tls ? https.createServer(tls) : http.createServer()
    const refused = new Promise<never>((_, reject) => {
      door.on('upgrade', (request: http.IncomingMessage, socket: Duplex, head: Buffer) => {
        hub.show(id, { request, socket, head, readOnly, size, revocable: false }).then(exit => {
          shown?.()
          const server = new WebSocketServer({ noServer: true })
          if (exit) server.handleUpgrade(request, socket, head, client => tellEnd(client, exit))
        }, reject)
      })
    })
    await new Promise<void>(resolve => door.listen(0, '127.0.0.1', resolve))
    const { port } = door.address() as AddressInfo
    const viewer = new TestViewer(`${tls ? 'wss' : 'ws'}://127.0.0.1:${port}`)
    try {
      await Promise.race([refused, viewer.#shown()])
      return viewer
    } catch (error) {
      viewer.#socket.terminate()
      throw error
    } finally {
      door.close()
    }
  }

  private constructor(url: string) {
    this.#socket = new WebSocket(url, TERMINAL_PROTOCOL, { rejectUnauthorized: false })
    this.#socket.on('error', () => {})
    this.#socket.on('message', (data: Buffer, isBinary) => {
      if (isBinary) this.#parts.push(data)
      else this.#told(JSON.parse(data.toString()) as Told)
    })
    this.closed = new Promise(resolve => this.#socket.on('close', resolve))
  }

  get text(): string {
    return Buffer.concat(this.#parts).toString()
  }

  type(text: string | Uint8Array): void {
    this.#socket.send(Buffer.from(text))
  }

  resize(cols: number, rows: number): void {
    this.#socket.send(JSON.stringify({ type: 'resize', cols, rows }))
  }

  /** Settles when all that was said until now has been heard. */
  async heard(): Promise<void> {
    await new Promise<void>(resolve => {
      this.#socket.once('pong', () => resolve())
      this.#socket.ping()
    })
  }

  /** Sends so many pings of 125 bytes and reads nothing; settles when the other end has taken them all. */
  async flood(pings: number): Promise<void> {
    this.#socket.pause()
    const data = Buffer.alloc(125)
    for (let sent = 1; sent <= pings; sent++) {
      this.#socket.ping(data)
      if (sent % 1000 === 0) await until(() => this.#socket.bufferedAmount < 1_000_000)
    }
    await until(() => this.#socket.bufferedAmount === 0)
  }

  /** Settles when it was shown this text, in one way or the other. */
  async sees(text: string): Promise<void> {
    await until(() => this.text.includes(text))
  }

  [Symbol.dispose](): void {
    this.#socket.terminate()
  }

  /** The first screen is two messages: its size, then its bytes. */
  async #shown(): Promise<void> {
    let gone = false
    void this.closed.then(() => (gone = true))
    await until(() => this.#parts.length > 0 || this.exits.length > 0 || this.notices.length > 0 || gone)
  }

  #told(told: Told): void {
    switch (told.type) {
      case 'screen':
        return void this.screens.push(told)
      case 'resize':
        return void this.sizes.push(`${told.cols}x${told.rows}`)
      case 'exit':
        return void this.exits.push(told)
      case 'notice':
        return void this.notices.push(told.code)
    }
  }
}

/** As the hub types a line of its own. */
export async function typeIn(hub: HostTerminals, id: string, text: string): Promise<void> {
  await hub.type(id, { key: newMarker(), paste: Buffer.alloc(0), enter: Buffer.from(text), pauseMs: 0 })
}
