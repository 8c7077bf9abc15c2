import { expect, test } from 'vitest'
import { dumpedTables, migrations } from '#hub/schema.ts'
import { exportLines } from '#kernel/dump.ts'
import { openSqlite } from '#kernel/db/sqlite.ts'
import { databases, testHub, type TestHub } from './hub.ts'
import { insertRows } from './queries.ts'
import { rowsOf } from './scene.ts'

test('an export is of one moment, whatever is written while it is taken away', async () => {
  await using hub = await testHub()
  const { projectId } = await hub.seed()
  const response = await hub.fetch('/api/export')
  const adding = Promise.all(
    Array.from({ length: 50 }, (_, n) => hub.api('task.add', { project_id: projectId, title: `late ${n}` })),
  )
  const lines = (await response.text())
    .trim()
    .split('\n')
    .map(line => JSON.parse(line) as { table?: string; row: { type: string } })
  await adding
  const tasks = lines.filter(line => line.table === 'tasks').length
  const facts = lines.filter(line => line.table === 'events' && line.row.type === 'task.added').length
  expect(facts).toBe(tasks)
})

test('a hub answers while everything is exported, and while it is imported', async () => {
  await using from = await testHub()
  const { projectId } = await from.seed()
  const title = 'x'.repeat(200)
  for (let count = 0; count < 40; count++)
    await Promise.all(
      Array.from({ length: 50 }, (_, n) =>
        from.api('task.add', { project_id: projectId, title: `${count}-${n} ${title}` }),
      ),
    )
  const text = await answering(from, async () => (await from.fetch('/api/export')).text())
  expect(text.length).toBeGreaterThan(1_000_000)
  await using to = await testHub()
  const imported = await answering(to, () => to.fetch('/api/import', { method: 'POST', body: text }))
  expect(imported.status).toBe(200)
})

test('a hub answers while the runs of two months are summed up', async () => {
  await using hub = await testHub()
  const { projectId, agentId } = await hub.seed()
  const from = Date.parse('2026-03-01T00:00:00Z')
  const facts = JSON.stringify({
    ...{ toolCalls: 1, denied: 0, created: Array.from({ length: 300 }, (_, n) => `/project/src/file-${n}.ts`) },
    ...{ edited: [], deleted: [], costUsd: 0.25 },
  })
  const runs = Array.from({ length: 4000 }, (_, n) => ({
    ...{ id: `exec_${n}`, agent_id: agentId, project_id: projectId, engine: 'claude', facts, outcome: 'completed' },
    // Several at the same moment, also where a page ends.
    ...{ created_at: from, started_at: from + Math.floor(n / 7) * 60_000 },
  }))
  for (let at = 0; at < runs.length; at += 500) await insertRows(hub.target.db, 'runs', runs.slice(at, at + 500))
  const span = { from: '2026-03-01T00:00:00Z', to: '2026-05-01T00:00:00Z' }
  const { days } = await answering(hub, () => hub.api('stats.daily', span))
  expect(days.reduce((sum, day) => sum + day.runs, 0)).toBe(4000)
  expect(days.reduce((sum, day) => sum + (day.cost.usd ?? 0), 0)).toBe(1000)
})

test('large rows leave in small pieces: nothing else happens while one is read', async () => {
  await using hub = await testHub()
  const row = { at: 1, type: 'note.saved', project_id: null, caller: 'operator', touches: '[]' }
  const payload = JSON.stringify({ text: 'x'.repeat(100_000) })
  await insertRows(
    hub.target.db,
    'events',
    Array.from({ length: 40 }, () => ({ ...row, payload })),
  )
  const database = await openSqlite(hub.target.db, migrations, Date.now)
  const sizes: number[] = []
  for await (const piece of exportLines(database, dumpedTables)) sizes.push(piece.length)
  await database.close()
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeGreaterThan(4_000_000)
  expect(Math.max(...sizes)).toBeLessThan(300_000)
})

/** Asks the hub one thing after the other until the work is done. Some thousand rows are some hundred turns, in which it answers. */
async function answering<T>(hub: TestHub, work: () => Promise<T>): Promise<T> {
  // Two connections, of which the hub knows whose they are.
  await Promise.all([hub.api('hub.status', {}), hub.api('hub.status', {})])
  let isDone = false
  const working = work().finally(() => (isDone = true))
  let answers = 0
  for (; !isDone; answers++) await hub.api('hub.status', {})
  const result = await working
  expect(answers).toBeGreaterThan(5)
  return result
}

test.each(databases)(
  'the toolsets of an agent go with it; an export from before them comes in without (%s)',
  async database => {
    await using from = await testHub({ database })
    await from.api('agent.add', { id: 'lead', name: 'Lead', engine: 'claude', toolsets: ['tabs', 'crews'] })
    await from.api('agent.add', { id: 'plain', name: 'Plain', engine: 'claude' })
    const lines = await (await from.fetch('/api/export')).text()
    const given = async (body: string) => {
      await using to = await testHub({ database })
      expect((await to.fetch('/api/import', { method: 'POST', body })).status).toBe(200)
      const { agents } = await to.api('agent.list', {})
      return Object.fromEntries(agents.map(({ agent_id, toolsets }) => [agent_id, toolsets]))
    }
    expect(await given(lines)).toEqual({ lead: ['crews', 'tabs'], plain: [] })
    expect(await given(lines.replaceAll(/,"toolsets":"[a-z,]*"/g, ''))).toEqual({ lead: [], plain: [] })
  },
)

/** What is left out, and why. A new table is here or in `dumpedTables`; forgotten in both, it would be missing from exports. */
const NOT_EXPORTED = [
  // The life of one hub, and the terminals of one machine.
  ...[
    'answers',
    'engine_pauses',
    'inbox_seen',
    'instances',
    'leases',
    'messages',
    'sessions',
    'sightings',
    'slots',
    'tabs',
  ],
  // Who is let in, and what was trusted on this machine.
  ...[
    'login_links',
    'operator_tokens',
    'pages',
    'runner_folders',
    'runners',
    'sign_in_failures',
    'trusts',
    'check_sights',
  ],
  // Made again from the rest.
  ...[
    'event_subjects',
    'memory_documents',
    'memory_index',
    'memory_scopes',
    'memory_vectors',
    'migrations',
    'overlaps',
  ],
]
const SEARCH_INDEX = /^(topic_texts|decision_texts|ranked)(_|$)/

test('every table is exported, or named here as one that is not', async () => {
  await using hub = await testHub()
  const tables = Object.keys(await rowsOf(hub)).filter(name => !SEARCH_INDEX.test(name))
  const exported = dumpedTables.map(({ name }) => name)
  expect(tables.sort()).toEqual([...exported, ...NOT_EXPORTED].sort())
})
