// An agent program in a real terminal, and its screen as a person sees it.
import fs from 'node:fs'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { type IPty, spawn } from '@lydell/node-pty'
import xterm from '@xterm/headless'
import { findProgram } from '#engines/find-program.ts'
import { recordOf } from '#kernel/processes/record.ts'
import { stop } from '#kernel/processes/stop.ts'
import { TORYO_MARK } from '#system/environment-names.ts'
import type { EngineRequest } from '#engines/engine.ts'
import { newMarker } from '../scripted.ts'
import { engineOf } from './clis.ts'
import type { CliWorld } from './world.ts'

/** How long the screen must not change to count as drawn. */
const SETTLED_MS = 700
/** Only a screen that never comes meets it. */
const PATIENCE_MS = 120_000

export class Screen implements AsyncDisposable {
  readonly marker = newMarker()
  readonly #pty: IPty
  readonly #terminal = new xterm.Terminal({ cols: 100, rows: 30, allowProposedApi: true })
  #changedAt = performance.now()
  #title = ''
  readonly exited: Promise<{ exitCode: number; signal?: number | undefined }>

  readonly #isMarked: boolean

  private constructor(program: string, args: string[], cwd: string, env: Record<string, string>, isMarked = true) {
    this.#isMarked = isMarked
    const own = { ...env, TERM: 'xterm-256color', ...(isMarked && { [TORYO_MARK]: this.marker }) }
    this.#pty = spawn(program, args, { cwd, env: own, cols: 100, rows: 30, name: 'xterm-256color' })
    this.#pty.onData(data => {
      this.#changedAt = performance.now()
      this.#terminal.write(data)
    })
    // Programs ask the terminal what it is, and wait for the answer.
    this.#terminal.onData(data => this.#pty.write(data))
    this.#terminal.onTitleChange(title => (this.#title = title))
    this.exited = new Promise(resolve => this.#pty.onExit(resolve))
  }

  /** As a tab starts it. */
  static async open(world: CliWorld, options: Partial<EngineRequest> = {}): Promise<Screen> {
    const engine = engineOf(world.cli)
    const folder = fs.mkdtempSync(path.join(world.folder, 'tab-'))
    const { source, work: directory } = world
    const invocation = await engine.terminal?.({ folder, directory, source, permission: 'edit', ...options })
    const program = findProgram(engine.programs, world.source)
    if (!invocation || program === undefined) throw new Error(`${world.cli} cannot be started`)
    return new Screen(program, invocation.args, world.work, invocation.env)
  }

  /** A program of the person: without a mark, since what carries one was started by some hub. */
  static run(program: string, args: string[], cwd: string, env: Record<string, string>): Screen {
    return new Screen(program, args, cwd, env, false)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (!this.#isMarked) this.#pty.kill('SIGKILL')
    else await stop(recordOf(this.#pty.pid, this.marker), { own: true, graceMs: 2000 })
    await this.exited
    this.#terminal.dispose()
  }

  /** The visible lines, without spaces at their ends. */
  get text(): string {
    const { active } = this.#terminal.buffer
    const lines = Array.from({ length: this.#terminal.rows }, (_, y) => active.getLine(active.baseY + y))
    return lines.map(line => line?.translateToString(true).trimEnd() ?? '').join('\n')
  }

  get cursor(): { x: number; y: number } {
    const { cursorX, cursorY } = this.#terminal.buffer.active
    return { x: cursorX, y: cursorY }
  }

  /** All that can be known of it, as one text. */
  get dump(): string {
    const about = {
      cursor: this.cursor,
      alternate: this.#terminal.buffer.active.type === 'alternate',
      bracketedPaste: this.#terminal.modes.bracketedPasteMode,
      title: this.#title,
    }
    return `${this.text}\n--- ${JSON.stringify(about)}\n`
  }

  type(keys: string): void {
    this.#pty.write(keys)
  }

  /** One message as a person pastes it: the text, and Enter on its own once it is in the line. */
  async send(text: string): Promise<void> {
    const before = this.text
    this.type(`\x1b[200~${text}\x1b[201~`)
    await this.#until(() => this.text !== before, 'the pasted text')
    await pause(500)
    this.type('\r')
  }

  /** Waits for words to be on the screen. */
  async sees(words: RegExp): Promise<void> {
    await this.#until(() => words.test(this.text), String(words))
  }

  /** Waits for words to be on the screen and for the screen to have come to rest. */
  async rests(words: RegExp): Promise<void> {
    await this.#until(() => words.test(this.text) && performance.now() - this.#changedAt > SETTLED_MS, String(words))
  }

  async #until(condition: () => boolean, what: string): Promise<void> {
    for (const limit = performance.now() + PATIENCE_MS; !condition(); await pause(20)) {
      if (performance.now() > limit) throw new Error(`The screen does not show ${what}:\n${this.dump}`)
    }
  }
}
