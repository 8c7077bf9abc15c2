// Reads the log of a run a piece at a time, also while it is written. The writer may drop its middle and so make it shorter.
import { open } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'

export type LogPiece = { text: string; next_offset: number; ended: boolean; shortened?: boolean }
type Wanted = { offset?: number | undefined; tail_bytes?: number | undefined; wait_ms?: number | undefined }

const PIECE_BYTES = 256 * 1024
const LOOK_MS = 150

/** Waits for more when there is none and the run goes on. */
export async function readLog(
  file: string,
  { offset, tail_bytes, wait_ms = 0 }: Wanted,
  isOver: () => Promise<boolean>,
  signal: AbortSignal,
): Promise<LogPiece> {
  const deadline = performance.now() + wait_ms
  for (;;) {
    // Asked before the look, so that nothing written before the end is missed.
    const over = await isOver()
    const piece = await look(file, offset, tail_bytes)
    if (piece.text !== '' || piece.shortened) return { ...piece, ended: false }
    if (over || signal.aborted || performance.now() >= deadline) return { ...piece, ended: over }
    await sleep(LOOK_MS)
  }
}

async function look(
  file: string,
  offset: number | undefined,
  tail: number | undefined,
): Promise<Omit<LogPiece, 'ended'>> {
  const handle = await open(file, 'r').catch(() => undefined)
  // Not begun yet, or tidied away since.
  if (!handle) return { text: '', next_offset: offset ?? 0 }
  try {
    const { size } = await handle.stat()
    const from = offset ?? Math.max(0, tail === undefined ? 0 : size - tail)
    if (from > size) return { text: '', next_offset: size, shortened: true }
    const { buffer, bytesRead } = await handle.read(
      Buffer.alloc(Math.min(PIECE_BYTES, size - from)),
      0,
      undefined,
      from,
    )
    const bytes = buffer.subarray(0, wholeCharacters(buffer.subarray(0, bytesRead)))
    return { text: bytes.toString('utf8'), next_offset: from + bytes.length }
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
