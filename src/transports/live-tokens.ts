// The connections that are open because of a token that people can revoke. When it is, they are closed, whatever they carry.
import type { Socket } from 'node:net'
import { IdentityError } from '#contract/identity.ts'

/** So long a peer may take to read why it is closed. */
const FAREWELL_MS = 500

export class LiveTokens {
  readonly #open = new Map<string, Set<Socket>>()
  readonly #farewells = new WeakMap<Socket, () => void>()
  /** A name is never given twice. Kept, since a connection may be on its way in while its token is revoked. */
  readonly #revoked = new Set<string>()

  track(name: string, socket: Socket): void {
    if (this.#revoked.has(name)) throw IdentityError.TOKEN_REFUSED()
    const sockets = this.#open.get(name) ?? new Set()
    if (sockets.has(socket)) return
    this.#open.set(name, sockets.add(socket))
    socket.once('close', () => {
      sockets.delete(socket)
      if (sockets.size === 0 && this.#open.get(name) === sockets) this.#open.delete(name)
    })
  }

  /** Lets the peer of this connection know why, before it is cut off. */
  politely(socket: Socket, farewell: () => void): void {
    this.#farewells.set(socket, farewell)
  }

  revoked(name: string): void {
    this.#revoked.add(name)
    for (const socket of this.#open.get(name) ?? []) {
      const farewell = this.#farewells.get(socket)
      if (!farewell) {
        socket.destroy()
        continue
      }
      farewell()
      setTimeout(() => socket.destroy(), FAREWELL_MS).unref()
    }
  }
}
