import { expect, test } from 'vitest'
import { testHub } from './hub.ts'

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
