// Memory without transports, on either database: for tests and benchmarks that call its verbs very often.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Roles } from '#domains/runs/roles.ts'
import type { Embedder } from '#domains/memory/ports.ts'
import { IndexRebuild } from '#domains/memory/rebuild.ts'
import { RemotePrompts } from '#domains/phases/remote.ts'
import { Shelf } from '#domains/phases/shelf.ts'
import { migrations } from '#hub/schema.ts'
import { HUB } from '#hub/own-caller.ts'
import { ProjectLimits } from '#hub/project-limits.ts'
import { type Kernel, type Services, services } from '#hub/services.ts'
import type { HubTime } from '#kernel/hub-time.ts'
import { parseConfig } from '#kernel/config.ts'
import type { Database, Db } from '#kernel/db/db.ts'
import { openPostgres } from '#kernel/db/postgres.ts'
import { openSqlite } from '#kernel/db/sqlite.ts'
import { EventLog } from '#kernel/events.ts'
import { systemIds } from '#kernel/ids.ts'
import { openLog } from '#kernel/log.ts'
import type { DatabaseKind } from './hub.ts'
import { plainTime } from './plain-time.ts'
import { newSqlite } from './new-sqlite.ts'
import { freshPostgres, migratedPostgres } from './postgres.ts'

const NO_ENGINES = {
  ids: () => [],
  check: async () => ({ ok: false as const, problem: 'there is none' }),
  modelProblem: () => undefined,
  models: async () => undefined,
  knowsModels: () => true,
  paused: async () => undefined,
}

export type OpenMemory = AsyncDisposable & {
  database: Database
  services: Services
  /** The verbs inside one transaction, so that many records share a commit. */
  within(db: Db): Services
  events: EventLog
  rebuild(version?: string): IndexRebuild
  /** Its number. */
  project(name: string): Promise<number>
}

export type OpenOptions = {
  clock?: HubTime
  embedder?: () => Embedder | undefined
  file?: string
  postgresUrl?: string
}

export async function openMemory(kind: DatabaseKind, options: OpenOptions = {}): Promise<OpenMemory> {
  const home = mkdtempSync(join(tmpdir(), 'toryo-memory-'))
  const clock = options.clock ?? plainTime
  const now = () => clock.now()
  const fresh = () => (options.postgresUrl === undefined ? migratedPostgres() : freshPostgres(options.postgresUrl))
  const postgres = kind === 'postgres' ? await fresh() : undefined
  const database = postgres
    ? await openPostgres(postgres.url, migrations, now)
    : await openSqlite(options.file ?? (await newSqlite(join(home, 'toryo.db'))), migrations, now)
  const log = openLog({ level: '0', file: join(home, 'hub.log') })
  const events = new EventLog({ database, clock, log })
  const embedder = options.embedder ?? (() => undefined)
  const nowhere = { url: undefined, token: async () => undefined, ttlMs: 0, timeoutMs: 0 }
  const remote = new RemotePrompts({ settings: () => nowhere, clock, log })
  const shelf = new Shelf({ clock, ttlMs: () => 0 })
  const roles = new Roles({ config: () => ({ roles: [], engines: {} }), engines: NO_ENGINES, clock })
  const limits = () => parseConfig('{}', 'none').limits
  const unused = {
    limits,
    projectLimits: new ProjectLimits(log),
    checkLogs: '',
    threadKeeper: { wake: () => {} },
    place: 'here',
    runner: 'here:0',
    roles,
    making: new Map(),
    contained: new Set<never>(),
    processes: { wake: () => {}, facts: () => undefined },
  }
  // Memory asks nothing of these either.
  const tabs = { worktrees: {}, tabs: {}, scout: {} } as Pick<Kernel, 'worktrees' | 'tabs' | 'scout' | 'descends'>
  const kernel = {
    ...{ events, clock, ids: systemIds, version: 'test', remote, shelf, search: database.search, embedder },
    ...unused,
    ...tabs,
  }
  const opened = services(database, kernel)
  const rebuild = (version?: string) =>
    new IndexRebuild({ database, events, by: HUB, ...(version !== undefined && { version }) })
  await rebuild().run(() => {})
  return {
    database,
    events,
    services: opened,
    within: db => services(db, kernel),
    rebuild,
    project: async name => (await opened.projects.add({ name, description: '', directory: null }, HUB)).number,
    [Symbol.asyncDispose]: async () => {
      await database.close()
      await log.dispose()
      await postgres?.drop()
      rmSync(home, { recursive: true, force: true })
    },
  }
}
