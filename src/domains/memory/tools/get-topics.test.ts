import { expect } from 'vitest'
import { levelRefusals, onBothMemories, refusesMemory } from '#test/memory-tools.ts'

const ids = (body: Record<string, unknown>) => (body['topics'] as { id: number }[]).map(({ id }) => id)

onBothMemories('lists the topics directly below a topic, or at the top', async hub => {
  for (const title of ['a', 'b', 'c']) await hub.call('add-topic', { project_id: 1, title, parent_topic_id: 1 })
  await hub.call('add-topic', { project_id: 1, title: 'deeper', parent_topic_id: 3 })
  await hub.call('add-decision', { topic_id: 4, decision: 'd', reason: 'r' })
  const below = { project_id: 1, parent_topic_id: 1 }
  expect(ids((await hub.call('get-topics', below)).body)).toEqual([3, 4, 5])
  expect(ids((await hub.call('get-topics', { project_id: 1 })).body)).toEqual([1])
  const page = await hub.call('get-topics', { ...below, limit: 1 })
  expect(ids(page.body)).toEqual([3])
  expect(page.body['next_start_id']).toBe(4)
  expect(ids((await hub.call('get-topics', { ...below, start_id: 5 })).body)).toEqual([5])
})

refusesMemory('get-topics', levelRefusals)
