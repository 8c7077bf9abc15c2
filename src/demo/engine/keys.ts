// What a person types into the terminal, key by key. A paste comes as one piece, between its marks.
import type { ReadStream } from 'node:tty'

const ESC = '\u001B'
const PIECES = new RegExp(`${ESC}\\[20[01]~|${ESC}\\[[\\d;?]*[A-Za-z~]|[^]`, 'gu')
const INTERRUPT = '\u0003'
const BACKSPACE = '\u007F'

export class Keys {
  readonly #typed: string[] = []
  #heard = () => {}

  constructor(input: ReadStream) {
    // Without a terminal, as in a pipe, there is no such mode.
    input.setRawMode?.(true)
    input.setEncoding('utf8').on('data', data => {
      for (const [piece] of String(data).matchAll(PIECES)) {
        if (piece === INTERRUPT) process.exit(0)
        if (piece.length === 1 || piece.length === 2) this.#typed.push(piece)
      }
      this.#heard()
    })
  }

  /** The first of these that is typed from now on. */
  oneOf(wanted: readonly string[]): Promise<string> {
    this.#typed.length = 0
    return new Promise(resolve => {
      this.#heard = () => {
        for (let key = this.#typed.shift(); key !== undefined; key = this.#typed.shift()) {
          if (!wanted.includes(key)) continue
          this.#heard = () => {}
          return resolve(key)
        }
      }
    })
  }

  /** Up to Enter. */
  line(echo: (text: string) => void): Promise<string> {
    return new Promise(resolve => {
      let text = ''
      this.#heard = () => {
        for (let key = this.#typed.shift(); key !== undefined; key = this.#typed.shift()) {
          if (key === '\r') {
            this.#heard = () => {}
            return resolve(text)
          }
          if (key === BACKSPACE) {
            if (text !== '') echo('\b \b')
            text = text.slice(0, -1)
          } else if (key >= ' ') {
            text += key
            echo(key)
          }
        }
      }
      this.#heard()
    })
  }
}
