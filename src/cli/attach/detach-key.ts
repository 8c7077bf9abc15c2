// The keys that leave a terminal without ending it, taken out of what is typed.

export type DetachKey = { readonly shown: string; readonly keys: readonly string[] }

/** `ctrl-\`, `ctrl-b,d`: one key or several one after the other. The first is with Ctrl, else no one could type it any more. */
export function parseDetachKey(text: string): DetachKey | undefined {
  const names = text.trim().toLowerCase().split(',')
  const keys = names.map(keyOf)
  if (keys.some(key => key === undefined) || !names[0]?.startsWith('ctrl-') || names.length > 3) return undefined
  return { shown: names.map(shown).join(' '), keys: keys as string[] }
}

function keyOf(name: string): string | undefined {
  const [, control] = /^ctrl-([a-z@[\\\]^_])$/.exec(name) ?? []
  // Ctrl-M and Ctrl-[ are Enter and Escape: every other key would be one of them.
  if (control !== undefined) return 'm['.includes(control) ? undefined : code(control)
  return /^[!-~]$/.test(name) ? name : undefined
}

function code(letter: string): string {
  return String.fromCharCode(letter.toUpperCase().charCodeAt(0) & 0x1f)
}

function shown(name: string): string {
  return name.startsWith('ctrl-') ? `Ctrl-${name.slice(5).toUpperCase()}` : name
}

/** Programs may have the terminal write keys in a longer form; Ctrl and a key is then a sequence with its letter's number. */
const ESC = String.fromCharCode(27)
const LONG = new RegExp(`${ESC}\\[(?:(\\d+)(?::\\d+)*;5(?::1)?u|27;5;(\\d+)~)`, 'g')

export class DetachWatch {
  readonly #keys: readonly string[]
  #met = 0

  constructor({ keys }: DetachKey) {
    this.#keys = keys
  }

  /** What is to be passed on; undefined when the keys were met. */
  read(bytes: Buffer): Buffer | undefined {
    const text = bytes.toString('latin1').replace(LONG, (whole, kitty?: string, xterm?: string) => {
      const key = code(String.fromCharCode(Number(kitty ?? xterm)))
      return this.#keys.includes(key) ? key : whole
    })
    let passed = ''
    for (const letter of text) {
      if (letter === this.#keys[this.#met]) {
        this.#met++
        if (this.#met === this.#keys.length) return undefined
        continue
      }
      // They were not meant after all: they are passed on, and this one may begin again.
      passed += this.#keys.slice(0, this.#met).join('')
      this.#met = letter === this.#keys[0] && this.#keys.length > 1 ? 1 : 0
      if (this.#met === 0) passed += letter
    }
    return Buffer.from(passed, 'latin1')
  }
}
