// One connection of a hub: proves both sides, then turns frames into requests and answers.
import { randomBytes } from 'node:crypto'
import type { Socket } from 'node:net'
import {
  FrameError,
  FrameReader,
  INPUT_FRAME,
  JSON_FRAME,
  jsonFrame,
  outputFrame,
  readInput,
} from '#kernel/terminals/frames.ts'
import {
  Credentials,
  Greeting,
  problemOf,
  proof,
  Request,
  sameProof,
  type Told,
  VERSIONS,
} from '#kernel/terminals/protocol.ts'
import type { Host } from './host.ts'

const GREETING_MS = 2000
const GREETING_BYTES = 4096

export type LinkOptions = {
  socket: Socket
  host: Host
  secret: string
  /** It is the hub: whoever was before is not any more. */
  welcomed(link: Link): void
  closed(link: Link): void
  /** The hub asked for the end of everything. */
  end(): Promise<void>
  left(): void
}

export class Link {
  readonly #options: LinkOptions
  readonly #socket: Socket
  readonly #patience: NodeJS.Timeout
  #reader = new FrameReader(GREETING_BYTES)
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
    this.#socket.on('data', (chunk: Buffer) => this.#read(chunk))
  }

  tell(message: Told): void {
    if (this.#welcome) this.#socket.write(jsonFrame(message))
  }

  output(number: number, position: number, bytes: Buffer): void {
    if (this.#welcome) this.#socket.write(outputFrame(number, position, bytes))
  }

  close(): void {
    this.#socket.destroy()
  }

  #read(chunk: Buffer): void {
    try {
      for (const { kind, body } of this.#reader.read(chunk)) {
        if (!this.#welcome) this.#greet(JSON.parse(body.toString()))
        else if (kind === JSON_FRAME) this.#do(Request.parse(JSON.parse(body.toString())))
        else if (kind === INPUT_FRAME) this.#type(body)
        else throw new FrameError(`a frame of kind ${kind}`)
      }
    } catch {
      this.close() // No hub of ours speaks like this.
    }
  }

  #greet(message: unknown): void {
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
      this.#socket.write(jsonFrame(answer))
      return
    }
    const expected = proof(secret, 'hub', this.#hubNonce, this.#nonce)
    if (!sameProof(Credentials.parse(message).proof, expected)) return this.close()
    clearTimeout(this.#patience)
    this.#welcome = true
    this.#reader = new FrameReader()
    this.#options.welcomed(this)
    this.#socket.write(jsonFrame({ welcome: true, terminals: host.list() }))
  }

  #do(request: Request): void {
    const { host } = this.#options
    switch (request.do) {
      case 'ack':
        return host.byNumber(request.number)?.[1].ack(request.bytes)
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
      case 'watch':
        return this.#answer(request, () => host.get(request.id).watch())
      case 'mute':
        return this.#answer(request, () => host.get(request.id).mute())
      case 'resize':
        return this.#answer(request, () => host.resize(request.id, request.cols, request.rows))
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

  #type(body: Buffer): void {
    const { number, request, bytes } = readInput(body)
    const found = this.#options.host.byNumber(number)
    if (request !== 0) {
      return this.#answer({ request }, () => {
        if (!found) throw new Error('there is no such terminal')
        return found[1].write(bytes)
      })
    }
    found?.[1].type(bytes, error => {
      if (error) this.tell({ event: 'refused', id: found[0], problem: error.problem })
    })
  }
}
