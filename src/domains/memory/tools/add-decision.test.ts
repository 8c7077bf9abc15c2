import { expect } from 'vitest'
import { eventsOf, onBothMemories, refusesMemory } from '#test/memory-tools.ts'

onBothMemories('records what was decided and why: of a topic, of a project, or everywhere', async hub => {
  const said = { decision: 'SQLite', reason: 'one file' }
  const { body, isError } = await hub.call('add-decision', { topic_id: 1, ...said })
  expect({ isError, body }).toEqual({
    isError: false,
    body: { decision_id: 1, project_id: 1, topic_id: 1, ...said, created_at: expect.any(String) },
  })
  expect((await hub.call('add-decision', { project_id: 2, ...said })).body).toMatchObject({
    project_id: 2,
    topic_id: null,
  })
  expect((await hub.call('add-decision', said)).body).toMatchObject({ project_id: null, topic_id: null })
  const newer = await hub.call('add-decision', { topic_id: 1, ...said, supersedes: 1 })
  expect(newer.body).toMatchObject({ decision_id: 4, supersedes: 1 })
  const { decisions } = (await hub.call('get-decisions', { topic_id: 1 })).body
  expect(decisions).toMatchObject([{ id: 1, superseded_by: 4 }, { id: 4 }])
  expect((await eventsOf(hub, 'decision.added')).at(-1)).toEqual({ decisionId: 4, topicId: 1, supersedes: 1 })
})

refusesMemory('add-decision', [
  {
    name: 'no reason',
    args: { topic_id: 1, decision: 'd' },
    code: 'INVALID_PARAMETER',
    reason: 'INVALID_ARGUMENT',
    message: /reason/,
  },
  {
    name: 'a topic that is not there',
    args: { topic_id: 99, decision: 'd', reason: 'r' },
    code: 'NOT_FOUND',
    reason: 'TOPIC_NOT_FOUND',
    message: /99/,
  },
  {
    name: 'a topic of another project',
    args: { topic_id: 1, project_id: 2, decision: 'd', reason: 'r' },
    code: 'NOT_FOUND',
    reason: 'TOPIC_NOT_FOUND',
    message: /1/,
  },
  {
    name: 'a decision to replace that is not there',
    args: { decision: 'd', reason: 'r', supersedes: 7 },
    code: 'NOT_FOUND',
    reason: 'DECISION_NOT_FOUND',
    message: /7/,
  },
])
