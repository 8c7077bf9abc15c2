// The hub's own lines: each is typed once and whole, with no person's keys between the line and the Enter. It happens
// here and not in the hub, so that a hub that dies in the middle changes nothing about it.
import { setTimeout as sleep } from 'node:timers/promises'
import { type Stroke, TerminalError } from '#kernel/terminals/terminals.ts'

type Done = (error?: TerminalError) => void

/** Of so many the keys are remembered. A hub that comes back asks for the last one or two again. */
const REMEMBERED = 1000
const HELD_BYTES = 256 * 1024

export class Strokes {
  readonly #push: (bytes: Uint8Array, done: Done) => void
  readonly #known = new Map<string, Promise<void>>()
  #last: Promise<void> = Promise.resolve()
  #held: { bytes: Uint8Array; done: Done }[] | undefined
  #heldBytes = 0

  constructor(push: (bytes: Uint8Array, done: Done) => void) {
    this.#push = push
  }

  knows(key: string): Promise<void> | undefined {
    return this.#known.get(key)
  }

  /** One at a time. `arrived` throws when the line is not whole; then it is not sent off. */
  type(stroke: Omit<Stroke, 'ifSeq'>, arrived?: () => Promise<void>): Promise<void> {
    const before = this.#known.get(stroke.key)
    if (before) return before
    const typed = this.#last.then(() => this.#type(stroke, arrived))
    this.#known.set(stroke.key, typed)
    this.#last = typed.catch(() => {
      this.#known.delete(stroke.key) // It was not typed, or not wholly: the next attempt fails again.
    })
    for (const key of [...this.#known.keys()].slice(0, -REMEMBERED)) this.#known.delete(key)
    return typed
  }

  /** A person's keys: at once, or behind the line that is just being typed. */
  person(bytes: Uint8Array, done: Done): void {
    if (!this.#held) return this.#push(bytes, done)
    // A program that reads nothing holds the line up for a while: the keys behind it must not fill our memory.
    if (this.#heldBytes + bytes.length > HELD_BYTES)
      return done(new TerminalError('full', 'too much input is waiting already'))
    this.#heldBytes += bytes.length
    this.#held.push({ bytes, done })
  }

  async #type(
    { paste, pauseMs, enter }: Omit<Stroke, 'ifSeq' | 'key'>,
    arrived: (() => Promise<void>) | undefined,
  ): Promise<void> {
    this.#held = []
    try {
      await this.#write(paste)
      await sleep(pauseMs)
      await arrived?.()
      await this.#write(enter)
    } finally {
      const held = this.#held
      this.#held = undefined
      this.#heldBytes = 0
      for (const { bytes, done } of held) this.#push(bytes, done)
    }
  }

  #write(bytes: Uint8Array): Promise<void> {
    return new Promise((resolve, reject) => this.#push(bytes, error => (error ? reject(error) : resolve())))
  }
}
