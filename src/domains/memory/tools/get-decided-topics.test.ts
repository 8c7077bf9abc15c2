import { expect } from 'vitest'
import { levelRefusals, onBothMemories, refusesMemory } from '#test/memory-tools.ts'

const ids = (body: Record<string, unknown>) => (body['topics'] as { id: number }[]).map(({ id }) => id)

onBothMemories('lists those topics of a level that have a decision', async hub => {
  for (const title of ['a', 'b', 'c']) await hub.call('add-topic', { project_id: 1, title, parent_topic_id: 1 })
  await hub.call('add-topic', { project_id: 1, title: 'deeper', parent_topic_id: 3 })
  await hub.call('add-decision', { topic_id: 4, decision: 'd', reason: 'r' })
  const below = { project_id: 1, parent_topic_id: 1 }
  expect(ids((await hub.call('get-decided-topics', below)).body)).toEqual([4])
  expect(ids((await hub.call('get-decided-topics', { project_id: 1 })).body)).toEqual([])
  const page = await hub.call('get-decided-topics', { ...below, limit: 1 })
  expect(ids(page.body)).toEqual([4])
  expect(page.body).not.toHaveProperty('next_start_id')
  expect(ids((await hub.call('get-decided-topics', { ...below, start_id: 5 })).body)).toEqual([])
})

refusesMemory('get-decided-topics', levelRefusals)
