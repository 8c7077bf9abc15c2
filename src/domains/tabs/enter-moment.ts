// When Enter may follow a line that was typed into a program, judged from one look after the other. Pure: no terminal, no clock.
// Too soon, it becomes a part of the line; into a question, it answers that; behind a person's keys, it sends them off.

export type Look = {
  now: number
  /** Since a person pressed a key; null when none has. */
  typedMs: number | null
  /** A person has begun a line. */
  unsent: boolean
  /** A question is open, which Enter would answer. */
  asks: boolean
  /** The line is seen where it was typed. */
  holds: boolean
  /** The prompt is seen, with nothing in it. */
  empty: boolean
}

/** `gone`: the line was sent or thrown away, so that there is nothing to send any more. */
export type Verdict = 'wait' | 'press-if-unchanged' | 'press' | 'gone'

export type Typed = {
  /** We know how its prompt looks, so that not seeing the line means something. */
  known: boolean
  /** From then on it is waited for; the host has held back all keys for the first half second. */
  begun: number
  /** Keys that were pressed later stand behind the line. */
  since: number
}

/** So long a program may take to show a line, or to take it. */
export const ECHO_MS = 30_000
/** One that we cannot read gets so long, also after a question. */
const PAUSE_MS = 500
/** An Enter right behind a paste is taken for a part of it. */
const SHOWN_MS = 300
/** What draws all the time changes between every look and its key: this long it is tried to find it unchanged. */
const RESTLESS_MS = 2000
/** A person is typing; what they pressed last may not be on the screen yet. */
const HANDS_MS = 2000

export class EnterMoment {
  readonly #known: boolean
  #begun: number
  #since: number
  #asked = false
  #seen = false
  #shownAt: number | undefined
  #ripeAt: number | undefined

  constructor({ known, begun, since }: Typed) {
    this.#known = known
    this.#begun = begun
    this.#since = since
  }

  look({ now, typedMs, unsent, asks, holds, empty }: Look): Verdict {
    // The key that answers a question was not pressed behind the line.
    if (asks || this.#asked) this.#since = now
    if (asks) this.#begun = now
    this.#asked = asks
    this.#seen ||= holds
    this.#shownAt = holds ? (this.#shownAt ?? now) : undefined
    const touched = typedMs !== null && typedMs < now - this.#since
    const theirs = touched && (unsent || typedMs < HANDS_MS)
    if (asks || theirs) return this.#wait()
    if (!holds && this.#seen && (touched || empty)) return 'gone'
    const patience = this.#known || this.#seen ? ECHO_MS : PAUSE_MS
    const late = now - this.#begun > patience
    // They may have replaced it by something that is not ours to send.
    if (!holds && touched) return late ? 'gone' : this.#wait()
    const shown = this.#shownAt === undefined ? late : !this.#known || now - this.#shownAt >= SHOWN_MS
    if (!shown) return this.#wait()
    this.#ripeAt ??= now
    return now - this.#ripeAt < RESTLESS_MS ? 'press-if-unchanged' : 'press'
  }

  #wait(): 'wait' {
    this.#ripeAt = undefined
    return 'wait'
  }
}
