import { expect, test } from 'vitest'
import { databases, testHub } from './hub.ts'

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
