import { expect } from 'vitest'
import { onBothCrews, refusesCrew } from '#test/crews.ts'
import { success } from '#test/scene.ts'

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
    const ids = async (args: Record<string, unknown>) =>
      items(success(await client.call('list_agents', args))).map(({ agentId }) => agentId)
    expect(await ids({})).toEqual([c, b, a])
    expect(await ids({ status: 'all' })).toEqual([c, b, a])
    expect(await ids({ groupId: done?.['groupId'] })).toEqual([b, a])
    expect(await ids({ status: 'running' })).toEqual([c])
    expect(await ids({ status: 'failed', groupId: done?.['groupId'] })).toEqual([b])
    expect(await ids({ groupId: 'grp-0-0' })).toEqual([])
    const page = success(await client.call('list_agents', { limit: 2 }))
    expect(page).toMatchObject({ total: 3, agents: [{ agentId: c }, { agentId: b }] })
    expect(await ids({ limit: 2, cursor: page['next_cursor'] })).toEqual([a])
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

onBothCrews('with the projects’ tool of that name it is one tool for both kinds', async ({ hub, start, ended }) => {
  await hub.seed()
  const [a = '', b = ''] = await start('!say x', '!say y')
  await ended(a, b)
  const client = await hub.connect({ toolsets: 'projects,crews' })
  const { tools } = await client.client.listTools()
  expect(tools.filter(({ name }) => name === 'list_agents')).toHaveLength(1)
  const ids = (body: Record<string, unknown>) => items(body).map(item => item.agent_id ?? item.agentId)
  const all = success(await client.call('list_agents'))
  expect(all).toMatchObject({ success: true, total: 4 })
  expect(items(all).map(({ kind }) => kind)).toEqual(['registered', 'registered', 'running', 'running'])
  const seen: (string | undefined)[] = []
  for (let cursor: unknown; ; ) {
    const page = success(await client.call('list_agents', { limit: 1, ...(cursor ? { cursor } : {}) }))
    expect(page['total']).toBe(4)
    seen.push(...ids(page))
    cursor = page['next_cursor']
    if (!cursor) break
  }
  expect(seen).toEqual(ids(all))
  expect(ids(success(await client.call('list_agents', { kind: 'registered' })))).toEqual(['agt_demo', 'agt_demo_peer'])
  for (const args of [{ kind: 'running' }, { status: 'completed' }])
    expect(ids(success(await client.call('list_agents', args)))).toEqual([b, a])
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
