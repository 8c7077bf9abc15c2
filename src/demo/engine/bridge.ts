// The scripted engine's way to the hub: the MCP server that it was given, as every agent program starts it.
import { type ChildProcess, spawn } from 'node:child_process'
import fs from 'node:fs'
import readline from 'node:readline'
import { TORYO_MCP_CONFIG } from '#system/environment-names.ts'

type Entry = { command: string; args?: string[]; env?: Record<string, string> }
type Answer = {
  id?: number
  error?: { message: string }
  result?: { isError?: boolean; content?: { text?: string }[] }
}

export type Called = { text: string; isError: boolean; body: Record<string, unknown> }

export class Bridge {
  readonly #server: ChildProcess
  readonly #waiting = new Map<number, (answer: Answer) => void>()
  #id = 0

  private constructor({ command, args = [], env }: Entry) {
    this.#server = spawn(command, args, { env: { ...process.env, ...env }, stdio: ['pipe', 'pipe', 'ignore'] })
    const { stdin, stdout } = this.#server
    stdin?.on('error', () => {}) // It has ended; its calls are answered below.
    if (stdout) readline.createInterface({ input: stdout }).on('line', line => this.#heard(JSON.parse(line) as Answer))
    this.#server.once('close', () => {
      for (const answer of this.#waiting.values()) answer({ error: { message: 'the connection to the hub was lost' } })
    })
  }

  static async open(): Promise<Bridge> {
    const file = process.env[TORYO_MCP_CONFIG] ?? ''
    const { mcpServers } = JSON.parse(fs.readFileSync(file, 'utf8')) as { mcpServers: Record<string, Entry> }
    const [entry] = Object.values(mcpServers)
    if (!entry) throw new Error('no MCP server is configured')
    const bridge = new Bridge(entry)
    const clientInfo = { name: 'toryo-demo', version: '1' }
    await bridge.#request('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo })
    bridge.#write({ jsonrpc: '2.0', method: 'notifications/initialized' })
    return bridge
  }

  async call(tool: string, input: unknown): Promise<Called> {
    const { result, error } = await this.#request('tools/call', { name: tool, arguments: input })
    const text = error?.message ?? result?.content?.map(part => part.text ?? '').join('') ?? ''
    const body = text.startsWith('{') ? (JSON.parse(text) as Record<string, unknown>) : {}
    return { text, isError: error !== undefined || result?.isError === true, body }
  }

  close(): void {
    this.#server.stdin?.end()
  }

  #request(method: string, params: unknown): Promise<Answer> {
    const id = ++this.#id
    return new Promise(resolve => {
      this.#waiting.set(id, resolve)
      this.#write({ jsonrpc: '2.0', id, method, params })
    })
  }

  #write(message: unknown): void {
    this.#server.stdin?.write(`${JSON.stringify(message)}\n`)
  }

  #heard(answer: Answer): void {
    if (answer.id === undefined) return
    this.#waiting.get(answer.id)?.(answer)
    this.#waiting.delete(answer.id)
  }
}
