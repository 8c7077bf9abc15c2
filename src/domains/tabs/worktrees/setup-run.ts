// Runs the command that prepares a worktree: with a log, a limit and a record by which a crash finds it again.
import { rm } from 'node:fs/promises'
import { accessSync, constants, realpathSync, statSync } from 'node:fs'
import { delimiter, isAbsolute, join, resolve } from 'node:path'
import { StringDecoder } from 'node:string_decoder'
import { stripVTControlCharacters } from 'node:util'
import { showHidden } from '#contract/hidden-text.ts'
import { isWithin } from '#kernel/git/inside.ts'
import { CappedLog } from '#kernel/processes/capped-log.ts'
import { allowed, EVERYDAY } from '#kernel/processes/environment.ts'
import { LaunchError } from '#kernel/processes/launch.ts'
import type { ProcessRecord } from '#kernel/processes/record.ts'
import { supervise } from '#kernel/processes/supervise.ts'

export type SetupRun = {
  command: readonly string[]
  path: string
  marker: string
  logFile: string
  minutes: number
  env: NodeJS.ProcessEnv
  /** What the command may want to know. */
  facts: { branch: string | null; projectDirectory: string | null }
  started: (record: ProcessRecord) => Promise<void>
  progress?: ((line: string) => void) | undefined
  signal?: AbortSignal | undefined
}

const LOG_BYTES = 8 * 1024 * 1024
const LINE_LENGTH = 200

/** The user's own command sees what the user's own shell would pass on, without what changes programs in secret. */
const VARIABLES = [
  ...EVERYDAY,
  'SSL_CERT_*',
  'NVM_*',
  'FNM_*',
  'VOLTA_HOME',
  'PNPM_HOME',
  'BUN_INSTALL',
  'npm_config_*',
  'COREPACK_*',
  'PYENV_*',
  'ASDF_*',
  'MISE_*',
  'CARGO_HOME',
  'RUSTUP_HOME',
  'GOPATH',
  'GOMODCACHE',
  'JAVA_HOME',
  'GRADLE_USER_HOME',
]

/** Undefined when it succeeded, else why not. */
export async function runSetup(run: SetupRun): Promise<string | undefined> {
  const program = programOf(run)
  if (program === undefined) return `${run.command[0]} was not found`
  await rm(run.logFile, { force: true })
  const log = await CappedLog.create(run.logFile, { cap: LOG_BYTES })
  const tail = new Tail(run.progress)
  try {
    const process = await supervise({
      launch: {
        program,
        args: run.command.slice(1),
        cwd: run.path,
        env: {
          ...allowed(run.env, VARIABLES),
          CI: 'true',
          TORYO_WORKTREE: run.path,
          ...(run.facts.branch !== null && { TORYO_BRANCH: run.facts.branch }),
          ...(run.facts.projectDirectory !== null && { TORYO_PROJECT_DIR: run.facts.projectDirectory }),
        },
        marker: run.marker,
      },
      limits: { totalMs: run.minutes * 60_000 },
      log,
      onOutput: bytes => tail.hear(bytes),
    })
    const abort = () => void process.stop()
    run.signal?.addEventListener('abort', abort)
    if (run.signal?.aborted) abort()
    await run.started(process.record)
    const { cause, code, signal } = await process.ended
    run.signal?.removeEventListener('abort', abort)
    if (cause === 'stopped') return 'it was stopped'
    if (cause === 'time-limit') return `it took longer than ${run.minutes} minutes`
    if (code === 0) return undefined
    return `it ended with ${code === undefined ? (signal ?? 'an unknown end') : `exit code ${code}`}${tail.said}`
  } catch (error) {
    if (error instanceof LaunchError) return error.message
    throw error
  }
}

/** By the search path, or by a path inside of the worktree. */
function programOf({ command, path, env }: SetupRun): string | undefined {
  const name = command[0] ?? ''
  if (name.includes('/')) {
    const full = isAbsolute(name) ? name : resolve(path, name)
    const real = usable(full)
    return real !== undefined && (isAbsolute(name) || isWithin(path, real)) ? real : undefined
  }
  for (const folder of (env['PATH'] ?? '').split(delimiter))
    if (isAbsolute(folder) && usable(join(folder, name)) !== undefined) return join(folder, name)
  return undefined
}

function usable(file: string): string | undefined {
  try {
    accessSync(file, constants.X_OK)
    return statSync(file).isFile() ? realpathSync(file) : undefined
  } catch {
    return undefined // Not here, or not to be executed.
  }
}

/** The last line that was said, for whoever waits. */
class Tail {
  readonly #decoder = new StringDecoder('utf8')
  readonly #progress: ((line: string) => void) | undefined
  #line = ''
  #last = ''

  constructor(progress: ((line: string) => void) | undefined) {
    this.#progress = progress
  }

  hear(bytes: Buffer): void {
    const lines = (this.#line + this.#decoder.write(bytes)).split(/[\r\n]+/)
    this.#line = (lines.pop() ?? '').slice(-10 * LINE_LENGTH)
    const last = lines.map(plain).findLast(line => line !== '')
    if (last === undefined) return
    this.#last = last
    this.#progress?.(last)
  }

  get said(): string {
    const last = plain(this.#line) || this.#last
    return last === '' ? '' : `: ${last}`
  }
}

/** Without what moves a cursor or changes a colour. */
function plain(line: string): string {
  // More than enough to be shown of it, and no more to be looked through.
  const begun = stripVTControlCharacters(line.slice(0, 10 * LINE_LENGTH))
  return showHidden(begun, () => '')
    .trim()
    .slice(0, LINE_LENGTH)
}
