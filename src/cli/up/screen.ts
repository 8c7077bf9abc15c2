// A panel at the bottom of the terminal that changes in place; what is printed goes above it and stays.
import type { WriteStream } from 'node:tty'
import { widthOf } from '../width.ts'

const CLEAR_BELOW = '\u001b[J'
const SECOND_MS = 1000

export class Screen {
  readonly #out: WriteStream
  readonly #lines: () => string[]
  #drawn: string[] = []
  #columns: number
  #isShown = false
  #isSuspended = false
  readonly #clock: NodeJS.Timeout
  readonly #resized = () => this.draw()

  /** `lines` is asked whenever it is drawn: times go on between two changes. */
  constructor(out: WriteStream, lines: () => string[]) {
    this.#out = out
    this.#lines = lines
    this.#columns = out.columns
    this.#clock = setInterval(() => this.draw(), SECOND_MS)
    this.#clock.unref()
    out.on('resize', this.#resized)
  }

  get size(): { columns: number; rows: number } {
    return { columns: this.#out.columns || 80, rows: this.#out.rows || 24 }
  }

  show(): void {
    this.#isShown = true
    this.draw()
  }

  /** Whole lines, above the panel. */
  print(text: string): void {
    const whole = text.endsWith('\n') || text === '' ? text : `${text}\n`
    this.#out.write(`${this.#erased()}${whole}${this.#fresh()}`)
  }

  draw(): void {
    if (this.#isShown) this.#out.write(`${this.#erased()}${this.#fresh()}`)
  }

  hide(): void {
    this.#out.write(this.#erased())
    this.#isShown = false
  }

  /** The terminal is another's until resume(). */
  suspend(): void {
    this.#out.write(this.#erased())
    this.#isSuspended = true
  }

  /** Others have written to the terminal since: what was drawn is where it was, or gone. */
  resume(): void {
    this.#isSuspended = false
    this.#drawn = []
    this.draw()
  }

  /** The panel is gone, and nothing draws it again. */
  dispose(): void {
    clearInterval(this.#clock)
    this.#out.off('resize', this.#resized)
    this.hide()
  }

  #fresh(): string {
    if (!this.#isShown || this.#isSuspended) return ''
    this.#drawn = this.#lines()
    this.#columns = this.size.columns
    return this.#drawn.map(line => `${line}\n`).join('')
  }

  #erased(): string {
    // In a window that became narrower the terminal has wrapped them.
    const columns = Math.min(this.#columns, this.size.columns)
    const rows = this.#drawn.reduce((sum, line) => sum + Math.max(1, Math.ceil(widthOf(line) / columns)), 0)
    this.#drawn = []
    return rows === 0 ? '' : `\u001b[${rows}A\r${CLEAR_BELOW}`
  }
}
