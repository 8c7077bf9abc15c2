// One test's own machine: a home, a database, bridges that are real processes, and whatever hubs they start.
import { type ChildProcess, spawn } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { isAlive } from '#system/processes.ts'
import { locate, type Target } from '#client/locate.ts'
import { type HubState, readState } from '#client/state-file.ts'
import { until } from '../until.ts'
import { BridgeClient } from './bridge-client.ts'

export { until }

const BANNER =
  "import{createRequire as __createRequire}from'node:module';const require=__createRequire(import.meta.url);"

/** Bundles the bridge, and the scripted hub beside it as the hub's program. Returns their folder. */
export async function bundlePrograms(): Promise<string> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'toryo-programs-'))
  await build({
    entryPoints: { bridge: source('../../src/bridge/main.ts'), hub: source('../fixtures/scripted-hub.ts') },
    outdir: folder,
    bundle: true,
    platform: 'node',
    format: 'esm',
    outExtension: { '.js': '.js' },
    // As in scripts/build.js.
    mainFields: ['module', 'main'],
    external: ['bufferutil', 'utf-8-validate'],
    banner: { js: BANNER },
    logLevel: 'error',
  })
  fs.writeFileSync(path.join(folder, 'package.json'), '{"type":"module"}')
  return folder
}

export type Frame = { pid: number; secret: string; n: number; message: Record<string, unknown> }

export class World implements AsyncDisposable {
  readonly programs: string
  readonly folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'toryo-bridge-')))
  readonly home = path.join(this.folder, 'home')
  readonly db = path.join(this.folder, 'data', 'x.db')
  readonly env: Record<string, string>
  readonly #children: ChildProcess[] = []

  constructor(programs: string, script: object = {}) {
    this.programs = programs
    this.env = {
      HOME: this.folder,
      TORYO_HOME: this.home,
      PATH: process.env['PATH'] ?? '',
      SCRIPT_DIR: this.folder,
      SCRIPT_OWNER: String(process.pid),
    }
    this.script(script)
  }

  get target(): Target {
    return locate(this.db, { env: this.env })
  }

  get bridgeProgram(): string {
    return path.join(this.programs, 'bridge.js')
  }

  get hubProgram(): string {
    return path.join(this.programs, 'hub.js')
  }

  /** How the next hub that starts shall behave. */
  script(script: object): void {
    fs.writeFileSync(path.join(this.folder, 'script.json'), JSON.stringify(script))
  }

  bridge(args: string[] = ['--db', this.db], env: Record<string, string> = {}): BridgeClient {
    const client = new BridgeClient(this.bridgeProgram, args, { ...this.env, ...env })
    this.#children.push(client.child)
    return client
  }

  /** Any other process of this test; ended with it. */
  spawn(command: string, args: string[], stdio: 'pipe' | 'ignore' = 'pipe'): ChildProcess {
    const child = spawn(command, args, { env: this.env, stdio })
    this.#children.push(child)
    return child
  }

  hub(): HubState {
    const state = readState(this.target)
    if (!state) throw new Error('No hub has written its state.')
    return state
  }

  /** What the hubs of this test wrote down. */
  records<T = Frame>(what: 'frames' | 'started' | 'connected' = 'frames'): T[] {
    const file = path.join(this.folder, `${what}.jsonl`)
    if (!fs.existsSync(file)) return []
    // The last piece is empty, or a line that is just being written.
    const lines = fs.readFileSync(file, 'utf8').split('\n').slice(0, -1)
    return lines.map(line => JSON.parse(line) as T)
  }

  /** The `k` of every call of `once` that was carried out, in order; a call that was carried out twice is here twice. */
  effects(): number[] {
    const names = fs.readdirSync(this.folder).filter(name => name.startsWith('effect-'))
    return names.map(name => Number(name.split('-').at(-1))).sort((a, b) => a - b)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#children.map(ended))
    // A hub that a bridge was just starting may still come; without this folder it cannot go on.
    await until(() => {
      for (const { pid } of this.records<{ pid: number }>('started')) if (isHub(pid, this.programs)) kill(pid)
      return removed(this.folder)
    })
  }
}

function ended(child: ChildProcess): Promise<void> {
  return new Promise(resolve => {
    if (child.exitCode !== null || child.signalCode !== null) return resolve()
    child.once('exit', () => resolve())
    child.kill('SIGKILL')
  })
}

function removed(folder: string): boolean {
  try {
    fs.rmSync(folder, { recursive: true, force: true })
    return true
  } catch {
    return false // Another process wrote into it meanwhile.
  }
}

export function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // Gone already.
  }
}

/** The number may by now be another process's. */
function isHub(pid: number, programs: string): boolean {
  if (!fs.existsSync('/proc/self')) return isAlive(pid)
  try {
    return fs.readFileSync(`/proc/${pid}/cmdline`, 'latin1').includes(programs)
  } catch {
    return false // Gone.
  }
}

function source(name: string): string {
  return fileURLToPath(new URL(name, import.meta.url))
}
