import { expect, test } from 'vitest'
import { dumpedTables } from '#hub/schema.ts'
import { databases, testHub } from './hub.ts'
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
  ...['login_links', 'operator_tokens', 'pages', 'runner_folders', 'runners', 'sign_in_failures', 'trusts'],
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
