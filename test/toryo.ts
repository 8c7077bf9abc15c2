// The real program as a child process, with a home of its own. Whatever hub it starts is stopped in the end.
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type { PassThrough } from 'node:stream'
import { once } from 'node:events'
import { runCli } from '#cli/run.ts'
import { langOf } from '#contract/lang.ts'
import { fakeIo } from './fake-io.ts'
import { checkOutput } from './json-output.ts'
import { DIST } from '../scripts/sources.js'

const PROGRAM = path.resolve(import.meta.dirname, '..', 'bin', 'toryo.js')

export type Ran = { code: number; out: string; err: string }

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

type Surroundings = { env?: NodeJS.ProcessEnv; stdin?: string; cwd?: string }

export class Toryo implements AsyncDisposable {
  readonly folder = fs.mkdtempSync(path.join(os.tmpdir(), 'toryo-cli-'))
  readonly home = path.join(this.folder, 'home')
  readonly db = path.join(this.home, 'toryo.db')
  readonly #started: ChildProcess[] = []
  readonly #databases = new Set<string>([this.db])

  /** For every program from now on. */
  more: NodeJS.ProcessEnv = {}

  env(more: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
    const clean = Object.entries(process.env).filter(
      ([name]) => !/^(TORYO_|LANG$|LC_|FORCE_COLOR|NO_COLOR|LOG_LEVEL|CLAUDE|CODEX_HOME$|XDG_)/.test(name),
    )
    // Never the real home: `up` registers itself in the config files there.
    const own = { HOME: this.folder, TORYO_HOME: this.home, LANG: 'C' }
    return { ...Object.fromEntries(clean), ...own, ...this.more, ...more }
  }

  /** Runs it to its end, as a process. */
  run(args: readonly string[], more: Surroundings = {}): Promise<Ran> {
    return this.#checked(args, this.#run(args, more))
  }

  /**
   * The same in this process, from the words to the exit code, for a tenth of the processor time: for tests of what a command says
   * or does. A hub that it starts is a process, with the environment that the program would have given it.
   */
  here(args: readonly string[], more: Surroundings = {}): Promise<Ran> {
    // Node reads this variable when it starts.
    if (args.includes('--url') && this.env(more.env)['NODE_EXTRA_CA_CERTS'] !== undefined) return this.run(args, more)
    return this.#checked(args, this.#runHere(args, more))
  }

  async #checked(args: readonly string[], running: Promise<Ran>): Promise<Ran> {
    const ran = await running
    const words = args.filter(word => word !== '--json')
    const document = words.length < args.length ? documentIn(ran.out) : undefined
    if (document !== undefined) await checkOutput(words, document)
    return ran
  }

  async #runHere(args: readonly string[], more: Surroundings): Promise<Ran> {
    this.#remember(args, more.cwd)
    const env = this.env(more.env)
    const io = fakeIo({ env, cwd: more.cwd ?? this.folder, lang: langOf(env), now: Date.now() })
    ;(io.stdin as PassThrough).end(more.stdin ?? '')
    const before = new Map(SIGNALS.map(signal => [signal, process.listeners(signal)]))
    try {
      const code = await runCli(args, io, { hubProgram: path.join(DIST, 'hub.js'), version: '0.0.0-test' })
      return { code, out: io.out(), err: io.err() }
    } finally {
      // What a command does at a signal goes with its process, which this one does not end.
      for (const signal of SIGNALS)
        for (const listener of process.listeners(signal))
          if (!before.get(signal)?.includes(listener)) process.off(signal, listener)
    }
  }

  /** The file, or undefined for a hub that is reached by a URL. */
  #databaseOf(args: readonly string[], cwd = this.folder): string | undefined {
    const db = args.indexOf('--db')
    if (db === -1) return args.includes('--url') ? undefined : this.db
    return args[db + 1]?.includes('://') ? undefined : path.resolve(cwd, args[db + 1] as string)
  }

  #remember(args: readonly string[], cwd: string | undefined): void {
    const db = this.#databaseOf(args, cwd)
    if (db !== undefined) this.#databases.add(db)
  }

  #run(args: readonly string[], more: Surroundings): Promise<Ran> {
    this.#remember(args, more.cwd)
    return new Promise(resolve => {
      const options = { env: this.env(more.env), cwd: more.cwd ?? this.folder, maxBuffer: 64 * 1024 * 1024 }
      const child = execFile(process.execPath, [PROGRAM, ...args], options, (_, out, err) =>
        resolve({ code: child.exitCode ?? 128, out, err }),
      )
      child.stdin?.end(more.stdin ?? '')
    })
  }

  /** Its one JSON document; throws when it failed. */
  async json<T = Record<string, unknown>>(...args: string[]): Promise<T> {
    const { code, out, err } = await this.here([...args, '--json'])
    if (code !== 0) throw new Error(`toryo ${args.join(' ')} exited ${code}: ${err}${out}`)
    return JSON.parse(out) as T
  }

  /** Starts it and goes on; `output` resolves when it has written what is looked for. */
  start(...args: string[]) {
    const child = spawn(process.execPath, [PROGRAM, ...args], {
      env: this.env(),
      cwd: this.folder,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    this.#started.push(child)
    const seen = { out: '', err: '' }
    child.stdout.setEncoding('utf8').on('data', text => (seen.out += text))
    child.stderr.setEncoding('utf8').on('data', text => (seen.err += text))
    const ended = once(child, 'close').then(([code]) => code as number | null)
    const output = (pattern: RegExp) =>
      new Promise<RegExpExecArray>((resolve, reject) => {
        const look = () => {
          const found = pattern.exec(seen.out)
          if (found) resolve(found)
        }
        child.stdout.on('data', look)
        look()
        void ended.then(code => reject(new Error(`ended with ${code} before ${pattern}: ${seen.out}${seen.err}`)))
      })
    return { child, seen, ended, output }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const child of this.#started) child.kill('SIGKILL')
    for (const db of this.#databases) if (fs.existsSync(`${db}.hub.json`)) await this.here(['stop', '--db', db])
    fs.rmSync(this.folder, { recursive: true, force: true })
  }
}

/** Undefined for what is not one document, such as lines that are each one. */
function documentIn(out: string): unknown {
  try {
    return JSON.parse(out)
  } catch {
    return undefined
  }
}
