// What every WebSocket to a hub needs: to know that it is open or why not, and to notice a hub that fell silent.
import type { IncomingMessage } from 'node:http'
import { WebSocket } from 'ws'
import { Heartbeat, type Rhythm } from '#system/heartbeat.ts'

const RHYTHM = { everyMs: 10_000, missed: 3 }
const REASON_CHARS = 4096

/** Rejects with what `refused` makes of the hub's answer, else with the connection's error. */
export function opened(socket: WebSocket, refused: (status: number, body: string) => Error): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.once('open', resolve)
    socket.on('error', reject) // Also later: 'close' follows and is reported.
    socket.once('unexpected-response', (request, response: IncomingMessage) => {
      let body = ''
      response.on('data', (chunk: Buffer) => {
        if (body.length < REASON_CHARS) body += chunk.toString()
      })
      response.on('error', () => {})
      response.on('close', () => {
        request.destroy()
        reject(refused(response.statusCode ?? 0, body))
      })
    })
  })
}

/** Cuts the connection to a hub that does not answer any more. From `open` on. */
export function dropWhenSilent(socket: WebSocket, rhythm: Rhythm = RHYTHM): void {
  const heart = new Heartbeat(rhythm)
  const pulse = heart.watch({
    ask: () => socket.ping(),
    lost: () => socket.terminate(),
    isReady: () => socket.readyState === WebSocket.OPEN && !socket.isPaused,
  })
  for (const sign of ['pong', 'message']) socket.on(sign, () => pulse.heard())
  socket.on('close', () => heart.stop())
}

/** Of a path below the hub's address. */
export function addressOf(url: string, path: string): URL {
  return new URL(path, url.endsWith('/') ? url : `${url}/`)
}
