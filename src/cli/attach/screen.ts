// The person's own terminal while it shows another: how it is set up at the beginning, and how it is put back in the end,
// whatever the program in the tab did to it.
import fs from 'node:fs'
import type tty from 'node:tty'

/** Left-over modes of a full-screen program would make the person's shell unusable. */
const RESTORE = [
  '\x1b[?1049l', // back from the other screen
  '\x1b[?1l\x1b>', // cursor keys and number pad
  '\x1b[?9l\x1b[?1000l\x1b[?1001l\x1b[?1002l\x1b[?1003l\x1b[?1005l\x1b[?1006l\x1b[?1015l\x1b[?1016l', // mouse
  '\x1b[?1004l\x1b[?2004l\x1b[?2026l', // focus, paste, held drawing
  '\x1b[<99u\x1b[>4;0m', // keyboard protocols
  '\x1b[4l\x1b[?6l\x1b[?7h\x1b[?45l\x1b[r', // insert, origin, wrap, margins
  '\x1b[0m\x1b(B\x0f\x1b[?25h\x1b[0 q', // colours, letters, cursor
].join('')

const STDOUT = 1

export class OwnScreen {
  readonly #input: tty.ReadStream
  readonly #output: tty.WriteStream
  readonly #restore = () => this.restore()
  #raw = false

  constructor(input: tty.ReadStream, output: tty.WriteStream) {
    this.#input = input
    this.#output = output
  }

  get size(): { cols: number; rows: number } {
    return { cols: this.#output.columns || 80, rows: this.#output.rows || 24 }
  }

  enter(): void {
    this.#raw = true
    this.#input.setRawMode(true)
    // However we end, short of SIGKILL.
    process.on('exit', this.#restore)
  }

  /** What was on the screen before goes into the scrollback, where the person finds it again. */
  draw(bytes: Buffer): void {
    this.#output.write(`${RESTORE}\x1b[${this.size.rows};1H${'\n'.repeat(this.size.rows)}\x1b[H\x1b[2J`)
    this.#output.write(bytes)
  }

  write(bytes: Buffer | string): boolean {
    return this.#output.write(bytes)
  }

  /** Below what was drawn, at the beginning of a line. Written at once: the process may end next. */
  restore(): void {
    if (!this.#raw) return
    this.#raw = false
    process.off('exit', this.#restore)
    try {
      fs.writeSync(STDOUT, `${RESTORE}\x1b[${this.size.rows};1H\r\n`)
      this.#input.setRawMode(false)
    } catch {
      // The terminal itself is gone: its window was closed.
    }
  }
}
