// The state of one screen, kept by a terminal emulator without a display. It also answers what programs ask of their
// terminal; no viewer does. Where the emulator stumbles over what a program wrote, the screen begins again: nothing that
// is written may hold up the terminal or end its host.
import { SerializeAddon } from '@xterm/addon-serialize'
import { Terminal } from '@xterm/headless'
import type { Screen } from '#kernel/terminals/terminals.ts'

const SCROLLBACK = 1000
/** Modes that the serializer leaves out and a viewer needs: cursor hidden, mouse reporting, alternate scroll. */
const TRACKED = new Set([25, 1005, 1006, 1007, 1015, 1016])
const KEYBOARD_DEPTH = 16
/** It takes milliseconds for what it is given at once. */
const STUCK_MS = 10_000

export class Emulator {
  readonly #reply: (bytes: Buffer) => void
  readonly #stuckMs: number
  #terminal: Terminal
  #serializer = new SerializeAddon()
  /** Only those that are not as a fresh terminal has them. */
  readonly #modes = new Map<number, boolean>()
  /** Flags of the keyboard protocol, which programs stack. */
  #keyboard: number[] = []
  #modifyKeys = 0
  #title = ''

  constructor(cols: number, rows: number, reply: (bytes: Buffer) => void, stuckMs = STUCK_MS) {
    this.#reply = reply
    this.#stuckMs = stuckMs
    this.#terminal = this.#fresh(cols, rows)
  }

  get cols(): number {
    return this.#terminal.cols
  }

  get rows(): number {
    return this.#terminal.rows
  }

  get title(): string {
    return this.#title
  }

  /** Calls `done` once, whatever happens. */
  write(bytes: Uint8Array, done: () => void): void {
    const { cols, rows } = this
    let waits = true
    const over = () => {
      clearTimeout(stuck)
      if (waits) done()
      waits = false
    }
    // An error in it comes from a timer of its own, and then it never calls back.
    const stuck = setTimeout(() => {
      this.#beginAnew(cols, rows)
      over()
    }, this.#stuckMs)
    this.#terminal.write(bytes, over)
  }

  resize(cols: number, rows: number): void {
    try {
      this.#terminal.resize(cols, rows)
    } catch {
      this.#beginAnew(cols, rows) // Much text without a break, made very narrow.
    }
  }

  /** Draws this state on a fresh terminal of the same size. */
  serialize(): string {
    const modes = [...this.#modes].map(([mode, on]) => `\x1b[?${mode}${on ? 'h' : 'l'}`)
    const keyboard = this.#keyboard.map(flags => `\x1b[>${flags}u`)
    const modify = this.#modifyKeys > 0 ? [`\x1b[>4;${this.#modifyKeys}m`] : []
    return [this.#serializer.serialize({ scrollback: SCROLLBACK }), ...modes, ...keyboard, ...modify].join('')
  }

  screen(): Omit<Screen, 'quietMs' | 'typedMs' | 'unsent' | 'seq'> {
    const { active } = this.#terminal.buffer
    const rows = Array.from({ length: this.rows }, (_, row) => active.getLine(active.baseY + row))
    // The first row may go on with one that is scrolled away: then it begins here.
    const wrapped = rows.flatMap((line, row) =>
      row > 0 && line?.isWrapped === true
        ? [{ row, spaced: rows[row - 1]?.translateToString(false).endsWith(' ') ?? false }]
        : [],
    )
    return {
      lines: rows.map(line => line?.translateToString(true) ?? ''),
      wrapped,
      cursor: { x: active.cursorX, y: active.cursorY },
      alternate: active.type === 'alternate',
      bracketedPaste: this.#terminal.modes.bracketedPasteMode,
      title: this.#title,
    }
  }

  dispose(): void {
    this.#terminal.dispose()
  }

  #fresh(cols: number, rows: number): Terminal {
    const options = { cols, rows, scrollback: SCROLLBACK, allowProposedApi: true }
    // Else each fault in a program's output would stand in the host's log.
    const terminal = new Terminal({ ...options, logLevel: 'off' })
    terminal.loadAddon(this.#serializer)
    terminal.onData(text => this.#reply(Buffer.from(text)))
    terminal.onBinary(text => this.#reply(Buffer.from(text, 'latin1')))
    terminal.onTitleChange(title => (this.#title = title.slice(0, 1000)))
    this.#track(terminal)
    return terminal
  }

  #beginAnew(cols: number, rows: number): void {
    this.#terminal.dispose()
    this.#forgetModes()
    this.#serializer = new SerializeAddon()
    this.#terminal = this.#fresh(cols, rows)
  }

  #forgetModes(): void {
    this.#modes.clear()
    this.#keyboard = []
    this.#modifyKeys = 0
  }

  /** Handlers that answer false only watch. */
  #track({ parser }: Terminal): void {
    const set = (on: boolean) => (params: (number | number[])[]) => {
      for (const mode of params) if (typeof mode === 'number' && TRACKED.has(mode)) this.#setMode(mode, on)
      return false
    }
    parser.registerCsiHandler({ prefix: '?', final: 'h' }, set(true))
    parser.registerCsiHandler({ prefix: '?', final: 'l' }, set(false))
    parser.registerCsiHandler({ prefix: '>', final: 'u' }, ([flags]) => {
      this.#keyboard = [...this.#keyboard, Number(flags) || 0].slice(-KEYBOARD_DEPTH)
      return false
    })
    parser.registerCsiHandler({ prefix: '<', final: 'u' }, ([count]) => {
      this.#keyboard = this.#keyboard.slice(0, -Math.max(1, Number(count) || 1))
      return false
    })
    parser.registerCsiHandler({ prefix: '>', final: 'm' }, ([what, value]) => {
      if (what === 4) this.#modifyKeys = Number(value) || 0
      return false
    })
    const reset = () => {
      this.#forgetModes()
      return false
    }
    parser.registerEscHandler({ final: 'c' }, reset)
    parser.registerCsiHandler({ intermediates: '!', final: 'p' }, reset)
  }

  #setMode(mode: number, on: boolean): void {
    const usual = mode === 25
    if (on === usual) this.#modes.delete(mode)
    else this.#modes.set(mode, on)
  }
}
