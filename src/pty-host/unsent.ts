// Whether a person has begun a line and neither sent nor dropped it, as far as the keys show. What a program recalls from its
// history is not seen here; its screen shows that.

const ESC = '\x1b'
const KEYS = new RegExp(`${ESC}\\[200~|${ESC}\\[201~|${ESC}(?:\\[[0-?]*[ -/]*[@-~]|O.|.)?|[^${ESC}]`, 'gsu')

export class Unsent {
  #letters = 0
  #pasting = false

  get any(): boolean {
    return this.#letters > 0
  }

  typed(bytes: Uint8Array): void {
    // As most keys are: one letter.
    if (bytes.length === 1 && isLetter(bytes[0] as number)) return void this.#letters++
    for (const [key] of Buffer.from(bytes).toString('utf8').matchAll(KEYS)) this.#key(key)
  }

  #key(key: string): void {
    if (key === '\x1b[200~') this.#pasting = true
    else if (key === '\x1b[201~') this.#pasting = false
    else if (key.startsWith('\x1b')) return
    else if (this.#pasting || key >= ' ') this.#letters += key === '\x7f' ? (this.#letters > 0 ? -1 : 0) : 1
    // Enter, Ctrl-C, Ctrl-D, Ctrl-U: the line is gone, one way or the other.
    else if ('\r\n\x03\x04\x15'.includes(key)) this.#letters = 0
    else if (key === '\b') this.#letters = Math.max(0, this.#letters - 1)
  }
}

function isLetter(byte: number): boolean {
  return byte >= 0x20 && byte < 0x7f
}
