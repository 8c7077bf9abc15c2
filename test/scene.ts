// What most tests of the tools stand on: a hub with two projects and a worker who has signed in; and a table of refusals.
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
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
  const hub = await testHub(options)
  const dispose = () => hub[Symbol.asyncDispose]()
  try {
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
    let reader: Reader
    let known: TableRows
    beforeAll(async () => {
      scene = await stage({ database })
      reader = await readerOf(scene.hub)
      known = withoutAudit(await reader.rows())
    })
    afterAll(async () => {
      await reader[Symbol.asyncDispose]()
      await scene[Symbol.asyncDispose]()
    })

    test.each(refusals.map(refusal => [refusal.name, refusal] as const))('%s', async (_, { by, args, error, code }) => {
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
      const before = known
      known = withoutAudit(await reader.rows())
      expect(known).toEqual(before)
    })
  })
}

export type TableRows = Record<string, Record<string, unknown>[]>

/**
 * Every row of every table, or of those named, read past the hub; without its pulse, which changes all the time. Whoever asks again
 * and again names the tables: all of them take eight times as long as one.
 */
export async function rowsOf(hub: TestHub, ...only: string[]): Promise<TableRows> {
  await using reader = await readerOf(hub)
  return await reader.rows(...only)
}

/** Reads past the hub more than once: opening a database takes longer than reading what a test has written. */
type Reader = AsyncDisposable & { rows(...only: string[]): Promise<TableRows> }

export async function readerOf({ target }: TestHub): Promise<Reader> {
  return target.kind === 'sqlite' ? sqliteReader(target.db) : await postgresReader(target.db)
}

const wanted = (only: string[]) => (name: string) => (only.length > 0 ? only.includes(name) : name !== 'hub_time')

function sqliteReader(path: string): Reader {
  const file = new Sqlite(path, { readOnly: true })
  // The tables behind a virtual one are among them; itself, without content of its own, it cannot be read from end to end.
  // Events are read as everybody reads them.
  const tables = `
    SELECT name FROM sqlite_schema WHERE type = 'view' OR (type = 'table' AND rootpage > 0 AND name NOT LIKE 'sqlite%'
      AND name NOT IN ('event_log', 'event_words', 'event_blocks'))`
  return {
    async rows(...only) {
      const names = file.all(tables).map(({ name }) => String(name))
      const rows = names.filter(wanted(only)).map(name => [name, sorted(file.all(`SELECT * FROM ${name}`))])
      return Object.fromEntries(rows) as TableRows
    },
    async [Symbol.asyncDispose]() {
      file.close()
    },
  }
}

async function postgresReader(url: string): Promise<Reader> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  return {
    async rows(...only) {
      const names = (await tablesOf(client)).filter(wanted(only))
      if (names.length === 0) return {}
      // In one question: the answer to each would be waited for.
      const answers = await client.query<Record<string, unknown>>(
        names.map(name => `SELECT * FROM "${name}"`).join(';'),
      )
      return Object.fromEntries([answers].flat().map(({ rows }, at) => [names[at], sorted(rows)])) as TableRows
    },
    [Symbol.asyncDispose]: () => client.end(),
  }
}

async function tablesOf(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")
  return rows.map(({ tablename }) => String(tablename))
}

function sorted(rows: Record<string, unknown>[]): Record<string, unknown>[] {
  return rows
    .map(row => [JSON.stringify(row), { ...row }] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, row]) => row)
}

/**
 * What a refused call may leave behind is taken out: the record of the refusal, and the count of failed sign-ins. So is the index of
 * subjects, which an allowed read before it may still be filling.
 */
export function withoutAudit(rows: TableRows): TableRows {
  const events = rows['events']?.filter(({ type }) => type !== 'call.refused' && type !== 'agent.sign_in_failed') ?? []
  return { ...rows, events, sign_in_failures: [], event_subjects: [] }
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
