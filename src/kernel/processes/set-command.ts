// Runs a command that a person has set, in a folder: with a log, a limit and a record by which a crash finds it again.
import { rm } from 'node:fs/promises'
import { accessSync, constants, realpathSync, statSync } from 'node:fs'
import { delimiter, isAbsolute, join, resolve } from 'node:path'
import { codeOf } from '#system/files.ts'
import { isWithin } from '../git/inside.ts'
import { CappedLog } from './capped-log.ts'
import { allowed, EVERYDAY } from './environment.ts'
import type { ProcessRecord } from './record.ts'
import { type Ending, supervise } from './supervise.ts'

export type SetCommand = {
  command: readonly string[]
  /** Where it runs. */
  path: string
  marker: string
  logFile: string
  minutes: number
  env: NodeJS.ProcessEnv
  /** Variables on top of the user's own. */
  facts: Readonly<Record<string, string>>
  started: (record: ProcessRecord) => Promise<void>
  heard?: ((bytes: Buffer) => void) | undefined
  signal?: AbortSignal | undefined
}

const LOG_BYTES = 8 * 1024 * 1024

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

/** Undefined when there is no such program. Throws LaunchError when it cannot be started. */
export async function runSetCommand(run: SetCommand): Promise<Ending | undefined> {
  const program = programOf(run)
  if (program === undefined) return undefined
  const log = await logIn(run.logFile)
  const process = await supervise({
    launch: {
      program,
      args: run.command.slice(1),
      cwd: run.path,
      env: { ...allowed(run.env, VARIABLES), CI: 'true', ...run.facts },
      marker: run.marker,
    },
    limits: { totalMs: run.minutes * 60_000 },
    ...(log && { log }),
    onOutput: bytes => run.heard?.(bytes),
  })
  const abort = () => void process.stop()
  run.signal?.addEventListener('abort', abort)
  if (run.signal?.aborted) abort()
  try {
    await run.started(process.record).catch(async error => {
      // Otherwise it would be lost.
      await process.stop({ graceMs: 0 })
      throw error
    })
    return await process.ended
  } finally {
    run.signal?.removeEventListener('abort', abort)
  }
}

/** A disk without room must not keep the command from running. */
async function logIn(file: string): Promise<CappedLog | undefined> {
  try {
    await rm(file, { force: true })
    return await CappedLog.create(file, { cap: LOG_BYTES })
  } catch (error) {
    if (['ENOSPC', 'EDQUOT'].includes(codeOf(error))) return undefined
    throw error
  }
}

/** By the search path, or by a path inside of the folder. */
function programOf({ command, path, env }: SetCommand): string | undefined {
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
