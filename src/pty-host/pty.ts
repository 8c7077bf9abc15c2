// One pseudo terminal: both of its ends. Knows no program and no screen.
import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import { createRequire } from 'node:module'
import tty from 'node:tty'

/** The library's own classes lose the tail of the output and spin on a full terminal, so only its binary is used. */
type Binary = {
  open(cols: number, rows: number): { master: number; slave: number; pty: string }
  resize(fd: number, cols: number, rows: number): void
}

let binary: Binary | undefined
function native(): Binary {
  const require = createRequire(import.meta.url)
  const library = require('@lydell/node-pty/requireBinary.js') as { requireBinary(file: string): Binary }
  return (binary ??= library.requireBinary('pty.node'))
}

const MARK_RETRY_MS = 5
/** Nothing came for so long although the mark could not be written: the output was stopped by Ctrl-S and stays so. */
const STOPPED_MS = 500
const DRAIN_MS = 10_000

export class Pty {
  /** What the program opens. */
  readonly path: string
  readonly #master: number
  /**
   * Held open all the time. Without it the system hangs up as soon as the program has ended, and what was not read by then is
   * lost.
   */
  readonly #slave: number
  readonly #stream: tty.ReadStream
  readonly #onData: (bytes: Buffer) => void
  #drain: Drain | undefined
  #paused = false
  #open = true

  constructor(cols: number, rows: number, onData: (bytes: Buffer) => void) {
    const { master, slave, pty } = native().open(cols, rows)
    this.path = pty
    this.#master = master
    this.#slave = slave
    this.#onData = onData
    this.#stream = new tty.ReadStream(master)
    this.#stream.on('error', () => {}) // EIO cannot come while we hold the other end.
    this.#stream.on('data', (bytes: Buffer) => {
      if (this.#drain) this.#drain.received(bytes)
      else this.#onData(bytes)
    })
  }

  pause(): void {
    this.#paused = true
    this.#stream.pause()
  }

  resume(): void {
    this.#paused = false
    this.#drain?.wake()
    if (this.#open) this.#stream.resume()
  }

  resize(cols: number, rows: number): void {
    if (this.#open) native().resize(this.#master, cols, rows)
  }

  /** How many of the bytes it took; 0 while the program reads nothing and all buffers are full. */
  write(bytes: Uint8Array): number {
    return this.#open ? writeSome(this.#master, bytes) : 0
  }

  /**
   * Settles when all that the program wrote has been read. A mark of our own, written behind it, proves that: the system
   * hands output over in order, but at times of its own, so that an empty read proves nothing.
   */
  drained(): Promise<void> {
    const drain = new Drain({
      write: bytes => (this.#open ? writeSome(this.#slave, bytes) : 0),
      onData: this.#onData,
      paused: () => this.#paused,
    })
    this.#drain = drain
    return drain.done
  }

  /** Processes left in the terminal get a hang-up. */
  close(): void {
    if (!this.#open) return
    this.#open = false
    this.#stream.destroy()
    fs.closeSync(this.#slave)
  }
}

type DrainOptions = {
  write(bytes: Uint8Array): number
  onData(bytes: Buffer): void
  /** Nothing can come: the reader of the output is behind. */
  paused(): boolean
}

class Drain {
  readonly done: Promise<void>
  readonly #mark: Buffer
  readonly #options: DrainOptions
  #heard = performance.now()
  #held: Buffer = Buffer.alloc(0)
  #written = 0
  #finish = () => {}
  #ended = false
  readonly #timer: NodeJS.Timeout

  constructor(options: DrainOptions) {
    // Without lower-case letters: a terminal can be set to capitalise them.
    this.#mark = Buffer.from(`\x1b_${randomBytes(16).toString('hex').toUpperCase()}\x1b\\`)
    this.#options = options
    this.done = new Promise(resolve => {
      this.#finish = resolve
    })
    this.#timer = setInterval(() => this.#step(), MARK_RETRY_MS)
    this.#step()
  }

  received(bytes: Buffer): void {
    if (this.#ended) return
    this.#heard = performance.now()
    const all = this.#held.length > 0 ? Buffer.concat([this.#held, bytes]) : bytes
    const at = all.indexOf(this.#mark)
    if (at !== -1) return this.#end(all.subarray(0, at))
    // The mark may come in two pieces.
    const sure = Math.max(0, all.length - this.#mark.length + 1)
    this.#held = Buffer.from(all.subarray(sure))
    if (sure > 0) this.#options.onData(all.subarray(0, sure))
    this.#step()
  }

  wake(): void {
    this.#heard = performance.now()
  }

  #step(): void {
    if (this.#ended) return
    if (this.#written < this.#mark.length) this.#written += this.#options.write(this.#mark.subarray(this.#written))
    if (this.#options.paused()) return
    const silence = performance.now() - this.#heard
    if (silence > (this.#written < this.#mark.length ? STOPPED_MS : DRAIN_MS)) this.#end(this.#held)
  }

  #end(last: Buffer): void {
    this.#ended = true
    clearInterval(this.#timer)
    if (last.length > 0) this.#options.onData(last)
    this.#finish()
  }
}

/** Both ends are non-blocking. */
function writeSome(fd: number, bytes: Uint8Array): number {
  try {
    return fs.writeSync(fd, bytes)
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    if (code === 'EAGAIN' || code === 'EIO') return 0
    throw cause
  }
}
