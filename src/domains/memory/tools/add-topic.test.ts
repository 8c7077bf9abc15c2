import { expect } from 'vitest'
import { eventsOf, onBothMemories, refusesMemory } from '#test/memory-tools.ts'

onBothMemories('opens a topic at the top of a project, or below another', async hub => {
  const top = await hub.call('add-topic', { project_id: 1, title: 'Cache', description: 'which one?' })
  expect({ isError: top.isError, body: top.body }).toEqual({
    isError: false,
    body: {
      topic_id: 3,
      project_id: 1,
      title: 'Cache',
      description: 'which one?',
      parent_topic_id: null,
      created_at: expect.any(String),
    },
  })
  const below = await hub.call('add-topic', { project_id: 1, title: 'Size', parent_topic_id: 3 })
  expect(below.body).toMatchObject({ topic_id: 4, parent_topic_id: 3, description: null })
  expect((await eventsOf(hub, 'topic.added')).slice(-2)).toEqual([{ topicId: 3 }, { topicId: 4 }])
})

refusesMemory('add-topic', [
  {
    name: 'no project, and no folder to find it by',
    args: { title: 't' },
    code: 'INVALID_PARAMETER',
    reason: 'INVALID_ARGUMENT',
    message: /project_id/,
  },
  {
    name: 'a project that is not there',
    args: { project_id: 9, title: 't' },
    code: 'NOT_FOUND',
    reason: 'PROJECT_NOT_FOUND',
    message: /9/,
  },
  {
    name: 'a parent in another project',
    args: { project_id: 1, title: 't', parent_topic_id: 2 },
    code: 'NOT_FOUND',
    reason: 'TOPIC_NOT_FOUND',
    message: /2/,
  },
  {
    name: 'an empty title',
    args: { project_id: 1, title: ' ' },
    code: 'INVALID_PARAMETER',
    reason: 'INVALID_ARGUMENT',
    message: /title/,
  },
])
