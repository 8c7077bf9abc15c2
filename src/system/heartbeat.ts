// Asks peers again and again whether they are there, and gives up those that stay silent: a network that went away says nothing.
// Owns the timer and the count; must not know how a peer is asked, or what it says.

export type Rhythm = {
  readonly everyMs: number
  /** So many questions in a row may stay without an answer. */
  readonly missed: number
}

export type Asked = {
  ask(): void
  lost(): void
  /** False while it could not be asked, or its answer not be read: that time does not count. */
  isReady?(): boolean
}

/** One peer's. */
export class Pulse {
  readonly peer: Asked
  /** Questions since it was last heard. */
  silent = 0
  readonly #pulses: Set<Pulse>

  constructor(peer: Asked, pulses: Set<Pulse>) {
    this.peer = peer
    this.#pulses = pulses
  }

  /** Whatever it said: it lives. Called for every frame, so it does no more than this. */
  heard(): void {
    this.silent = 0
  }

  end(): void {
    this.#pulses.delete(this)
  }
}

export class Heartbeat {
  readonly #missed: number
  readonly #pulses = new Set<Pulse>()
  readonly #timer: NodeJS.Timeout

  constructor({ everyMs, missed }: Rhythm) {
    this.#missed = missed
    // Two turns later: after a time in which we were held up ourselves, what came meanwhile is read first, then handed out.
    this.#timer = setInterval(() => setImmediate(() => setImmediate(() => this.#beat())), everyMs).unref()
  }

  watch(peer: Asked): Pulse {
    const pulse = new Pulse(peer, this.#pulses)
    this.#pulses.add(pulse)
    return pulse
  }

  stop(): void {
    clearInterval(this.#timer)
    this.#pulses.clear()
  }

  #beat(): void {
    for (const pulse of this.#pulses) {
      const { peer } = pulse
      if (peer.isReady?.() === false) continue
      if (pulse.silent++ < this.#missed) peer.ask()
      else peer.lost()
    }
  }
}
