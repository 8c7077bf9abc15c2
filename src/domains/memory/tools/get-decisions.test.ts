import { expect } from 'vitest'
import { ofTopicRefusals, onBothMemories, refusesMemory } from '#test/memory-tools.ts'

const ids = (body: Record<string, unknown>) => (body['decisions'] as { id: number }[]).map(({ id }) => id)

onBothMemories('reads the newest of a topic, or from an id on, oldest first', async hub => {
  for (let n = 1; n <= 3; n++) await hub.call('add-decision', { topic_id: 1, decision: `c${n}`, reason: 'r' })
  const newest = await hub.call('get-decisions', { topic_id: 1, limit: 2 })
  expect(ids(newest.body)).toEqual([2, 3])
  expect(newest.body['decisions']).toMatchObject([{ topic_id: 1 }, { topic_id: 1 }])
  const page = await hub.call('get-decisions', { topic_id: 1, start_id: 1, limit: 2 })
  expect([ids(page.body), page.body['next_start_id']]).toEqual([[1, 2], 3])
  expect(ids((await hub.call('get-decisions', { topic_id: 1, start_id: 3 })).body)).toEqual([3])
  expect(ids((await hub.call('get-decisions', { topic_id: 2 })).body)).toEqual([])
})

refusesMemory('get-decisions', ofTopicRefusals)
