// The hub's end of its connection to a pty-host: greeting, requests with their answers, events.
import { randomBytes } from 'node:crypto'
import net from 'node:net'
import type { z } from 'zod'
import { FrameReader, inputFrame, JSON_FRAME, jsonFrame, OUTPUT_FRAME, readOutput } from './frames.ts'
import { type HostState, reach } from './host-files.ts'
import { Answer, errorOf, proof, type Request, sameProof, Told, VERSIONS, Welcome } from './protocol.ts'
import { TerminalError } from './terminals.ts'

const GREETING_MS = 5000

/** Whoever listens there does not know the secret. */
export class NotTheHost extends Error {}
/** It is our host, but of a release whose protocol we do not speak. */
export class OtherProtocol extends Error {}

export type HostEvents = {
  output(number: number, position: number, bytes: Buffer): void
  event(event: Extract<Told, { event: string }>): void
  /** Once, after which every request fails. */
  closed(): void
}

type Asked = Request extends infer R ? (R extends { request: number } ? Omit<R, 'request'> : never) : never
type Waiting = { resolve: (value: unknown) => void; reject: (error: Error) => void }

/** So much waits to be taken by the host: it hangs, and a person's typing must not fill our memory. */
const CLOGGED_BYTES = 1024 * 1024

export class HostLink {
  readonly #socket: net.Socket
  readonly #events: HostEvents
  readonly #waiting = new Map<number, Waiting>()
  #request = 0
  #closed = false

  static async connect(
    state: HostState,
    events: HostEvents,
  ): Promise<{ link: HostLink; terminals: z.infer<typeof Welcome>['terminals'] }> {
    const socket = await open(state.socket)
    const patience = setTimeout(() => socket.destroy(new Error('the pty-host does not answer')), GREETING_MS)
    try {
      const reader = new FrameReader()
      const terminals = await greet(socket, reader, state.secret)
      return { link: new HostLink(socket, reader, events), terminals }
    } catch (error) {
      socket.destroy()
      throw error
    } finally {
      clearTimeout(patience)
    }
  }

  private constructor(socket: net.Socket, reader: FrameReader, events: HostEvents) {
    this.#socket = socket
    this.#events = events
    socket.on('data', (chunk: Buffer) => {
      try {
        for (const frame of reader.read(chunk)) this.#take(frame.kind, frame.body)
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

  get clogged(): boolean {
    return this.#socket.writableLength > CLOGGED_BYTES
  }

  /** `took` sees the answer before anything else that the host says is read. */
  request<T = unknown>(message: Asked, took: (done: unknown) => T = done => done as T): Promise<T> {
    return this.#ask(request => this.#socket.write(jsonFrame({ ...message, request })), took)
  }

  write(number: number, bytes: Uint8Array): Promise<unknown> {
    return this.#ask(
      request => this.#socket.write(inputFrame(number, request, bytes)),
      done => done,
    )
  }

  /** A person's: nobody waits for it. */
  type(number: number, bytes: Uint8Array): void {
    if (!this.#closed) this.#socket.write(inputFrame(number, 0, bytes))
  }

  ack(number: number, bytes: number): void {
    if (!this.#closed) this.#socket.write(jsonFrame({ do: 'ack', request: 0, number, bytes }))
  }

  close(): void {
    this.#socket.destroy()
  }

  #ask<T>(send: (request: number) => void, took: (done: unknown) => T): Promise<T> {
    if (this.#closed) return Promise.reject(gone())
    const request = ++this.#request
    return new Promise((resolve, reject) => {
      this.#waiting.set(request, { resolve: done => resolve(took(done)), reject })
      send(request)
    })
  }

  #take(kind: number, body: Buffer): void {
    if (kind === OUTPUT_FRAME) {
      const { number, position, bytes } = readOutput(body)
      return this.#events.output(number, position, bytes)
    }
    if (kind !== JSON_FRAME) return
    const told = Told.parse(JSON.parse(body.toString()))
    if ('event' in told) return this.#events.event(told)
    const waiting = this.#waiting.get(told.request)
    this.#waiting.delete(told.request)
    if ('failed' in told) waiting?.reject(errorOf(told.failed))
    else waiting?.resolve(told.done)
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
    socket.on('error', reject) // Also later: `close` follows and tells.
  }).finally(done)
}

/** It proves itself first: a stranger at this path learns nothing from us. */
async function greet(socket: net.Socket, reader: FrameReader, secret: string) {
  const next = messages(socket, reader)
  const nonce = randomBytes(24).toString('base64url')
  socket.write(jsonFrame({ hello: 'toryo-pty', versions: VERSIONS, nonce }))
  const answer = Answer.parse(await next())
  if (!sameProof(answer.proof, proof(secret, 'host', nonce, answer.nonce)))
    throw new NotTheHost('who listens there is not the pty-host')
  if (answer.version === 0) throw new OtherProtocol(`the pty-host speaks protocol ${answer.versions.join(', ')}`)
  socket.write(jsonFrame({ proof: proof(secret, 'hub', nonce, answer.nonce) }))
  const { terminals } = Welcome.parse(await next())
  socket.removeAllListeners('data')
  socket.removeAllListeners('close')
  return terminals
}

function messages(socket: net.Socket, reader: FrameReader): () => Promise<unknown> {
  const arrived: unknown[] = []
  const wanted: Waiting[] = []
  let failure: Error | undefined
  const fail = (error: Error) => {
    failure ??= error
    for (const { reject } of wanted.splice(0)) reject(failure)
  }
  socket.on('data', (chunk: Buffer) => {
    try {
      for (const { body } of reader.read(chunk)) {
        const message: unknown = JSON.parse(body.toString())
        const first = wanted.shift()
        if (first) first.resolve(message)
        else arrived.push(message)
      }
    } catch (error) {
      fail(error as Error)
    }
  })
  socket.on('error', fail)
  socket.on('close', () => fail(new Error('the pty-host closed the connection')))
  return () =>
    new Promise((resolve, reject) => {
      if (arrived.length > 0) resolve(arrived.shift())
      else if (failure) reject(failure)
      else wanted.push({ resolve, reject })
    })
}
