// A link whose frames are lines, for a hub on this machine (the other end is the hub's line-socket.ts).
import type { Duplex } from 'node:stream'
import { Heartbeat, type Pulse } from '#system/heartbeat.ts'
import { LineSplitter } from '#system/line-splitter.ts'
import { Congestion } from './congestion.ts'
import { ABNORMAL, type Closed, FROM_HUB_BYTES, type Link, type LinkEvents, RHYTHM } from './link.ts'

const BRACE = 0x7b
const LF = 0x0a

export class LineLink implements Link {
  readonly #socket: Duplex
  readonly #events: LinkEvents
  readonly #congestion: Congestion
  readonly #pulse: Pulse
  readonly closed: Promise<Closed>
  #farewell: Closed = { code: ABNORMAL, reason: '' }

  constructor(socket: Duplex, head: Buffer, events: LinkEvents) {
    this.#socket = socket
    this.#events = events
    this.#congestion = new Congestion(
      () => socket.writableLength,
      yes => events.congested(yes),
    )
    const heart = new Heartbeat(RHYTHM)
    this.#pulse = heart.watch({
      ask: () => void socket.write('?\n'),
      lost: () => this.terminate(),
      isReady: () => !socket.isPaused() && socket.writable,
    })
    const lines = new LineSplitter(FROM_HUB_BYTES, FROM_HUB_BYTES, {
      line: (bytes, chunk) => this.#line(bytes, chunk),
      oversize: () => this.terminate(),
    })
    // A broken connection also closes; the close is what we act on.
    socket.on('error', () => {})
    socket.on('end', () => socket.end())
    if (head.length > 0) socket.unshift(head)
    socket.on('data', (chunk: Buffer) => lines.push(chunk))
    this.closed = new Promise(resolve => {
      socket.on('close', () => {
        heart.stop()
        resolve(this.#farewell)
      })
    })
  }

  send(frame: string): void {
    this.#congestion.send(flushed => this.#socket.write(`${frame}\n`, flushed))
  }

  pause(): void {
    this.#socket.pause()
  }

  resume(): void {
    this.#socket.resume()
  }

  terminate(): void {
    this.#socket.destroy()
  }

  #line(bytes: Buffer, chunk: Buffer | undefined): void {
    this.#pulse.heard()
    if (bytes[0] === BRACE) {
      const whole = chunk && withBreak(bytes, chunk)
      if (whole && this.#events.line?.(whole)) return
      return this.#events.frame(bytes.toString('utf8'))
    }
    const text = bytes.toString('utf8')
    if (text === '?') return void this.#socket.write('!\n')
    const [, code, reason = ''] = /^bye (\d{4}) (.*)$/.exec(text) ?? []
    if (code !== undefined) this.#farewell = { code: Number(code), reason }
  }
}

/** Nearly always a piece is one line. Undefined where something else stands before the break. */
function withBreak(line: Buffer, chunk: Buffer): Buffer | undefined {
  if (line.length + 1 === chunk.length) return chunk
  const from = line.byteOffset - chunk.byteOffset
  const end = from + line.length
  return chunk[end] === LF ? chunk.subarray(from, end + 1) : undefined
}
