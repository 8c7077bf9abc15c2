import { expect } from 'vitest'
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
