// A raw JSON-RPC client over a child's stdio. No SDK: what is measured is the server, not two SDKs.
import { type ChildProcess, spawn } from 'node:child_process'

export type Answer = { id: number; result?: Record<string, unknown>; error?: { code: number; message: string } }

export class StdioClient {
  readonly child: ChildProcess
  readonly spawnedAt = performance.now()
  readonly #waiting = new Map<number, { resolve: (answer: Answer) => void; reject: (error: Error) => void }>()
  readonly #stderr: string[] = []
  #rest = ''
  #id = 0
  /** Answers without a question: a server that answered twice, or another client's call. */
  strays = 0

  constructor(command: readonly string[], env: NodeJS.ProcessEnv = {}) {
    const [program = '', ...args] = command
    this.child = spawn(program, args, { env: { ...process.env, ...env }, stdio: ['pipe', 'pipe', 'pipe'] })
    this.child.stdout?.setEncoding('utf8').on('data', (text: string) => this.#receive(text))
    this.child.stderr?.setEncoding('utf8').on('data', (text: string) => this.#stderr.push(text))
    this.child.stdin?.on('error', () => {}) // Its exit says more.
    this.child.on('exit', code => {
      const error = new Error(`${command.join(' ')} ended with ${code}: ${this.#stderr.join('').slice(-2000)}`)
      for (const { reject } of this.#waiting.values()) reject(error)
      this.#waiting.clear()
    })
  }

  get pid(): number {
    return this.child.pid as number
  }

  request(method: string, params: Record<string, unknown> = {}): Promise<Answer> {
    const id = ++this.#id
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject })
      this.child.stdin?.write(`{"jsonrpc":"2.0","id":${id},"method":"${method}","params":${JSON.stringify(params)}}\n`)
    })
  }

  /** The handshake as today's clients do it over stdio, up to the answered list of tools. */
  async open(): Promise<this> {
    const clientInfo = { name: 'bench', version: '1' }
    await this.request('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo })
    this.child.stdin?.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n')
    const { result } = await this.request('tools/list')
    if (!Array.isArray(result?.['tools'])) throw new Error('tools/list was not answered with tools')
    return this
  }

  /** Throws unless the tool succeeds: a fast refusal is not a fast call. */
  async call(name: string, args: Record<string, unknown>): Promise<Record<string, unknown>> {
    const { result, error } = await this.request('tools/call', { name, arguments: args })
    if (error || !result || result['isError'] === true)
      throw new Error(`${name} failed: ${JSON.stringify(error ?? result)}`)
    return result
  }

  async close(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return
    const ended = new Promise<void>(resolve => this.child.once('exit', () => resolve()))
    this.child.stdin?.end()
    await ended
  }

  #receive(text: string): void {
    const lines = (this.#rest + text).split('\n')
    this.#rest = lines.pop() as string
    for (const line of lines) {
      const answer = JSON.parse(line) as Answer
      const waiting = this.#waiting.get(answer.id)
      this.#waiting.delete(answer.id)
      if (waiting) waiting.resolve(answer)
      else this.strays++
    }
  }
}
