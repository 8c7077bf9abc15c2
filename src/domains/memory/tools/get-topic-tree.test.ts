import { expect } from 'vitest'
import { onBothMemories, refusesMemory } from '#test/memory-tools.ts'

onBothMemories('shows a topic with all that is below it, and says when that is not all', async hub => {
  await hub.call('add-topic', { project_id: 1, title: 'a', parent_topic_id: 1 })
  await hub.call('add-topic', { project_id: 1, title: 'b', parent_topic_id: 3 })
  const whole = await hub.call('get-topic-tree', { project_id: 1, topic_id: 1 })
  expect(whole.body).toMatchObject({
    tree: { id: 1, title: 'Storage', children: [{ id: 3, children: [{ id: 4, children: [] }] }] },
    truncated: false,
  })
  const cut = await hub.call('get-topic-tree', { project_id: 1, topic_id: 1, limit: 2 })
  expect(cut.body).toMatchObject({ tree: { id: 1, children: [{ id: 3, children: [] }] }, truncated: true })
})

refusesMemory('get-topic-tree', [
  {
    name: 'a topic of another project',
    args: { project_id: 1, topic_id: 2 },
    code: 'NOT_FOUND',
    reason: 'TOPIC_NOT_FOUND',
    message: /2/,
  },
  {
    name: 'no topic',
    args: { project_id: 1 },
    code: 'INVALID_PARAMETER',
    reason: 'INVALID_ARGUMENT',
    message: /topic_id/,
  },
])
