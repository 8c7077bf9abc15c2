// Reads the log of a run a piece at a time, also while it is written. The writer may drop its middle and so make it shorter.
import { watch } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import { basename, dirname } from 'node:path'

export type LogPiece = { text: string; next_offset: number; ended: boolean; shortened?: boolean }
type Wanted = { offset?: number | undefined; tail_bytes?: number | undefined; wait_ms?: number | undefined }

export type FollowedRun = {
  isOver: () => Promise<boolean>
  /** Calls back when the run has ended; answers how to hear no more. */
  onEnd: (listener: () => void) => () => void
}

const PIECE_BYTES = 256 * 1024
/** Only where the system cannot say that a file changes. */
const LOOK_MS = 1000
/** Should the news of an end ever be lost. */
const FOLLOW_MS = 30_000

/** Waits for more when there is none and the run goes on. */
export async function readLog(
  file: string,
  { offset, tail_bytes, wait_ms = 0 }: Wanted,
  { isOver, onEnd }: FollowedRun,
  signal: AbortSignal,
): Promise<LogPiece> {
  const deadline = performance.now() + wait_ms
  // Begun before the first look, so that nothing is missed between a look and the wait.
  using news = new News(wait_ms > 0 ? file : undefined, onEnd, signal)
  for (;;) {
    // Asked before the look, so that nothing written before the end is missed.
    const over = await isOver()
    const piece = await look(file, offset, tail_bytes)
    if (piece.text !== '' || piece.shortened) return { ...piece, ended: false }
    const left = deadline - performance.now()
    if (over || signal.aborted || left <= 0) return { ...piece, ended: over }
    await news.next(left)
  }
}

/** Where it goes on from: at the start, and after its middle was dropped. Everything between is bytes. */
export type LogStep = { bytes: Buffer } | { from: number; shortened: boolean }

/** All of it from there on, as it is written, until the run has ended. Reads on when the reader asks for more. */
export async function* followLog(
  { file, isOver, onEnd }: FollowedRun & { file: string },
  start: { from: number } | { tail: number },
  signal: AbortSignal,
): AsyncGenerator<LogStep, void> {
  using news = new News(file, onEnd, signal)
  let from = 'from' in start ? start.from : await endOf(file, start.tail)
  yield { from, shortened: false }
  let known = 0
  while (!signal.aborted) {
    // Asked before the look, so that nothing written before the end is missed.
    const over = await isOver()
    const { bytes, size } = await bytesOf(file, from)
    const isShorter = size < known
    known = size
    // A reader that was behind stands in other bytes than before.
    if (from > size || isShorter) {
      from = Math.min(from, size)
      yield { from, shortened: true }
    } else if (bytes.length > 0) {
      from += bytes.length
      yield { bytes }
    } else if (over) return
    else await news.next(FOLLOW_MS)
  }
}

/** Its end, or nothing where it cannot be read from here. */
export async function tailOf(file: string, bytes: number): Promise<string> {
  return (await look(file, undefined, bytes)).text
}

/** Whether the file was written to, or its run has ended, since it was last asked. */
class News {
  readonly #ends: (() => void)[] = []
  #isNew = false
  #wake = () => {}
  #canWatch = false

  constructor(file: string | undefined, onEnd: FollowedRun['onEnd'], signal: AbortSignal) {
    if (file === undefined) return
    const tell = () => {
      this.#isNew = true
      this.#wake()
    }
    this.#ends.push(onEnd(tell))
    signal.addEventListener('abort', tell)
    this.#ends.push(() => signal.removeEventListener('abort', tell))
    try {
      // Its folder: the file itself may not be there yet.
      const watcher = watch(dirname(file), (_, name) => {
        if (name === null || name === basename(file)) tell()
      })
      watcher.on('error', tell)
      this.#ends.push(() => watcher.close())
      this.#canWatch = true
    } catch {
      // The folder is missing, or the system has no watchers left: then it is looked at now and then.
    }
  }

  next(ms: number): Promise<void> {
    return new Promise(resolve => {
      const timer = setTimeout(() => this.#wake(), this.#canWatch ? ms : Math.min(ms, LOOK_MS))
      this.#wake = () => {
        clearTimeout(timer)
        this.#isNew = false
        this.#wake = () => {}
        resolve()
      }
      if (this.#isNew) this.#wake()
    })
  }

  [Symbol.dispose](): void {
    for (const end of this.#ends.splice(0)) end()
  }
}

async function look(
  file: string,
  offset: number | undefined,
  tail: number | undefined,
): Promise<Omit<LogPiece, 'ended'>> {
  const from = offset ?? (tail === undefined ? 0 : await endOf(file, tail))
  const { bytes: read, size } = await bytesOf(file, from)
  if (from > size) return { text: '', next_offset: size, shortened: true }
  const bytes = read.subarray(0, wholeCharacters(read))
  return { text: bytes.toString('utf8'), next_offset: from + bytes.length }
}

/** Where the last so many bytes begin. */
async function endOf(file: string, tail: number): Promise<number> {
  const found = await stat(file).catch(() => undefined)
  return Math.max(0, (found?.size ?? 0) - tail)
}

/** A piece of it; nothing when it has not begun yet, or was tidied away since. */
async function bytesOf(file: string, from: number): Promise<{ bytes: Buffer; size: number }> {
  const handle = await open(file, 'r').catch(() => undefined)
  if (!handle) return { bytes: Buffer.alloc(0), size: from }
  try {
    const { size } = await handle.stat()
    const length = Math.max(0, Math.min(PIECE_BYTES, size - from))
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, undefined, from)
    return { bytes: buffer.subarray(0, bytesRead), size }
  } finally {
    await handle.close()
  }
}

/** Without a character whose rest is not there yet, unless it is none. */
function wholeCharacters(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] as number
    if ((byte & 0xc0) === 0x80) continue
    const needed = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1
    const isCut = needed > back && bytes.length > back
    return isCut ? bytes.length - back : bytes.length
  }
  return bytes.length
}
