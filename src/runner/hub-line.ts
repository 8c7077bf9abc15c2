// The Runner's MCP connection to its hub. A call whose answer is lost in a cut is sent again under its number, and the hub then
// gives the answer that it stored: a start that was claimed is not lost.
import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { INCOMPATIBLE, type Link, type LinkEndpoint, UNAUTHORISED } from '#client/frame-link/link.ts'
import { LinkRefused, openLink } from '#client/frame-link/open-link.ts'
import { HubError, type Lang } from '#contract/errors.ts'

/** The hub did not answer in time; it may be restarting, or the way to it is cut. */
export class HubAway extends Error {}
/** The hub does not want this Runner any more. */
export class Refused extends Error {}

export type HubLineOptions = {
  endpoint: LinkEndpoint
  lang: Lang
  version: string
  callMs: number
  log: { debug(facts: object, message: string): void }
}

type Waiting = { frame: string; resolve: (message: Message) => void; reject: (error: Error) => void }
type Message = {
  id?: number
  result?: { structuredContent?: Record<string, unknown>; content?: { text?: string }[]; isError?: boolean }
  error?: { message: string }
}

/** Asking again would change nothing. */
const FINAL = [UNAUTHORISED, INCOMPATIBLE]
const BACKOFF_MIN_MS = 100
const BACKOFF_MAX_MS = 5000
const PROTOCOL = '2025-06-18'

export class HubLine {
  readonly #options: HubLineOptions
  readonly #secret = randomBytes(32).toString('base64url')
  readonly #waiting = new Map<number, Waiting>()
  readonly #stopped = new AbortController()
  #number = 0
  #link: Link | undefined
  #handshake: Waiting | undefined
  #refusal: Refused | undefined
  readonly #running: Promise<void>

  constructor(options: HubLineOptions) {
    this.#options = options
    this.#running = this.#keep()
  }

  /** The tool's result. Throws HubAway when there is no answer in time, Refused when there will be none. */
  async call(tool: string, input: object): Promise<Record<string, unknown>> {
    const message = await this.#request('tools/call', { name: tool, arguments: input })
    const { result, error } = message
    if (error) throw new Error(`${tool}: ${error.message}`)
    const body = result?.structuredContent ?? read(result?.content?.[0]?.text)
    if (result?.isError !== true) return body
    if (body['code'] === 'RUNNER_REFUSED') throw this.#refuse(String(body['error']))
    throw new Error(`${tool}: ${String(body['error'])}`)
  }

  async dispose(): Promise<void> {
    this.#stopped.abort()
    this.#link?.terminate()
    for (const { reject } of this.#waiting.values()) reject(new HubAway('the Runner stops'))
    this.#waiting.clear()
    await this.#running
  }

  #request(method: string, params: object): Promise<Message> {
    if (this.#refusal) return Promise.reject(this.#refusal)
    const id = ++this.#number
    const frame = `${id} ${JSON.stringify({ jsonrpc: '2.0', id, method, params })}`
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#waiting.delete(id)
        reject(new HubAway(`the hub did not answer within ${this.#options.callMs} ms`))
      }, this.#options.callMs)
      const settle =
        <T>(done: (value: T) => void) =>
        (value: T) => {
          clearTimeout(timer)
          done(value)
        }
      this.#waiting.set(id, { frame, resolve: settle(resolve), reject: settle(reject) })
      if (this.#link && !this.#handshake) this.#link.send(frame)
    })
  }

  async #keep(): Promise<void> {
    let pause = BACKOFF_MIN_MS
    while (!this.#stopped.signal.aborted && !this.#refusal) {
      try {
        const link = await openLink(this.#options.endpoint, this.#hello(), {
          frame: text => this.#receive(text),
          congested: () => {}, // So little is sent that it cannot matter.
        })
        if (this.#stopped.signal.aborted) return link.terminate()
        this.#link = link
        await Promise.race([this.#open(link).then(() => (pause = BACKOFF_MIN_MS)), link.closed])
        const { code, reason } = await link.closed
        if (FINAL.includes(code)) this.#refuse(reason)
      } catch (error) {
        this.#options.log.debug({ err: error }, 'the hub cannot be reached')
        const isRefused = error instanceof LinkRefused && FINAL.includes(error.closed.code)
        if (isRefused || (error instanceof HubError && !error.retryable)) this.#refuse(error.message)
      }
      this.#link = undefined
      this.#handshake = undefined
      pause = Math.min(pause * 2, BACKOFF_MAX_MS)
      await sleep(pause * (0.5 + Math.random() / 2), undefined, { signal: this.#stopped.signal }).catch(() => {})
    }
  }

  #hello() {
    return { toolsets: 'runner', secret: this.#secret, lang: this.#options.lang, directory: undefined }
  }

  /** The handshake, then whatever waits, under the numbers it had. */
  async #open(link: Link): Promise<void> {
    const id = ++this.#number
    const clientInfo = { name: 'toryo-runner', version: this.#options.version }
    const params = { protocolVersion: PROTOCOL, capabilities: {}, clientInfo }
    await new Promise<Message>((resolve, reject) => {
      this.#handshake = { frame: String(id), resolve, reject }
      link.send(`${id} ${JSON.stringify({ jsonrpc: '2.0', id, method: 'initialize', params })}`)
    })
    this.#handshake = undefined
    link.send(`${++this.#number} ${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })}`)
    for (const { frame } of this.#waiting.values()) link.send(frame)
  }

  #receive(text: string): void {
    const message = JSON.parse(text) as Message
    if (message.id === undefined) return
    if (this.#handshake && Number(this.#handshake.frame) === message.id) return this.#handshake.resolve(message)
    const waiting = this.#waiting.get(message.id)
    this.#waiting.delete(message.id)
    waiting?.resolve(message)
  }

  #refuse(reason: string): Refused {
    this.#refusal ??= new Refused(reason)
    this.#link?.terminate()
    for (const { reject } of this.#waiting.values()) reject(this.#refusal)
    this.#waiting.clear()
    return this.#refusal
  }
}

function read(text: string | undefined): Record<string, unknown> {
  try {
    return JSON.parse(text ?? '{}') as Record<string, unknown>
  } catch {
    return { error: text } // Prose, which none of our tools writes.
  }
}
