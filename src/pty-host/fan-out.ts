// Gives the output of one terminal to all viewers. One that is too slow gets nothing more until it can have a fresh screen:
// it neither holds up the program nor fills our memory.
import type { TerminalExit } from '#kernel/terminals/terminals.ts'

/** Calls come in order, and none after `ended`. */
export interface Viewer {
  /** All that was shown before is void: this is the state now. Comes first, and again after falling behind. */
  screen(snapshot: Snapshot): void
  output(bytes: Uint8Array): void
  /** A viewer's window set the size for all. */
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
/** What one viewer gets, and how far it is. */
type Feed = {
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
  readonly #feeds = new Set<Feed>()
  readonly #take: () => Promise<Picture>
  #looking: NodeJS.Timeout | undefined
  #exit: TerminalExit | undefined

  /** `take` takes a picture of the screen; it may come later than output that is not in it. */
  constructor(take: () => Promise<Picture>) {
    this.#take = take
  }

  get size(): number {
    return this.#feeds.size
  }

  /** The first screen comes as soon as it can be had. Returns what takes the viewer away again. */
  add(viewer: Viewer): () => void {
    const feed: Feed = { viewer, state: 'waiting', held: [], shown: false, from: 0 }
    this.#feeds.add(feed)
    void this.#show(feed)
    return () => void this.#feeds.delete(feed)
  }

  output(position: number, bytes: Buffer): void {
    for (const feed of this.#feeds) this.#give(feed, { position, bytes })
  }

  each(tell: (viewer: Viewer) => void): void {
    for (const feed of this.#feeds) tell(feed.viewer)
  }

  /** Every viewer sees the last screen first, slow ones too. */
  end(exit: TerminalExit): void {
    this.#exit = exit
    for (const feed of this.#feeds) {
      if (feed.state === 'live') this.#leave(feed, exit)
      else if (feed.state === 'behind') this.#again(feed)
    }
    clearInterval(this.#looking)
    this.#looking = undefined
  }

  #leave(feed: Feed, exit: TerminalExit): void {
    if (this.#feeds.delete(feed)) feed.viewer.ended(exit)
  }

  #give(feed: Feed, chunk: Chunk): void {
    if (feed.state === 'waiting') return void feed.held.push(chunk)
    if (feed.state === 'behind') return
    if (feed.viewer.pending > PENDING_BYTES) {
      feed.state = 'behind'
      this.#looking ??= setInterval(() => this.#look(), LOOK_MS)
      return
    }
    // What was gathered before the picture was taken may come behind it.
    const fresh = chunk.bytes.subarray(Math.max(0, feed.from - chunk.position))
    if (fresh.length > 0) feed.viewer.output(fresh)
  }

  #look(): void {
    let lagging = 0
    for (const feed of this.#feeds) {
      if (feed.state !== 'behind') continue
      if (feed.viewer.pending < CAUGHT_UP_BYTES) this.#again(feed)
      else lagging++
    }
    if (lagging > 0) return
    clearInterval(this.#looking)
    this.#looking = undefined
  }

  #again(feed: Feed): void {
    if (feed.state === 'waiting') return
    feed.state = 'waiting'
    void this.#show(feed)
  }

  async #show(feed: Feed): Promise<void> {
    const { position, ...picture } = await this.#take()
    if (!this.#feeds.has(feed)) return
    feed.viewer.screen({ ...picture, resync: feed.shown })
    feed.shown = true
    feed.from = position
    feed.state = 'live'
    for (const chunk of feed.held.splice(0)) this.#give(feed, chunk)
    if (this.#exit) this.#leave(feed, this.#exit)
  }
}
