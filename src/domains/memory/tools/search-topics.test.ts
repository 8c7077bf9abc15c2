import { expect } from 'vitest'
import { onBothMemories, refusesMemory, unknownProject } from '#test/memory-tools.ts'

const ids = (body: Record<string, unknown>) => (body['topics'] as { id: number }[]).map(({ id }) => id)

onBothMemories('finds the keyword in titles and descriptions, newest first, in this project alone', async hub => {
  await hub.call('add-topic', { project_id: 1, title: '100% STORAGE' })
  await hub.call('add-topic', { project_id: 1, title: 'x', description: 'of storage' })
  await hub.call('add-topic', { project_id: 2, title: 'storage' })
  const search = async (args: Record<string, unknown>) =>
    (await hub.call('search-topics', { project_id: 1, ...args })).body
  expect(ids(await search({ keyword: 'storage' }))).toEqual([4, 3, 1])
  expect(ids(await search({ keyword: '0%' }))).toEqual([3])
  expect(ids(await search({ keyword: '_' }))).toEqual([])
  const page = await search({ keyword: 'storage', limit: 2 })
  expect(ids(await search({ keyword: 'storage', before_id: page['next_before_id'] }))).toEqual([1])
})

refusesMemory('search-topics', [
  {
    name: 'an empty keyword',
    args: { project_id: 1, keyword: '' },
    code: 'INVALID_PARAMETER',
    reason: 'INVALID_ARGUMENT',
    message: /keyword/,
  },
  unknownProject,
])
