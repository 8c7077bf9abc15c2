// An idempotency key belongs to the caller, at the time of the call; and a stored answer is only for a caller that may
// still act.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { WebSocket } from 'ws'
import { expect, test } from 'vitest'
import type { Caller } from '#contract/caller.ts'
import { CONNECTION_HEADER } from '#contract/limits.ts'
import { databases, TestClock, type TestHub } from './hub.ts'
import { RawSocket } from './raw-socket.ts'
import { callBy, invoke, onBoth, onStage, operator, rowsOf } from './scene.ts'

type Body = Record<string, unknown>
type KeyedCall = (name: string, args: Body, key?: string) => Promise<Body>

/** A client over HTTP with a session of its own; `modern`: without one, each request on its own. */
async function overHttp(hub: TestHub, modern = false): Promise<{ call: KeyedCall } & AsyncDisposable> {
  const mode = modern ? { versionNegotiation: { mode: { pin: '2026-07-28' } } } : {}
  const client = new Client({ name: 'test', version: '1' }, mode)
  const headers = { authorization: `Bearer ${hub.token}`, 'accept-language': 'en' }
  await client.connect(new StreamableHTTPClientTransport(new URL(`${hub.url}/mcp`), { requestInit: { headers } }))
  return {
    async call(name, args, key) {
      const _meta = key === undefined ? {} : { 'toryo/idempotencyKey': key }
      const { content } = await client.callTool({ name, arguments: args, _meta })
      return JSON.parse((content as { text: string }[])[0]?.text ?? '{}') as Body
    },
    [Symbol.asyncDispose]: () => client.close(),
  }
}

/** A WebSocket client whose frames have no numbers: its keys are its own choice. */
async function withoutNumbers(hub: TestHub, secret: string): Promise<{ call: KeyedCall } & Disposable> {
  const socket = new WebSocket(`${hub.url.replace('http', 'ws')}/bridge`, {
    headers: { authorization: `Bearer ${hub.token}`, [CONNECTION_HEADER]: secret },
  })
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject))
  let id = 0
  const request = (method: string, params: Body): Promise<Body> => {
    const own = ++id
    socket.send(JSON.stringify({ jsonrpc: '2.0', id: own, method, params }))
    return new Promise(resolve => {
      socket.on('message', function listen(data: Buffer) {
        const reply = JSON.parse(data.toString()) as { id?: number; result: Body }
        if (reply.id !== own) return
        socket.off('message', listen)
        resolve(reply.result)
      })
    })
  }
  const clientInfo = { name: 'plain', version: '1' }
  await request('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo })
  socket.send(JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' }))
  return {
    async call(name, args, key) {
      const _meta = key === undefined ? {} : { 'toryo/idempotencyKey': key }
      const { content } = await request('tools/call', { name, arguments: args, _meta })
      return JSON.parse((content as { text: string }[])[0]?.text ?? '{}') as Body
    },
    [Symbol.dispose]: () => socket.terminate(),
  }
}

onBoth('two agents over HTTP that happen to choose the same key have their own effects and answers', async scene => {
  const { hub, taskId, projectId, other, peerId, peerPasskey } = scene
  await using a = await overHttp(hub)
  await using b = await overHttp(hub)
  await using c = await overHttp(hub)
  await a.call('authenticate', { agent_id: peerId, passkey: peerPasskey, project_id: projectId })
  const { agentId, passkey } = other
  await b.call('authenticate', { agent_id: agentId, passkey, project_id: other.projectId })
  const decision = { decision: 'oak', reason: 'it lasts' }
  const first = await a.call('add-decision', decision, 'k1')
  const second = await b.call('add-decision', decision, 'k1')
  expect(first['decision_id']).toEqual(expect.any(Number))
  expect(second['decision_id']).toEqual(expect.any(Number))
  expect(second['decision_id']).not.toBe(first['decision_id'])
  // Each of them gets its own again, and the operator has a third.
  expect(await a.call('add-decision', decision, 'k1')).toEqual(first)
  expect(await b.call('add-decision', decision, 'k1')).toEqual(second)
  const note = { task_id: taskId, progress: 'p' }
  expect(await a.call('save_context', note, 'k2')).toMatchObject({ success: true })
  expect(await c.call('save_context', note, 'k2')).toMatchObject({ success: true })
  const rows = await rowsOf(hub)
  expect(rows['decisions']).toHaveLength(2)
  expect(rows['notes']).toHaveLength(2)
})

onBoth('one agent on two projects: the same words in the other project are another call', async scene => {
  const { hub, projectId, other, peerId: agent_id, peerPasskey: passkey } = scene
  await hub.api('project.assign', { project_id: other.projectId, agent_id })
  await using client = await overHttp(hub)
  const decide = async (project_id: string) => {
    await client.call('authenticate', { agent_id, passkey, project_id })
    return client.call('add-decision', { decision: 'oak', reason: 'it lasts' }, 'k')
  }
  const first = await decide(projectId)
  const second = await decide(other.projectId)
  expect(second['decision_id']).not.toBe(first['decision_id'])
  expect(await decide(projectId)).toEqual(first)
})

onBoth('on one connection a later agent does not get what an earlier one was answered', async scene => {
  const { hub, projectId, other, peerId, peerPasskey } = scene
  using client = await withoutNumbers(hub, 'one secret')
  const as = async (agent_id: string, passkey: string, project_id: string) => {
    const { session_token } = await client.call('authenticate', { agent_id, passkey, project_id })
    const answer = await client.call('add-decision', { decision: 'oak', reason: 'it lasts' }, 'k')
    expect(await client.call('add-decision', { decision: 'oak', reason: 'it lasts' }, 'k')).toEqual(answer)
    expect(await client.call('logout', { session_token })).toEqual({ success: true })
    return answer
  }
  const first = await as(peerId, peerPasskey, projectId)
  const second = await as(other.agentId, other.passkey, other.projectId)
  expect(second['decision_id']).not.toBe(first['decision_id'])
  expect((await rowsOf(hub, 'decisions'))['decisions']).toHaveLength(2)
})

onBoth('without a session of the protocol the session_token says whose key it is', async scene => {
  const { hub, token, other } = scene
  const stranger = await hub.connect()
  const theirs = await stranger.signIn(other.agentId, other.passkey, other.projectId)
  await using client = await overHttp(hub, true)
  const mine = await client.call('get_my_task', { session_token: token }, 'k')
  expect(mine).toMatchObject({ has_task: true, task: { task_id: scene.taskId } })
  expect(await client.call('get_my_task', { session_token: theirs }, 'k')).toMatchObject({
    task: { task_id: other.taskId },
  })
  expect(await client.call('get_my_task', { session_token: token }, 'k')).toEqual(mine)
  // Another agent's session does not open this agent's answer.
  expect(await stranger.call('get_my_task', { session_token: token })).toMatchObject({
    body: { code: 'AGENT_MISMATCH' },
  })
})

onBoth('the same key for another tool or other arguments is a conflict, at every door', async scene => {
  const { hub, taskId, projectId } = scene
  await using http = await overHttp(hub)
  await using modern = await overHttp(hub, true)
  using plain = await withoutNumbers(hub, 'another secret')
  for (const [door, client] of Object.entries({ http, modern, plain })) {
    const key = `of ${door}`
    expect(await client.call('save_context', { task_id: taskId, progress: door }, key), door).toMatchObject({
      success: true,
    })
    for (const [name, args] of [
      ['save_context', { task_id: taskId, progress: 'other' }],
      ['update_task_status', { task_id: taskId, status: 'todo' }],
    ] as const)
      expect(await client.call(name, args, key), door).toMatchObject({ code: 'IDEMPOTENCY_CONFLICT' })
  }
  const post = async (operation: string, body: Body) => {
    const init = { method: 'POST', headers: { 'idempotency-key': 'of api' }, body: JSON.stringify(body) }
    return (await (await hub.fetch(`/api/${operation}`, init)).json()) as Body
  }
  const first = await post('task.add', { project_id: projectId, title: 't' })
  expect(await post('task.add', { project_id: projectId, title: 't' })).toEqual(first)
  expect(await post('task.add', { project_id: projectId, title: 'u' })).toMatchObject({
    error: { code: 'IDEMPOTENCY_CONFLICT' },
  })
})

test('the key of one kind of caller is not that of another, whatever the door', () =>
  onStage({}, async ({ hub, projectId, other }) => {
    const tab = (tabId: string, project: string) => ({ kind: 'tab', tabId, projectId: project, depth: 1 }) as Caller
    const agent = { kind: 'agent', agentId: other.agentId, projectId: other.projectId, epoch: 0 } as Caller
    const callers = [operator, tab('tab_1', projectId), tab('tab_2', projectId), agent]
    const ids = []
    for (const caller of [...callers, ...callers]) {
      const args = { decision: 'oak', reason: 'it lasts' }
      const outcome = await invoke(hub, 'add-decision', args, callBy(caller, { clientKey: 'api:k' }))
      ids.push(outcome.ok ? (outcome.value as Body)['decision_id'] : outcome.error.code)
    }
    expect(new Set(ids.slice(0, 4)).size).toBe(4)
    expect(ids.slice(4)).toEqual(ids.slice(0, 4))
  }))

test.each(databases)('an agent that was disabled since gets the refusal, not the stored answer (%s)', database =>
  onStage({ database }, async ({ hub, taskId, projectId, peerId, peerPasskey }) => {
    const signIn = { agent_id: peerId, passkey: peerPasskey, project_id: projectId }
    const note = { task_id: taskId, progress: 'p' }
    const bridge = await RawSocket.open(hub, { secret: 'bridge' })
    const { session_token } = await bridge.call('authenticate', signIn, { number: 1 })
    await bridge.call('save_context', note, { number: 2 })
    await using http = await overHttp(hub)
    await using modern = await overHttp(hub, true)
    await modern.call('get_my_task', { session_token }, 'm')
    await hub.api('agent.disable', { agent_id: peerId })

    const refused = { success: false, code: 'AGENT_DISABLED' }
    expect(await bridge.call('authenticate', signIn, { number: 1 })).toMatchObject(refused)
    expect(await bridge.call('save_context', note, { number: 2 })).toMatchObject(refused)
    expect(await modern.call('get_my_task', { session_token }, 'm')).toMatchObject(refused)
    bridge.cut()
    const back = await RawSocket.open(hub, { secret: 'bridge' })
    expect(await back.call('authenticate', signIn, { number: 1 })).toMatchObject(refused)
    expect(await back.call('save_context', note, { number: 2 })).toMatchObject(refused)

    await hub.api('agent.enable', { agent_id: peerId })
    expect(await back.call('authenticate', signIn, { number: 1 })).toMatchObject({ session_token })
    expect(await back.call('save_context', note, { number: 2 })).toMatchObject({ success: true })
    expect(await http.call('get_my_task', { session_token }, 'h')).toMatchObject({ success: true })
    expect((await rowsOf(hub, 'notes'))['notes']).toHaveLength(1)
  }),
)

test.each(databases)('nor does an instance whose place another one has taken (%s)', database => {
  const clock = new TestClock()
  return onStage({ database, clock }, async ({ hub, taskId, projectId, peerId, peerPasskey }) => {
    const signIn = { agent_id: peerId, passkey: peerPasskey, project_id: projectId }
    const note = { task_id: taskId, progress: 'p' }
    const bridge = await RawSocket.open(hub, { secret: 'bridge' })
    const { session_token } = await bridge.call('authenticate', signIn, { number: 1 })
    await bridge.call('save_context', note, { number: 2 })
    await using modern = await overHttp(hub, true)
    await modern.call('authenticate', signIn, 'a').then(({ code }) => expect(code).toBe('ALREADY_RUNNING'))
    await modern.call('get_my_task', { session_token }, 'm')
    clock.advance(3600_000)
    const next = await hub.connect()
    await next.signIn(peerId, peerPasskey, projectId)

    const stale = { success: false, code: 'STALE_EPOCH' }
    expect(await bridge.call('authenticate', signIn, { number: 1 })).toMatchObject(stale)
    expect(await bridge.call('save_context', note, { number: 2 })).toMatchObject(stale)
    expect(await modern.call('get_my_task', { session_token }, 'm')).toMatchObject(stale)
    expect((await rowsOf(hub, 'notes'))['notes']).toHaveLength(1)
  })
})

onBoth('a reply to a report or a logout that was lost comes again, though the session is over', async scene => {
  const { hub, projectId, peerId, peerPasskey } = scene
  const signIn = { agent_id: peerId, passkey: peerPasskey, project_id: projectId }
  for (const [tool, rest] of [
    ['report_completed', { result: 'success' }],
    ['logout', {}],
  ] as const) {
    await using http = await overHttp(hub)
    const { session_token } = await http.call('authenticate', signIn, `in ${tool}`)
    const first = await http.call(tool, { session_token, ...rest }, tool)
    expect(first, tool).toMatchObject({ success: true })
    await using again = await overHttp(hub)
    for (const client of [http, again]) expect(await client.call(tool, { session_token, ...rest }, tool)).toEqual(first)
  }
})
