import type { WebSocket } from 'ws'
import type { Heartbeat, Rhythm } from '#system/heartbeat.ts'

/** A peer that said nothing since it was last asked is gone, whatever its socket says. */
export const RHYTHM: Rhythm = { everyMs: 10_000, missed: 1 }
const PENDING_BYTES = 64 * 1024

export type Watching = {
  heart: Heartbeat
  /** How long a peer may take to close after a fault. */
  closeMs: number
  fault?: (error: Error) => void
}

/** Sees to a connection of a server with `autoPong: false`: its pings, its silence, its faults. */
export function watchSocket(client: WebSocket, { heart, closeMs, fault }: Watching): void {
  const pulse = heart.watch({ ask: () => client.ping(), lost: () => client.terminate() })
  // A message, too: the answer to a ping stands behind all that was sent before it.
  for (const sign of ['pong', 'message']) client.on(sign, () => pulse.heard())
  client.on('ping', data => {
    // A client that sends pings and reads nothing would fill our memory with the answers.
    if (client.bufferedAmount < PENDING_BYTES) client.pong(data)
  })
  // It closes itself, with a code that says why; cutting it off here would swallow that.
  client.on('error', error => {
    fault?.(error)
    setTimeout(() => client.terminate(), closeMs).unref()
  })
  client.on('close', () => pulse.end())
}
