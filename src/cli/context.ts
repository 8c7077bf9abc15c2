// What every command is given: the terminal, the options that all commands share, and the way to the hub.
import type { HubState } from '#client/state-file.ts'
import { locate, type Target } from '#client/locate.ts'
import { CliError } from './errors.ts'
import type { Io } from './io.ts'
import type { Connection } from './connect.ts'
import { texts } from './texts.ts'

export type GlobalOptions = { db?: string; json?: boolean; url?: string; tokenFile?: string }

export type Context = {
  readonly io: Io
  readonly global: GlobalOptions
  /** The words after `--`; undefined without one. */
  readonly afterDashes: readonly string[] | undefined
  /** The hub's program, dist/hub.js. */
  readonly hubProgram: string
  /** Of this program. */
  readonly version: string
  /** The database on this machine; refuses `--url`. */
  target(): Target
  /** The hub of `--url`, else the database's own, started when none runs. */
  connect(): Promise<Connection>
  /** The same, but starts nothing: throws HUB_NOT_RUNNING. */
  connectRunning(db?: string): Promise<Connection>
  /** The database's hub as its state file names it, started when none runs. */
  ensure(): Promise<HubState>
}

export type Installation = Pick<Context, 'hubProgram' | 'version'>

export function createContext(
  io: Io,
  global: GlobalOptions,
  installed: Installation,
  cleanups: (() => void)[],
  args: readonly string[],
): Context {
  const { hubProgram } = installed
  const target = (db = global.db) => {
    if (global.url !== undefined) throw CliError.USAGE({ text: texts.notWithUrl })
    return locate(db, { env: io.env, cwd: io.cwd })
  }
  const kept = (connection: Connection) => {
    cleanups.push(() => connection.dispose())
    return connection
  }
  return {
    io,
    global,
    ...installed,
    afterDashes: args.includes('--') ? args.slice(args.indexOf('--') + 1) : undefined,
    target,
    async connect() {
      const { connectTo, connectAndStart } = await import('./connect.ts')
      if (global.url !== undefined) return kept(await connectTo(global, io))
      return kept(await connectAndStart(target(), io, hubProgram, global.json === true))
    },
    async connectRunning(db) {
      const { connectTo, connectIfRunning } = await import('./connect.ts')
      return kept(await (global.url !== undefined ? connectTo(global, io) : connectIfRunning(target(db), io)))
    },
    async ensure() {
      const { ensureWithProgress } = await import('./connect.ts')
      return ensureWithProgress(target(), io, hubProgram, global.json === true)
    },
  }
}
