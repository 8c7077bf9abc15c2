// What happened, as the dashboard reads it: backwards, narrowed, with names; and sums by day.
import { expect } from 'vitest'
import type { ApiInput } from '#contract/api.ts'
import { insertRows, plansOf, watchQueries, WHOLE_TABLE } from './queries.ts'
import { sql } from './queries-past-the-hub.ts'
import { onBoth } from './scene.ts'

onBoth('events are read newest first, page by page in both directions, and none is left out', async ({ hub }) => {
  const all = (await hub.api('event.list', { limit: 500 })).events.map(({ seq }) => seq)
  expect(all.length).toBeGreaterThan(8)
  expect(all).toEqual([...all].sort((a, b) => b - a))

  const back: number[] = []
  for (;;) {
    const before = back.at(-1)
    const { events, truncated } = await hub.api('event.list', { limit: 3, ...(before !== undefined && { before }) })
    back.push(...events.map(({ seq }) => seq))
    if (!truncated) break
  }
  expect(back).toEqual(all)

  const forward: number[] = []
  for (;;) {
    const { events, truncated } = await hub.api('event.list', { limit: 3, after: forward.at(0) ?? 0 })
    expect(events.length).toBeLessThanOrEqual(3)
    forward.unshift(...events.map(({ seq }) => seq))
    if (!truncated) break
  }
  expect(forward).toEqual(all)
  expect(await hub.api('event.list', { after: all[0] })).toMatchObject({ events: [] })
})

onBoth('they are narrowed by type, project, caller and subject, alone and together', async scene => {
  const { hub, projectId, taskId, worker, token, agentId, other } = scene
  await worker.call('get_my_task', { session_token: token })
  await hub.api('task.move', { task_id: other.taskId, status: 'done' })
  const { events } = await hub.api('event.list', { limit: 500 })
  const mine = `agent:${agentId}`
  const about = (payload: unknown) => JSON.stringify(payload).includes(`"${taskId}"`)
  const cases: [ApiInput<'event.list'>, (event: (typeof events)[number]) => boolean][] = [
    [{ types: ['task.moved', 'task.added'] }, ({ type }) => type === 'task.moved' || type === 'task.added'],
    [{ project_id: projectId }, event => event.project_id === projectId],
    [{ caller: mine }, ({ caller }) => caller === mine],
    [{ subject: taskId }, ({ payload }) => about(payload)],
    [
      { types: ['task.added', 'run.started', 'run.taken'], project_id: projectId },
      event => ['task.added', 'run.started', 'run.taken'].includes(event.type) && event.project_id === projectId,
    ],
    [
      { caller: mine, types: ['run.started', 'run.taken'], subject: taskId },
      ({ caller, type, payload }) => caller === mine && /^run\.(started|taken)$/.test(type) && about(payload),
    ],
  ]
  for (const [input, wanted] of cases) {
    const expected = events.filter(wanted)
    expect(expected.length, JSON.stringify(input)).toBeGreaterThan(0)
    expect(expected.length).toBeLessThan(events.length)
    expect((await hub.api('event.list', { ...input, limit: 500 })).events).toEqual(expected)
  }
  // What stands for any sign in a pattern is no more than itself in an id.
  expect((await hub.api('event.list', { subject: '%' })).events).toEqual([])
})

onBoth('they are narrowed to a span of time, page by page, and live ones are read on from there', async ({ hub }) => {
  const { events } = await hub.api('event.list', { limit: 500 })
  const oldest = events.at(-1)
  if (!oldest) throw new Error('nothing happened')
  // Before all others, an hour apart: the log is in the order of time.
  const hour = 3_600_000
  const first = Date.parse('2020-01-01T00:00:00Z')
  const log = hub.target.kind === 'sqlite' ? 'event_log' : 'events'
  await sql(hub, `UPDATE ${log} SET at = ${first} + seq * ${hour}`)
  const at = (seq: number) => new Date(first + seq * hour).toISOString()
  const seqs = events.map(({ seq }) => seq)
  const [to = 0, from = 0] = [seqs[2], seqs[6]]
  const span = { from: at(from), to: at(to) }
  const inside = seqs.filter(seq => seq >= from && seq < to)
  expect((await hub.api('event.list', span)).events.map(({ seq }) => seq)).toEqual(inside)
  const page = await hub.api('event.list', { ...span, limit: 2 })
  expect(page).toMatchObject({ truncated: true })
  const next = await hub.api('event.list', { ...span, before: page.events.at(-1)?.seq })
  expect([...page.events, ...next.events].map(({ seq }) => seq)).toEqual(inside)
  const forward = await hub.api('event.list', { from: at(from), after: to })
  expect(forward.events.map(({ seq }) => seq)).toEqual(seqs.filter(seq => seq > to))
  expect((await hub.api('event.list', { from: at((seqs[0] ?? 0) + 1) })).events).toEqual([])
  // The machine's clock was set back for a moment: its event is where its time says.
  const [late = 0] = seqs.slice(1)
  await sql(hub, `UPDATE ${log} SET at = ${first} + ${from} * ${hour} WHERE seq = ${late}`)
  expect((await hub.api('event.list', span)).events.map(({ seq }) => seq)).toEqual([late, ...inside])
  expect((await hub.api('event.list', { to: at(1) })).events).toEqual([])
  expect(
    (await hub.api('event.list', { ...span, types: [oldest.type] })).events.every(({ type }) => type === oldest.type),
  ).toBe(true)
})

onBoth('a subject that is a number is a topic or a decision, and no other number', async ({ hub, projectId }) => {
  const at = (payload: string) => ({ at: 1, type: 'x', project_id: null, caller: 'operator', payload, touches: '[]' })
  const about = [
    '{"topicId":7005}',
    '{"entryId":1,"topicId":7005}',
    '{"decisionId":7005,"topicId":null,"supersedes":null}',
    '{"decisionId":1,"topicId":7005,"supersedes":null}',
    '{"taskId":"7005"}',
  ]
  const others = ['{"topicId":70051}', '{"decisionId":17005}', '{"entryId":7005,"topicId":1}', '{"bytes":7005}']
  await insertRows(hub.target.db, 'events', [...about, ...others].map(at))
  const { events } = await hub.api('event.list', { subject: '7005' })
  expect(events.map(({ payload }) => payload).reverse()).toEqual(about.map(text => JSON.parse(text)))
  const topic = await hub.api('memory.topic.add', { project_id: projectId, title: 'Prices' })
  const added = await hub.api('event.list', { subject: String(topic.id), types: ['topic.added'] })
  expect(added.events).toMatchObject([{ type: 'topic.added', payload: { topicId: topic.id } }])
})

onBoth('what is asked about is found in old events and in new ones, and each is read once for it', async scene => {
  const { hub } = scene
  const at = (payload: object) => ({
    ...{ at: 1, type: 'x', project_id: null, caller: 'operator', payload: JSON.stringify(payload), touches: '[]' },
  })
  const many = Array.from({ length: 1200 }, (_, index) => at({ taskId: `tsk_old${index % 3}`, title: 'tsk_title' }))
  await insertRows(hub.target.db, 'events', many)
  expect((await hub.api('event.list', { subject: 'tsk_old1', limit: 500 })).events).toHaveLength(400)
  await insertRows(hub.target.db, 'events', [at({ runIds: ['run_1', 'tsk_old1'], a: { taskId: 'tsk_deep' } })])
  using watched = watchQueries()
  expect((await hub.api('event.list', { subject: 'tsk_old1', limit: 500 })).events).toHaveLength(401)
  expect((await hub.api('event.list', { subject: 'tsk_deep' })).events).toHaveLength(1)
  const pages = watched.take().filter(({ sql }) => /select "seq", "type", "payload" from "events"/.test(sql))
  expect(pages).toHaveLength(1)
  // A title is not what an event is about.
  expect((await hub.api('event.list', { subject: 'tsk_title' })).events).toEqual([])
})

onBoth('names come with them, also of callers, and of what is gone there is none', async scene => {
  const { hub, projectId, taskId, worker, token, agentId } = scene
  await worker.call('get_my_task', { session_token: token })
  const topic = await hub.api('memory.topic.add', { project_id: projectId, title: 'Prices' })
  await hub.api('memory.decision.add', { topic_id: topic.id, decision: 'Integers', reason: 'No rounding' })
  await insertRows(hub.target.db, 'events', [
    { at: 1, type: 'task.added', project_id: null, caller: 'agent:gone', payload: '{"taskId":"gone"}', touches: '[]' },
  ])
  const { names } = await hub.api('event.list', { limit: 500 })
  expect(names.tasks[taskId]).toEqual({ handle: 'demo-1', title: 'Build the roof' })
  expect(names.agents[agentId]).toBe('demo worker')
  expect(names.projects[projectId]).toBe('demo')
  expect(Object.values(names.topics)).toEqual(['Prices'])
  expect(Object.values(names.decisions)).toEqual(['Integers'])
  expect(names.tasks['gone']).toBeUndefined()
  expect(names.agents['gone']).toBeUndefined()
})

onBoth('however many events there are, each way to narrow them walks an index and sorts nothing', async scene => {
  const { hub, projectId } = scene
  using watched = watchQueries()
  await hub.api('event.list', { before: 1000 })
  await hub.api('event.list', { types: ['task.moved', 'task.added'] })
  await hub.api('event.list', { project_id: projectId })
  await hub.api('event.list', { caller: 'operator', types: ['task.moved', 'task.added'] })
  await hub.api('event.list', { subject: 'tsk_any' })
  await hub.api('event.list', { subject: 'tsk_any', types: ['task.moved', 'task.added'] })
  const reads = watched.take().filter(({ sql }) => /^select "events"\.\* from .*order by .*"seq" desc/.test(sql))
  expect(reads).toHaveLength(7)
  const plans = await plansOf(hub.target.db, reads)
  for (const plan of plans) expect(plan).not.toMatch(WHOLE_TABLE)
  if (hub.target.kind !== 'sqlite') return
  for (const plan of plans) expect(plan).not.toMatch(/TEMP B-TREE/)
  const named = [
    ...['INTEGER PRIMARY KEY', 'event_blocks', 'event_blocks', 'event_blocks', 'event_blocks'],
    ...['event_subjects', 'event_subjects'],
  ]
  for (const [index, name] of named.entries()) expect(plans[index]).toContain(name)
})

onBoth('rows of earlier versions: what cannot be told apart is unknown', async ({ hub, projectId, agentId }) => {
  const at = Date.parse('2026-03-01T00:00:00Z')
  const run = (engine: string, cached: number) => ({
    ...{
      id: `exec_${engine}${cached}`,
      agent_id: agentId,
      project_id: projectId,
      created_at: at,
      started_at: at,
      engine,
    },
    facts: JSON.stringify({
      ...{ toolCalls: 0, denied: 0, created: [], edited: [], deleted: [] },
      usage: { input: 64_500, output: 450, cached },
    }),
  })
  await insertRows(hub.target.db, 'runs', [
    ...[run('codex', 60_000), run('gemini', 60_000), run('claude', 60_000), run('opencode', 60_000)],
    ...[run('mine', 60_000), run('mine', 0), run('codex', 70_000)],
  ])
  const usageOf = async (id: string) => (await hub.api('execution.show', { execution_id: id })).usage
  const old = (input: number | null, cache_read: number, output: number | null) => ({
    ...{ input, cache_read, output, cache_write: null, reasoning: null },
  })
  expect(await usageOf('exec_codex60000')).toEqual(old(4500, 60_000, 450))
  // Its output was without thoughts.
  expect(await usageOf('exec_gemini60000')).toEqual(old(4500, 60_000, null))
  expect(await usageOf('exec_claude60000')).toEqual(old(64_500, 60_000, 450))
  expect(await usageOf('exec_opencode60000')).toEqual(old(64_500, 60_000, null))
  // A program of the operator's own: nobody knows how it counted, but nothing came from a cache.
  expect(await usageOf('exec_mine60000')).toEqual(old(null, 60_000, null))
  expect(await usageOf('exec_mine0')).toEqual(old(64_500, 0, null))
  expect(await usageOf('exec_codex70000')).toEqual(old(null, 70_000, 450))
  // As they were stored before what cannot be was refused.
  const odd = {
    ...run('claude', 1),
    id: 'exec_odd',
    facts: run('claude', 1).facts.replace('64500', '-5').replace('450', '1e300'),
  }
  await insertRows(hub.target.db, 'runs', [
    { ...odd, facts: odd.facts.replace('"toolCalls"', '"costUsd":-5,"toolCalls"') },
  ])
  expect(await hub.api('execution.show', { execution_id: 'exec_odd' })).toMatchObject({
    ...{ usage: old(null, 1, null), cost_usd: null },
  })
  await sql(hub, `DELETE FROM runs WHERE id = 'exec_odd'`)
  const span = { from: '2026-03-01T00:00:00Z', to: '2026-03-02T00:00:00Z' }
  const [day] = (await hub.api('stats.daily', span)).days
  expect(day?.tokens).toMatchObject({
    input: { sum: 2 * 4500 + 3 * 64_500, unknown_runs: 2 },
    output: { sum: 3 * 450, unknown_runs: 4 },
    cache_write: { sum: null, unknown_runs: 7 },
  })
})

onBoth('where no program ran it is known that nothing was used', async ({ hub, projectId, agentId }) => {
  const at = Date.parse('2026-03-01T00:00:00Z')
  const row = {
    agent_id: agentId,
    project_id: projectId,
    created_at: at,
    started_at: at,
    engine: 'codex',
    ended_at: at,
  }
  await insertRows(hub.target.db, 'runs', [
    { ...row, id: 'exec_none', outcome: 'error', ending: JSON.stringify({ kind: 'program-missing' }) },
    { ...row, id: 'exec_some', outcome: 'error', ending: JSON.stringify({ kind: 'killed' }) },
  ])
  const span = { from: '2026-03-01T00:00:00Z', to: '2026-03-02T00:00:00Z' }
  const [day] = (await hub.api('stats.daily', span)).days
  expect(day).toMatchObject({ cost: { usd: null, unknown_runs: 1 }, tokens: { input: { sum: null, unknown_runs: 1 } } })
  expect(await hub.api('execution.show', { execution_id: 'exec_none' })).toMatchObject({
    usage: { output: 0 },
    cost_usd: 0,
  })
  expect(await hub.api('execution.show', { execution_id: 'exec_some' })).toMatchObject({ usage: null, cost_usd: null })
})

onBoth('runs are summed up by day: how many, how many failed, what they cost', async ({ hub, projectId, agentId }) => {
  const day = 24 * 3600_000
  const from = Date.parse('2026-03-01T00:00:00Z')
  const run = (id: string, at: number, outcome: string | null, facts: object | null, project = projectId) => ({
    ...{ id, agent_id: agentId, project_id: project, created_at: at, started_at: at, outcome, engine: 'claude' },
    result: null,
    facts: facts && JSON.stringify({ toolCalls: 0, denied: 0, created: [], edited: [], deleted: [], ...facts }),
  })
  const spent = {
    usage: { input: 100, cache_read: 50, cache_write: null, output: 20, reasoning: 5 },
    costUsd: 0.25,
  }
  await insertRows(hub.target.db, 'runs', [
    run('exec_a', from, 'completed', spent),
    run('exec_b', from + day - 1, 'error', spent),
    run('exec_c', from + day, null, null),
    run('exec_d', from + day, 'cancelled', null),
    // Its agent asked something.
    { ...run('exec_q', from + day, 'failed', null), result: 'blocked' },
    run('exec_e', from + 3 * day, 'failed', null),
    run('exec_f', from - 1, 'failed', null),
    run('exec_g', from, 'completed', null, 'prj_elsewhere'),
  ])
  const span = { from: '2026-03-01T00:00:00Z', to: '2026-03-04T00:00:00Z' }
  // Known of so many of the runs, with so much of each.
  const sum = (runs: number, known: number, each: number) => ({
    sum: known === 0 && runs > 0 ? null : known * each,
    unknown_runs: runs - known,
  })
  const sums = (runs: number, failures: number, known: number, usd = 0.25) => ({
    ...{ runs, failures, cost: { usd: sum(runs, known, usd).sum, unknown_runs: runs - known } },
    tokens: {
      ...{ input: sum(runs, known, 100), cache_read: sum(runs, known, 50), cache_write: sum(runs, 0, 0) },
      ...{ output: sum(runs, known, 20), reasoning: sum(runs, known, 5) },
    },
  })
  const of = (start: number, runs: number, failures: number, known = 0) => ({
    ...{ from: new Date(start).toISOString(), ...sums(runs, failures, known) },
    engines: runs === 0 ? {} : { claude: runs },
    by_engine: runs === 0 ? {} : { claude: sums(runs, failures, known) },
  })
  expect(await hub.api('stats.daily', { ...span, project_id: projectId })).toEqual({
    days: [of(from, 2, 1, 2), of(from + day, 3, 0), of(from + 2 * day, 0, 0)],
  })
  expect((await hub.api('stats.daily', span)).days[0]).toMatchObject({ runs: 3 })
  // Each engine for itself; one that a person started is only in the sum.
  await insertRows(hub.target.db, 'runs', [
    { ...run('exec_h', from, 'failed', { ...spent, costUsd: 0.5 }), engine: 'codex' },
    { ...run('exec_i', from, 'completed', null), engine: null },
  ])
  const [first] = (await hub.api('stats.daily', { ...span, project_id: projectId })).days
  expect(first).toMatchObject({ runs: 4, failures: 2, engines: { claude: 2, codex: 1 } })
  expect(first).toMatchObject({ cost: { usd: 1, unknown_runs: 1 }, tokens: { input: { sum: 300, unknown_runs: 1 } } })
  expect(first?.by_engine).toEqual({ claude: sums(2, 1, 2), codex: sums(1, 1, 1, 0.5) })
  await sql(hub, `DELETE FROM runs WHERE id IN ('exec_h', 'exec_i')`)
  // A day of 23 hours, as the one on which clocks are set forward.
  const starts = [span.from, '2026-03-01T23:00:00Z', '2026-03-02T23:00:00Z']
  expect(
    (await hub.api('stats.daily', { ...span, starts, project_id: projectId })).days.map(({ runs }) => runs),
  ).toEqual([1, 4, 0])
  for (const wrong of [['2026-03-01T01:00:00Z'], [span.from, span.from], [span.from, span.to]])
    await expect(hub.api('stats.daily', { ...span, starts: wrong })).rejects.toThrow('starts')
  const body = JSON.stringify({ from: span.from, to: '2027-03-01T00:00:00Z' })
  expect((await hub.fetch('/api/stats.daily', { method: 'POST', body })).status).toBe(400)
})
