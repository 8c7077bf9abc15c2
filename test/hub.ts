// A real hub for tests: real database, real sockets, real MCP client. Only the clock may be the test's own.
import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { locate, type Target } from '#client/locate.ts'
import type { ApiInput, ApiOutput, Operation } from '#contract/api.ts'
import type { Lang } from '#contract/errors.ts'
import { CONNECTION_HEADER, DIRECTORY_HEADER, LANG_HEADER, PERSON_HEADER } from '#contract/limits.ts'
import { type HubOptions, type RunningHub, startHub } from '#hub/lifecycle.ts'
import { type Clock, systemClock } from '#kernel/clock.ts'
import type { HubMoment, HubTime } from '#kernel/hub-time.ts'
import { openLog } from '#kernel/log.ts'
import { newSqlite } from './new-sqlite.ts'
import { migratedPostgres } from './postgres.ts'
import { build } from './processes.ts'
import { DIST } from '../scripts/sources.js'
import { hubStored } from './until.ts'
import { FrameClientTransport } from './ws-transport.ts'

export type DatabaseKind = 'sqlite' | 'postgres'
/** What a test of both databases runs on. By day most have SQLite alone (scripts/tiers.js). */
export const databases: readonly DatabaseKind[] = (['sqlite', 'postgres'] as const).filter(kind =>
  [kind, 'both', undefined].includes(process.env['TORYO_TEST_DATABASES']),
)

/** Time that moves only when the test moves it. A hub's own time (hub-time.ts) is made of it; where there is no hub, it is its own. */
export class TestClock implements HubTime {
  #now = Date.parse('2026-01-01T00:00:00Z')
  #elapsed = 0
  #awake = 0
  #boot = 1
  now = () => this.#now
  monotonic = () => this.#elapsed
  awake = () => this.#awake
  boot = () => `boot ${this.#boot}`
  steady = () => (Date.parse('2026-01-01T00:00:00Z') + this.#awake) as HubMoment
  observed = () => this.#awake
  settledFor = () => this.#awake

  /** As after a sleep of the machine, or when the clock is set: the wall has moved, nothing else has. */
  jump(ms: number): void {
    this.#now += ms
  }

  advance(ms: number): void {
    this.#now += ms
    this.#elapsed += ms
    this.#awake += ms
  }

  /** The process was stopped for so long. */
  freeze(ms: number): void {
    this.#now += ms
    this.#elapsed += ms
  }

  /** The machine started again, and by its wall clock so much has gone by. */
  reboot(ms: number): void {
    this.#boot += 1
    this.#elapsed = 0
    this.#now += ms
  }
}

/** The machine's time, ahead by what a test adds to it: for tests in which real programs need real time, too. */
export class LeapingClock implements Clock {
  #ahead = 0
  now = () => systemClock.now() + this.#ahead
  monotonic = () => systemClock.monotonic() + this.#ahead
  awake = () => systemClock.awake() + this.#ahead
  boot = () => systemClock.boot()

  leap(ms: number): void {
    this.#ahead += ms
  }
}

export type TestHubOptions = {
  database?: DatabaseKind
  clock?: Clock
  /** It will open terminals: their host comes from dist/, which is built when it is not what the sources say. */
  terminals?: boolean
  /** Open this one, which the test made and removes. */
  target?: Target
  /** What stands in the user's configuration file. */
  config?: unknown
} & Partial<
  Pick<
    HubOptions,
    | 'room'
    | 'host'
    | 'port'
    | 'tls'
    | 'background'
    | 'idleMs'
    | 'hosts'
    | 'env'
    | 'runner'
    | 'runs'
    | 'thread'
    | 'engineEnv'
    | 'register'
    | 'page'
    | 'demoProgram'
  >
>

export type ToolAnswer = {
  /** As the model reads it; `body` is what it says where it is JSON. */
  text: string
  body: Record<string, unknown>
  isError: boolean
  result: Record<string, unknown>
}

export async function testHub(options: TestHubOptions = {}): Promise<TestHub> {
  if (options.terminals) build()
  const home = mkdtempSync(join(tmpdir(), 'toryo-test-'))
  const postgres = options.database === 'postgres' && !options.target ? await migratedPostgres() : undefined
  const db = postgres?.url ?? join(home, 'toryo.db')
  const target = options.target ?? locate(db, { env: { HOME: home, TORYO_HOME: home } })
  const log = openLog({ level: '3', file: join(home, 'hub.log') })
  if (target.kind === 'sqlite') await newSqlite(target.db)
  if (options.config !== undefined) {
    mkdirSync(target.home, { recursive: true, mode: 0o700 })
    writeFileSync(join(target.home, 'config.json'), JSON.stringify(options.config))
  }
  const cleanUp = async () => {
    await log.dispose()
    await postgres?.drop()
    rmSync(home, { recursive: true, force: true })
  }
  const running = await startHub({
    target,
    version: '0.0.0-test',
    clock: options.clock ?? systemClock,
    log,
    lang: 'en',
    background: options.background ?? false,
    host: options.host ?? '127.0.0.1',
    port: options.port ?? 0,
    hosts: options.hosts ?? [],
    ...(options.tls && { tls: options.tls }),
    idleMs: options.idleMs ?? 600_000,
    env: options.env ?? {},
    ...(options.room && { room: options.room }),
    ...(options.runner && { runner: options.runner }),
    bridge: join(DIST, 'bridge.js'),
    engineEnv: options.engineEnv ?? {},
    ...(options.page !== undefined && { page: options.page }),
    ...(options.demoProgram !== undefined && { demoProgram: options.demoProgram }),
    ...(options.runs && { runs: options.runs }),
    ...(options.thread && { thread: options.thread }),
    ...(options.register && { register: options.register }),
  }).catch(async error => {
    await cleanUp()
    throw error
  })
  running.hub.events.subscribe(hubStored)
  return new TestHub(running, target, home, cleanUp)
}

export class TestHub implements AsyncDisposable {
  readonly running: RunningHub
  readonly target: Target
  readonly home: string
  readonly #cleanUp: () => Promise<void>
  readonly #connections: TestConnection[] = []
  #usual: TestConnection | undefined

  constructor(running: RunningHub, target: Target, home: string, cleanUp: () => Promise<void>) {
    this.running = running
    this.target = target
    this.home = home
    this.#cleanUp = cleanUp
  }

  get url(): string {
    return this.running.url
  }

  get token(): string {
    return this.running.token
  }

  /** Stops the hub and keeps its files, for a test that starts it again. */
  async stop(): Promise<void> {
    await Promise.allSettled(this.#connections.map(connection => connection.close()))
    await this.running.stop()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop()
    await this.#cleanUp()
  }

  /** A client as an agent's bridge is one. Its secret may be given, to come back as the same connection. */
  async connect(options: ConnectOptions = {}): Promise<TestConnection> {
    const query = options.toolsets === undefined ? ALL_TOOLSETS : options.toolsets
    const secret = options.secret ?? randomBytes(32).toString('hex')
    const transport = new FrameClientTransport(
      `${this.url.replace('http', 'ws')}/bridge?${query && `toolsets=${query}`}${options.registered ? '&registered' : ''}`,
      {
        authorization: `Bearer ${options.credential ?? this.token}`,
        [CONNECTION_HEADER]: secret,
        [LANG_HEADER]: options.lang ?? 'en',
        ...(options.directory && { [DIRECTORY_HEADER]: encodeURIComponent(options.directory) }),
        ...(options.person !== undefined && { [PERSON_HEADER]: encodeURIComponent(options.person) }),
      },
      options.framesBefore,
    )
    const client = new Client({ name: 'test', version: '1' })
    await client.connect(transport)
    const connection = new TestConnection(client, secret)
    this.#connections.push(connection)
    return connection
  }

  /** A call of the operator, as a person's own client makes it. */
  async call(tool: string, args: Record<string, unknown> = {}): Promise<ToolAnswer> {
    this.#usual ??= await this.connect()
    return this.#usual.call(tool, args)
  }

  async api<O extends Operation>(operation: O, input: ApiInput<O>): Promise<ApiOutput<O>> {
    const response = await this.fetch(`/api/${operation}`, { method: 'POST', body: JSON.stringify(input) })
    const body = (await response.json()) as ApiOutput<O>
    if (!response.ok) throw new Error(`${operation} answered ${response.status}: ${JSON.stringify(body)}`)
    return body
  }

  fetch(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers({ authorization: `Bearer ${this.token}`, 'content-type': 'application/json' })
    for (const [name, value] of new Headers(init.headers)) headers.set(name, value)
    return fetch(`${this.url}${path}`, { ...init, headers })
  }

  /** A project with two agents, and a task of the first that is in progress. */
  async seed(name = 'demo'): Promise<Seeded> {
    const project = await this.api('project.add', { id: `prj_${name}`, name, directory: this.home })
    const agent = await this.api('agent.add', { id: `agt_${name}`, name: `${name} worker`, engine: 'claude' })
    const peer = await this.api('agent.add', { id: `agt_${name}_peer`, name: `${name} peer`, engine: 'codex' })
    for (const { agent_id } of [agent, peer])
      await this.api('project.assign', { project_id: project.project_id, agent_id })
    const task = await this.api('task.add', {
      id: `tsk_${name}`,
      project_id: project.project_id,
      title: 'Build the roof',
      description: '屋根を作る',
      assignee_id: agent.agent_id,
      status: 'in_progress',
    })
    return {
      projectId: project.project_id,
      agentId: agent.agent_id,
      passkey: agent.passkey,
      peerId: peer.agent_id,
      peerPasskey: peer.passkey,
      taskId: task.task_id,
    }
  }
}

export type Seeded = {
  projectId: string
  agentId: string
  passkey: string
  peerId: string
  peerPasskey: string
  taskId: string
}

type ConnectOptions = {
  toolsets?: string
  /** As the bridge that engines start because of our entry in their config files. */
  registered?: boolean
  secret?: string
  credential?: string
  lang?: Lang
  directory?: string
  /** What the person at the client is called. */
  person?: string
  framesBefore?: number
}

const ALL_TOOLSETS = 'runner,agent,projects,planning,legacy,crews,phases,memory,tabs,review'

/** The library gives up after a minute, in which a busy machine does not answer a thousand calls at once. */
const PATIENT = { timeout: 600_000 }

export class TestConnection {
  readonly client: Client
  readonly secret: string

  constructor(client: Client, secret: string) {
    this.client = client
    this.secret = secret
  }

  async call(name: string, args: Record<string, unknown> = {}): Promise<ToolAnswer> {
    const result = (await this.client.callTool({ name, arguments: args }, PATIENT)) as Record<string, unknown>
    const [content] = result['content'] as { text: string }[]
    const text = content?.text ?? '{}'
    return { text, body: bodyOf(text), isError: result['isError'] === true, result }
  }

  /** Signs in and answers the session token. */
  async signIn(agentId: string, passkey: string, projectId: string): Promise<string> {
    const { body } = await this.call('authenticate', { agent_id: agentId, passkey, project_id: projectId })
    if (typeof body['session_token'] !== 'string') throw new Error(`could not sign in: ${JSON.stringify(body)}`)
    return body['session_token']
  }

  close(): Promise<void> {
    return this.client.close()
  }
}

function bodyOf(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text) as Record<string, unknown>
  } catch {
    // Prose.
    return {}
  }
}
