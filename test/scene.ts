// What most tests of the tools stand on: a hub with two projects and a worker who has signed in; and a table of refusals.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { locate, type Target } from '#client/locate.ts'
import type { Caller } from '#contract/caller.ts'
import type { Services } from '#hub/services.ts'
import { Sqlite } from '#kernel/db/sqlite-port.ts'
import type { Outcome } from '#kernel/invoke.ts'
import { TOOLSETS } from '#contract/toolsets.ts'
import type { Call, Tool, Toolset } from '#kernel/tool.ts'
import {
  databases,
  type Seeded,
  TestClock,
  type TestConnection,
  type TestHub,
  type TestHubOptions,
  testHub,
  type ToolAnswer,
} from './hub.ts'
import { freshPostgres, type PostgresDatabase } from './postgres.ts'

/** How a project without a git repository is set up. */
export const FOLDER_SETTINGS = { workspace: 'folder', base: null, accept: 'report', reviewer_id: null, merge: 'merge' }

export type Scene = Seeded & {
  hub: TestHub
  /** A second project with agents and a task of its own. */
  other: Seeded
  /** The connection on which the first agent has signed in. */
  worker: TestConnection
  token: string
}

type Stage = Scene & AsyncDisposable

/** Runs the story on a hub of its own, and takes the hub down after it. */
export async function onStage(options: TestHubOptions, story: (scene: Scene) => Promise<void>): Promise<void> {
  await using scene = await stage(options)
  await story(scene)
}

async function stage(options: TestHubOptions): Promise<Stage> {
  const place = options.database === 'postgres' && !options.target ? await emptyPostgres() : undefined
  let hub: TestHub | undefined
  const dispose = async () => {
    await hub?.[Symbol.asyncDispose]()
    await place?.[Symbol.asyncDispose]()
  }
  try {
    hub = await testHub({ ...options, ...(place && { target: place.target }) })
    const [[seeded, other], worker] = await Promise.all([seed(hub, options.clock === undefined), hub.connect()])
    const token = await worker.signIn(seeded.agentId, seeded.passkey, seeded.projectId)
    return { ...seeded, hub, other, worker, token, [Symbol.asyncDispose]: dispose }
  } catch (error) {
    await dispose()
    throw error
  }
}

let exported: { seeds: [Seeded, Seeded]; lines: string } | undefined

/** Passkeys are slow to hash, on purpose. What the first scene of a worker made, the others import. */
async function seed(hub: TestHub, mayImport: boolean): Promise<[Seeded, Seeded]> {
  if (exported && mayImport) {
    const imported = await hub.fetch('/api/import', { method: 'POST', body: exported.lines })
    if (!imported.ok) throw new Error(`the scene was not imported: ${await imported.text()}`)
    return exported.seeds
  }
  // One after the other: projects are numbered as they come.
  const seeds: [Seeded, Seeded] = [await hub.seed(), await hub.seed('other')]
  // What a clock of a test's own wrote is from another time.
  if (mayImport) exported = { seeds, lines: await (await hub.fetch('/api/export')).text() }
  return seeds
}

/** They go with the server of the test run. */
const spare: PostgresDatabase[] = []

/** A database that one scene after another may have; emptied in between, which is much quicker than a new one. */
async function emptyPostgres(): Promise<AsyncDisposable & { target: Target }> {
  const database = spare.pop() ?? (await freshPostgres())
  const home = mkdtempSync(join(tmpdir(), 'toryo-scene-'))
  return {
    target: locate(database.url, { env: { HOME: home, TORYO_HOME: home } }),
    [Symbol.asyncDispose]: async () => {
      await withPostgres(database.url, async client => {
        const names = (await tablesOf(client)).filter(name => name !== 'migrations')
        // Past the triggers that keep what was remembered.
        await client.query('SET session_replication_role = replica')
        await client.query(`TRUNCATE ${names.map(name => `"${name}"`).join(', ')} RESTART IDENTITY`)
      })
      spare.push(database)
      rmSync(home, { recursive: true, force: true })
    },
  }
}

/** The same behaviour on both databases. */
export function onBoth(
  sentence: string,
  story: (scene: Scene) => Promise<void>,
  options: () => TestHubOptions = () => ({}),
): void {
  test.each(databases)(`${sentence} (%s)`, database => onStage({ ...options(), database }, story))
}

/** The same, with a clock that only the test moves. */
export function inTime(sentence: string, story: (scene: Scene, clock: TestClock) => Promise<void>): void {
  test.each(databases)(`${sentence} (%s)`, database => {
    const clock = new TestClock()
    return onStage({ database, clock }, scene => story(scene, clock))
  })
}

/** What a hub does every second. */
export const tend = (hub: TestHub, ...secrets: string[]) => hub.running.hub.tend(secrets)

export type Refusal = {
  name: string
  /** Who calls; the operator when left out. */
  by?: 'operator' | 'worker'
  args: (scene: Scene) => Record<string, unknown>
  error: string | RegExp | ((scene: Scene) => string)
  code: string
}

export const taskElsewhere: Refusal = {
  name: 'a task of another project, for an agent',
  by: 'worker',
  args: s => ({ task_id: s.other.taskId }),
  error: 'This connection belongs to agt_demo in project prj_demo; the request is about another project.',
  code: 'NOT_ALLOWED',
}

/** Each refusal has exactly this body, and no row of any table changes but for audit and failure counters. */
export function refuses(tool: string, refusals: Refusal[]): void {
  describe.each(databases)(`${tool} refuses, and writes nothing (on %s)`, database => {
    let scene: Stage
    beforeAll(async () => {
      scene = await stage({ database })
    })
    afterAll(() => scene[Symbol.asyncDispose]())

    test.each(refusals.map(refusal => [refusal.name, refusal] as const))('%s', async (_, { by, args, error, code }) => {
      const before = await rowsOf(scene.hub)
      const caller = by === 'worker' ? scene.worker : scene.hub
      const { body, isError, result } = await caller.call(tool, args(scene))
      const sentence = typeof error === 'function' ? error(scene) : error
      expect({ isError, body }).toEqual({
        isError: true,
        body: {
          success: false,
          error: sentence instanceof RegExp ? expect.stringMatching(sentence) : sentence,
          code,
        },
      })
      expect(result['structuredContent']).toBeUndefined()
      expect(withoutAudit(await rowsOf(scene.hub))).toEqual(withoutAudit(before))
    })
  })
}

export type TableRows = Record<string, Record<string, unknown>[]>

/** Every row of every table, read past the hub; without its pulse, which changes all the time. */
export async function rowsOf(hub: TestHub): Promise<TableRows> {
  const { hub_time: _, ...rows } =
    hub.target.kind === 'sqlite' ? sqliteRows(hub.target.db) : await postgresRows(hub.target.db)
  return rows
}

function sqliteRows(path: string): TableRows {
  const file = new Sqlite(path, { readOnly: true })
  // The tables behind a virtual one are among them; itself, without content of its own, it cannot be read from end to end.
  const names = file.all(
    "SELECT name FROM sqlite_schema WHERE type = 'table' AND rootpage > 0 AND name NOT LIKE 'sqlite%'",
  )
  const rows = names.map(({ name }) => [String(name), sorted(file.all(`SELECT * FROM ${String(name)}`))])
  file.close()
  return Object.fromEntries(rows) as TableRows
}

async function postgresRows(url: string): Promise<TableRows> {
  const rows: TableRows = {}
  await withPostgres(url, async client => {
    for (const name of await tablesOf(client)) rows[name] = sorted((await client.query(`SELECT * FROM "${name}"`)).rows)
  })
  return rows
}

async function tablesOf(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")
  return rows.map(({ tablename }) => String(tablename))
}

async function withPostgres<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

function sorted(rows: Record<string, unknown>[]): Record<string, unknown>[] {
  return rows.map(row => ({ ...row })).sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
}

/** What a refused call may leave behind is taken out: the record of the refusal, and the count of failed sign-ins. */
export function withoutAudit(rows: TableRows): TableRows {
  const events = rows['events']?.filter(({ type }) => type !== 'call.refused' && type !== 'agent.sign_in_failed') ?? []
  return { ...rows, events, sign_in_failures: [] }
}

export function eventsOf(rows: TableRows, type: string): Record<string, unknown>[] {
  return (rows['events'] ?? [])
    .filter(event => event['type'] === type)
    .sort((a, b) => Number(a['seq']) - Number(b['seq']))
    .map(event => JSON.parse(String(event['payload'])) as Record<string, unknown>)
}

export const operator: Caller = { kind: 'operator' }

export function callBy(caller: Caller, extra: Partial<Call> = {}): Call {
  return { caller, lang: 'en', signal: new AbortController().signal, progress: () => {}, ...extra }
}

/** The road without the wire, for tests that need thousands of calls. */
export function invoke(hub: TestHub, name: string, args: unknown, call: Call = callBy(operator)): Promise<Outcome> {
  return hub.running.hub.invoker.invoke(toolOf(hub, name), args, call)
}

function toolOf(hub: TestHub, name: string): Tool<Services> {
  const tool = hub.running.hub.registry.find(name, { toolsets: TOOLSETS })
  if (!tool) throw new Error(`there is no tool ${name}`)
  return tool
}

/** The tools that say `{ success, error, code }`, or those of other toolsets. */
export function toolsOf(
  hub: TestHub,
  toolsets: readonly Toolset[] = ['runner', 'agent', 'projects', 'planning', 'legacy', 'phases', 'memory'],
): Tool<Services>[] {
  return hub.running.hub.registry.all().filter(({ toolset }) => toolsets.includes(toolset))
}

/** Answers the body of a call that must succeed, after a look at how it is sent: whole, and twice. */
export function success({ body, isError, result }: ToolAnswer): Record<string, unknown> {
  expect({ isError, body }).toMatchObject({ isError: false })
  expect(result['structuredContent']).toEqual(body)
  return body
}
