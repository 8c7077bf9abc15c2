// Starts a program with descriptors 0–2 only, and a channel to us where that is asked for, in a session and process group of its
// own, with exactly the given environment and a mark that all its descendants inherit. Knows nothing of what the program is for.
import { spawn, type ChildProcess, type StdioOptions } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { inheritable } from '#system/descriptors.ts'
import { type ProcessRecord, recordOf } from './record.ts'
import { TORYO_MARK } from '#system/environment-names.ts'
import { limitFor } from '#system/processes.ts'

export type Launch = {
  /** An absolute path. */
  program: string
  args: readonly string[]
  /** An absolute path. */
  cwd: string
  /** All of it: nothing of our own environment is added. */
  env: Readonly<Record<string, string>>
  /** Random; no other may have the same. */
  marker: string
  /** What it reads first. */
  stdin?: string | Uint8Array
  /** Whether more follows, by `Launched.stdin`; otherwise it reads the end then. */
  keepStdin?: boolean
  umask?: number
}

export type Exit = { code: number | undefined; signal: NodeJS.Signals | undefined }

export type Launched = {
  readonly record: ProcessRecord
  /** Only with `keepStdin`. Errors are handled: what a dead program cannot read is lost. */
  readonly stdin: Writable | undefined
  readonly stdout: Readable
  readonly stderr: Readable
  /** The process has ended; others may still hold its output open. Settles once, never rejects. */
  readonly exited: Promise<Exit>
  /** Both outputs were read to the end, too. */
  readonly closed: Promise<Exit>
}

/**
 * Where its input and output go instead of into our pipes: a terminal of its own by its path, or an open file. With a
 * channel, a Node program can be sent messages and open connections.
 */
export type Place = { terminal: string } | { file: number; channel?: true }

export type Placed = Pick<Launched, 'record' | 'exited'> & {
  /** Only when it was asked for. */
  readonly channel: Channel | undefined
  /** We need not stay for its end. */
  unref(): void
}

export type Channel = Pick<ChildProcess, 'on' | 'send' | 'connected' | 'disconnect'>

export type LaunchProblem = 'no-folder' | 'no-program' | 'not-executable' | 'refused'

/** Nothing was started. */
export class LaunchError extends Error {
  readonly problem: LaunchProblem

  constructor(problem: LaunchProblem, message: string) {
    super(message)
    this.problem = problem
  }
}

const UMASK = 0o022
const CHANNEL = 3

export async function launch(options: Launch): Promise<Launched> {
  check(options)
  const child = start(options)
  child.on('error', () => {}) // Also later, when no listener is left.
  // Right now, before it can be reaped: its pid is still its own.
  const record = recordOf(child.pid as number, options.marker)
  const { exited, closed } = endings(child)
  for (const stream of [child.stdin, child.stdout, child.stderr]) {
    stream?.on('error', () => {}) // EPIPE and the like: the exit reports it.
  }
  if (options.stdin !== undefined) child.stdin?.write(options.stdin)
  if (!options.keepStdin) child.stdin?.end()
  await spawning(child)
  return {
    record,
    stdin: options.keepStdin ? (child.stdin ?? undefined) : undefined,
    stdout: child.stdout as Readable,
    stderr: child.stderr as Readable,
    exited,
    closed,
  }
}

/** As `launch`, for a program that needs nothing of us: it can go on when we have ended. */
export async function launchAt(place: Place, options: Omit<Launch, 'stdin' | 'keepStdin'>): Promise<Placed> {
  check(options)
  const child = start(options, place)
  child.on('error', () => {})
  const record = recordOf(child.pid as number, options.marker)
  const { exited } = endings(child)
  await spawning(child)
  const unref = () => {
    child.unref()
    child.channel?.unref()
  }
  return { record, exited, channel: child.channel ? child : undefined, unref }
}

function spawning(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    child.once('spawn', resolve)
    child.once('error', error => reject(new LaunchError('refused', error.message)))
  })
}

function check({ program, cwd }: Launch): void {
  if (!path.isAbsolute(cwd) || !fs.statSync(cwd, { throwIfNoEntry: false })?.isDirectory()) {
    throw new LaunchError('no-folder', `${cwd} is not a folder`)
  }
  if (!path.isAbsolute(program) || !fs.statSync(program, { throwIfNoEntry: false })?.isFile()) {
    throw new LaunchError('no-program', `${program} is not a program`)
  }
  try {
    fs.accessSync(program, fs.constants.X_OK)
  } catch {
    throw new LaunchError('not-executable', `${program} may not be executed`)
  }
}

function start(options: Launch, place?: Place): ChildProcess {
  const { cwd } = options
  const env = { ...options.env, [TORYO_MARK]: options.marker }
  const [input, output] = streams(options, place)
  try {
    if (process.platform === 'win32') {
      const stdio: StdioOptions = [input, output, output]
      return spawned(spawn(options.program, options.args, { cwd, env, stdio, windowsHide: true }))
    }
    const channel = place && 'file' in place && place.channel
    // Where Node closes it before it starts others; a stranger's descriptor of that number is not passed on then anyway.
    const leaked = inheritable().filter(fd => !channel || fd !== CHANNEL)
    const nothing = leaked.length > 0 ? fs.openSync('/dev/null', 'r+') : undefined
    try {
      const [third, ...rest] = covers(leaked, nothing)
      const others = channel ? (['ipc', ...rest] as const) : third === undefined ? [] : [third, ...rest]
      const stdio: StdioOptions = [input, output, output, ...others]
      const terminal = place && 'terminal' in place ? place.terminal : undefined
      const [shell, ...script] = wrapper(leaked, terminal === undefined ? SCRIPT : TERMINAL_SCRIPT)
      const mask = (options.umask ?? UMASK).toString(8).padStart(3, '0')
      const before = terminal === undefined ? [] : [terminal]
      const limit = String(limitFor(options.marker))
      const args = [...script, 'launch', ...before, limit, mask, options.program, ...options.args]
      return spawned(spawn(shell, args, { cwd, env, stdio, detached: true }))
    } finally {
      if (nothing !== undefined) fs.closeSync(nothing)
    }
  } catch (error) {
    if (error instanceof LaunchError) throw error
    throw new LaunchError('refused', (error as Error).message) // A NUL in an argument, arguments too long for the system.
  }
}

function streams(options: Launch, place?: Place): [input: 'ignore' | 'pipe', output: 'ignore' | 'pipe' | number] {
  if (place) return ['ignore', 'file' in place ? place.file : 'ignore']
  return [options.stdin === undefined && !options.keepStdin ? 'ignore' : 'pipe', 'pipe']
}

function spawned(child: ChildProcess): ChildProcess {
  if (child.pid !== undefined) return child
  child.on('error', () => {})
  throw new LaunchError('refused', 'the system could not start another process')
}

/**
 * The shell replaces itself with the program, so that the pid stays. It takes back what it added to the environment.
 * No core files: they would hold secrets.
 */
const SCRIPT = `${mark()}; shift; umask "$1"; shift; ulimit -c 0; unset PWD OLDPWD SHLVL; exec "$@"`

/** Where it means nothing else. It can be refused, as below a limit that another program has set. */
function mark(): string {
  return process.platform === 'linux' ? 'command ulimit -S -m "$1" 2>/dev/null' : ':'
}

/** The first terminal that the leader of a session opens becomes the session's own: Ctrl-C and hanging up then work. */
const TERMINAL_SCRIPT = `exec <>"$1" >&0 2>&0; shift; ${SCRIPT}`

/**
 * dash closes no descriptor above 9. bash does, but adds to the environment, which env takes out, and believes that a socket
 * as its input means a login from afar, for which it would run the user's .bashrc.
 */
function wrapper(leaked: readonly number[], then: string): [shell: string, ...args: string[]] {
  const bash = leaked.some(fd => fd > 9) ? ['/bin/bash', '/usr/bin/bash'].find(file => fs.existsSync(file)) : undefined
  const closings = leaked.filter(fd => bash !== undefined || fd <= 9).map(fd => `${fd}>&-`)
  const script = closings.length > 0 ? `exec ${closings.join(' ')}; ${then}` : then
  if (bash === undefined) return ['/bin/sh', '-c', script]
  return [bash, '--norc', '--noprofile', '-c', script.replace('exec "$@"', 'exec /usr/bin/env -u _ -u SHLVL "$@"')]
}

/** Not even the shell gets a stranger's descriptor: /dev/null takes its place. */
function covers(leaked: readonly number[], nothing: number | undefined): (number | 'ignore')[] {
  if (nothing === undefined) return []
  return Array.from({ length: Math.max(...leaked) - 2 }, (_, at) => (leaked.includes(at + 3) ? nothing : 'ignore'))
}

function endings(child: ChildProcess): Pick<Launched, 'exited' | 'closed'> {
  const settle = (event: 'exit' | 'close') =>
    new Promise<Exit>(resolve => {
      child.once(event, (code, signal) => resolve({ code: code ?? undefined, signal: signal ?? undefined }))
    })
  return { exited: settle('exit'), closed: settle('close') }
}
