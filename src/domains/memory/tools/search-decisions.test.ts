import { expect } from 'vitest'
import { onBothMemories, refusesMemory, unknownProject } from '#test/memory-tools.ts'

const ids = (body: Record<string, unknown>) => (body['decisions'] as { id: number }[]).map(({ id }) => id)

onBothMemories('finds the keyword in decisions and reasons, also of those that hold everywhere', async hub => {
  await hub.call('add-decision', { topic_id: 1, decision: 'Use SQLite', reason: 'one file' })
  await hub.call('add-decision', { project_id: 1, decision: 'Backups', reason: 'sqlite is a file' })
  await hub.call('add-decision', { decision: 'No sqlite in tests', reason: 'r' })
  await hub.call('add-decision', { topic_id: 2, decision: 'SQLite', reason: 'of another project' })
  const search = async (args: Record<string, unknown>) =>
    (await hub.call('search-decisions', { project_id: 1, ...args })).body
  expect(ids(await search({ keyword: 'SQLITE' }))).toEqual([3, 2, 1])
  const page = await search({ keyword: 'sqlite', limit: 1 })
  expect(ids(page)).toEqual([3])
  expect(ids(await search({ keyword: 'sqlite', before_id: page['next_before_id'] }))).toEqual([2, 1])
})

refusesMemory('search-decisions', [
  {
    name: 'no keyword',
    args: { project_id: 1 },
    code: 'INVALID_PARAMETER',
    reason: 'INVALID_ARGUMENT',
    message: /keyword/,
  },
  unknownProject,
])
