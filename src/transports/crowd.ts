// How many connections a door takes. One beyond that is not cut off, which its client could only call a broken pipe: its first
// request is answered with a sentence, and it closes.
import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { CoreError, type HubError } from '#contract/errors.ts'

export const SOCKETS = 2048
/** So many at once get an answer; further ones are cut off. */
const TOLD = 512
/** WebSocket's own code for it. */
export const TRY_AGAIN = 1013

const beyond = new WeakMap<object, number>()

export function limitConnections(server: Server, most: number, secure: boolean): void {
  server.maxConnections = most + TOLD
  let open = 0
  // What requests of a TLS server come over is made of the connection, and is not it.
  server.on(secure ? 'secureConnection' : 'connection', (socket: Socket) => {
    if (open >= most) {
      beyond.set(socket, most)
      return
    }
    open++
    socket.once('close', () => open--)
  })
}

/** Why nothing but the proof is to be had over this connection. */
export function crowdedOut(socket: object): HubError | undefined {
  const limit = beyond.get(socket)
  return limit === undefined ? undefined : CoreError.TOO_MANY_CONNECTIONS({ limit })
}
