// Tabs for tests: a hub with a git repository, and an engine whose program has a screen that tests can look behind.
import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'vitest'
import { locate, type Target } from '#client/locate.ts'
import type { Caller } from '#contract/caller.ts'
import {
  type DatabaseKind,
  type TestConnection,
  type TestHub,
  testHub,
  type TestHubOptions,
  type ToolAnswer,
} from './hub.ts'
import { Repo } from './git.ts'
import { migratedPostgres } from './postgres.ts'
import { build } from './processes.ts'
import { until } from './bridge/world.ts'
import { rowsOf, withoutAudit } from './scene.ts'
import { isRunning } from './scripted.ts'

export const SCRIPTED_TUI = fileURLToPath(new URL('./fixtures/scripted-tui.js', import.meta.url))

export type TabsOptions = {
  database?: DatabaseKind
  limits?: Record<string, number>
  /** Files of the repository beside README.md, committed. */
  files?: Record<string, string>
  /** Of the user's configuration, besides the engine in the tabs. */
  config?: {
    engines: Record<string, unknown>
    roles?: readonly unknown[]
    tabs?: unknown
    worktrees?: { setup: readonly string[] }
  }
  hub?: Omit<TestHubOptions, 'target' | 'database' | 'config'>
}

/** One machine: a home, a repository, and one hub after another. */
export class TabShop implements AsyncDisposable {
  readonly home = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'toryo-tabs-')))
  readonly repository = path.join(this.home, 'repo')
  readonly notes = path.join(this.home, 'notes')
  readonly projectId = 'prj_tabs'
  readonly #options: TabsOptions
  #postgres: Awaited<ReturnType<typeof migratedPostgres>> | undefined
  #hub: TestHub | undefined

  constructor(options: TabsOptions = {}) {
    build()
    this.#options = options
    fs.mkdirSync(this.notes)
    fs.mkdirSync(path.join(this.home, 'toryo'), { mode: 0o700 })
    makeRepository(this.repository, options.files)
    this.configure(options.limits ?? {})
  }

  get config() {
    return path.join(this.home, 'toryo', 'config.json')
  }

  configure(limits: Record<string, number>, more: Record<string, unknown> = {}): void {
    const engine = { terminal: [process.execPath, SCRIPTED_TUI, this.notes] }
    const { engines, ...rest } = this.#options.config ?? {}
    const config = {
      ...rest,
      ...more,
      limits: { launchesPerMinute: 100, ...limits },
      engines: { ...engines, tui: engine },
    }
    fs.writeFileSync(this.config, JSON.stringify(config))
  }

  get target(): Target {
    const env = { HOME: this.home, TORYO_HOME: path.join(this.home, 'toryo') }
    return locate(this.#postgres?.url ?? path.join(this.home, 'toryo', 'toryo.db'), { env })
  }

  /** Adds the project as a person does it, with a hub that is gone then. */
  async prepare(): Promise<void> {
    const hub = await this.hub()
    await hub.stop()
  }

  /** The hub; a second call starts the next one on the same data. */
  async hub(): Promise<TestHub> {
    const { database, hub: options } = this.#options
    if (database === 'postgres') this.#postgres ??= await migratedPostgres()
    const first = this.#hub === undefined
    const engineEnv = { PATH: process.env['PATH'], HOME: this.home, TORYO_HOME: path.join(this.home, 'toryo') }
    this.#hub = await testHub({ engineEnv, ...options, target: this.target })
    const { projectId: id, repository: directory } = this
    if (first) await this.#hub.api('project.add', { id, name: 'tabs', directory })
    return this.#hub
  }

  /** What the program of a tab wrote down. */
  notesOf(tab: string, kind: 'bytes' | 'screen'): string
  notesOf<T>(tab: string, kind: 'lines' | 'calls' | 'start'): T[]
  notesOf(tab: string, kind: string): unknown {
    const file = path.join(this.notes, `${tab}.${kind}`)
    const text = fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : ''
    if (kind === 'bytes' || kind === 'screen') return text
    // The last line may be half written.
    return text
      .split('\n')
      .slice(0, -1)
      .map(line => JSON.parse(line) as unknown)
  }

  lines(tab: string): string[] {
    return this.notesOf<string>(tab, 'lines')
  }

  /** What it shall show from now on; seen once it shows it. */
  async show(hub: TestHub, tab: string, screen: string, seen: string): Promise<void> {
    const file = path.join(this.notes, `${tab}.screen`)
    fs.writeFileSync(`${file}.new`, screen)
    fs.renameSync(`${file}.new`, file)
    await until(async () => (await hub.running.hub.terminals.screen(tab)).lines.some(line => line.includes(seen)))
  }

  pidOf(tab: string): number {
    const [start] = this.notesOf<{ pid: number }>(tab, 'start')
    if (!start) throw new Error(`${tab} has not started`)
    return start.pid
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#hub?.[Symbol.asyncDispose]()
    await this.#postgres?.drop()
    const tabs = fs.readdirSync(this.notes).filter(name => name.endsWith('.start'))
    // One that was ended while it wrote its first line has left an empty file.
    const starts = tabs.flatMap(name => this.notesOf<{ pid: number }>(name.replace('.start', ''), 'start'))
    const left = starts.map(({ pid }) => pid).filter(isRunning)
    fs.rmSync(this.home, { recursive: true, force: true })
    if (left.length > 0) throw new Error(`left behind: ${left.join(', ')}`)
  }
}

function makeRepository(folder: string, files: Record<string, string> = {}): void {
  fs.mkdirSync(folder, { recursive: true })
  for (const [name, text] of Object.entries({ 'README.md': 'hello\n', ...files })) {
    fs.mkdirSync(path.dirname(path.join(folder, name)), { recursive: true })
    fs.writeFileSync(path.join(folder, name), text)
  }
  const repo = new Repo(folder).init()
  repo.commit('first')
}

export function git(cwd: string, ...args: string[]): string {
  const who = ['-c', 'user.name=t', '-c', 'user.email=t@example.org', '-c', 'commit.gpgsign=false']
  const env = { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null' }
  return execFileSync('git', [...who, ...args], { cwd, env, encoding: 'utf8' })
}

type Calls = Pick<TestConnection, 'call'>

/** Launches and answers the tab's id, or throws the refusal. */
export async function launch(by: Calls, branch: string, args: Record<string, unknown> = {}): Promise<string> {
  const { body, isError } = await by.call('gwt_launch_agent', {
    agent_id: 'tui',
    branch,
    project_id: 'prj_tabs',
    ...args,
  })
  if (isError) throw new Error(JSON.stringify(body))
  return String(body['tab_id'])
}

export function answer({ body, isError }: ToolAnswer): Record<string, unknown> {
  if (isError) throw new Error(JSON.stringify(body))
  return body
}

/** Waits until the tab has this status. */
export async function becomes(by: Calls, tab: string, status: string): Promise<void> {
  await until(async () => answer(await by.call('gwt_get_tab_info', { tab_id: tab }))['status'] === status)
}

/** Each is refused with exactly this body, and makes no row. What a live tab shows may change its own row meanwhile. */
export async function refusesTab(
  hub: TestHub,
  tool: string,
  refusals: readonly [args: Record<string, unknown>, code: string, message: RegExp][],
): Promise<void> {
  for (const [args, code, message] of refusals) {
    const before = await countsOf(hub)
    const { body, isError } = await hub.call(tool, args)
    const wanted = { error: true, code, message: expect.stringMatching(message) as unknown }
    expect({ args, isError, body }).toEqual({ args, isError: true, body: wanted })
    expect(await countsOf(hub), code).toEqual(before)
  }
}

async function countsOf(hub: TestHub): Promise<Record<string, number>> {
  const { events: _, ...tables } = withoutAudit(await rowsOf(hub))
  return Object.fromEntries(Object.entries(tables).map(([name, rows]) => [name, rows.length]))
}

/** A tab of another project, which must see none of this one's. */
export const STRANGER = { kind: 'tab', tabId: 'tab_other', projectId: 'prj_other', depth: 1 } as Caller
