import { expect } from 'vitest'
import { onBothCrews, refusesCrew } from '#test/crews.ts'
import { onBoth, refuses, success } from '#test/scene.ts'

const ids = (body: Record<string, unknown>) =>
  (body['agents'] as { agent_id: string }[]).map(({ agent_id }) => agent_id)

onBoth('lists every registered agent with the total', async ({ hub, worker }) => {
  const body = success(await worker.call('list_agents'))
  expect(ids(body)).toEqual(['agt_demo', 'agt_demo_peer', 'agt_other', 'agt_other_peer'])
  expect(body).toMatchObject({
    success: true,
    total: 4,
    agents: [{ name: 'demo worker', ai_type: 'claude' }, {}, {}, {}],
  })
  expect(body['next_cursor']).toBeUndefined()
  expect(success(await hub.call('list_agents', { limit: 1_000_000 }))['agents']).toHaveLength(4)
})

onBoth('pages meet end to end', async ({ hub }) => {
  const first = success(await hub.call('list_agents', { limit: 3 }))
  const second = success(await hub.call('list_agents', { limit: 3, cursor: first['next_cursor'] }))
  expect([...ids(first), ...ids(second)]).toEqual(['agt_demo', 'agt_demo_peer', 'agt_other', 'agt_other_peer'])
  expect(second['next_cursor']).toBeUndefined()
})

refuses('list_agents', [
  {
    name: 'a cursor of its own making',
    args: () => ({ cursor: 'page two' }),
    error: 'cursor is not one that this list gave out; call again without it.',
    code: 'INVALID_ARGUMENT',
  },
  {
    name: 'no items a page',
    args: () => ({ limit: 0 }),
    error: /^Wrong arguments\. limit: /,
    code: 'INVALID_ARGUMENT',
  },
  { name: 'half an item', args: () => ({ limit: 0.5 }), error: /^Wrong arguments\. limit: /, code: 'INVALID_ARGUMENT' },
])

type Item = { agentId?: string; agent_id?: string; kind?: string; status?: string }
const items = (body: Record<string, unknown>) => body['agents'] as Item[]

onBothCrews(
  'lists the agents of groups, newest first, by group and by status',
  async ({ hub, start, ended, until }) => {
    const client = await hub.connect({ toolsets: 'crews' })
    const [a = '', b = ''] = await start('!say x', '!fail no')
    const [c = ''] = await start('!hang')
    const [done] = await ended(a, b)
    await until(c, 'running')
    const shown = async (args: Record<string, unknown>) =>
      items(success(await client.call('list_agents', args))).map(({ agentId }) => agentId)
    expect(await shown({})).toEqual([c, b, a])
    expect(await shown({ status: 'all' })).toEqual([c, b, a])
    expect(await shown({ groupId: done?.['groupId'] })).toEqual([b, a])
    expect(await shown({ status: 'running' })).toEqual([c])
    expect(await shown({ status: 'failed', groupId: done?.['groupId'] })).toEqual([b])
    expect(await shown({ groupId: 'grp-0-0' })).toEqual([])
    const page = success(await client.call('list_agents', { limit: 2 }))
    expect(page).toMatchObject({ total: 3, agents: [{ agentId: c }, { agentId: b }] })
    expect(await shown({ limit: 2, cursor: page['next_cursor'] })).toEqual([a])
    expect(items(page)[0]).toEqual({
      agentId: c,
      groupId: expect.any(String),
      role: 'worker',
      model: 'small',
      status: 'running',
      startedAt: expect.any(String),
      elapsed_ms: expect.any(Number),
      toolCallCount: 0,
    })
  },
)

onBoth(
  'to planners it says how much each agent has to do',
  async ({ hub, worker, projectId, agentId, peerId, other }) => {
    const add = (project_id: string, assignee_id: string, status: 'todo' | 'in_progress' | 'done') =>
      hub.api('task.add', { project_id, title: 'x', assignee_id, status })
    await add(projectId, agentId, 'todo')
    await add(projectId, agentId, 'done')
    const load = (body: Record<string, unknown>) =>
      (body['agents'] as { agent_id: string; open_tasks: number; working_on: string[] }[]).map(agent => [
        agent.agent_id,
        agent.open_tasks,
        agent.working_on,
      ])
    const all = [
      [agentId, 2, ['demo-1']],
      [peerId, 0, []],
      [other.agentId, 1, ['other-1']],
      [other.peerId, 0, []],
    ]
    const planner = await hub.connect({ toolsets: 'planning' })
    expect(load(success(await planner.call('list_agents')))).toEqual(all)
    // With everything, and an agent that sees its own project only.
    const of = (id: string, count: number, handles: string[]) => [id, count, handles]
    expect(load(success(await hub.call('list_agents', { kind: 'registered' })))).toEqual(all)
    expect(load(success(await worker.call('list_agents')))).toEqual([all[0], all[1], of(other.agentId, 1, []), all[3]])
    const projects = await hub.connect({ toolsets: 'projects' })
    expect(JSON.stringify(success(await projects.call('list_agents')))).not.toContain('open_tasks')
  },
)

onBothCrews('a connection with both toolsets has one tool for both kinds', async ({ hub, start, ended }) => {
  await hub.seed()
  const [a = '', b = ''] = await start('!say x', '!say y')
  await ended(a, b)
  const client = await hub.connect({ toolsets: 'projects,crews' })
  const { tools } = await client.client.listTools()
  expect(tools.filter(({ name }) => name === 'list_agents')).toHaveLength(1)
  const every = (body: Record<string, unknown>) => items(body).map(item => item.agent_id ?? item.agentId)
  const all = success(await client.call('list_agents'))
  expect(all).toMatchObject({ success: true, total: 4 })
  expect(items(all).map(({ kind }) => kind)).toEqual(['registered', 'registered', 'running', 'running'])
  const seen: (string | undefined)[] = []
  for (let cursor: unknown; ; ) {
    const page = success(await client.call('list_agents', { limit: 1, ...(cursor ? { cursor } : {}) }))
    expect(page['total']).toBe(4)
    seen.push(...every(page))
    cursor = page['next_cursor']
    if (!cursor) break
  }
  expect(seen).toEqual(every(all))
  expect(every(success(await client.call('list_agents', { kind: 'registered' })))).toEqual([
    'agt_demo',
    'agt_demo_peer',
  ])
  for (const args of [{ kind: 'running' }, { status: 'completed' }])
    expect(every(success(await client.call('list_agents', args)))).toEqual([b, a])
  expect((await client.call('list_agents', { status: 'asleep' })).body).toMatchObject({ code: 'INVALID_ARGUMENT' })

  const projects = await hub.connect({ toolsets: 'projects' })
  const registered = success(await projects.call('list_agents'))
  expect(registered).toMatchObject({ success: true, total: 2 })
  expect(items(registered)[0]).not.toHaveProperty('kind')
})

refusesCrew('list_agents', [
  {
    name: 'an unknown status',
    args: () => ({ status: 'asleep' }),
    code: 'INVALID_ARGUMENT',
    message: /^status must be one of queued, running, resultReported, completed/,
  },
])
