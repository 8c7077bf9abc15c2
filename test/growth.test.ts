// What must not grow with what has happened before: the hub's own looking about, its lists, and what it keeps.
import { expect, test } from 'vitest'
import { createClient } from '#client/api.ts'
import { digest } from '#kernel/ids.ts'
import { databases, type TestHub, testHub } from './hub.ts'
import { insertRows, plansOf, selects, transactions, watchQueries, WHOLE_TABLE, writes } from './queries.ts'
import { inTime, onBoth, rowsOf, success, tend } from './scene.ts'

const DAY = 24 * 3600_000

/** What was written but for the hub's own heartbeat. */
const settled = (queries: Parameters<typeof writes>[0]) =>
  writes(queries).filter(({ sql }) => !sql.includes('"hub_time"'))

inTime(
  'a session that has ended is deleted after seven days; its events stay, and its execution still finds its log',
  async ({ hub, worker, token, taskId }, clock) => {
    await worker.call('get_my_task', { session_token: token })
    await worker.call('report_completed', { session_token: token, result: 'success', summary: 'done' })
    const before = await rowsOf(hub)
    clock.advance(7 * DAY)
    await tend(hub)
    expect((await rowsOf(hub, 'sessions'))['sessions']).toHaveLength(1)
    // Sent again so late, it is still known as the report that it was.
    const report = { session_token: token, result: 'success', summary: 'done' }
    expect((await worker.call('report_completed', report)).isError).toBe(false)
    clock.advance(1)
    await tend(hub)
    const after = await rowsOf(hub)
    expect(after['sessions']).toEqual([])
    expect(after['events']).toEqual(expect.arrayContaining(before['events'] ?? []))
    expect(after['runs']).toMatchObject([{ task_id: taskId, epoch: 1 }])
    expect((await worker.call('get_my_task', { session_token: token })).body).toMatchObject({ code: 'INVALID_SESSION' })
  },
)

inTime('with nothing due, the hub looks without a transaction and without reading a whole table', async scene => {
  const { hub, worker } = scene
  await tend(hub, worker.secret)
  using watched = watchQueries()
  await tend(hub, worker.secret)
  const queries = watched.take()
  // One for the hub's own heartbeat, and none for all that is looked after.
  expect(transactions(queries)).toHaveLength(1)
  expect(settled(queries)).toEqual([])
  const ours = selects(queries).filter(({ sql }) => /sessions|leases|instances|answers|failures|"runs"/.test(sql))
  expect(ours.length).toBeGreaterThan(6)
  for (const plan of await plansOf(hub.target.db, ours)) expect(plan).not.toMatch(WHOLE_TABLE)
})

inTime(
  'however many sessions and answers are old, they go in batches, each in a transaction of its own',
  async (scene, clock) => {
    const { hub, agentId, projectId } = scene
    const at = clock.now()
    const session = { agent_id: agentId, project_id: projectId, epoch: 1, turn: 1, created_at: at, expires_at: at }
    const numbers = Array.from({ length: 1100 }, (_, index) => index)
    await insertRows(
      hub.target.db,
      'sessions',
      numbers.map(n => ({
        id: `old_${n}`,
        token_digest: `old ${n}`,
        ...session,
        ended_at: at,
        end_reason: 'completed',
      })),
    )
    const bytes = (n: number) => {
      const two = Uint8Array.of(n >> 8, n & 255)
      return hub.target.kind === 'sqlite' ? two : `\\x${Buffer.from(two).toString('hex')}`
    }
    await insertRows(
      hub.target.db,
      'answers',
      numbers.map(n => ({ at, key: bytes(n), body: bytes(0), sealed: bytes(0) })),
    )
    clock.advance(7 * DAY + 1)
    using watched = watchQueries()
    await tend(hub)
    const queries = watched.take()
    for (const table of ['sessions', 'answers']) {
      const deletes = writes(queries).filter(({ sql }) => sql.startsWith(`delete from "${table}"`))
      const sizes = deletes.map(({ parameters }) => parameters.length)
      // And what the scene itself left.
      expect(sizes).toEqual([500, 500, expect.toSatisfy((rest: number) => rest >= 100 && rest < 110)])
    }
    expect(transactions(queries).length).toBeGreaterThanOrEqual(6)
    const rows = await rowsOf(hub)
    expect(rows['sessions']?.filter(({ id }) => String(id).startsWith('old'))).toEqual([])
    expect(rows['answers']).toEqual([])
  },
)

test.runIf(databases.includes('postgres'))(
  'the hub sorts in what PostgreSQL has only put on a list for its searches, whenever it looks after things',
  async () => {
    await using hub = await testHub({ database: 'postgres' })
    using watched = watchQueries()
    await tend(hub)
    expect(watched.take().map(({ sql }) => sql)).toContainEqual(expect.stringContaining('gin_clean_pending_list'))
  },
)

onBoth(
  'of what runs tell while they work only the newest stays; every other event stays, and so do the numbers',
  async scene => {
    const { hub, projectId } = scene
    const before = (await rowsOf(hub, 'events'))['events'] ?? []
    const event = { at: 1, project_id: projectId, caller: 'hub', payload: '{}', touches: '[]' }
    const told = Array.from({ length: 10_700 }, () => ({ ...event, type: 'run.progressed' }))
    await insertRows(hub.target.db, 'events', [...told, { ...event, type: 'run.ended' }])
    const last = await hub.running.hub.events.latest()
    using watched = watchQueries()
    await tend(hub)
    const queries = watched.take()
    const deletes = writes(queries).filter(({ sql }) => sql.startsWith('delete from "events"'))
    expect(deletes.map(({ parameters }) => parameters.length)).toEqual([500, 200])
    const looked = selects(queries).filter(({ sql }) => sql.includes('"events"'))
    for (const plan of await plansOf(hub.target.db, looked)) expect(plan).not.toMatch(WHOLE_TABLE)
    const after = (await rowsOf(hub, 'events'))['events'] ?? []
    const kept = after.filter(({ type }) => type === 'run.progressed').map(({ seq }) => Number(seq))
    expect(kept).toHaveLength(10_000)
    expect(Math.min(...kept)).toBe(last - 10_000)
    expect(after.filter(({ type }) => type !== 'run.progressed')).toHaveLength(before.length + 1)
    expect(await hub.running.hub.events.latest()).toBe(last)
  },
)

onBoth('what a Runner tells every few seconds leaves no answer behind', async ({ hub }) => {
  const { token } = await hub.api('runner.add', { name: 'attic' })
  const before = (await rowsOf(hub, 'answers'))['answers']?.length
  const seen = { tool_calls: 1, denied: 0, denied_tools: [], created: [], edited: [], deleted: [] }
  const runner = createClient({ url: hub.url, token, lang: 'en' })
  expect(await runner.call('runner.progress', { instance_id: 'ins_none', seen })).toEqual({ known: false })
  expect((await rowsOf(hub, 'answers'))['answers']).toHaveLength(before ?? 0)
})

inTime(
  'the heartbeat of a thousand agents is a few statements, and none while nothing runs out',
  async (scene, clock) => {
    const { hub, agentId, projectId } = scene
    const at = clock.now()
    const secrets = Array.from({ length: 1000 }, (_, n) => `secret ${n}`)
    await insertRows(
      hub.target.db,
      'sessions',
      secrets.map((secret, n) => ({
        id: `many_${n}`,
        token_digest: `many ${n}`,
        agent_id: agentId,
        project_id: projectId,
        epoch: 1,
        connection_digest: digest(secret),
        turn: 1,
        created_at: at,
        expires_at: at + 3600_000,
      })),
    )
    using watched = watchQueries()
    await tend(hub, ...secrets)
    expect(settled(watched.take())).toEqual([])
    clock.advance(60_000)
    await tend(hub, ...secrets)
    const queries = watched.take()
    expect(settled(queries).map(({ sql }) => sql.slice(0, 17))).toEqual(['update "sessions"', 'update "sessions"'])
    expect(queries.length).toBeLessThan(40)
    const rows = (await rowsOf(hub, 'sessions'))['sessions'] ?? []
    expect(
      new Set(rows.filter(({ id }) => String(id).startsWith('many')).map(row => Number(row['expires_at']))),
    ).toEqual(new Set([clock.now() + 3600_000]))
  },
)

onBoth('projects with their agents are listed by as many queries, however many agents there are', async scene => {
  const { hub, projectId } = scene
  using watched = watchQueries()
  const count = async () => {
    watched.take()
    const body = success(await hub.call('list_active_projects_with_agents'))
    return { body, queries: selects(watched.take()).length }
  }
  // The first call also opens the connection.
  await count()
  const few = await count()
  const ids = await manyAgents(hub, projectId)
  const many = await count()
  expect([few.queries, many.queries]).toEqual([3, 3])
  const listed = (many.body['projects'] as { project_id: string; agents: string[] }[]).find(
    project => project.project_id === projectId,
  )
  expect(listed?.agents).toEqual(['agt_demo', 'agt_demo_peer', ...ids.filter((_, n) => n % 2 === 1)])
})

onBoth('a Runner asks once for what it can start, however many agents there are', async ({ hub, projectId }) => {
  const { token } = await hub.api('runner.add', { name: 'attic' })
  const runner = createClient({ url: hub.url, token, lang: 'en' })
  using watched = watchQueries()
  const count = async () => {
    watched.take()
    expect(await runner.call('runner.startable', {})).toMatchObject({ pairs: [{ agent_id: 'agt_other' }] })
    return selects(watched.take()).length
  }
  await count()
  const few = await count()
  await manyAgents(hub, projectId)
  expect(await count()).toBe(few)
})

onBoth('lists of tasks over all projects, and the events of one project, are read by an index', async scene => {
  const { hub, projectId, agentId } = scene
  using watched = watchQueries()
  for (const input of [{}, { status: 'in_progress' as const }, { assignee_id: agentId }, { project_id: projectId }])
    await hub.api('task.list', input)
  await hub.running.hub.events.since(0, { projectId })
  const queries = watched.take().filter(({ sql }) => /from "(tasks|events|event_blocks)"/.test(sql))
  // A hub that has just started looks whether its index of events is far behind.
  const lists = queries.filter(({ sql }) => !sql.startsWith('select "seq" from "events"'))
  // The hub itself may read events meanwhile.
  expect(lists.length).toBeGreaterThanOrEqual(5)
  const plans = await plansOf(hub.target.db, lists)
  // Neither a walk through all rows nor a sort of them.
  if (hub.target.kind === 'sqlite') for (const plan of plans) expect(plan).not.toMatch(/TEMP B-TREE/)
  // With so few rows, which of two indexes PostgreSQL takes is a matter of chance.
  if (hub.target.kind === 'postgres') for (const plan of plans) expect(plan).not.toMatch(WHOLE_TABLE)
  const named = ['tasks_created', 'tasks_status', 'tasks_assigned', 'tasks_project', 'event_blocks']
  if (hub.target.kind === 'sqlite') for (const [index, name] of named.entries()) expect(plans[index]).toContain(name)
})

onBoth(
  'whether the index of events is behind is told without reading the log, also where the database knows little of it',
  async ({ hub }) => {
    const events = Array.from({ length: 10_000 }, (_, n) => ({
      at: n,
      type: 'x',
      caller: 'operator',
      payload: '{}',
      touches: '[]',
    }))
    // Past the hub, and not looked at by PostgreSQL yet.
    if (hub.target.kind === 'postgres') await insertRows(hub.target.db, 'events', events)
    using watched = watchQueries()
    // As it is asked at every tick, too: whether the index of events is behind.
    await hub.api('event.list', { subject: 'none', limit: 1 })
    const reads = watched.take().filter(({ sql }) => sql.startsWith('select "seq" from "events"'))
    expect(reads.length).toBeGreaterThan(0)
    const bad = hub.target.kind === 'sqlite' ? /TEMP B-TREE/ : WHOLE_TABLE
    for (const plan of await plansOf(hub.target.db, reads, 'chosen')) expect(plan).not.toMatch(bad)
  },
)

onBoth(
  'what waits for a person, and the board, are read by an index of what is open, however much is done',
  async scene => {
    const { hub, projectId } = scene
    await manyDone(hub, projectId)
    using watched = watchQueries()
    for (const stage of ['review', 'checking', 'queued'] as const) {
      await hub.api('task.list', { stage })
      await hub.api('task.list', { stage, project_id: projectId })
    }
    await hub.api('inbox.list', {})
    await hub.api('search.find', { text: 'no such words', kinds: ['task'] })
    const { cards, has_all_open, next_cursor } = await hub.api('task.cards', {})
    await hub.api('task.cards', { project_id: projectId })
    const asked = watched
      .take()
      .filter(({ sql }) => /from "tasks" inner join "projects"/.test(sql) && sql.includes("'done'"))
    const ofOpen = asked.filter(({ sql }) => sql.includes('tasks.verified_at IS NOT NULL OR'))
    expect(ofOpen.length).toBeGreaterThanOrEqual(11)
    for (const plan of await plansOf(hub.target.db, ofOpen)) expect(plan).toMatch(/tasks_(open|closed)/)
    // The two of the scene are open; of the others one page, the newest first.
    expect([cards.length, has_all_open]).toEqual([102, true])
    expect(cards.slice(0, 3).map(({ status, handle }) => [status, handle.split('-')[1]])).toEqual([
      ['in_progress', '1'],
      ['in_progress', '1'],
      ['done', '2000'],
    ])
    const next = await hub.api('task.cards', { cursor: next_cursor })
    expect([next.cards.length, next.cards[0]?.handle.split('-')[1]]).toEqual([100, '1900'])
  },
)

onBoth('the hub looks for starts that wait by as many queries, however many there are', async ({ hub, projectId }) => {
  using watched = watchQueries()
  const count = async () => {
    watched.take()
    const { waiting } = await hub.api('runner.waiting', {})
    const ours = watched.take().filter(({ sql }) => /from "(tasks|agents|projects|leases)"/.test(sql))
    return { waiting: waiting.length, queries: ours.length }
  }
  const ids = await manyAgents(hub, projectId)
  const due = (from: number, to: number) =>
    ids.slice(from, to).map((assignee_id, n) => ({
      ...{ id: `tsk_due_${from + n}`, project_id: projectId, title: 'Due', description: '', status: 'in_progress' },
      ...{ priority: 'low', assignee_id, number: 100 + from + n, created_at: 1, updated_at: 1 },
    }))
  await insertRows(hub.target.db, 'tasks', due(0, 20))
  const few = await count()
  await insertRows(hub.target.db, 'tasks', due(20, 400))
  const many = await count()
  // Every second agent is disabled.
  expect(many.waiting).toBe(few.waiting + 190)
  expect(many.queries).toBe(few.queries)
})

/** Two thousand tasks that are done and merged. */
async function manyDone({ target }: TestHub, project_id: string): Promise<void> {
  const rows = Array.from({ length: 1998 }, (_, n) => ({
    ...{ id: `tsk_done_${n}`, project_id, title: `Done ${n}`, description: '', status: 'done', priority: 'low' },
    ...{
      number: n + 3,
      created_at: n,
      updated_at: n,
      reported_at: n,
      verified_at: n,
      accepted_at: n,
      queued_at: n,
      merged_at: n,
    },
  }))
  await insertRows(target.db, 'tasks', rows)
}

/** Five hundred agents of the project, every second of them disabled. */
async function manyAgents({ target }: TestHub, project_id: string): Promise<string[]> {
  const ids = Array.from({ length: 500 }, (_, n) => `agt_many_${String(n).padStart(3, '0')}`)
  const agent = { engine: 'claude', role: '', system_prompt: '', passkey: '', created_at: 1, toolsets: '' }
  const agents = ids.map((id, n) => ({ id, name: id, ...agent, enabled: n % 2 }))
  await insertRows(target.db, 'agents', agents)
  const members = ids.map(agent_id => ({ project_id, agent_id, at: 1 }))
  await insertRows(target.db, 'project_agents', members)
  return ids
}
