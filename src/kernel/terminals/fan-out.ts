// Gives the output of one terminal to all who look on. One who is too slow gets nothing more until it can have a fresh screen:
// it neither holds up the program nor fills our memory.
import type { TerminalExit, Viewer } from './terminals.ts'

export type Taken = { cols: number; rows: number; title: string; data: string; position: number }

type Chunk = { position: number; bytes: Buffer }
type Seat = {
  viewer: Viewer
  state: 'waiting' | 'live' | 'behind'
  held: Chunk[]
  shown: boolean
  /** What came before this is on the screen that it was shown. */
  from: number
}

const PENDING_BYTES = 1024 * 1024
const CAUGHT_UP_BYTES = 64 * 1024
const LOOK_MS = 50

export class FanOut {
  readonly #seats = new Set<Seat>()
  readonly #take: () => Promise<Taken>
  #looking: NodeJS.Timeout | undefined
  #exit: TerminalExit | undefined

  /** `take` has the host take a picture, and makes it send all output from before that moment on. */
  constructor(take: () => Promise<Taken>) {
    this.#take = take
  }

  get size(): number {
    return this.#seats.size
  }

  /** Settles when the viewer has its first screen. */
  async add(viewer: Viewer): Promise<() => void> {
    const seat: Seat = { viewer, state: 'waiting', held: [], shown: false, from: 0 }
    this.#seats.add(seat)
    try {
      await this.#show(seat)
    } catch (error) {
      this.#seats.delete(seat)
      throw error
    }
    return () => void this.#seats.delete(seat)
  }

  output(position: number, bytes: Buffer): void {
    for (const seat of this.#seats) this.#give(seat, { position, bytes })
  }

  each(tell: (viewer: Viewer) => void): void {
    for (const seat of this.#seats) tell(seat.viewer)
  }

  /** A new connection to the host: nobody knows what was missed. */
  refresh(): void {
    for (const seat of this.#seats) this.#again(seat)
  }

  /** Everybody sees the last screen first, also those who are behind. */
  end(exit: TerminalExit): void {
    this.#exit = exit
    for (const seat of this.#seats) {
      if (seat.state === 'live') this.#leave(seat, exit)
      else if (seat.state === 'behind') this.#again(seat)
    }
    clearInterval(this.#looking)
    this.#looking = undefined
  }

  #leave(seat: Seat, exit: TerminalExit): void {
    if (this.#seats.delete(seat)) seat.viewer.ended(exit)
  }

  #give(seat: Seat, chunk: Chunk): void {
    if (seat.state === 'waiting') return void seat.held.push(chunk)
    if (seat.state === 'behind') return
    if (seat.viewer.pending > PENDING_BYTES) {
      seat.state = 'behind'
      this.#looking ??= setInterval(() => this.#look(), LOOK_MS)
      return
    }
    // The host may send late what it had gathered before it took the picture.
    const fresh = chunk.bytes.subarray(Math.max(0, seat.from - chunk.position))
    if (fresh.length > 0) seat.viewer.output(fresh)
  }

  #look(): void {
    let behind = 0
    for (const seat of this.#seats) {
      if (seat.state !== 'behind') continue
      if (seat.viewer.pending < CAUGHT_UP_BYTES) this.#again(seat)
      else behind++
    }
    if (behind > 0) return
    clearInterval(this.#looking)
    this.#looking = undefined
  }

  #again(seat: Seat): void {
    if (seat.state === 'waiting') return
    seat.state = 'waiting'
    // Without the host nobody can show anything; when it is back, everybody is shown the screen again.
    this.#show(seat).catch(() => (seat.state = 'live'))
  }

  async #show(seat: Seat): Promise<void> {
    const taken = await this.#take().catch(error => {
      // The screen went with its host; how it ended is all that is left to say.
      if (!this.#exit) throw error
      return this.#leave(seat, this.#exit)
    })
    if (!taken || !this.#seats.has(seat)) return
    const { position, data, ...rest } = taken
    seat.viewer.screen({ ...rest, data: Buffer.from(data), resync: seat.shown })
    seat.shown = true
    seat.from = position
    seat.state = 'live'
    for (const chunk of seat.held.splice(0)) this.#give(seat, chunk)
    if (this.#exit) this.#leave(seat, this.#exit)
  }
}
