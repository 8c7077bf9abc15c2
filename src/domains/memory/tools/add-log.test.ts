import { expect } from 'vitest'
import { eventsOf, onBothMemories, refusesMemory } from '#test/memory-tools.ts'

onBothMemories('writes down one exchange of a topic, as it is', async hub => {
  const content = '**user**: SQLite?\n\n**agent**: はい'
  const { body, isError } = await hub.call('add-log', { topic_id: 1, content })
  expect({ isError, body }).toEqual({
    isError: false,
    body: { log_id: 1, topic_id: 1, content, created_at: expect.any(String) },
  })
  expect((await hub.call('get-logs', { topic_id: 1 })).body).toMatchObject({ logs: [{ id: 1, content }] })
  expect(await eventsOf(hub, 'entry.added')).toEqual([{ entryId: 1, topicId: 1 }])
})

refusesMemory('add-log', [
  {
    name: 'a topic that is not there',
    args: { topic_id: 99, content: 'c' },
    code: 'NOT_FOUND',
    reason: 'TOPIC_NOT_FOUND',
    message: /99/,
  },
  {
    name: 'no content',
    args: { topic_id: 1 },
    code: 'INVALID_PARAMETER',
    reason: 'INVALID_ARGUMENT',
    message: /content/,
  },
  {
    name: 'content of spaces',
    args: { topic_id: 1, content: ' ' },
    code: 'INVALID_PARAMETER',
    reason: 'INVALID_ARGUMENT',
    message: /content/,
  },
  {
    name: 'content that is too long',
    args: { topic_id: 1, content: 'x'.repeat(100_001) },
    code: 'INVALID_PARAMETER',
    reason: 'INVALID_ARGUMENT',
    message: /100000/,
  },
  {
    name: 'a topic by text',
    args: { topic_id: '1', content: 'c' },
    code: 'INVALID_PARAMETER',
    reason: 'INVALID_ARGUMENT',
    message: /topic_id/,
  },
])
