import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { z } from 'zod'
import { CONNECTION_HEADER, RELAY_PROTOCOL } from '#contract/limits.ts'
import type { Invoker, Outcome } from '#kernel/invoke.ts'
import { openLog } from '#kernel/log.ts'
import { Registry } from '#kernel/registry.ts'
import { type Call, tool } from '#kernel/tool.ts'
import { type TestHub, testHub } from '#test/hub.ts'
import type { Hub } from '../hub.ts'
import { ToolCalls } from './tool-calls.ts'

/** With this among its `_meta`, a call goes to the SDK. */
const TO_SDK = { 'io.modelcontextprotocol/bench': true }

describe('through the socket', () => {
  test.each([
    ['a result', 'get_task', { task_id: 'tsk_demo' }],
    ['a refusal', 'get_task', { task_id: 'nothing' }],
    ['wrong arguments', 'get_task', { task_id: 7 }],
    ['no arguments', 'get_task', undefined],
    ['a name with hyphens', 'get-task', { task_id: 'tsk_demo' }],
    ['an unknown tool', 'do_nothing', {}],
    ['a tool of a toolset that is off', 'health_check', {}],
    ['arguments that are no object', 'get_task', ['tsk_demo']],
  ])('%s is answered as the SDK answers it', async (_what, name, args) => {
    await using hub = await testHub()
    await hub.seed()
    const socket = await open(hub)
    const plain = await socket.request('tools/call', { name, arguments: args })
    const bySdk = await socket.request('tools/call', { name, arguments: args, _meta: TO_SDK })
    expect(plain).toEqual(bySdk)
    socket.close()
  })

  test('a write that is sent again under its number has one effect and one answer', async () => {
    await using hub = await testHub()
    await hub.seed()
    const socket = await open(hub)
    const params = { name: 'save_context', arguments: { task_id: 'tsk_demo', progress: 'once' } }
    const first = await socket.request('tools/call', params, 70)
    expect(await socket.request('tools/call', params, 70)).toEqual(first)
    const history = await hub.call('get_task_context', { task_id: 'tsk_demo', include_history: true })
    expect(history.body['history']).toHaveLength(1)
    socket.close()
  })
})

describe('by themselves', () => {
  test('progress goes to whoever asked for it, before the answer', async () => {
    const { calls, sent, invocations } = idle()
    calls.take(request(1, { name: 'wait', _meta: { progressToken: 'p' } }))
    calls.take(request(2, { name: 'wait' }))
    invocations[0]?.call.progress(1, 2, 'half')
    invocations[1]?.call.progress(1)
    invocations[0]?.end({ ok: true, value: { done: true } })
    await turn()
    expect(sent).toEqual([
      {
        jsonrpc: '2.0',
        method: 'notifications/progress',
        params: { progressToken: 'p', progress: 1, total: 2, message: 'half' },
      },
      {
        jsonrpc: '2.0',
        id: 1,
        result: { content: [{ type: 'text', text: '{"done":true}' }], structuredContent: { done: true } },
      },
    ])
  })

  test('a call that is taken back is told so and is not answered', async () => {
    const { calls, sent, settled, invocations } = idle()
    calls.take(request(1, { name: 'wait' }))
    const cancel = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } } as const
    expect(calls.take(cancel)).toBe(true)
    expect(invocations[0]?.call.signal.aborted).toBe(true)
    invocations[0]?.end({ ok: true, value: {} })
    await turn()
    expect(sent).toEqual([])
    expect(settled).toEqual([1])
    expect(calls.take(cancel)).toBe(false)
  })

  test('when the connection is gone, whoever works for it hears of it', () => {
    const { calls, invocations } = idle()
    calls.take(request(1, { name: 'wait' }))
    calls.dispose()
    expect(invocations[0]?.call.signal.aborted).toBe(true)
  })

  test('an answer that cannot be written is an error, not silence', async () => {
    const { calls, sent, invocations } = idle()
    calls.take(request('a', { name: 'wait' }))
    invocations[0]?.end({ ok: true, value: { n: 1n } })
    await turn()
    expect(sent).toEqual([{ jsonrpc: '2.0', id: 'a', error: { code: -32603, message: 'Internal error' } }])
  })

  test.each([
    ['another method', { jsonrpc: '2.0', id: 1, method: 'prompts/list' }],
    ['a list from a cursor on', { jsonrpc: '2.0', id: 1, method: 'tools/list', params: { cursor: 'x' } }],
    ['a call without an id', { jsonrpc: '2.0', method: 'tools/call', params: { name: 'wait' } }],
    ['an unknown tool', request(1, { name: 'nothing' })],
    ['a field we do not know', request(1, { name: 'wait', task: { ttl: 1 } })],
    ['arguments that are no object', request(1, { name: 'wait', arguments: [] })],
    ['a progress token of another type', request(1, { name: 'wait', _meta: { progressToken: {} } })],
    ['metadata of the protocol', request(1, { name: 'wait', _meta: { 'io.modelcontextprotocol/clientInfo': {} } })],
  ] as const)('%s is left to the SDK', (_what, message) => {
    const { calls, invocations } = idle()
    expect(calls.take(message)).toBe(false)
    expect(invocations).toEqual([])
  })
})

function request(id: string | number, params: Record<string, unknown>) {
  return { jsonrpc: '2.0', id, method: 'tools/call', params } as const
}

/** Calls over an invoker whose test decides how each ends. */
function idle() {
  const wait = tool({
    name: 'wait',
    toolset: 'projects',
    title: 'Wait',
    description: 'Waits.',
    effect: 'read',
    callers: ['operator'],
    input: z.object({}),
    output: z.looseObject({}),
    run: async () => ({}),
  })
  const invocations: { call: Call; end: (outcome: Outcome) => void }[] = []
  const invoke = (_tool: unknown, _args: unknown, call: Call) =>
    new Promise<Outcome>(end => invocations.push({ call, end }))
  const hub = {
    registry: new Registry([wait]),
    invoker: { invoke } as unknown as Invoker<never>,
    log: openLog({}),
  } as unknown as Hub<never>
  const sent: unknown[] = []
  const settled: unknown[] = []
  const calls = new ToolCalls(
    hub,
    { offer: { toolsets: ['projects'] }, lang: 'en', caller: () => ({ kind: 'operator' }), keyScope: 'test' },
    { write: text => sent.push(JSON.parse(text)), settled: id => settled.push(id) },
  )
  return { calls, sent, settled, invocations }
}

function turn(): Promise<void> {
  return new Promise(resolve => setImmediate(resolve))
}

/** A bridge's socket after its handshake, without an SDK that could hide what comes over it. */
async function open(hub: TestHub) {
  const socket = new WebSocket(`${hub.url.replace('http', 'ws')}/bridge?toolsets=projects`, RELAY_PROTOCOL, {
    headers: { authorization: `Bearer ${hub.token}`, [CONNECTION_HEADER]: randomBytes(32).toString('hex') },
  })
  await once(socket, 'open')
  let number = 0
  const send = (message: object, n = ++number) => socket.send(`${n} ${JSON.stringify({ jsonrpc: '2.0', ...message })}`)
  const ask = async (method: string, params: object, n?: number) => {
    const answer = once(socket, 'message')
    send({ id: 'one', method, params }, n)
    const [data] = (await answer) as [Buffer]
    return JSON.parse(data.toString()) as unknown
  }
  const clientInfo = { name: 'test', version: '1' }
  await ask('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo })
  send({ method: 'notifications/initialized' })
  return { request: ask, close: () => socket.terminate() }
}
