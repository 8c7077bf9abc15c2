import { describe, expect, test } from 'vitest'
import { databases, testHub, type TestHub } from '#test/hub.ts'

const ids = (list: unknown) => (list as { id: number }[]).map(one => one.id)

async function discussion(hub: TestHub): Promise<void> {
  await hub.call('add-project', { name: 'p' })
  await hub.call('add-topic', { project_id: 1, title: 'root' })
}

describe.each(databases)('on %s', database => {
  test('lists are paged by id, and a limit above the maximum is cut to it', async () => {
    await using hub = await testHub({ database })
    await discussion(hub)
    const connection = await hub.connect()
    await Promise.all(
      Array.from({ length: 40 }, (_, n) => [
        connection.call('add-topic', { project_id: 1, title: `child ${n}`, parent_topic_id: 1 }),
        connection.call('add-log', { topic_id: 1, content: `log ${n}` }),
        connection.call('add-decision', { topic_id: 1, decision: `decision ${n}`, reason: 'r' }),
      ]).flat(),
    )
    const first = await hub.call('get-topics', { project_id: 1, parent_topic_id: 1, limit: 99 })
    expect(ids(first.body['topics'])).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 10, 11])
    expect(first.body['next_start_id']).toBe(12)
    const next = await hub.call('get-undecided-topics', { project_id: 1, parent_topic_id: 1, start_id: 39 })
    expect(ids(next.body['topics'])).toEqual([39, 40, 41])
    expect(next.body).not.toHaveProperty('next_start_id')

    for (const [tool, list] of [
      ['get-logs', 'logs'],
      ['get-decisions', 'decisions'],
    ] as const) {
      const newest = await hub.call(tool, { topic_id: 1 })
      expect(ids(newest.body[list])).toEqual(Array.from({ length: 30 }, (_, n) => n + 11))
      const few = await hub.call(tool, { topic_id: 1, limit: 2 })
      expect(ids(few.body[list])).toEqual([39, 40])
      const from = await hub.call(tool, { topic_id: 1, start_id: 31 })
      expect(ids(from.body[list])).toEqual([31, 32, 33, 34, 35, 36, 37, 38, 39, 40])
      const page = await hub.call(tool, { topic_id: 1, start_id: 1, limit: 5 })
      expect(page.body).toMatchObject({ next_start_id: 6 })
    }

    const found = await hub.call('search-decisions', { project_id: 1, keyword: 'DECISION' })
    expect(ids(found.body['decisions'])).toEqual(Array.from({ length: 30 }, (_, n) => 40 - n))
    const rest = await hub.call('search-decisions', {
      project_id: 1,
      keyword: 'decision',
      before_id: found.body['next_before_id'],
    })
    expect(ids(rest.body['decisions'])).toEqual([10, 9, 8, 7, 6, 5, 4, 3, 2, 1])

    const tree = await hub.call('get-topic-tree', { project_id: 1, topic_id: 1, limit: 3 })
    expect(tree.body).toMatchObject({ tree: { id: 1, children: [{ id: 2 }, { id: 3 }] }, truncated: true })
    const projects = await hub.call('get-projects', {})
    expect(projects.body).toMatchObject({ projects: [{ id: 1, name: 'p', description: null, asana_url: null }] })
  })

  test('a decision that replaces another is seen on both and ranks above it', async () => {
    await using hub = await testHub({ database })
    await discussion(hub)
    await hub.call('add-decision', { topic_id: 1, decision: 'Cache in Redis, Redis, Redis', reason: 'Redis is quick' })
    const newer = await hub.call('add-decision', {
      topic_id: 1,
      decision: 'Cache in the process',
      reason: 'One thing less to run than Redis',
      supersedes: 1,
    })
    expect(newer.body).toMatchObject({ decision_id: 2, supersedes: 1 })
    const { body } = await hub.call('get-decisions', { topic_id: 1 })
    expect(body['decisions']).toMatchObject([
      { id: 1, superseded_by: 2 },
      { id: 2, supersedes: 1 },
    ])
    for (const query of ['redis', 'quick']) {
      const recalled = await hub.call('recall', { project_id: 1, query, kinds: ['decision'] })
      expect(recalled.body['results']).toMatchObject([{ id: 2 }, { id: 1, superseded_by: 2 }])
    }
  })

  test('a decision without topic and project holds everywhere', async () => {
    await using hub = await testHub({ database })
    await discussion(hub)
    await hub.call('add-project', { name: 'q' })
    await hub.call('add-decision', { decision: 'コミットは英語で書く', reason: 'Commits in English' })
    await hub.call('add-decision', { project_id: 2, decision: '英語の文書はここだけ', reason: 'only in q' })
    for (const [project, expected] of [
      [1, [1]],
      [2, [2, 1]],
    ] as const) {
      const found = await hub.call('search-decisions', { project_id: project, keyword: '英語' })
      expect(ids(found.body['decisions'])).toEqual(expected)
      const recalled = await hub.call('recall', { project_id: project, query: 'コミット' })
      expect(recalled.body['results']).toMatchObject([{ kind: 'decision', id: 1, topic_id: null, topic_path: '' }])
    }
  })

  test('recall looks only where it is told to', async () => {
    await using hub = await testHub({ database })
    await discussion(hub)
    await hub.call('add-topic', { project_id: 1, title: 'below', parent_topic_id: 1 })
    await hub.call('add-topic', { project_id: 1, title: 'beside' })
    for (const topic of [1, 2, 3]) await hub.call('add-log', { topic_id: topic, content: 'the queue is bounded' })
    await hub.call('add-decision', { topic_id: 3, decision: 'Bound the queue', reason: 'memory' })
    const seen = async (args: Record<string, unknown>) => {
      const { body } = await hub.call('recall', { project_id: 1, query: 'bounded queues', ...args })
      return (body['results'] as { kind: string; id: number }[]).map(hit => `${hit.kind} ${hit.id}`).sort()
    }
    expect(await seen({})).toEqual(['decision 1', 'log 1', 'log 2', 'log 3'])
    expect(await seen({ kinds: ['decision'] })).toEqual(['decision 1'])
    expect(await seen({ topic_id: 1 })).toEqual(['log 1', 'log 2'])
    expect(await seen({ topic_id: 3, kinds: ['log'] })).toEqual(['log 3'])
    expect(await seen({ limit: 2 })).toHaveLength(2)
  })

  test('results that clients could not take are cut, and say where to go on', async () => {
    await using hub = await testHub({ database })
    await discussion(hub)
    for (let n = 0; n < 12; n += 1) await hub.call('add-log', { topic_id: 1, content: '記'.repeat(100_000) })
    const newest = await hub.call('get-logs', { topic_id: 1 })
    expect(newest.body).toMatchObject({ truncated: true, next_start_id: 1 })
    expect(ids(newest.body['logs'])).toEqual([7, 8, 9, 10, 11, 12])
    const from = await hub.call('get-logs', { topic_id: 1, start_id: 1 })
    expect(from.body).toMatchObject({ truncated: true, next_start_id: 7 })
    expect(ids(from.body['logs'])).toEqual([1, 2, 3, 4, 5, 6])
  })
})

test('an agent remembers in its own project, and nowhere else', async () => {
  await using hub = await testHub()
  const { projectId, agentId, passkey } = await hub.seed()
  await hub.call('add-project', { name: 'other' })
  await hub.call('add-topic', { project_id: 2, title: 'theirs' })
  const agent = await hub.connect()
  await agent.signIn(agentId, passkey, projectId)
  expect((await agent.call('add-topic', { project_id: projectId, title: 'ours' })).isError).toBe(false)
  expect((await agent.call('get-projects')).body).toMatchObject({ projects: [{ id: 1 }] })
  for (const [tool, args] of [
    ['get-topics', { project_id: 2 }],
    ['add-log', { topic_id: 1, content: 'x' }],
    ['recall', { project_id: 2, query: 'theirs' }],
    ['search-topics', { project_id: 2, keyword: 'theirs' }],
  ] as const)
    expect((await agent.call(tool, args)).body).toMatchObject({
      error: { code: 'INVALID_PARAMETER', reason: 'NOT_ALLOWED' },
    })
  const own = await agent.call('add-decision', { decision: 'd', reason: 'r' })
  expect(own.body).toMatchObject({ project_id: 1 })
})

test('an agent is told with its task what was decided about it, in at most 2 kB', async () => {
  await using hub = await testHub()
  const { projectId, agentId, passkey, taskId } = await hub.seed()
  const decide = (decision: string, reason: string, supersedes?: number) =>
    hub.call('add-decision', { project_id: projectId, decision, reason, ...(supersedes && { supersedes }) })
  await decide('The roof is made of straw', 'It is cheap')
  await decide('屋根は瓦にする', 'Straw burns', 1)
  await decide('The walls are white', 'Light')
  for (let n = 0; n < 30; n += 1) await decide(`Roof detail ${n}: ${'長い'.repeat(300)}`, 'because'.repeat(100))
  const agent = await hub.connect()
  const token = await agent.signIn(agentId, passkey, projectId)
  const { body } = await agent.call('get_my_task', { session_token: token })
  const decisions = body['decisions'] as { decision: string; decision_id: number }[]
  expect(decisions.length).toBeGreaterThan(0)
  expect(Buffer.byteLength(JSON.stringify(decisions))).toBeLessThanOrEqual(2_000)
  expect(decisions[0]).toMatchObject({ decision_id: 2, decision: '屋根は瓦にする' })
  expect(decisions.map(one => one.decision_id)).not.toContain(1)
  expect(decisions.map(one => one.decision_id)).not.toContain(3)

  const prompt = await agent.client.getPrompt({ name: 'task_start', arguments: { task_id: taskId, agent_id: agentId } })
  expect(JSON.stringify(prompt.messages)).toContain('屋根は瓦にする')
})

test('every change is an event of its project', async () => {
  await using hub = await testHub()
  await discussion(hub)
  await hub.call('add-log', { topic_id: 1, content: 'c' })
  await hub.call('add-decision', { topic_id: 1, decision: 'd', reason: 'r' })
  const { projects } = await hub.api('project.list', {})
  const events = await hub.running.hub.events.since(0, { projectId: String(projects[0]?.project_id) })
  expect(events.map(event => [event.type, event.payload])).toEqual([
    ['project.added', { projectId: projects[0]?.project_id }],
    ['topic.added', { topicId: 1 }],
    ['entry.added', { entryId: 1, topicId: 1 }],
    ['decision.added', { decisionId: 1, topicId: 1, supersedes: null }],
  ])
})
