import type { WebSocket } from 'ws'

const PENDING_BYTES = 64 * 1024

/** Of a server with `autoPong: false`. Who sends pings and reads nothing would fill our memory with the answers. */
export function answerPings(client: WebSocket): void {
  client.on('ping', data => {
    if (client.bufferedAmount < PENDING_BYTES) client.pong(data)
  })
}
