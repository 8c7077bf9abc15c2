// An MCP client without any library: it sees each byte that the bridge writes.
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'

export type Answer = {
  jsonrpc: string
  id: number | string | null
  result?: Record<string, unknown>
  error?: { code: number; message: string }
  method?: string
  params?: Record<string, unknown>
}

type Waiter = {
  fits: (message: Answer) => boolean
  resolve: (message: Answer) => void
  reject: (reason: Error) => void
}

export class BridgeClient {
  readonly child: ChildProcessWithoutNullStreams
  /** Every line of stdout, as it came. */
  readonly lines: string[] = []
  readonly exit: Promise<{ code: number | null; signal: NodeJS.Signals | null }>
  /** The same, parsed. */
  readonly messages: Answer[] = []
  stderr = ''
  #rest = ''
  #id = 0
  readonly #waiters = new Set<Waiter>()

  constructor(program: string, args: string[], env: Record<string, string>) {
    this.child = spawn(process.execPath, [program, ...args], { env, stdio: 'pipe' })
    this.child.stdout.setEncoding('utf8').on('data', (text: string) => this.#read(text))
    this.child.stderr.setEncoding('utf8').on('data', (text: string) => (this.stderr += text))
    this.child.stdin.on('error', () => {}) // A bridge that has gone; the test sees that by other means.
    this.exit = new Promise(resolve => {
      this.child.on('close', (code, signal) => {
        resolve({ code, signal })
        for (const waiter of this.#waiters) waiter.reject(new Error(`The bridge ended. It said: ${this.stderr}`))
      })
    })
  }

  raw(text: string | Buffer): void {
    this.child.stdin.write(text)
  }

  notify(method: string, params: object = {}): void {
    this.raw(`${JSON.stringify({ jsonrpc: '2.0', method, params })}\n`)
  }

  /** Sends a request without waiting for its answer; returns its id. */
  post(method: string, params: object = {}, id: string | number = ++this.#id): string | number {
    this.raw(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`)
    return id
  }

  request(method: string, params: object = {}): Promise<Answer> {
    return this.answerTo(this.post(method, params))
  }

  call(name: string, args: object = {}): Promise<Answer> {
    return this.request('tools/call', { name, arguments: args })
  }

  answerTo(id: number | string | null): Promise<Answer> {
    return this.message(message => message.id === id && message.method === undefined)
  }

  /** The first message that fits, past or to come. Rejects when the bridge ends without it. */
  message(fits: (message: Answer) => boolean): Promise<Answer> {
    const found = this.messages.find(fits)
    if (found) return Promise.resolve(found)
    return new Promise((resolve, reject) => this.#waiters.add({ fits, resolve, reject }))
  }

  async handshake(): Promise<Answer> {
    const answer = await this.request('initialize', { protocolVersion: '2025-11-25', capabilities: {} })
    this.notify('notifications/initialized')
    return answer
  }

  #read(text: string): void {
    // Looking for the end in what is new only: messages are megabytes, chunks are not.
    const end = text.lastIndexOf('\n')
    if (end === -1) {
      this.#rest += text
      return
    }
    const lines = (this.#rest + text.slice(0, end)).split('\n')
    this.#rest = text.slice(end + 1)
    for (const line of lines) this.#take(line)
  }

  #take(line: string): void {
    this.lines.push(line)
    // What else came is in `lines` for a test to see.
    if (!line.startsWith('{')) return
    const message = JSON.parse(line) as Answer
    this.messages.push(message)
    for (const waiter of this.#waiters) {
      if (!waiter.fits(message)) continue
      this.#waiters.delete(waiter)
      waiter.resolve(message)
    }
  }
}
