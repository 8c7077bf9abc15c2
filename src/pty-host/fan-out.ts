// Gives the output of one terminal to all who look on. One who is too slow gets nothing more until it can have a fresh screen:
// it neither holds up the program nor fills our memory.
import type { TerminalExit } from '#kernel/terminals/terminals.ts'

/** Somebody who looks on. Calls come in order, and none after `ended`. */
export interface Viewer {
  /** All that was shown before is void: this is the state now. Comes first, and again after falling behind. */
  screen(snapshot: Snapshot): void
  output(bytes: Uint8Array): void
  /** Somebody's window decided the size of all. */
  resized(cols: number, rows: number): void
  ended(exit: TerminalExit): void
  /** Bytes given to it that did not leave yet. Above 1 MB it gets nothing more until it can have a fresh screen. */
  readonly pending: number
}

export type Snapshot = {
  cols: number
  rows: number
  title: string
  /** Draws the screen and up to 1,000 lines before it on an empty terminal of that size. */
  data: Uint8Array
  /** Not the first: the viewer was too slow. */
  resync: boolean
}

/** The output before `position` is in it. */
export type Picture = Omit<Snapshot, 'resync'> & { position: number }

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
  readonly #take: () => Promise<Picture>
  #looking: NodeJS.Timeout | undefined
  #exit: TerminalExit | undefined

  /** `take` takes a picture of the screen; it may come later than output that is not in it. */
  constructor(take: () => Promise<Picture>) {
    this.#take = take
  }

  get size(): number {
    return this.#seats.size
  }

  /** The first screen comes as soon as it can be had. Returns what takes the viewer away again. */
  add(viewer: Viewer): () => void {
    const seat: Seat = { viewer, state: 'waiting', held: [], shown: false, from: 0 }
    this.#seats.add(seat)
    void this.#show(seat)
    return () => void this.#seats.delete(seat)
  }

  output(position: number, bytes: Buffer): void {
    for (const seat of this.#seats) this.#give(seat, { position, bytes })
  }

  each(tell: (viewer: Viewer) => void): void {
    for (const seat of this.#seats) tell(seat.viewer)
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
    // What was gathered before the picture was taken may come behind it.
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
    void this.#show(seat)
  }

  async #show(seat: Seat): Promise<void> {
    const { position, ...picture } = await this.#take()
    if (!this.#seats.has(seat)) return
    seat.viewer.screen({ ...picture, resync: seat.shown })
    seat.shown = true
    seat.from = position
    seat.state = 'live'
    for (const chunk of seat.held.splice(0)) this.#give(seat, chunk)
    if (this.#exit) this.#leave(seat, this.#exit)
  }
}
