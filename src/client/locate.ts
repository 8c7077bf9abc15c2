// Where a database's hub keeps its state: the one place that turns `--db` and TORYO_HOME into paths.
// Knows no process and opens nothing; state-file.ts reads and writes what is found here.
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type { Text } from '#contract/errors.ts'
import { pathIn } from '#contract/ids.ts'
import { TORYO_DB, TORYO_HOME } from '#system/environment-names.ts'
import { configText } from './config-value.ts'
import { ClientError } from './errors.ts'

export type Env = Readonly<Record<string, string | undefined>>

export type Target = {
  readonly kind: 'sqlite' | 'postgres'
  /** An absolute file, or a PostgreSQL URL with its password if one was given. */
  readonly db: string
  /** The same without the password: for argv, logs and people. */
  readonly shownDb: string
  readonly home: string
  /** Holds the state file and the lock; verified before anything in it is believed. */
  readonly directory: string
  readonly statePath: string
  readonly lockPath: string
  readonly logDirectory: string
  /** Names this database in file names that are not beside it. */
  readonly hash: string
}

/** Also with a slash too few: its password would become the name of a folder. */
const URL_LIKE = /^(?:[a-z][a-z0-9+.-]*:\/\/|postgres(?:ql)?:)/i

type Place = { env?: Env; cwd?: string }

/** Finds the places of `--db`; without one, of TORYO_DB, "db" in config.json or the default database. Writes nothing. */
export function locate(named: string | undefined, { env = process.env, cwd = process.cwd() }: Place = {}): Target {
  const home = toryoHome(env, cwd)
  const db = named ?? (env[TORYO_DB] || configured(home, env))
  const logDirectory = path.join(home, 'logs')
  if (db !== undefined && /^postgres(ql)?:\/\//i.test(db)) {
    const { url, shown } = readPostgresUrl(db)
    const hash = sha256(shown)
    const directory = path.join(home, 'hubs', hash)
    const statePath = path.join(directory, 'hub.json')
    const lockPath = path.join(directory, 'lock')
    return { kind: 'postgres', db: url, shownDb: shown, home, directory, statePath, lockPath, logDirectory, hash }
  }
  const file = db === undefined ? path.join(home, 'toryo.db') : readFile(db, env, cwd)
  return {
    kind: 'sqlite',
    db: file,
    shownDb: file,
    home,
    directory: path.dirname(file),
    statePath: `${file}.hub.json`,
    lockPath: `${file}.lock`,
    logDirectory,
    hash: sha256(file),
  }
}

/** A file that config.json names relative to itself. */
function configured(home: string, env: Env): string | undefined {
  const db = configText(path.join(home, 'config.json'), 'db')
  if (db === undefined || db.trim() === '') return undefined
  return URL_LIKE.test(db) ? db : path.resolve(home, expand(db, env))
}

/** Each hub's own: two that share a home must not rotate each other's. */
export function hubLog({ logDirectory, hash }: Target): string {
  return path.join(logDirectory, `hub-${hubKey({ hash })}.log`)
}

/**
 * What an agent's instance wrote, under the home of the machine on which it ran. `hub` is the beginning of `Target.hash`; the
 * epoch is its session's.
 */
export function instanceLog(
  home: string,
  hub: string,
  { agentId, projectId, epoch }: { agentId: string; projectId: string; epoch: number },
): string {
  return pathIn(path.join(home, 'logs', 'instances'), hub, projectId, agentId, `${epoch}.log`)
}

export function hubKey({ hash }: Pick<Target, 'hash'>): string {
  return hash.slice(0, 16)
}

export function toryoHome(env: Env = process.env, cwd = process.cwd()): string {
  const given = env[TORYO_HOME]
  if (!given) return canonicalFolder(path.join(userHome(env), '.toryo'))
  return canonicalFolder(path.resolve(cwd, expand(given, env)))
}

function readFile(db: string, env: Env, cwd: string): string {
  const refuse = (en: string, ja: string) =>
    ClientError.DB_NOT_UNDERSTOOD({ db: withoutSecret(db), why: { en, ja } satisfies Text })
  if (db.trim() === '') throw refuse('the name is empty.', '名前が空です。')
  if (db.includes('\0')) throw refuse('the name contains a NUL character.', '名前に NUL 文字が含まれています。')
  if (URL_LIKE.test(db))
    throw refuse('give a file, or a postgres:// URL.', 'ファイルか postgres:// の URL を指定してください。')
  const named = path.resolve(cwd, expand(db, env))
  const file = path.join(canonicalFolder(path.dirname(named)), path.basename(named))
  if (/[\\/]$/.test(db) || isFolder(file))
    throw refuse('this is a folder; give a file in it.', 'フォルダーです。その中のファイルを指定してください。')
  return file
}

function isFolder(file: string): boolean {
  try {
    return fs.statSync(file).isDirectory()
  } catch {
    return false // Missing or unreadable: opening it will say which.
  }
}

/** The shell expands these only where it sees them; in a client's configuration file they stay as they are. */
function expand(value: string, env: Env): string {
  return value.replace(/^(~|\$HOME|\$\{HOME\})(?=$|[\\/])/, () => userHome(env))
}

/** The user's own folder, where other programs keep their settings. */
export function userHome(env: Env): string {
  return env['HOME'] || os.homedir()
}

/**
 * One file must have one name, or it gets two hubs: links on the way to its folder are followed. The folder itself is not:
 * when that is a link, trusted-path.ts refuses it.
 */
function canonicalFolder(folder: string): string {
  return path.join(realpathOfExisting(path.dirname(folder)), path.basename(folder))
}

function realpathOfExisting(folder: string): string {
  try {
    return fs.realpathSync(folder)
  } catch (cause) {
    const parent = path.dirname(folder)
    // Not there yet, or not ours to look at: making or opening it will say so.
    if (parent === folder) throw cause
    return path.join(realpathOfExisting(parent), path.basename(folder))
  }
}

/** The password neither takes part in the hash nor appears where people and `ps` look. */
function readPostgresUrl(db: string): { url: string; shown: string } {
  const refuse = (why: Text) => ClientError.DB_NOT_UNDERSTOOD({ db: withoutSecret(db), why })
  if (!URL.canParse(db)) throw refuse({ en: 'the URL cannot be parsed.', ja: 'URL を解釈できません。' })
  const url = new URL(db)
  // A part of a password is then taken for something else, and shown.
  if (url.hash !== '' || url.pathname.includes('@') || [...url.searchParams.keys()].some(name => name.includes('@')))
    throw refuse({
      en: 'write / ? # @ in a password as %2F %3F %23 %40.',
      ja: 'パスワード中の / ? # @ は %2F %3F %23 %40 と書いてください。',
    })
  const shown = new URL(url.href.replace(/^postgresql:/i, 'postgres:'))
  if (shown.port === '5432') shown.port = ''
  shown.password = ''
  shown.searchParams.delete('password')
  return { url: url.href, shown: shown.href }
}

/** What was not understood, without what may be a password in it. */
function withoutSecret(db: string): string {
  if (!URL_LIKE.test(db)) return db
  return db.replace(/^([a-z][a-z0-9+.-]*:\/*).*@/is, '$1…@').replace(/(#|password=).*/is, '$1…')
}

/** What `shownDb` leaves out; the hub takes it from PGPASSWORD. */
export function postgresPassword(target: Target): string | undefined {
  if (target.kind !== 'postgres') return undefined
  const url = new URL(target.db)
  return url.searchParams.get('password') || decodeURIComponent(url.password) || undefined
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
