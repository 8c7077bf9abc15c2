// A log file that never grows beyond its cap: the beginning and the latest output stay, a mark says how much is missing
// between. One file, appended to and now and then shortened in place, so that `tail -f` works on it.
import fs, { type FileHandle } from 'node:fs/promises'

export type CappedLogOptions = {
  /** Bytes; the file is never larger. */
  cap?: number
  /** Bytes of the beginning that are never dropped. */
  head?: number
}

const CAP = 64 * 1024 * 1024
const HIGH_WATER = 1024 * 1024
const LOW_WATER = 256 * 1024
const BLOCK_BYTES = 256 * 1024
const LINE_SEARCH_BYTES = 64 * 1024
/** Room for the mark, whatever the number in it. */
const MARK_BYTES = 64

export class CappedLog {
  readonly #file: FileHandle
  readonly #cap: number
  readonly #head: number
  #size = 0
  #dropped = 0
  /** Length of the mark that is in the file. */
  #markBytes = 0
  /** Bytes that a full disk did not take; the log says so as soon as there is room again. */
  #refused = 0
  #waiting: Buffer[] = []
  #pending = 0
  #working = false
  #done: Promise<void> = Promise.resolve()
  #drained: (() => void)[] = []

  static async create(path: string, options: CappedLogOptions = {}): Promise<CappedLog> {
    return new CappedLog(await fs.open(path, 'wx+', 0o600), options)
  }

  private constructor(file: FileHandle, { cap = CAP, head = Math.floor(cap / 4) }: CappedLogOptions) {
    this.#file = file
    this.#cap = Math.max(cap, 1024)
    this.#head = Math.min(head, Math.floor(this.#cap / 2))
  }

  get size(): number {
    return this.#size
  }

  /** All that was ever written to it and is not in the file. */
  get dropped(): number {
    return this.#dropped + this.#refused
  }

  /** More is waiting than we should hold in memory: stop reading until `drained`. */
  get full(): boolean {
    return this.#pending > HIGH_WATER
  }

  /** Takes the bytes over; never fails. */
  write(bytes: Uint8Array): void {
    this.#waiting.push(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))
    this.#pending += bytes.byteLength
    if (!this.#working) this.#done = this.#work()
  }

  drained(): Promise<void> {
    if (this.#pending <= LOW_WATER) return Promise.resolve()
    return new Promise(resolve => this.#drained.push(resolve))
  }

  async close(): Promise<void> {
    while (this.#working) await this.#done
    await this.#file.close()
  }

  async #work(): Promise<void> {
    this.#working = true
    while (this.#waiting.length > 0) {
      const bytes = Buffer.concat(this.#waiting)
      this.#waiting = []
      await this.#append(bytes)
      this.#pending -= bytes.length
      if (this.#pending <= LOW_WATER) for (const resolve of this.#drained.splice(0)) resolve()
    }
    // In the same breath as the last look, or what comes in between would wait for ever.
    this.#working = false
  }

  /** In pieces that always fit beside the head after the file was shortened. */
  async #append(bytes: Buffer): Promise<void> {
    const piece = Math.floor((this.#cap - this.#head - MARK_BYTES) / 2)
    let at = 0
    try {
      await this.#tellRefused()
      for (; at < bytes.length; at += piece) await this.#fit(bytes.subarray(at, at + piece))
    } catch {
      // The disk is full or gone. A log must not take its program, or us, down.
      this.#refused += bytes.length - at
      await this.#file.truncate(this.#size).catch(() => {}) // Some of it may have been written.
    }
  }

  async #tellRefused(): Promise<void> {
    const refused = this.#refused
    if (refused === 0) return
    await this.#fit(Buffer.from(`\n${mark(refused)}\n`))
    this.#refused -= refused
    this.#dropped += refused
  }

  async #fit(bytes: Buffer): Promise<void> {
    if (this.#size + bytes.length > this.#cap) await this.#shorten(bytes.length)
    await this.#put(bytes, this.#size)
    this.#size += bytes.length
  }

  /** Keeps the head and as much of the end as leaves room for a good deal more. */
  async #shorten(needed: number): Promise<void> {
    const room = this.#cap - this.#head - MARK_BYTES - needed
    const from = await this.#lineAfter(this.#size - Math.floor(room / 2))
    this.#dropped += from - this.#head - this.#markBytes
    const sentence = Buffer.from(`\n${mark(this.#dropped)}\n`)
    const kept = this.#size - from
    const target = this.#head + sentence.length
    await this.#put(sentence, this.#head)
    // In blocks: the whole of it would be much to have in memory for each of many logs.
    const block = Buffer.alloc(Math.min(kept, BLOCK_BYTES))
    for (let at = 0; at < kept; ) {
      const { bytesRead } = await this.#file.read(block, 0, Math.min(block.length, kept - at), from + at)
      if (bytesRead === 0) break
      await this.#put(block.subarray(0, bytesRead), target + at)
      at += bytesRead
    }
    this.#size = target + kept
    this.#markBytes = sentence.length
    await this.#file.truncate(this.#size)
  }

  /** The beginning of the next line, unless that is far away. */
  async #lineAfter(position: number): Promise<number> {
    const block = Buffer.alloc(Math.min(this.#size - position, LINE_SEARCH_BYTES))
    const { bytesRead } = await this.#file.read(block, 0, block.length, position)
    return position + block.subarray(0, bytesRead).indexOf(0x0a) + 1
  }

  async #put(bytes: Buffer, position: number): Promise<void> {
    for (let at = 0; at < bytes.length; ) {
      const { bytesWritten } = await this.#file.write(bytes, at, bytes.length - at, position + at)
      at += bytesWritten
    }
  }
}

function mark(bytes: number): string {
  return `[${bytes} bytes dropped]`
}
