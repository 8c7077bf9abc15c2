// Gives a program up that has been in trouble for too long: some try again for hours, and nothing is heard of it but in a log.
import type { Facts } from './facts.ts'

export class Patience {
  readonly #ms: number
  readonly #giveUp: () => void
  #timer: NodeJS.Timeout | undefined
  /** It was given up. */
  isOver = false

  constructor(ms: number, giveUp: () => void) {
    this.#ms = ms
    this.#giveUp = giveUp
  }

  /** Call it whenever there is something new. */
  heard({ troubled }: Pick<Facts, 'troubled'>): void {
    if (!troubled) this.dispose()
    else if (!this.isOver) this.#timer ??= this.#wait()
  }

  dispose(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
  }

  #wait(): NodeJS.Timeout {
    const timer = setTimeout(() => {
      this.isOver = true
      this.#giveUp()
    }, this.#ms)
    timer.unref()
    return timer
  }
}
