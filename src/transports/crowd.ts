// How many connections a door takes. Who has not shown who it is takes the place of others who have not, and of nobody else. One
// caller beyond the limit is not cut off, which it could only call a broken pipe: it is answered with a sentence.
import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'
import { CoreError, type HubError } from '#contract/errors.ts'

export type Room = {
  /** Callers that are known by a credential. */
  known: number
  /** Connections on which nobody has shown a credential. The oldest goes for a new one, also if it speaks: anybody can drip. */
  strangers: number
}

export const ROOM: Room = { known: 2048, strangers: 256 }
/** Beyond the limit, for people: whoever runs the hub must be able to see what fills it. */
const FOR_PEOPLE = 256
/** WebSocket's own code for it. */
export const TRY_AGAIN = 1013

export class Crowd {
  readonly #room: Room
  /** In the order in which they came. */
  readonly #strangers = new Map<unknown, Socket>()
  readonly #known = new Map<unknown, Socket>()

  constructor(room: Room) {
    this.#room = room
  }

  watch(server: Server): void {
    const room = this.#room
    server.maxConnections = room.known + room.strangers + FOR_PEOPLE
    // Before TLS: who does not even begin to speak it is a stranger, too.
    server.on('connection', (socket: Socket) => {
      const name = nameOf(socket)
      this.#strangers.set(name, socket)
      socket.once('close', () => {
        for (const places of [this.#strangers, this.#known]) if (places.get(name) === socket) places.delete(name)
      })
      if (this.#strangers.size > room.strangers) this.#evict()
    })
  }

  /** Takes a place for a caller that has shown who it is. The answer says why there is none. */
  admit({ socket }: Pick<IncomingMessage, 'socket'>, isPerson: boolean): HubError | undefined {
    const name = nameOf(socket)
    const stranger = this.#strangers.get(name)
    // It is known already, or has gone meanwhile.
    if (!stranger) return undefined
    const limit = this.#room.known
    if (this.#known.size >= limit + (isPerson ? FOR_PEOPLE : 0)) return CoreError.TOO_MANY_CONNECTIONS({ limit })
    this.#strangers.delete(name)
    this.#known.set(name, stranger)
    return undefined
  }

  #evict(): void {
    const [oldest] = this.#strangers
    if (!oldest) return
    this.#strangers.delete(oldest[0])
    oldest[1].destroy()
  }
}

/** What requests of a TLS server come over is made of the connection, and is not it; both have the same other end. */
function nameOf(socket: Socket): unknown {
  return socket.remotePort === undefined ? socket : `${socket.remoteAddress} ${socket.remotePort}`
}
