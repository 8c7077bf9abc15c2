// Sends a log over a WebSocket as it is written: each piece when the one before has left, so that a long log fills no memory.
import type { WebSocket } from 'ws'
import type { LogStep } from './hub.ts'

/** The reader was too slow: it should come back, from where it was. */
const RESYNC = 4008
/** A reader that takes longer for one piece holds a file open for nothing. */
const TAKE_MS = 15_000
const TAIL_BYTES = 16 * 1024 * 1024

export type LogClient = Pick<WebSocket, 'send' | 'close'>

/** Closes when the run has ended, or when the reader does not keep up. */
export async function sendLog(
  client: LogClient,
  steps: AsyncIterable<LogStep>,
  signal: AbortSignal,
  takeMs = TAKE_MS,
): Promise<void> {
  let at = 0
  for await (const step of steps) {
    if (signal.aborted) return
    if ('from' in step) at = step.from
    else at += step.bytes.length
    const frame = 'from' in step ? JSON.stringify(step.shortened ? step : { from: step.from }) : step.bytes
    if (!(await taken(client, frame, takeMs))) return client.close(RESYNC, 'resync')
  }
  if (signal.aborted) return
  await taken(client, JSON.stringify({ ended: true, at }), takeMs)
  client.close(1000)
}

/** Where the reader wants to begin; undefined when it says so in a way that is none. */
export function logStart(query: URLSearchParams): { from: number } | { tail: number } | undefined {
  const [from, tail] = [query.get('from'), query.get('tail')]
  if (tail !== null && from === null)
    return /^\d{1,15}$/.test(tail) ? { tail: Math.min(Number(tail), TAIL_BYTES) } : undefined
  if (from === null) return { from: 0 }
  return /^\d{1,15}$/.test(from) && tail === null ? { from: Number(from) } : undefined
}

function taken(client: LogClient, frame: string | Buffer, ms: number): Promise<boolean> {
  return new Promise(resolve => {
    const timer = setTimeout(() => resolve(false), ms)
    client.send(frame, { binary: typeof frame !== 'string' }, () => {
      clearTimeout(timer)
      // One that failed, too: then it is closed, and the signal says so.
      resolve(true)
    })
  })
}
