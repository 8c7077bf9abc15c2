// One real PostgreSQL server for a whole test run, and empty databases on it. As a vitest globalSetup it starts the server;
// tests only call freshPostgres().
import { execFile, execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir, userInfo } from 'node:os'
import path from 'node:path'
import type { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { inMemory } from '../scripts/in-memory.js'
import { providePostgres } from '../scripts/postgres.js'
import { connect, emptied, shapeOf } from './emptied.ts'

const execute = promisify(execFile)

declare module 'vitest' {
  interface ProvidedContext {
    /** Of the superuser, on the maintenance database. */
    postgresUrl: string
    /** Of this run alone: a database that holds our tables, and nothing in them. */
    postgresTemplate: string
    /** Of the template, to see whether a test has changed its copy. */
    postgresShape: string
  }
}

export interface PostgresServer extends AsyncDisposable {
  readonly url: string
  /** Ends it as a crash does (`pg_ctl stop -m immediate`). It stays away until `revive()`. */
  crash(): Promise<void>
  revive(): Promise<void>
  stop(): Promise<void>
}

export interface PostgresDatabase extends AsyncDisposable {
  readonly url: string
  /** Ends whatever is connected, too. */
  drop(): Promise<void>
}

/** vitest calls this once before all tests, and what it returns after them. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await startPostgres()
  project.provide('postgresUrl', server.url)
  const { name, shape } = await makeTemplate(server.url)
  project.provide('postgresTemplate', name)
  project.provide('postgresShape', shape)
  return () => server.stop()
}

/** Hundreds of tests need a database with our tables: a copy costs a fraction of what making them costs. */
async function makeTemplate(serverUrl: string): Promise<{ name: string; shape: string }> {
  const [{ openPostgres }, { migrations }] = await Promise.all([
    import('#kernel/db/postgres.ts'),
    import('#hub/schema.ts'),
  ])
  const { name, url } = await createDatabase(serverUrl)
  const database = await openPostgres(url, migrations, Date.now)
  await database.close()
  return { name, shape: await shapeOf(url) }
}

/** A new empty database. Without `serverUrl` on the server of this test run. */
export async function freshPostgres(serverUrl?: string): Promise<PostgresDatabase> {
  const admin = serverUrl ?? (await provided()).admin
  return disposable(admin, await createDatabase(admin))
}

/** What empties it stays connected: a new connection costs as much as the emptying. */
type Spare = { name: string; url: string; client?: pg.Client | undefined }

/** They go with the server of the test run. */
const spare: Spare[] = []

/**
 * A database on the server of this test run that has our tables already, and nothing in them, as after the first start of a hub.
 * The next one who asks in this worker gets it again: emptying it costs a fraction of what copying the template costs.
 */
export async function migratedPostgres(): Promise<PostgresDatabase> {
  const { admin, template, shape } = await provided()
  const database: Spare = spare.pop() ?? (await createDatabase(admin, `template ${template} strategy file_copy`))
  const made = disposable(admin, database)
  const putBack = async () => {
    if (await emptied(await clientOf(database), shape)) spare.push(database)
    else await made.drop()
  }
  return { url: made.url, drop: putBack, [Symbol.asyncDispose]: putBack }
}

async function clientOf(database: Spare): Promise<pg.Client> {
  if (database.client) return database.client
  const client = await connect(database.url)
  // A test may have ended all connections of its database.
  client.on('end', () => (database.client = undefined))
  database.client = client
  return client
}

async function provided(): Promise<{ admin: string; template: string; shape: string }> {
  const { inject } = await import('vitest')
  const admin: string | undefined = inject('postgresUrl')
  if (admin === undefined)
    throw new Error('npm run test:fast has no PostgreSQL: loop over `databases`, or name the file *.slow.test.ts.')
  return { admin, template: inject('postgresTemplate'), shape: inject('postgresShape') }
}

async function createDatabase(admin: string, from = ''): Promise<{ name: string; url: string }> {
  const name = `toryo_${randomBytes(8).toString('hex')}`
  await asAdmin(admin, `create database ${name} ${from}`)
  const url = new URL(admin)
  url.pathname = `/${name}`
  return { name, url: url.href }
}

function disposable(admin: string, { name, url }: { name: string; url: string }): PostgresDatabase {
  const drop = () => asAdmin(admin, `drop database if exists ${name} with (force)`)
  return { url, drop, [Symbol.asyncDispose]: drop }
}

/** A server of its own on an ephemeral loopback port. It ends with `stop()`, and with this process however that ends. */
export async function startPostgres(): Promise<PostgresServer> {
  const programs = providePostgres(line => console.log(line))
  const user = unprivileged()
  // The port is free when we look, but not surely when the server binds it.
  for (let attempt = 1; ; attempt += 1) {
    const home = await mkdtemp(path.join(inMemory() ?? tmpdir(), 'toryo-pg-'))
    try {
      return await startIn(home, programs, user)
    } catch (error) {
      execFileSync('rm', ['-rf', home])
      if (attempt === 3 || !(error instanceof PortTaken)) throw error
    }
  }
}

class PortTaken extends Error {}

async function startIn(home: string, programs: string, user: User): Promise<PostgresServer> {
  const as: As = { ...user, cwd: home, env: { PATH: process.env['PATH'], LC_ALL: 'C', TZ: 'UTC' } }
  give(as, home)
  const bin = await readableBy(as, programs)
  const password = randomBytes(16).toString('hex')
  await initialise(as, bin, password)

  const port = await freePort()
  const keeper = spawn('/bin/sh', ['-c', KEEPER, home, ...command(bin, home, port)], {
    ...as,
    detached: true,
    stdio: ['pipe', 'ignore', 'pipe'],
  })
  // A keeper that ended on its own closed its end; failing to write ours is then not an error.
  keeper.stdin.on('error', () => {})
  const ended = once(keeper, 'exit')
  await listening(keeper.stderr, ended)

  const stop = async () => {
    keeper.stdin.end()
    await ended
  }
  const url = `postgres://toryo:${password}@127.0.0.1:${port}/postgres`
  const crash = async () => {
    await writeFile(path.join(home, 'keep'), '')
    await writeFile(path.join(home, 'paused'), '')
    const [pid] = (await readFile(path.join(home, 'data', 'postmaster.pid'), 'utf8')).split('\n')
    process.kill(Number(pid), 'SIGQUIT')
    while (await answers(url)) await pause(20)
  }
  const revive = async () => {
    await rm(path.join(home, 'paused'), { force: true })
    while (!(await answers(url))) await pause(20)
  }
  return { url, crash, revive, stop, [Symbol.asyncDispose]: stop }
}

type User = { uid?: number; gid?: number }
type As = User & { cwd: string; env: NodeJS.ProcessEnv }

/** PostgreSQL refuses to run as root; then it runs as the first of these that the machine has. */
function unprivileged(): User {
  if (userInfo().uid !== 0) return {}
  for (const name of ['postgres', 'nobody']) {
    try {
      const ask = (flag: string) => Number(execFileSync('id', [flag, name], { encoding: 'utf8', stdio: 'pipe' }))
      return { uid: ask('-u'), gid: ask('-g') }
    } catch {
      // No such user here: try the next.
    }
  }
  throw new Error('PostgreSQL does not run as root, and this machine has neither a user postgres nor a user nobody.')
}

function give(as: As, file: string): void {
  if (as.uid !== undefined) execFileSync('chown', ['-R', `${as.uid}:${as.gid}`, file])
}

/** The folder itself, or a copy of the whole installation when that user may not read it, as below /root. */
async function readableBy(as: As, bin: string): Promise<string> {
  try {
    await execute(path.join(bin, 'postgres'), ['--version'], as)
    return bin
  } catch {
    const copy = path.join(as.cwd, 'postgres')
    await cp(path.dirname(bin), copy, { recursive: true, verbatimSymlinks: true })
    give(as, copy)
    return path.join(copy, path.basename(bin))
  }
}

async function initialise(as: As, bin: string, password: string): Promise<void> {
  const secret = path.join(as.cwd, 'password')
  await writeFile(secret, password, { mode: 0o600 })
  give(as, secret)
  const args = [
    '-D',
    path.join(as.cwd, 'data'),
    '-U',
    'toryo',
    `--pwfile=${secret}`,
    '-A',
    'scram-sha-256',
    '-E',
    'UTF8',
  ]
  try {
    await execute(path.join(bin, 'initdb'), [...args, '--locale=C.UTF-8'], as)
  } catch (error) {
    if (!String(error).includes('locale name')) throw error
    // Not every system has C.UTF-8; the encoding stays UTF8.
    await execute(path.join(bin, 'initdb'), [...args, '--locale=C'], as)
  }
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const address = probe.address()
  probe.close()
  await once(probe, 'close')
  if (address === null || typeof address === 'string') throw new Error('a TCP server has no port')
  return address.port
}

/**
 * The shell in between stops the server and removes its folder ($0) when our end of its stdin closes, which the kernel does
 * even when this process is killed. A session of its own keeps the terminal's Ctrl-C away from it. With a file `keep` in the
 * folder the server is started again when it ends, once there is no file `paused`.
 */
const KEEPER = `
exec 3<&0
{
  cat <&3
  touch "$0/stop"
  while [ -d "$0/data" ]; do
    kill -INT "$(head -n 1 "$0/data/postmaster.pid")"
    sleep 0.1
  done
} >/dev/null 2>&1 &
exec 3<&-
while :; do
  "$@" </dev/null
  code=$?
  [ -e "$0/keep" ] || break
  while [ -e "$0/paused" ] && [ ! -e "$0/stop" ]; do sleep 0.05; done
  [ -e "$0/stop" ] && break
done
cd /
rm -rf "$0"
exit $code
`

async function answers(url: string): Promise<boolean> {
  try {
    await asAdmin(url, 'select 1')
    return true
  } catch {
    return false // Away, or on its way up or down.
  }
}

function command(bin: string, home: string, port: number): string[] {
  const settings = {
    port,
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    // Only a power cut loses what was not synced. `crash()` is none.
    fsync: 'off',
    full_page_writes: 'off',
    max_wal_size: '256MB',
    max_connections: 200,
    lc_messages: 'C',
    timezone: 'UTC',
    logging_collector: 'off',
  }
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  return [path.join(bin, 'postgres'), '-D', path.join(home, 'data'), ...flags]
}

/** Resolves when the server says so; rejects with what it said when it ended instead. Keeps the pipe empty after that. */
async function listening(log: Readable, ended: Promise<unknown>): Promise<void> {
  let text = ''
  const ready = new Promise<void>(resolve => {
    log.setEncoding('utf8').on('data', (chunk: string) => {
      text = (text + chunk).slice(-8_000)
      if (text.includes('ready to accept connections')) resolve()
    })
  })
  const failed = ended.then(() => {
    if (/Address already in use|could not bind/.test(text)) throw new PortTaken(text)
    throw new Error(`PostgreSQL does not start:\n${text}`)
  })
  await Promise.race([ready, failed])
  // It ends eventually, and by then no test waits here.
  failed.catch(() => {})
}

/** Not a pool: a statement that creates or drops a database wants a connection of its own. */
async function asAdmin(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
