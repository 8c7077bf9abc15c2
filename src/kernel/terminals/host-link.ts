// The hub's end of its connection to a pty-host: greeting, requests with their answers, events.
import { randomBytes } from 'node:crypto'
import net from 'node:net'
import type { z } from 'zod'
import { frame, FrameReader } from './frames.ts'
import { type HostState, reach } from './host-files.ts'
import {
  Answer,
  errorOf,
  proof,
  type Request,
  sameProof,
  HostMessage,
  VERSIONS,
  type ViewerRequest,
  Welcome,
} from './protocol.ts'
import { TerminalError } from './terminals.ts'

const GREETING_MS = 5000

/** The program that listens there does not know the secret. */
export class NotTheHost extends Error {}
/** It is our host, but of a release whose protocol we do not speak. */
export class OtherProtocol extends Error {}

export type HostEvents = {
  /** Once, before anything else. */
  welcomed(welcome: z.infer<typeof Welcome>): void
  event(event: Extract<HostMessage, { event: string }>): void
  /** Once, after which every request fails. */
  closed(): void
}

type Asked = Request extends infer R ? (R extends { request: number } ? Omit<R, 'request'> : never) : never
type Waiting = { resolve: (value: unknown) => void; reject: (error: Error) => void }

export class HostLink {
  readonly #socket: net.Socket
  readonly #events: HostEvents
  readonly #waiting = new Map<number, Waiting>()
  #request = 0
  #closed = false

  static connect(state: HostState, events: HostEvents): Promise<HostLink> {
    return greeted(state, async (socket, next, credentials) => {
      socket.write(frame(credentials))
      const welcome = Welcome.parse(await next.message())
      const { reader, arrived } = next.stop()
      const link = new HostLink(socket, reader, events)
      events.welcomed(welcome)
      // What came in one piece with the welcome.
      for (const message of arrived) link.#take(HostMessage.parse(message))
      return link
    })
  }

  private constructor(socket: net.Socket, reader: FrameReader, events: HostEvents) {
    this.#socket = socket
    this.#events = events
    socket.on('data', (chunk: Buffer) => {
      try {
        for (const message of reader.read(chunk)) this.#take(HostMessage.parse(message))
      } catch (error) {
        socket.destroy(error as Error)
      }
    })
    socket.on('close', () => this.#ended())
    if (socket.destroyed) this.#ended()
  }

  get closed(): boolean {
    return this.#closed
  }

  /** `took` sees the answer before anything else that the host says is read. */
  request<T = unknown>(message: Asked, took: (done: unknown) => T = done => done as T): Promise<T> {
    if (this.#closed) return Promise.reject(gone())
    const request = ++this.#request
    return new Promise((resolve, reject) => {
      this.#waiting.set(request, { resolve: done => resolve(took(done)), reject })
      this.#socket.write(frame({ ...message, request }))
    })
  }

  close(): void {
    this.#socket.destroy()
  }

  #take(message: HostMessage): void {
    if ('event' in message) return this.#events.event(message)
    const waiting = this.#waiting.get(message.request)
    this.#waiting.delete(message.request)
    if ('failed' in message) waiting?.reject(errorOf(message.failed))
    else waiting?.resolve(message.done)
  }

  #ended(): void {
    if (this.#closed) return
    this.#closed = true
    for (const { reject } of this.#waiting.values()) reject(gone())
    this.#waiting.clear()
    this.#events.closed()
  }
}

function gone(): TerminalError {
  return new TerminalError('no-host', 'the process that holds the terminals is not there')
}

function open(file: string): Promise<net.Socket> {
  const { address, done } = reach(file)
  return new Promise<net.Socket>((resolve, reject) => {
    const socket = net.connect(address)
    socket.once('connect', () => resolve(socket))
    socket.on('error', reject) // Also later: `close` follows and reports it.
  }).finally(done)
}

/** A connection of its own for a viewer: what is read and written from now on is between the host and the viewer. */
export function connectViewer(state: HostState, request: ViewerRequest): Promise<net.Socket> {
  return greeted(state, async (socket, next, credentials) => {
    next.stop()
    socket.write(frame({ ...credentials, visit: request }))
    return socket
  })
}

/** The host proves itself first: a stranger at this path learns nothing from us. */
async function greeted<T>(
  { socket: file, secret }: HostState,
  then: (socket: net.Socket, next: Messages, credentials: { proof: string }) => Promise<T>,
): Promise<T> {
  const socket = await open(file)
  const patience = setTimeout(() => socket.destroy(new Error('the pty-host does not answer')), GREETING_MS)
  try {
    const next = new Messages(socket)
    const nonce = randomBytes(24).toString('base64url')
    socket.write(frame({ hello: 'toryo-pty', versions: VERSIONS, nonce }))
    const answer = Answer.parse(await next.message())
    if (!sameProof(answer.proof, proof(secret, 'host', nonce, answer.nonce)))
      throw new NotTheHost('who listens there is not the pty-host')
    if (answer.version === 0) throw new OtherProtocol(`the pty-host speaks protocol ${answer.versions.join(', ')}`)
    return await then(socket, next, { proof: proof(secret, 'hub', nonce, answer.nonce) })
  } catch (error) {
    socket.destroy()
    throw error
  } finally {
    clearTimeout(patience)
  }
}

/** What the host says, one message at a time. */
class Messages {
  readonly #socket: net.Socket
  readonly #reader = new FrameReader()
  readonly #arrived: unknown[] = []
  readonly #wanted: Waiting[] = []
  #failure: Error | undefined

  constructor(socket: net.Socket) {
    this.#socket = socket
    socket.on('data', (chunk: Buffer) => {
      try {
        for (const message of this.#reader.read(chunk)) {
          const first = this.#wanted.shift()
          if (first) first.resolve(message)
          else this.#arrived.push(message)
        }
      } catch (error) {
        this.#fail(error as Error)
      }
    })
    socket.on('error', error => this.#fail(error))
    socket.on('close', () => this.#fail(new Error('the pty-host closed the connection')))
  }

  message(): Promise<unknown> {
    return new Promise((resolve, reject) => {
      if (this.#arrived.length > 0) resolve(this.#arrived.shift())
      else if (this.#failure) reject(this.#failure)
      else this.#wanted.push({ resolve, reject })
    })
  }

  /** The next listener goes on with what is here. */
  stop(): { reader: FrameReader; arrived: unknown[] } {
    this.#socket.removeAllListeners('data')
    this.#socket.removeAllListeners('close')
    return { reader: this.#reader, arrived: this.#arrived }
  }

  #fail(error: Error): void {
    this.#failure ??= error
    for (const { reject } of this.#wanted.splice(0)) reject(this.#failure)
  }
}
