import { expect } from 'vitest'
import { onBothMemories, refusesMemory } from '#test/memory-tools.ts'

type Found = { kind: string; id: number }
const found = (body: Record<string, unknown>) => (body['results'] as Found[]).map(({ kind, id }) => [kind, id])

onBothMemories('finds topics, logs and decisions by their words, of one project and of one kind', async hub => {
  await hub.call('add-log', { topic_id: 1, content: 'We compared PostgreSQL with files.' })
  await hub.call('add-decision', { topic_id: 1, decision: 'PostgreSQL for teams', reason: 'several hubs' })
  await hub.call('add-log', { topic_id: 2, content: 'PostgreSQL blue' })
  const recall = async (args: Record<string, unknown>) => (await hub.call('recall', { project_id: 1, ...args })).body
  const all = found(await recall({ query: 'postgresql' }))
  expect(new Set(all.map(String))).toEqual(new Set(['decision,1', 'log,1']))
  expect(found(await recall({ query: 'postgresql', kinds: ['log'] }))).toEqual([['log', 1]])
  expect(found(await recall({ queries: ['nothing such', 'storage'], limit: 1 }))).toEqual([['topic', 1]])
  expect(found(await recall({ query: 'postgresql', topic_id: 1 }))).toHaveLength(2)
})

refusesMemory('recall', [
  {
    name: 'no question',
    args: { project_id: 1 },
    code: 'INVALID_PARAMETER',
    reason: 'INVALID_ARGUMENT',
    message: /queries/,
  },
  {
    name: 'too many phrasings',
    args: { project_id: 1, queries: ['1', '2', '3', '4', '5', '6'] },
    code: 'INVALID_PARAMETER',
    reason: 'INVALID_ARGUMENT',
    message: /queries/,
  },
  {
    name: 'an unknown kind',
    args: { project_id: 1, query: 'x', kinds: ['thought'] },
    code: 'INVALID_PARAMETER',
    reason: 'INVALID_ARGUMENT',
    message: /kinds/,
  },
  {
    name: 'a topic of another project',
    args: { project_id: 1, query: 'x', topic_id: 2 },
    code: 'NOT_FOUND',
    reason: 'TOPIC_NOT_FOUND',
    message: /2/,
  },
])
