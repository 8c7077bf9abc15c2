// The real program as a child process, with a home of its own. Whatever hub it starts is stopped in the end.
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { once } from 'node:events'
import { checkOutput } from './json-output.ts'

const PROGRAM = path.resolve(import.meta.dirname, '..', 'bin', 'toryo.js')

export type Ran = { code: number; out: string; err: string }

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

  /** Runs it to its end. */
  async run(args: readonly string[], more: Surroundings = {}): Promise<Ran> {
    const ran = await this.#run(args, more)
    const words = args.filter(word => word !== '--json')
    const document = words.length < args.length ? documentIn(ran.out) : undefined
    if (document !== undefined) await checkOutput(words, document)
    return ran
  }

  #run(args: readonly string[], more: Surroundings): Promise<Ran> {
    const db = args.indexOf('--db')
    if (db !== -1 && !args[db + 1]?.includes('://'))
      this.#databases.add(path.resolve(this.folder, args[db + 1] as string))
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
    const { code, out, err } = await this.run([...args, '--json'])
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
    for (const db of this.#databases) if (fs.existsSync(`${db}.hub.json`)) await this.run(['stop', '--db', db])
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
