// The programs under measurement, as users run them: built, each in a process of its own, on a real file system.
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import type { ApiInput, ApiOutput, Operation } from '#contract/api.ts'
import { isAlive } from '#system/processes.ts'
import { StdioClient } from './rpc.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const WORK = join(ROOT, '.cache', 'bench')
/** The build that is measured: a copy of an earlier `bin` and `dist` can be named, so that both are measured in one sitting. */
const BUILT = process.env['TORYO_BENCH_BUILD'] ?? ROOT

/** The bridge's one file. */
export const BRIDGE = join(BUILT, 'dist', 'bridge.js')

/** The floor, bundled and minified as its author would ship it. */
export async function buildFloor(): Promise<string[]> {
  const outfile = join(WORK, 'floor.mjs')
  await build({
    absWorkingDir: ROOT,
    entryPoints: [join(ROOT, 'bench', 'floor.ts')],
    outfile,
    bundle: true,
    minify: true,
    platform: 'node',
    target: 'node20.19',
    format: 'esm',
    logLevel: 'warning',
  })
  return [process.execPath, outfile]
}

/** A database of its own, not in the temporary folder: that may be in memory, where a sync costs nothing. */
export class Place implements AsyncDisposable {
  readonly home: string
  readonly db: string
  readonly #hubs: Hub[] = []

  constructor() {
    mkdirSync(WORK, { recursive: true, mode: 0o700 })
    this.home = mkdtempSync(join(WORK, 'home-'))
    this.db = join(this.home, 'toryo.db')
  }

  get statePath(): string {
    return `${this.db}.hub.json`
  }

  get env(): NodeJS.ProcessEnv {
    return { TORYO_HOME: this.home, TORYO_LANG: 'en' }
  }

  bridge(): StdioClient {
    return new StdioClient([process.execPath, join(BUILT, 'bin', 'toryo.js'), 'mcp', '--db', this.db], this.env)
  }

  async startHub(nodeOptions: readonly string[] = []): Promise<Hub> {
    const program = [...nodeOptions, join(BUILT, 'dist', 'hub.js'), '--db', this.db, '--background']
    const child = spawn(process.execPath, program, {
      env: { ...process.env, ...this.env },
      stdio: ['ignore', 'ignore', 'inherit'],
      cwd: this.home,
    })
    const hub = new Hub(child, await this.readState(() => child.exitCode))
    this.#hubs.push(hub)
    return hub
  }

  /** `toryo up`, which makes itself known to bridges that are given no database. This place is the user's home, too. */
  async startRegisteredHub(): Promise<Hub> {
    const program = [join(BUILT, 'bin', 'toryo.js'), 'up', '--db', this.db, '--port', '0', '--no-runner', '--no-open']
    // Nothing of the real user's: it edits the engines' config files.
    const nowhere = { CLAUDE_CONFIG_DIR: '', CODEX_HOME: '', XDG_CONFIG_HOME: '' }
    const env = { ...process.env, ...this.env, ...nowhere, HOME: this.home }
    const child = spawn(process.execPath, program, { env, stdio: ['ignore', 'ignore', 'inherit'], cwd: this.home })
    const hub = new Hub(child, await this.readState(() => child.exitCode, join(this.home, '.gwt', 'mcp-state.json')))
    this.#hubs.push(hub)
    return hub
  }

  /** As an engine starts it because of our entry in its config file. */
  registeredBridge(): StdioClient {
    return new StdioClient([process.execPath, BRIDGE], { ...this.env, HOME: this.home })
  }

  /** A hub that another program started, as a bridge does. */
  async adoptHub(): Promise<Hub> {
    const hub = new Hub(undefined, await this.readState(() => null))
    this.#hubs.push(hub)
    return hub
  }

  async readState(exitCode: () => number | null, file = this.statePath): Promise<State> {
    while (!existsSync(file)) {
      if (exitCode() !== null) throw new Error(`the hub ended with ${exitCode()}`)
      await pause(5)
    }
    return JSON.parse(readFileSync(file, 'utf8')) as State
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const hub of this.#hubs) await hub.stop()
    rmSync(this.home, { recursive: true, force: true })
  }
}

type State = { pid: number; url: string; token: string }

export class Hub {
  readonly pid: number
  readonly #child: ChildProcess | undefined
  readonly #state: State

  constructor(child: ChildProcess | undefined, state: State) {
    this.#child = child
    this.#state = state
    this.pid = state.pid
  }

  async api<O extends Operation>(operation: O, input: ApiInput<O>): Promise<ApiOutput<O>> {
    const response = await fetch(`${this.#state.url}/api/${operation}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${this.#state.token}`, 'content-type': 'application/json' },
      body: JSON.stringify(input),
    })
    const body = (await response.json()) as ApiOutput<O>
    if (!response.ok) throw new Error(`${operation} answered ${response.status}: ${JSON.stringify(body)}`)
    return body
  }

  /** A project with so many tasks, of which every tenth is in progress. */
  async seed(tasks: number, name = 'bench'): Promise<{ projectId: string; taskId: string }> {
    const { project_id: projectId } = await this.api('project.add', { name, directory: '/' })
    let taskId = ''
    for (let from = 0; from < tasks; from += SEED_AT_ONCE) {
      const numbers = Array.from({ length: Math.min(SEED_AT_ONCE, tasks - from) }, (_, index) => from + index)
      const added = await Promise.all(
        numbers.map(number =>
          this.api('task.add', {
            project_id: projectId,
            title: `Task ${number}`,
            description: `What task ${number} is about, in a sentence of the usual length.`,
            status: number % 10 === 0 ? 'in_progress' : 'todo',
          }),
        ),
      )
      taskId = added[0]?.task_id ?? taskId
    }
    return { projectId, taskId }
  }

  async stop(): Promise<void> {
    if (!isAlive(this.pid)) return
    const ended = this.#child && new Promise<void>(resolve => this.#child?.once('exit', () => resolve()))
    process.kill(this.pid, 'SIGTERM')
    await ended
    while (isAlive(this.pid)) await pause(10)
  }
}

const SEED_AT_ONCE = 64

/** Resident memory in MB, where the system reports it. */
export function residentMb(pid: number): number {
  const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return Number(kilobytes) / 1024
}

/** What a process has had of the processors so far, all its threads together, in milliseconds. Linux only. */
export function cpuMs(pid: number): number {
  // The name, in parentheses, may hold spaces; after it the fields are fixed. Ticks are hundredths of a second.
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) * 10
}

/**
 * How many transactions were committed to this SQLite file, from the header of its shared memory ("iChange" of the WAL
 * index). With synchronous=FULL each of them is one sync of the log.
 */
export function commitsOf(db: string): number {
  return readFileSync(`${db}-shm`).readUInt32LE(8)
}
