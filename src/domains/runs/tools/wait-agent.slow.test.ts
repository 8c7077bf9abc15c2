import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { CONNECTION_HEADER } from '#contract/limits.ts'
import { onBothCrews, onCrew, refusesCrew } from '#test/crews.ts'
import { success } from '#test/scene.ts'
import { until as eventually } from '#test/processes.ts'

onBothCrews('waits for all, or for the first of them', async ({ hub, start }) => {
  const [quick = '', slow = ''] = await start('!say quick', '!hang')
  const any = success(await hub.call('wait_agent', { agentIds: [quick, slow], mode: 'any' }))
  expect(any).toEqual({
    completed: [
      expect.objectContaining({
        agentId: quick,
        status: 'completed',
        result: expect.objectContaining({ summary: 'quick' }),
      }),
    ],
    pending: [expect.objectContaining({ agentId: slow })],
    timedOut: false,
    resume: false,
  })
  const all = hub.call('wait_agent', { agentIds: [quick, slow] })
  await hub.api('run.stop', { run_id: slow })
  expect(success(await all)).toMatchObject({
    completed: [{ agentId: quick }, { agentId: slow, status: 'cancelled' }],
    pending: [],
    timedOut: false,
    resume: false,
  })
})

onBothCrews('gives up when the caller’s time is up, and says who is pending', async ({ hub, start }) => {
  const [id = ''] = await start('!hang')
  for (const timeout_ms of [0, 30])
    expect(success(await hub.call('wait_agent', { agentIds: [id], timeout_ms }))).toMatchObject({
      completed: [],
      pending: [{ agentId: id }],
      timedOut: true,
      resume: false,
    })
})

onBothCrews(
  'holds no call longer than a client waits: it says that it is there, and asks to be called again',
  async ({ hub, start, until }) => {
    const [id = ''] = await start('!say on\n!hang')
    await until(id, now => now['lastMessage'] === 'on')
    const { client } = await hub.connect({ toolsets: 'crews' })
    const said: { progress: number; message?: string | undefined }[] = []
    const params = { name: 'wait_agent', arguments: { agentIds: [id], timeout_ms: 3_600_000 } }
    const answer = await client.callTool(params, { onprogress: progress => void said.push(progress) })
    expect(answer.structuredContent).toMatchObject({
      completed: [],
      pending: [{ agentId: id, status: 'running' }],
      timedOut: false,
      resume: true,
    })
    expect(said.length).toBeGreaterThan(1)
    const steps = said.map(({ progress }) => progress)
    expect(steps).toEqual([...new Set(steps)].toSorted((a, b) => a - b))
    expect(said[0]?.message).toBe('0 of 1 have ended; 0 tool calls so far')
  },
  { runs: { patience: { waitMs: 2_000, progressMs: 50 } } },
)

test('a wait whose client goes away, or takes it back, leaves nothing behind', () =>
  onCrew({}, async ({ hub, start, until }) => {
    const [id = ''] = await start('!hang')
    await until(id, now => now['sessionId'] !== null)
    const listeners = () => hub.running.hub.events.listenerCount
    const before = listeners()
    const params = { name: 'wait_agent', arguments: { agentIds: [id] } }
    for (let round = 0; round < 20; round++) {
      const socket = new WebSocket(`${hub.url.replace('http', 'ws')}/bridge?toolsets=crews`, {
        headers: { authorization: `Bearer ${hub.token}`, [CONNECTION_HEADER]: randomBytes(32).toString('hex') },
      })
      await once(socket, 'open')
      const send = (message: object) => socket.send(JSON.stringify({ jsonrpc: '2.0', ...message }))
      const clientInfo = { name: 't', version: '1' }
      send({ id: 0, method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo } })
      await once(socket, 'message')
      send({ method: 'notifications/initialized' })
      for (let call = 1; call <= 50; call++) send({ id: call, method: 'tools/call', params })
      await eventually(() => listeners() === before + 50)
      for (let call = 1; call <= 25; call++) send({ method: 'notifications/cancelled', params: { requestId: call } })
      await eventually(() => listeners() === before + 25)
      socket.terminate()
      await eventually(() => listeners() === before)
    }
    expect(listeners()).toBe(before)
  }))

refusesCrew('wait_agent', [
  {
    name: 'nobody',
    args: () => ({ agentIds: [] }),
    code: 'INVALID_ARGUMENT',
    message: 'agentIds is empty; name at least one.',
  },
  { name: 'an unknown agent', args: () => ({ agentIds: ['run_x'] }), code: 'AGENT_NOT_FOUND', message: /run_x/ },
  {
    name: 'an unknown mode',
    args: () => ({ agentIds: ['run_x'], mode: 'some' }),
    code: 'INVALID_ARGUMENT',
    message: /mode/,
  },
  {
    name: 'negative time',
    args: () => ({ agentIds: ['run_x'], timeout_ms: -1 }),
    code: 'INVALID_ARGUMENT',
    message: /timeout_ms/,
  },
])
