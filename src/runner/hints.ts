// The hub's word that something happened. Only a hint: polling is what guarantees that nothing is missed.
import { WebSocket } from 'ws'
import { askProof, singleConnection } from '#client/proof.ts'
import { addressOf } from '#client/web-socket.ts'
import type { LinkEndpoint } from '#client/frame-link/link.ts'

const AGAIN_MS = 5000
const HANDSHAKE_MS = 5000

export class Hints {
  readonly #endpoint: LinkEndpoint
  readonly #tell: () => void
  #socket: WebSocket | undefined
  #timer: NodeJS.Timeout | undefined
  #disposed = false

  constructor(endpoint: LinkEndpoint, tell: () => void) {
    this.#endpoint = endpoint
    this.#tell = tell
    void this.#open()
  }

  dispose(): void {
    this.#disposed = true
    clearTimeout(this.#timer)
    this.#socket?.terminate()
  }

  async #open(): Promise<void> {
    const { url, credential, certificate } = this.#endpoint
    const agent = singleConnection(url, { certificate })
    try {
      await askProof(url, credential, agent, HANDSHAKE_MS)
    } catch {
      // The Runner's other connections say why.
      agent.destroy()
      return this.#again()
    }
    if (this.#disposed) return agent.destroy()
    const address = addressOf(url, 'events')
    const headers = { authorization: `Bearer ${credential}` }
    const socket = new WebSocket(address, { agent, headers, handshakeTimeout: HANDSHAKE_MS, perMessageDeflate: false })
    this.#socket = socket
    // What happened while no one listened is found by the poll that follows.
    socket.on('open', this.#tell)
    socket.on('message', this.#tell)
    socket.on('error', () => {}) // The close follows.
    socket.on('close', () => {
      agent.destroy()
      this.#again()
    })
  }

  #again(): void {
    if (!this.#disposed) this.#timer = setTimeout(() => void this.#open(), AGAIN_MS)
  }
}
