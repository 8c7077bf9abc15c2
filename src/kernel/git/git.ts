// The one door to the git program: found once, started without a shell, with an environment and settings of our own, bounded
// in time and output. What a repository's own configuration could make git execute is off here or not asked for elsewhere.
import { randomBytes } from 'node:crypto'
import { accessSync, constants, realpathSync, statSync } from 'node:fs'
import { delimiter, dirname, isAbsolute, join } from 'node:path'
import { type Launched, LaunchError, launch } from '../processes/launch.ts'
import { stop } from '../processes/stop.ts'
import { HOOK_KEYS, knowsConfigHooks, NO_EVENTS, switchedOff } from './config-hooks.ts'
import { GitError, type Unreadable } from './git-error.ts'
import { findPipe } from './pipes.ts'
import { SettingsReader, type UserSettings } from './user-settings.ts'

/** `worktree list -z` and the porcelain that we read came with 2.36; older ones than this are no longer maintained. */
const OLDEST = [2, 39] as const

const OUTPUT_BYTES = 4 * 1024 * 1024
const TIME_MS = 60_000
/** Almost nothing takes longer: then we look what it may be waiting for. */
const SLOW_MS = 2000
const ERROR_BYTES = 16 * 1024

export type GitRun = {
  cwd?: string
  gitDir?: string
  workTree?: string
  indexFile?: string
  stdin?: string | Uint8Array
  /** What is beyond is an error, or cut off with `cut`. */
  maxBytes?: number
  cut?: boolean
  ms?: number
  /** Exit codes that are answers. */
  codes?: readonly number[]
  signal?: AbortSignal | undefined
  /** By which others find the process, should we crash; must be random. */
  marker?: string | undefined
  /** Changes what a user's repository holds, which its hooks may want to know about. */
  writes?: boolean
  /** Where new objects go, in place of the gitdir's own folder. */
  objects?: string | undefined
  /** The author in commits and reflogs. Without it git would guess from the user and the machine. */
  identity?: Identity | undefined
}

/** `at` in milliseconds. */
export type Identity = { name: string; email: string; at: number }

export type GitOutput = { stdout: Buffer; stderr: string; code: number; cut: boolean }

type Program = { path: string; version: string }

export class Git {
  /** Where gitdirs of our own are made. */
  readonly folder: string
  readonly #env: NodeJS.ProcessEnv
  readonly #settings: SettingsReader
  readonly #running = new Set<() => void>()
  #disposed = false
  #program: Promise<Program> | undefined

  constructor({ folder, env }: { folder: string; env: NodeJS.ProcessEnv }) {
    this.folder = folder
    this.#env = env
    this.#settings = new SettingsReader(env, (args, own) => this.#askUser(args, own))
  }

  /** Throws when there is none, or one that is too old. A failure is not remembered: it may be installed meanwhile. */
  program(): Promise<Program> {
    this.#program ??= this.#find().catch((error: unknown) => {
      this.#program = undefined
      throw error
    })
    return this.#program
  }

  /** The users that may own a repository: this one, and under sudo the one who called it. */
  get owners(): (number | undefined)[] {
    const uid = process.getuid?.()
    return uid === 0 ? [uid, Number(this.#env['SUDO_UID'] ?? uid)] : [uid]
  }

  /** As they are now. */
  async settings(): Promise<UserSettings> {
    await this.program()
    return this.#settings.read()
  }

  async #askUser(args: readonly string[], own: Record<string, string>): Promise<string[] | undefined> {
    const { path } = await this.program()
    const { GIT_CONFIG_GLOBAL: _, ...env } = this.#environment({})
    // 1: nothing of the kind is set.
    const said = await this.#start(path, args, { ...env, ...own }, { codes: [0, 1] }).catch(() => undefined)
    return said && splitFields(said.stdout, false)
  }

  async run(args: readonly string[], options: GitRun = {}): Promise<GitOutput> {
    const { path, version } = await this.program()
    const before = [...GUARDS, ...places(options)]
    const env = this.#environment(options)
    const hooks = options.writes && knowsConfigHooks(version) ? await this.#configHooks(path, before, env) : []
    return this.#start(path, [...before, ...args], { ...env, ...switchedOff(hooks) }, options)
  }

  async #configHooks(path: string, before: readonly string[], env: Record<string, string>): Promise<string[]> {
    const args = [...before, 'config', '-z', '--name-only', '--get-regexp', HOOK_KEYS]
    const { stdout } = await this.#start(path, args, env, { codes: [0, 1] })
    return splitFields(stdout, false)
  }

  /** Ends what runs and starts nothing any more. */
  dispose(): void {
    this.#disposed = true
    for (const end of this.#running) end()
  }

  /** Lines or fields that git ended with NUL. */
  async fields(args: readonly string[], options: GitRun = {}): Promise<{ fields: string[]; cut: boolean }> {
    const { stdout, cut } = await this.run(args, options)
    return { fields: splitFields(stdout, cut), cut }
  }

  async #find(): Promise<Program> {
    const path = onPath(this.#env['PATH'])
    if (path === undefined) throw new GitError('missing', 'the program git is not in the search path')
    const { stdout } = await this.#start(path, ['--version'], this.#environment({}), {})
    const said = stdout.toString('utf8').trim()
    const [, major, minor] = /^git version (\d+)\.(\d+)/.exec(said) ?? []
    if (major === undefined) throw new GitError('missing', `${path} is not git: it said "${said.slice(0, 100)}"`)
    if (Number(major) < OLDEST[0] || (Number(major) === OLDEST[0] && Number(minor) < OLDEST[1]))
      throw new GitError('too-old', `${said} at ${path} is older than ${OLDEST.join('.')}`)
    return { path, version: said.replace(/^git version /, '') }
  }

  #environment({ indexFile, objects, identity }: GitRun): Record<string, string> {
    return {
      PATH: '/usr/bin:/bin',
      // Nothing of the user's is found by accident; what should count is named.
      HOME: this.folder,
      LC_ALL: 'C',
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_CONFIG_GLOBAL: '/dev/null',
      GIT_ATTR_NOSYSTEM: '1',
      GIT_TERMINAL_PROMPT: '0',
      GIT_OPTIONAL_LOCKS: '0',
      // A history that somebody has made up is not what is merged.
      GIT_NO_REPLACE_OBJECTS: '1',
      GIT_GRAFT_FILE: '/dev/null',
      // We fetch nothing, ever: no transport is allowed, whatever a partial clone would like to get.
      GIT_ALLOW_PROTOCOL: 'none',
      GIT_PROTOCOL_FROM_USER: '0',
      GIT_NO_LAZY_FETCH: '1',
      GIT_PAGER: 'cat',
      GIT_EDITOR: 'false',
      GIT_ASKPASS: 'false',
      GIT_SSH_COMMAND: 'false',
      ...(indexFile !== undefined && { GIT_INDEX_FILE: indexFile }),
      ...(objects !== undefined && { GIT_OBJECT_DIRECTORY: objects }),
      ...(identity && named(identity)),
    }
  }

  async #start(
    program: string,
    args: readonly string[],
    env: Record<string, string>,
    options: GitRun,
  ): Promise<GitOutput> {
    const { stdin, signal } = options
    if (this.#disposed || signal?.aborted) throw new GitError('cancelled', 'cancelled')
    let launched: Launched
    try {
      const marker = options.marker ?? randomBytes(16).toString('hex')
      launched = await launch({
        program,
        args,
        cwd: options.cwd ?? '/',
        env,
        marker,
        ...(stdin !== undefined && { stdin }),
      })
    } catch (error) {
      if (!(error instanceof LaunchError)) throw error
      throw new GitError(error.problem === 'no-folder' ? 'gone' : 'failed', error.message)
    }
    const collected = collect(launched, args, options, this.#running)
    // Disposed of while it started.
    if (this.#disposed) for (const end of this.#running) end()
    return collected
  }
}

/** These hold for every child that git starts, too. */
const GUARDS = [
  '--no-pager',
  '--literal-pathspecs',
  '-c',
  'core.hooksPath=/dev/null',
  '-c',
  'core.fsmonitor=false',
  '-c',
  'core.untrackedCache=false',
  '-c',
  'core.quotePath=false',
  '-c',
  'gc.auto=0',
  '-c',
  'maintenance.auto=false',
  '-c',
  'advice.detachedHead=false',
  '-c',
  'log.showSignature=false',
  '-c',
  'submodule.recurse=false',
  // New objects reach the disk together, and before anything that names them.
  '-c',
  'core.fsyncMethod=batch',
  ...NO_EVENTS,
]

async function collect(
  launched: Launched,
  args: readonly string[],
  options: GitRun,
  running: Set<() => void>,
): Promise<GitOutput> {
  const { maxBytes = OUTPUT_BYTES, cut = false, ms = TIME_MS, codes = [0], signal } = options
  const chunks: Buffer[] = []
  let bytes = 0
  let stderr = ''
  let ended: GitError | 'cut' | undefined
  const end = (why: GitError | 'cut') => {
    if (ended) return
    ended = why
    void stop(launched.record, { own: true, graceMs: 2000 }).catch(() => {}) // The exit below reports the outcome.
  }
  const name = args.find(arg => /^[a-z]/.test(arg) && !arg.includes('=')) ?? ''
  launched.stdout.on('data', (chunk: Buffer) => {
    if (ended) return
    chunks.push(chunk)
    bytes += chunk.length
    if (bytes > maxBytes) end(cut ? 'cut' : new GitError('too-much', `git ${name} said more than ${maxBytes} bytes`))
  })
  launched.stderr.on('data', (chunk: Buffer) => {
    if (stderr.length < ERROR_BYTES) stderr += chunk.toString('utf8')
  })
  const timer = setTimeout(() => end(new GitError('time', `git ${name} took longer than ${ms} ms`)), ms)
  const { gitDir } = options
  const lookForPipe = async (dir: string) => {
    const pipe = await findPipe(dir)
    if (pipe !== undefined) end(new GitError('not-a-file', `git ${name} waits for ${pipe}`, pipe))
  }
  const slow = gitDir === undefined ? undefined : setTimeout(() => void lookForPipe(gitDir), SLOW_MS)
  const abort = () => end(new GitError('cancelled', 'cancelled'))
  signal?.addEventListener('abort', abort)
  if (signal?.aborted) abort()
  running.add(abort)
  const { code } = await launched.closed
  clearTimeout(timer)
  clearTimeout(slow)
  signal?.removeEventListener('abort', abort)
  running.delete(abort)
  if (ended instanceof GitError) throw ended
  const stdout = Buffer.concat(chunks)
  if (ended === 'cut') return { stdout: stdout.subarray(0, maxBytes), stderr, code: 0, cut: true }
  if (code === undefined || !codes.includes(code)) throw failure(name, stderr)
  return { stdout, stderr, code, cut: false }
}

/** What git says of a repository that it does not accept, in all its versions so far. */
const UNREADABLE: [Unreadable, RegExp][] = [
  [
    'newer-repository',
    /expected git repo version|unknown repository extension|invalid value for 'extensions\.|unknown (?:ref storage|hash algorithm)/i,
  ],
  ['bad-config', /bad (?:numeric |boolean )?config|v1-only extension|reading the configuration files/i],
  ['bad-link', /invalid gitfile/i],
  ['damaged', /not a git repository/i],
]

function failure(name: string, stderr: string): GitError {
  const said = stderr.trim().slice(0, 2000)
  for (const [problem, words] of UNREADABLE) if (words.test(said)) return new GitError(problem, said)
  if (/promisor|missing blob|unable to read (tree|sha1)|transport '.*' not allowed/i.test(said))
    return new GitError('incomplete', said)
  return new GitError('failed', `git ${name}: ${said || 'failed without a word'}`)
}

function places({ gitDir, workTree }: GitRun): string[] {
  return [
    ...(gitDir === undefined ? [] : [`--git-dir=${gitDir}`]),
    ...(workTree === undefined ? [] : [`--work-tree=${workTree}`]),
  ]
}

function named({ name, email, at }: Identity): Record<string, string> {
  const date = `@${Math.floor(at / 1000)} +0000`
  return {
    GIT_AUTHOR_NAME: name,
    GIT_AUTHOR_EMAIL: email,
    GIT_AUTHOR_DATE: date,
    GIT_COMMITTER_NAME: name,
    GIT_COMMITTER_EMAIL: email,
    GIT_COMMITTER_DATE: date,
  }
}

/** The last one is incomplete when the output was cut. */
function splitFields(bytes: Buffer, cut: boolean): string[] {
  const fields = bytes.toString('utf8').split('\0')
  const last = fields.pop()
  if (last && !cut) fields.push(last)
  return fields
}

/** Only absolute entries: a relative one would find a program in whatever folder we happen to stand. */
function onPath(search = ''): string | undefined {
  for (const folder of search.split(delimiter)) {
    if (!isAbsolute(folder)) continue
    const file = join(folder, process.platform === 'win32' ? 'git.exe' : 'git')
    try {
      accessSync(file, constants.X_OK)
      if (statSync(file).isFile())
        return join(realpathSync(dirname(file)), process.platform === 'win32' ? 'git.exe' : 'git')
    } catch {
      // Not here.
    }
  }
  return undefined
}
