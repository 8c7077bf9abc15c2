// Real terminals for tests: a pty-host of their own, from dist/, and viewers that remember what they were shown.
import fs from 'node:fs'
import path from 'node:path'
import { HostFiles, type HostState } from '#kernel/terminals/host-files.ts'
import { HostTerminals, type HostTerminalsOptions } from '#kernel/terminals/host-terminals.ts'
import type { OpenTerminal, Snapshot, TerminalExit, Viewer } from '#kernel/terminals/terminals.ts'
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

  /** A shell command in a terminal, unless it is told otherwise. */
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
    // A test that broke off in the middle, with a host that nobody is connected to.
    if (state && isRunning(state.record.pid)) process.kill(state.record.pid, 'SIGTERM')
    if (state) await until(() => !isRunning(state.record.pid))
    const left = this.#markers.flatMap(markedProcesses)
    this.#temporary[Symbol.dispose]()
    if (left.length > 0) throw new Error(`left behind: ${left.join(', ')}`)
  }
}

/** Remembers what it was shown. `pending` is what a test says. */
export class Onlooker implements Viewer {
  readonly screens: Snapshot[] = []
  readonly sizes: string[] = []
  readonly ends: TerminalExit[] = []
  pending = 0
  /** All bytes of the snapshots and of the output, in order. */
  #parts: Buffer[] = []

  get text(): string {
    return Buffer.concat(this.#parts).toString()
  }

  get bytes(): number {
    return this.#parts.reduce((sum, part) => sum + part.length, 0)
  }

  screen(snapshot: Snapshot): void {
    this.screens.push(snapshot)
    this.#parts.push(Buffer.from(snapshot.data))
  }

  output(bytes: Uint8Array): void {
    this.#parts.push(Buffer.from(bytes))
  }

  resized(cols: number, rows: number): void {
    this.sizes.push(`${cols}x${rows}`)
  }

  ended(exit: TerminalExit): void {
    this.ends.push(exit)
  }

  /** Settles when it was shown this text, in one way or the other. */
  async sees(text: string): Promise<void> {
    await until(() => this.text.includes(text))
  }
}
