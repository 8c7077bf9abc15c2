// One connection of a hub: proves both sides, then turns frames into requests and answers; or it is a viewer's from then on.
import { randomBytes } from 'node:crypto'
import type { Socket } from 'node:net'
import { frame, FRAME_BYTES, FrameReader } from '#kernel/terminals/frames.ts'
import {
  Credentials,
  Greeting,
  problemOf,
  proof,
  Request,
  sameProof,
  type HostMessage,
  VERSIONS,
  type ViewerRequest,
} from '#kernel/terminals/protocol.ts'
import type { Host } from './host.ts'

const GREETING_MS = 2000
/** The headers of a viewer's request are in it, which HTTP keeps below half of that. */
const GREETING_BYTES = 32 * 1024

export type LinkOptions = {
  socket: Socket
  host: Host
  secret: string
  /** It is the hub; an earlier connection is not any more. */
  welcomed(link: Link): void
  closed(link: Link): void
  /** It was the hub, with a viewer: the connection is the viewer's. */
  viewed(socket: Socket, request: ViewerRequest, head: Buffer): void
  viewers(): number
  /** The hub asked for the end of everything. */
  end(): Promise<void>
  left(): void
}

export class Link {
  readonly #options: LinkOptions
  readonly #socket: Socket
  readonly #patience: NodeJS.Timeout
  readonly #reader = new FrameReader(GREETING_BYTES)
  readonly #nonce = randomBytes(24).toString('base64url')
  #hubNonce: string | undefined
  #welcome = false

  static serve(options: LinkOptions): void {
    // Its socket keeps it.
    void new Link(options)
  }

  private constructor(options: LinkOptions) {
    this.#options = options
    this.#socket = options.socket
    this.#patience = setTimeout(() => this.close(), GREETING_MS)
    this.#socket.on('error', () => this.#socket.destroy())
    this.#socket.on('close', () => {
      clearTimeout(this.#patience)
      options.closed(this)
    })
    this.#socket.on('data', this.#read)
  }

  tell(message: HostMessage): void {
    if (this.#welcome) this.#socket.write(frame(message))
  }

  close(): void {
    this.#socket.destroy()
  }

  readonly #read = (chunk: Buffer): void => {
    try {
      for (const message of this.#reader.read(chunk)) {
        if (this.#welcome) this.#do(Request.parse(message))
        else if (this.#greet(message) === 'not ours') return
      }
    } catch {
      this.close() // None of our hubs speaks like this.
    }
  }

  /** `not ours`: what comes next on this connection is not for us. */
  #greet(message: unknown): 'not ours' | undefined {
    const { secret, host } = this.#options
    if (this.#hubNonce === undefined) {
      const { versions, nonce } = Greeting.parse(message)
      this.#hubNonce = nonce
      const version = VERSIONS.find(known => versions.includes(known)) ?? 0
      const answer = {
        version,
        versions: VERSIONS,
        nonce: this.#nonce,
        proof: proof(secret, 'host', nonce, this.#nonce),
      }
      this.#socket.write(frame(answer))
      return undefined
    }
    const expected = proof(secret, 'hub', this.#hubNonce, this.#nonce)
    const given = Credentials.parse(message)
    if (!sameProof(given.proof, expected)) {
      this.close()
      return 'not ours'
    }
    clearTimeout(this.#patience)
    if (given.visit) {
      this.#socket.off('data', this.#read)
      this.#options.viewed(this.#socket, given.visit, this.#reader.rest())
      return 'not ours'
    }
    this.#reader.limit = FRAME_BYTES
    this.#welcome = true
    this.#options.welcomed(this)
    this.#socket.write(frame({ welcome: true, terminals: host.list(), viewers: this.#options.viewers() }))
    return undefined
  }

  #do(request: Request): void {
    const { host } = this.#options
    switch (request.do) {
      case 'open':
        return this.#answer(request, () => host.open(request))
      case 'screen':
        return this.#answer(request, () => host.get(request.id).screen())
      case 'stroke': {
        const { id, key, pauseMs, ifSeq } = request
        const [paste, enter] = [request.paste, request.enter].map(text => Buffer.from(text, 'base64')) as [
          Buffer,
          Buffer,
        ]
        return this.#answer(request, () => host.get(id).stroke({ key, paste, pauseMs, enter, ifSeq }))
      }
      case 'stop':
        return this.#answer(request, () => host.get(request.id).stop())
      case 'forget':
        return this.#answer(request, () => host.forget(request.id))
      case 'end':
        return this.#answer(request, () => this.#options.end())
      case 'leave':
        return this.#answer(request, () => this.#options.left())
    }
  }

  /** Everything before the first wait happens in the order of asking. */
  #answer({ request }: { request: number }, work: () => unknown): void {
    const run = async () => work()
    run().then(
      done => this.tell({ request, done: done ?? null }),
      error => this.tell({ request, failed: problemOf(error) }),
    )
  }
}
