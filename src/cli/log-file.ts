// Reads the end of a log that another process writes and rotates: `hub.log` becomes `hub.log.1` and starts again.
import fs from 'node:fs'
import { LineSplitter } from '#system/line-splitter.ts'

const BLOCK = 64 * 1024
const POLL_MS = 200
const NEWLINE = 0x0a

/** The last lines, of the file before as well when this one is still short; and how far the file was read. */
export function tail(file: string, count: number): { lines: string[]; end: number } {
  const { lines, end } = lastLines(file, count)
  const before = `${file}.1`
  if (lines.length >= count || !fs.existsSync(before)) return { lines, end }
  return { lines: [...lastLines(before, count - lines.length).lines, ...lines], end }
}

function lastLines(file: string, count: number): { lines: string[]; end: number } {
  const fd = fs.openSync(file, 'r')
  try {
    let start = fs.fstatSync(fd).size
    let text = Buffer.alloc(0)
    let newlines = 0
    // One more than asked for: the line before the first must end.
    while (start > 0 && newlines <= count) {
      const size = Math.min(BLOCK, start)
      const block = Buffer.alloc(size)
      fs.readSync(fd, block, 0, size, start - size)
      start -= size
      for (const byte of block) if (byte === NEWLINE) newlines++
      text = Buffer.concat([block, text])
    }
    // The writer may be in the middle of a line; follow() takes it up from its beginning.
    const whole = text.subarray(0, text.lastIndexOf(NEWLINE) + 1)
    const lines = whole.toString('utf8').split('\n').slice(0, -1)
    return { lines: lines.slice(-count), end: start + whole.length }
  } finally {
    fs.closeSync(fd)
  }
}

/** Calls `show` with each whole line from `start` on, until aborted. */
export async function follow(
  file: string,
  start: number,
  show: (line: string) => void,
  signal: AbortSignal,
): Promise<void> {
  let fd = fs.openSync(file, 'r')
  let position = start
  let lines = splitter(show)
  const readOn = () => {
    for (;;) {
      // A block of its own each time: the splitter keeps what is not a whole line yet.
      const block = Buffer.alloc(BLOCK)
      const read = fs.readSync(fd, block, 0, BLOCK, position)
      if (read === 0) return
      position += read
      lines.push(block.subarray(0, read))
    }
  }
  try {
    for (;;) {
      readOn()
      if (signal.aborted) return
      const present = fs.statSync(file, { throwIfNoEntry: false })
      const ours = fs.fstatSync(fd)
      if (present && (present.ino !== ours.ino || present.size < position)) {
        fs.closeSync(fd)
        fd = fs.openSync(file, 'r')
        position = 0
        lines = splitter(show)
        continue
      }
      await new Promise(resolve => setTimeout(resolve, POLL_MS))
    }
  } finally {
    fs.closeSync(fd)
  }
}

/** However long: it is our own log. */
function splitter(show: (line: string) => void): LineSplitter {
  const line = (bytes: Buffer) => show(bytes.toString('utf8'))
  return new LineSplitter(Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER, { line, oversize: line })
}
