// Hubs and bridges as people start them: real processes from dist/, in a folder of their own. Each carries a mark in its
// environment, so that at the end of a test nothing that it started, directly or not, can stay behind unseen.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { locate, type Target } from '#client/locate.ts'
import { findHub } from '#client/start-hub.ts'
import { type HubState, readState } from '#client/state-file.ts'
import { isAlive } from '#system/processes.ts'
import { DIST, ROOT, STAMP, sourceHash } from '../scripts/sources.js'
import { until } from './until.ts'

export { until }

const MARK = 'TORYO_TEST_MARK'
/** For tests of many processes: on a machine that does much else they take minutes, and that is no fault. */
export const HEAVY = { timeout: 240_000 }

export type Ended = { code: number | null; signal: NodeJS.Signals | null; stderr: string; stdout: string }

export class Workshop implements AsyncDisposable {
  readonly home = realpathSync(mkdtempSync(path.join(tmpdir(), 'toryo-shop-')))
  readonly #mark = randomBytes(8).toString('hex')
  /** For every program from now on. */
  more: NodeJS.ProcessEnv = {}

  constructor() {
    build()
  }

  get env(): NodeJS.ProcessEnv {
    const { NODE_OPTIONS: _, LOG_LEVEL: __, ...inherited } = process.env
    const own = { HOME: this.home, TORYO_HOME: path.join(this.home, 'toryo'), [MARK]: this.#mark, LANG: 'C' }
    return { ...inherited, ...own, ...this.more }
  }

  db(name = 'toryo.db'): string {
    return path.join(this.home, name)
  }

  target(db = this.db()): Target {
    return locate(db, { env: this.env, cwd: this.home })
  }

  spawn(program: string, args: string[], env: NodeJS.ProcessEnv = {}): ChildProcess {
    const child = spawn(process.execPath, [path.join(DIST, program), ...args], {
      cwd: this.home,
      env: { ...this.env, ...env },
      stdio: ['pipe', 'pipe', 'pipe'],
    })
    child.stdin?.on('error', () => {})
    return child
  }

  get dist(): string {
    return DIST
  }

  /** A shell that starts a program of ours: `$0` is node, `$1`… the arguments. */
  spawnShell(script: string, args: string[]): ChildProcess {
    const child = spawn('/bin/sh', ['-c', script, process.execPath, ...args], {
      cwd: this.home,
      env: this.env,
      stdio: ['pipe', 'pipe', 'pipe'],
    })
    child.stdin?.on('error', () => {})
    return child
  }

  /** A hub as the bridge starts it; answers once it listens or has ended. */
  async hub(db = this.db(), args: string[] = ['--background']): Promise<HubChild> {
    const hub = new HubChild(this.spawn('hub.js', ['--db', db, ...args]), this.target(db))
    await hub.settled()
    return hub
  }

  /** How a hub that refuses to start ends. */
  async refusal(db: string, args: string[] = ['--background']): Promise<Ended> {
    return ended(this.spawn('hub.js', ['--db', db, ...args]))
  }

  bridge(db = this.db(), env: NodeJS.ProcessEnv = {}): BridgeChild {
    return new BridgeChild(this.spawn('bridge.js', ['--db', db, '--toolsets', ALL_TOOLSETS], env))
  }

  /** Whichever hub serves the database now, once one does. */
  async servingHub(db = this.db()): Promise<HubState> {
    return until(() => findHub(this.target(db)))
  }

  /** Ends the hub of a database the way `toryo stop` does. */
  async stopHub(db = this.db()): Promise<void> {
    const state = await this.servingHub(db)
    // Another that a bridge began to start beside it would find the lock free, and stay.
    const isItsHub = ({ command }: { command: string }) => command.includes('hub.js') && command.includes(db)
    await until(() => this.processes().filter(isItsHub).length <= 1)
    await post(state, 'hub.stop', {})
    await until(() => !isAlive(state.pid))
  }

  /** Every process that this test started, directly or not. */
  processes(): { pid: number; command: string }[] {
    const found: { pid: number; command: string }[] = []
    for (const name of readdirSync('/proc')) {
      if (!/^\d+$/.test(name) || Number(name) === process.pid) continue
      try {
        if (!readFileSync(`/proc/${name}/environ`, 'latin1').includes(`${MARK}=${this.#mark}`)) continue
        found.push({ pid: Number(name), command: readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ') })
      } catch {
        // It ended while we looked.
      }
    }
    return found
  }

  /** Waits until none is left. */
  async allGone(): Promise<void> {
    await until(() => this.processes().length === 0).catch(() => {})
    const left = this.processes()
    if (left.length > 0) throw new Error(`left behind: ${left.map(({ command }) => command).join('; ')}`)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const left = this.processes()
    const drafts = draftsIn(this.home)
    for (const { pid } of left) kill(pid)
    await until(() => this.processes().length === 0)
    rmSync(this.home, { recursive: true, force: true })
    if (left.length > 0) throw new Error(`left behind: ${left.map(({ command }) => command).join('; ')}`)
    if (drafts.length > 0) throw new Error(`left behind: ${drafts.join(', ')}`)
  }
}

let isBuilt = false

/** `npm test` has built already; this is for running one file directly. Once per worker: all sources are read for it. */
export function build(): void {
  if (isBuilt) return
  isBuilt = true
  const stamp = existsSync(STAMP) ? readFileSync(STAMP, 'utf8') : ''
  if (!stamp.includes(sourceHash())) execFileSync(process.execPath, [path.join(ROOT, 'scripts', 'build.js')])
}

const ALL_TOOLSETS = 'runner,agent,projects,legacy'

/** Files that are only ever on their way to become others. */
function draftsIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(name =>
    /\.(tmp|new|whole|claim)(-wal|-shm)?$/.test(name),
  )
}

export class HubChild {
  readonly child: ChildProcess
  readonly target: Target
  readonly ended: Promise<Ended>
  state: HubState | undefined
  exit: Ended | undefined

  constructor(child: ChildProcess, target: Target) {
    this.child = child
    this.target = target
    this.ended = ended(child)
    void this.ended.then(exit => (this.exit = exit))
  }

  get pid(): number {
    return this.child.pid as number
  }

  async settled(): Promise<void> {
    await until(() => {
      if (this.exit) return true
      // A dead hub's file may still be there.
      const state = existsSync(this.target.directory) ? readState(this.target) : undefined
      if (state?.pid !== this.pid) return false
      this.state = state
      return true
    })
  }

  async stop(): Promise<Ended> {
    this.child.kill('SIGTERM')
    return this.ended
  }

  async kill(): Promise<Ended> {
    this.child.kill('SIGKILL')
    return this.ended
  }
}

export type Rpc = {
  jsonrpc: '2.0'
  id?: string | number | null
  method?: string
  result?: Record<string, unknown>
  error?: { code: number; message: string; data?: unknown }
}

/** An MCP client at the stdin and stdout of a real bridge. Keeps all that came out. */
export class BridgeChild {
  readonly child: ChildProcess
  readonly ended: Promise<Ended>
  /** What stdout carried that is no JSON-RPC message. */
  readonly noise: string[] = []
  readonly messages: Rpc[] = []
  /** How often each id was answered. */
  readonly answers = new Map<string | number | null, number>()
  readonly #waiting = new Map<string | number, (message: Rpc) => void>()
  #id = 0
  #rest = ''

  constructor(child: ChildProcess) {
    this.child = child
    child.stdout?.setEncoding('utf8').on('data', (text: string) => this.#read(text))
    this.ended = ended(child)
  }

  get pid(): number {
    return this.child.pid as number
  }

  write(line: string): void {
    this.child.stdin?.write(`${line}\n`)
  }

  request(method: string, params: Record<string, unknown> = {}, id: string | number = ++this.#id): Promise<Rpc> {
    const { promise, resolve } = deferred<Rpc>()
    this.#waiting.set(id, resolve)
    this.write(JSON.stringify({ jsonrpc: '2.0', id, method, params }))
    return promise
  }

  /** What comes for an id that was not asked for by `request`. */
  answerTo(id: string | number): Promise<Rpc> {
    const { promise, resolve } = deferred<Rpc>()
    this.#waiting.set(id, resolve)
    return promise
  }

  async initialize(): Promise<Rpc> {
    const clientInfo = { name: 'test', version: '1' }
    const answer = await this.request('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo })
    this.write('{"jsonrpc":"2.0","method":"notifications/initialized"}')
    return answer
  }

  async call(name: string, args: Record<string, unknown> = {}): Promise<Called> {
    const answer = await this.request('tools/call', { name, arguments: args })
    const [content] = (answer.result?.['content'] ?? []) as { text: string }[]
    const text = content?.text ?? answer.error?.message ?? ''
    return {
      ok: answer.error === undefined && answer.result?.['isError'] !== true,
      text,
      body: text.startsWith('{') ? (JSON.parse(text) as Record<string, unknown>) : {},
    }
  }

  async close(): Promise<Ended> {
    this.child.stdin?.end()
    return this.ended
  }

  #read(text: string): void {
    const lines = (this.#rest + text).split('\n')
    this.#rest = lines.pop() ?? ''
    for (const line of lines) this.#line(line)
  }

  #line(line: string): void {
    const message = parse(line)
    if (message?.jsonrpc !== '2.0') return void this.noise.push(line)
    this.messages.push(message)
    if (message.id === undefined || message.method !== undefined) return
    this.answers.set(message.id, (this.answers.get(message.id) ?? 0) + 1)
    if (message.id === null) return
    this.#waiting.get(message.id)?.(message)
    this.#waiting.delete(message.id)
  }
}

export type Called = { ok: boolean; text: string; body: Record<string, unknown> }

function parse(line: string): Rpc | undefined {
  try {
    return JSON.parse(line) as Rpc
  } catch {
    return undefined
  }
}

export async function post(
  state: Pick<HubState, 'url' | 'token'>,
  operation: string,
  input: unknown,
  key?: string,
): Promise<{ status: number; body: Record<string, unknown> }> {
  const response = await fetch(`${state.url}/api/${operation}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${state.token}`,
      'content-type': 'application/json',
      ...(key !== undefined && { 'idempotency-key': key }),
    },
    body: JSON.stringify(input),
  })
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}

export function ended(child: ChildProcess): Promise<Ended> {
  let stderr = ''
  let stdout = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (stderr = (stderr + text).slice(-100_000)))
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (stdout = (stdout + text).slice(-100_000)))
  return new Promise(resolve => child.on('close', (code, signal) => resolve({ code, signal, stderr, stdout })))
}

export function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // Gone already.
  }
}

function deferred<T>(): { promise: Promise<T>; resolve: (value: T) => void } {
  let resolve: (value: T) => void = () => {}
  const promise = new Promise<T>(done => (resolve = done))
  return { promise, resolve }
}
