// What waits for a person is derived from facts, wherever they come from, and gone as soon as they are.
import fs from 'node:fs'
import { expect, test, vi } from 'vitest'
import { databases, TestClock, testHub } from './hub.ts'
import { until } from './until.ts'
import { eventsOf, inTime, onBoth, onStage, rowsOf } from './scene.ts'
import { sql } from './queries-past-the-hub.ts'

onBoth('a blocked task waits with its reason, and an answer sends it back to its agent', async scene => {
  const { hub, taskId, worker, token, agentId, projectId } = scene
  await worker.call('get_my_task', { session_token: token })
  await worker.call('save_context', { session_token: token, task_id: taskId, progress: 'half of it' })
  await worker.call('report_completed', { session_token: token, result: 'blocked', summary: 'Cookie or bearer?' })
  const { items } = await hub.api('inbox.list', {})
  expect(items).toEqual([
    expect.objectContaining({
      item_id: `blocked:${taskId}`,
      kind: 'blocked',
      title: 'Build the roof',
      detail: 'Cookie or bearer?',
      agent_id: agentId,
      agent_name: 'demo worker',
      engine: 'claude',
      project_id: projectId,
      project_name: 'demo',
      handle: 'demo-1',
      merge: null,
      held_up: 0,
    }),
  ])
  expect(await hub.api('inbox.count', {})).toEqual({ count: 1 })
  expect(await hub.api('inbox.count', { project_id: scene.other.projectId })).toEqual({ count: 0 })

  const answered = await hub.api('task.answer', { task_id: taskId, answer: 'Cookie. 署名付きで。' })
  expect(answered).toMatchObject({ status: 'in_progress', blocked_reason: null })
  expect(await hub.api('inbox.list', {})).toEqual({ items: [], next_at: null })
  const rows = await rowsOf(hub)
  expect(eventsOf(rows, 'task.answered')).toEqual([{ taskId }])
  expect(eventsOf(rows, 'task.moved').at(-1)).toMatchObject({ from: 'blocked', to: 'in_progress' })
  const [answer] = (await hub.api('task.show', { task_id: taskId })).answers
  expect(answer).toMatchObject({ question: 'Cookie or bearer?', answer: 'Cookie. 署名付きで。' })

  const next = await hub.connect()
  const session = await next.signIn(agentId, scene.passkey, projectId)
  const { body } = await next.call('get_my_task', { session_token: session })
  expect(body['task']).toMatchObject({
    answer: { question: 'Cookie or bearer?', answer: 'Cookie. 署名付きで。' },
    // What the agent saved itself is still there.
    context: { progress: 'half of it' },
  })
})

onBoth('a task that is not blocked cannot be answered, and nothing is written', async ({ hub, taskId }) => {
  const before = await rowsOf(hub)
  const input = { task_id: taskId, answer: 'yes' }
  const response = await hub.fetch('/api/task.answer', { method: 'POST', body: JSON.stringify(input) })
  expect(response.status).toBe(409)
  expect(await response.json()).toMatchObject({ error: { code: 'TASK_NOT_BLOCKED' } })
  expect(await rowsOf(hub)).toEqual(before)
})

onBoth('of two who answer at once, one does', async ({ hub, taskId }) => {
  await hub.api('task.move', { task_id: taskId, status: 'blocked' })
  const body = JSON.stringify({ task_id: taskId, answer: 'yes' })
  const answers = await Promise.all([1, 2].map(() => hub.fetch('/api/task.answer', { method: 'POST', body })))
  expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 409])
  expect((await rowsOf(hub, 'task_answers'))['task_answers']).toHaveLength(1)
})

onBoth('work whose checks passed waits to be accepted', async ({ hub, taskId }) => {
  await hub.api('task.move', { task_id: taskId, status: 'done' })
  expect(await hub.api('inbox.count', {})).toEqual({ count: 0 })
  await sql(hub, `UPDATE tasks SET reported_at = 1, verified_at = 2, accepted_at = NULL WHERE id = '${taskId}'`)
  const { items } = await hub.api('inbox.list', {})
  expect(items).toEqual([expect.objectContaining({ kind: 'review', task_id: taskId })])
})

test.each(databases)('an engine that is paused waits only while a task needs it (%s)', async database => {
  await onStage({ database }, async ({ hub, taskId, projectId }) => {
    const until = Date.now() + 3_600_000
    await sql(
      hub,
      `INSERT INTO engine_pauses (engine, until, reason, since, steady_until) VALUES ('claude', ${until}, 'used up', 0, ${until + 9e12})`,
    )
    const waiting = async () => (await hub.api('inbox.list', { project_id: projectId })).items
    expect(await waiting()).toEqual([
      expect.objectContaining({ kind: 'engine_paused', engine: 'claude', detail: 'used up', held_up: 1 }),
    ])
    // Put aside until it changes: the next pause is another one.
    await hub.api('inbox.seen', { item_id: 'engine_paused:claude' })
    expect(await waiting()).toEqual([])
    await sql(hub, `UPDATE engine_pauses SET since = ${Date.now() + 60_000}`)
    expect(await waiting()).toHaveLength(1)
    await hub.api('task.move', { task_id: taskId, status: 'todo' })
    expect(await waiting()).toEqual([])
  })
})

test.each(databases)('an item that was put aside stays away until it happens again (%s)', async database => {
  const clock = new TestClock()
  await onStage({ database, clock }, async ({ hub, taskId }) => {
    const count = async () => (await hub.api('inbox.count', {})).count
    await hub.api('task.move', { task_id: taskId, status: 'blocked' })
    clock.advance(1000)
    await hub.api('inbox.seen', { item_id: `blocked:${taskId}` })
    expect(await count()).toBe(0)
    expect(eventsOf(await rowsOf(hub, 'events'), 'inbox.seen')).toEqual([{ itemId: `blocked:${taskId}` }])
    clock.advance(1000)
    await hub.api('task.move', { task_id: taskId, status: 'in_progress' })
    await hub.api('task.move', { task_id: taskId, status: 'blocked' })
    expect(await count()).toBe(1)
  })
})

test.each(databases)('an item that was snoozed is back at its time, or when it changes (%s)', async database => {
  const clock = new TestClock()
  await onStage({ database, clock }, async ({ hub, taskId }) => {
    const item_id = `blocked:${taskId}`
    const list = () => hub.api('inbox.list', {})
    const snooze = (ms: number) => hub.api('inbox.snooze', { item_id, until: new Date(clock.now() + ms).toISOString() })
    await hub.api('task.move', { task_id: taskId, status: 'blocked' })
    clock.advance(1000)
    await expect(snooze(0)).rejects.toThrow('SNOOZE_IN_PAST')
    const { until } = await snooze(3_600_000)
    expect(await list()).toEqual({ items: [], next_at: until })
    expect(eventsOf(await rowsOf(hub, 'events'), 'inbox.snoozed')).toEqual([
      { itemId: item_id, until: Date.parse(until) },
    ])
    clock.advance(3_600_000)
    expect(await list()).toMatchObject({ items: [{ item_id }], next_at: null })
    await snooze(3_600_000)
    clock.advance(1000)
    await hub.api('task.move', { task_id: taskId, status: 'todo' })
    await hub.api('task.move', { task_id: taskId, status: 'blocked' })
    expect(await list()).toMatchObject({ items: [{ item_id }], next_at: null })
  })
})

onBoth('cards are what a board shows of tasks', async ({ hub, taskId, projectId, agentId, other }) => {
  const { cards } = await hub.api('task.cards', {})
  expect(cards).toHaveLength(2)
  expect(cards[0]).toEqual({
    task_id: taskId,
    handle: 'demo-1',
    project_id: projectId,
    title: 'Build the roof',
    status: 'in_progress',
    stage: 'working',
    priority: 'medium',
    assignee_id: agentId,
    labels: [],
    blocked_reason: null,
    waits_for: 0,
    agent_busy_with: null,
    updated_at: expect.any(String),
    run: null,
    rank: null,
  })
  const ids = async (input: object) => (await hub.api('task.cards', input)).cards.map(({ task_id }) => task_id)
  expect(await ids({ ids: [other.taskId] })).toEqual([other.taskId])
  expect(await ids({ ids: [] })).toEqual([])
  expect(await ids({ project_id: projectId })).toEqual([taskId])
  await hub.api('task.move', { task_id: taskId, status: 'done' })
  expect(await ids({ closed_since: new Date(Date.now() + 60_000).toISOString() })).toEqual([other.taskId])
  expect(await ids({ closed_since: new Date(0).toISOString() })).toEqual([other.taskId, taskId])
  // What waits for a verdict is not closed, however long it does.
  await sql(hub, `UPDATE tasks SET reported_at = 1, verified_at = 2, accepted_at = NULL WHERE id = '${taskId}'`)
  expect(await ids({ closed_since: new Date(Date.now() + 60_000).toISOString() })).toEqual([taskId, other.taskId])
})

onBoth('a card has its labels, and how many tasks it still waits for', async ({ hub, taskId, projectId }) => {
  const task = { project_id: projectId, status: 'todo' as const }
  const { task_id: first } = await hub.api('task.add', { ...task, title: 'Walls' })
  const { task_id } = await hub.api('task.add', {
    ...{ ...task, title: 'Paint', labels: ['ui'] },
    depends_on: [taskId, first],
  })
  const card = async () => (await hub.api('task.cards', { ids: [task_id] })).cards[0]
  expect(await card()).toMatchObject({ labels: ['ui'], stage: 'waiting', waits_for: 2 })
  expect((await card())?.depends_on?.toSorted()).toEqual([taskId, first].toSorted())
  await hub.api('task.move', { task_id: first, status: 'done' })
  expect(await card()).toMatchObject({ waits_for: 1 })
  await hub.api('task.move', { task_id: taskId, status: 'done' })
  expect(await card()).toMatchObject({ waits_for: 0, stage: 'planned' })
})

onBoth('a task that was handed on to nobody waits until somebody has it', async scene => {
  const { hub, taskId, worker, token, agentId } = scene
  await worker.call('get_my_task', { session_token: token })
  await worker.call('create_handoff', {
    ...{ session_token: token, task_id: taskId, from_agent_id: agentId },
    summary: 'Half of the roof is up.',
  })
  const { items } = await hub.api('inbox.list', {})
  expect(items).toMatchObject([
    {
      ...{ item_id: `handoff:${taskId}`, kind: 'handoff', task_id: taskId, detail: 'Half of the roof is up.' },
      ...{ agent_id: agentId, agent_name: 'demo worker' },
    },
  ])
  expect(await hub.api('inbox.count', { project_id: scene.other.projectId })).toEqual({ count: 0 })
  await hub.api('task.assign', { task_id: taskId, agent_id: agentId })
  expect((await hub.api('inbox.list', {})).items).toEqual([])
})

onBoth('two on the same lines are one item, which is gone with the overlap', async ({ hub, taskId, projectId }) => {
  const other = await hub.api('task.add', { project_id: projectId, title: 'Paint the roof' })
  for (const kind of ['lines', 'conflict'])
    await sql(
      hub,
      `INSERT INTO "overlaps" (pair, home, project_id, kind, a_worktree, a_task, b_worktree, b_task, files, at)
       VALUES ('wt_a wt_b ${kind}', 'here', '${projectId}', '${kind}', 'wt_a', '${taskId}', 'wt_b', '${other.task_id}', '["roof.ts"]', 5)`,
    )
  const { items } = await hub.api('inbox.list', {})
  expect(items).toMatchObject([
    {
      ...{ item_id: 'overlap:wt_a+wt_b', kind: 'overlap', title: 'demo-1 · demo-2', detail: 'roof.ts' },
      sides: [
        { task_id: taskId, handle: 'demo-1', tab_id: null },
        { task_id: other.task_id, handle: 'demo-2', tab_id: null },
      ],
    },
  ])
  await sql(hub, 'UPDATE "overlaps" SET gone_at = 6')
  expect(await hub.api('inbox.count', {})).toEqual({ count: 0 })
})

onBoth('a task in work that follows a replaced decision waits until its agent was told', async scene => {
  const { hub, taskId, worker, token, projectId, agentId } = scene
  const decide = async (decision: string, more: object, by: typeof worker | typeof hub = worker) =>
    Number((await by.call('add-decision', { decision, reason: 'r', ...more })).body['decision_id'])
  const items = async () => (await hub.api('inbox.list', {})).items
  const slate = await decide('Slate', { project_id: projectId, task_ids: [taskId] }, hub)
  // No agent works on it yet: its agent will read the current one.
  const tiles = await decide('Tiles', { project_id: projectId, supersedes: slate }, hub)
  expect(await items()).toEqual([])
  await worker.call('get_my_task', { session_token: token })
  expect(await items()).toEqual([])
  const copper = await decide('Copper', { project_id: projectId, supersedes: tiles })
  expect(await items()).toMatchObject([
    {
      ...{ item_id: `decision_replaced:${taskId}`, kind: 'decision_replaced', task_id: taskId, agent_id: agentId },
      detail: `#${slate} Slate\n→ #${copper} Copper`,
    },
  ])
  expect(await hub.api('inbox.count', { project_id: scene.other.projectId })).toEqual({ count: 0 })
  await hub.api('task.move', { task_id: taskId, status: 'todo' })
  expect(await items()).toEqual([])
})

onBoth('what a person replaced is listed for the agent that follows it, and announced to nobody', async scene => {
  const { hub, taskId, worker, token, projectId } = scene
  const decide = async (by: typeof worker | typeof hub, more: object) =>
    Number(
      (await by.call('add-decision', { decision: 'd', reason: 'r', project_id: projectId, ...more })).body[
        'decision_id'
      ],
    )
  const [first, second] = [await decide(hub, { task_ids: [taskId] }), await decide(hub, { task_ids: [taskId] })]
  await worker.call('get_my_task', { session_token: token })
  const quiet = async () => (await hub.api('inbox.list', {})).items.map(item => item.quiet)
  await decide(hub, { supersedes: first })
  expect(await quiet()).toEqual([true])
  await decide(worker, { supersedes: second })
  expect(await quiet()).toEqual([false])
})

onBoth('a phase that an agent ended waits to be looked at; one that a person ended does not', async scene => {
  const { hub, worker, projectId } = scene
  const items = async () => (await hub.api('inbox.list', {})).items
  await hub.api('phase.start', { project_id: projectId })
  await hub.api('phase.advance', { project_id: projectId, status: 'partial' })
  expect(await items()).toEqual([])
  const end = await worker.call('transition_to_next_phase', {
    ...{ session_token: scene.token, currentPhase: 'phase1' },
    result: { status: 'partial', summary: 'Half of it is written down.' },
  })
  expect(end.isError, JSON.stringify(end.body)).toBe(false)
  expect(await items()).toMatchObject([
    {
      ...{ item_id: `phase_ended:${projectId}:phase1`, kind: 'phase_ended', title: 'Phase 1', project_id: projectId },
      detail: expect.stringMatching(/^It is only partly done\.[^]*Half of it is written down\.$/),
    },
  ])
  await hub.api('inbox.seen', { item_id: `phase_ended:${projectId}:phase1` })
  expect(await items()).toEqual([])
})

onBoth('an agent that no Runner can start waits until one can', async ({ hub, peerId, projectId, other }) => {
  // The first agent has signed in: the other one is to be started.
  await hub.api('task.add', { project_id: projectId, title: 't', assignee_id: peerId, status: 'in_progress' })
  const { engine } = await hub.api('agent.show', { agent_id: peerId })
  const { token } = await hub.api('runner.add', { name: 'bare' })
  const hold = async (engines: string[], folders: { list: string; here: string[] }) => {
    const body = JSON.stringify({ engines, instances: [], folders })
    const headers = { authorization: `Bearer ${token}` }
    return (await (await hub.fetch('/api/runner.hold', { method: 'POST', body, headers })).json()) as {
      folders: { list: string }
    }
  }
  const kinds = async (project_id: string) =>
    (await hub.api('inbox.list', { project_id })).items.map(({ item_id }) => item_id)
  // It has just come, and has not looked for the folders yet.
  const { list } = (await hold(['gemini'], { list: '', here: [] })).folders
  expect(await kinds(projectId)).toEqual([])
  await hold(['gemini'], { list, here: [projectId, other.projectId] })
  const { items } = await hub.api('inbox.list', { project_id: projectId })
  expect(items).toMatchObject([
    {
      ...{ item_id: `not_startable:${peerId}:${projectId}`, kind: 'not_startable', agent_id: peerId, engine },
      ...{ detail: expect.stringContaining(`bare does not have ${engine}`), command: 'toryo doctor' },
    },
  ])
  await hold([engine], { list, here: [projectId, other.projectId] })
  expect(await kinds(projectId)).toEqual([])
  await hold(['gemini'], { list, here: [projectId, other.projectId] })
  expect(await kinds(projectId)).toHaveLength(1)
  await hub.api('inbox.seen', { item_id: items[0]?.item_id ?? '' })
  expect(await kinds(projectId)).toEqual([])
})

inTime(
  'due work waits for a person when every Runner has gone, not when the hub was away itself',
  async (scene, clock) => {
    const { hub, peerId, projectId } = scene
    await hub.api('task.add', { project_id: projectId, title: 't', assignee_id: peerId, status: 'in_progress' })
    const kinds = async (project_id?: string) =>
      (await hub.api('inbox.list', { ...(project_id !== undefined && { project_id }) })).items.map(({ kind }) => kind)
    // Where none ever was, agents come by themselves.
    clock.advance(3600_000)
    expect(await kinds()).toEqual([])
    const { token } = await hub.api('runner.add', { name: 'far' })
    const { engine } = await hub.api('agent.show', { agent_id: peerId })
    const hold = () =>
      hub.fetch('/api/runner.hold', {
        ...{ method: 'POST', body: JSON.stringify({ engines: [engine], instances: [] }) },
        headers: { authorization: `Bearer ${token}` },
      })
    await hold()
    const seen = new Date(clock.now()).toISOString()
    expect(await kinds()).toEqual([])
    clock.freeze(3600_000)
    expect(await kinds()).toEqual([])
    await hold()
    clock.advance(30_000)
    expect(await kinds()).toEqual([])
    // The hub looks each second whether it was away.
    await until(async () => {
      clock.advance(60_000)
      return (await kinds()).length > 0
    })
    const { items } = await hub.api('inbox.list', {})
    expect(items).toMatchObject([
      {
        item_id: 'no_runner:hub',
        title: 'No Runner is running',
        held_up: expect.any(Number),
        command: 'toryo up',
        project_id: null,
      },
    ])
    expect(Date.parse(items[0]?.since ?? '')).toBeGreaterThan(Date.parse(seen))
    await hub.api('inbox.seen', { item_id: 'no_runner:hub' })
    expect(await kinds()).toEqual([])
    clock.advance(1000)
    await hold()
    clock.advance(90_000)
    expect(await kinds()).toEqual(['no_runner'])
    // Heard of an hour ago, by a clock that has just been set.
    for (const ms of [3600_000, -7200_000]) {
      await hold()
      expect(await kinds()).toEqual([])
      clock.jump(ms)
      expect(await kinds()).toEqual([])
    }
  },
)

test('a disk that is nearly full waits for a person', async () => {
  await using hub = await testHub()
  expect((await hub.api('inbox.list', {})).items).toEqual([])
  const free = vi.spyOn(fs, 'statfsSync').mockReturnValue({ bavail: 7, bsize: 1_000_000 } as never)
  try {
    expect((await hub.api('inbox.list', {})).items).toMatchObject([
      {
        item_id: 'disk_low:hub',
        title: 'The disk is nearly full',
        detail: expect.stringContaining('Only 7 MB are free'),
      },
    ])
  } finally {
    free.mockRestore()
  }
})

onBoth('a message that did not arrive waits until it was sent again', async ({ hub, projectId, other }) => {
  const tab = (id: string, endedAt: number | null) =>
    sql(
      hub,
      `INSERT INTO tabs (id, hub, engine, project_id, directory, branch, depth, launched_by, ticket_connections, created_at, ended_at)
       VALUES ('${id}', 'gone', 'claude', '${projectId}', '/x', 'feature/${id}', 0, 'operator', '[]', 1, ${endedAt ?? 'NULL'})`,
    )
  const message = (id: string, to: string, body: string, failed: string, sender = 'operator', kind = 'message') =>
    sql(
      hub,
      `INSERT INTO messages (id, tab_id, project_id, sender, caller, kind, body, line, hidden, hops, queued_at, failed_at, reason)
       VALUES ('${id}', '${to}', '${projectId}', '${sender}', 'operator', '${kind}', '${body}', '${body}', 0, 0, 2, ${failed})`,
    )
  await tab('tab_open', null)
  await tab('tab_over', 5)
  await message('msg_1', 'tab_open', 'Use tabs', `3, 'stalled'`)
  await message('msg_2', 'tab_over', 'Stop there', `4, 'ended'`)
  // Taken back by its sender, or from the hub, which gives no orders: no one waits for these.
  await message('msg_3', 'tab_open', 'Never mind', `5, 'cancelled'`)
  await message('msg_4', 'tab_open', 'For information', `6, 'stalled'`, 'toryo')
  const { items } = await hub.api('inbox.list', {})
  expect(items).toMatchObject([
    {
      ...{ item_id: 'message_failed:msg_1', title: 'feature/tab_open', detail: 'Use tabs', tab_id: 'tab_open' },
      command: 'toryo tab send tab_open "…"',
    },
    // To one that has ended nothing can be sent.
    { item_id: 'message_failed:msg_2', title: 'feature/tab_over', command: null },
  ])
  expect(await hub.api('inbox.count', { project_id: other.projectId })).toEqual({ count: 0 })
  await message('msg_5', 'tab_open', 'Use tabs', 'NULL, NULL')
  expect((await hub.api('inbox.list', {})).items).toMatchObject([{ item_id: 'message_failed:msg_2' }])
})

onBoth('a task in progress without an agent waits until one is picked for it', async scene => {
  const { hub, projectId, agentId, taskId } = scene
  await hub.api('task.assign', { task_id: taskId, agent_id: null })
  await hub.api('task.move', { task_id: taskId, status: 'in_progress' })
  const [item] = (await hub.api('inbox.list', {})).items
  expect(item).toMatchObject({ item_id: `no_agent:${taskId}`, handle: 'demo-1', command: 'toryo task start demo-1' })
  const { findings } = await hub.api('doctor.run', {})
  expect(findings.find(({ check }) => check === 'tasks')).toMatchObject({
    message: 'demo-1 Build the roof is in progress, but no agent works on it.',
    fix: 'Run: toryo task start demo-1',
  })
  // A plan that its parts are done for needs nobody of its own.
  const part = await hub.api('task.add', { project_id: projectId, title: 'Tiles', parent_id: taskId })
  expect((await hub.api('inbox.count', {})).count).toBe(0)
  await hub.api('task.move', { task_id: part.task_id, status: 'cancelled' })
  expect((await hub.api('inbox.count', {})).count).toBe(1)

  // The one with the least to do, of those that are enabled and that a Runner can start.
  const picked = async () => (await hub.api('agent.pick', { project_id: projectId })).agent?.agent_id
  expect(await picked()).toBeUndefined()
  const { token } = await hub.api('runner.add', { name: 'shed' })
  const headers = { authorization: `Bearer ${token}` }
  const body = JSON.stringify({ engines: ['claude', 'codex'], instances: [] })
  await hub.fetch('/api/runner.hold', { method: 'POST', body, headers })
  expect(await picked()).toBe(agentId)
  await hub.api('task.assign', { task_id: taskId, agent_id: agentId })
  expect(await picked()).toBe(scene.peerId)
  await hub.api('agent.disable', { agent_id: scene.peerId })
  expect(await picked()).toBe(agentId)
  expect((await hub.api('inbox.list', {})).items.filter(({ kind }) => kind === 'no_agent')).toEqual([])
})
