// What is answered without the SDK is what the SDK would answer. Some field that is allowed and unusual sends a message to it.
import { SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/server'
import { expect, test } from 'vitest'
import { tools } from '#hub/tools.gen.ts'
import { toolSchemas } from '#hub/tool-schemas.gen.ts'
import { formsOf, listed, type Tool } from '#kernel/tool.ts'
import { RawSocket } from '#test/raw-socket.ts'
import { testHub } from '#test/hub.ts'
import { greeting, HANDSHAKE_VERSIONS } from './greeting.ts'
import type { Hub } from '../hub.ts'
import type { Peer } from './peer.ts'
import type { FrameSocket } from './frame-connection.ts'
import { FrameTransport } from './frame-transport.ts'

const clientInfo = { name: 'test', version: '1' }
const usual = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo }
/** Allowed, and not ours to answer. */
const TO_SDK = { capabilities: { experimental: { bench: {} } } }

test('the versions are those of the SDK, in its order', () => {
  expect(HANDSHAKE_VERSIONS).toEqual(SUPPORTED_PROTOCOL_VERSIONS)
})

test('every generated schema is that of its tool', () => {
  const forms = (tools as Tool<never>[]).flatMap(formsOf)
  expect(toolSchemas.map(schema => JSON.parse(schema) as unknown)).toEqual(forms.map(form => listed(form).inputSchema))
})

test.each([
  ['all toolsets', {}],
  ['one without resources', { toolsets: 'memory' }],
  ['an older version', { protocolVersion: '2024-11-05' }],
  ['a version that is unknown', { protocolVersion: '1999-01-01' }],
])('greets a client with %s as the SDK does', async (_what, options) => {
  await using hub = await testHub()
  const [plain, bySdk] = await Promise.all(
    [{}, TO_SDK].map(async more => {
      const socket = await RawSocket.open(hub, { ...options, ...more })
      const answers = [socket.greeting, await socket.request('tools/list', {}), await socket.request('ping', {})]
      socket.cut()
      return answers.map(answer => answer?.result)
    }),
  )
  expect(plain?.[0]).toMatchObject({ serverInfo: { name: 'toryo' }, instructions: expect.any(String) })
  expect(plain).toEqual(bySdk)
})

test('lists tools as the SDK does', async () => {
  await using hub = await testHub()
  const socket = await RawSocket.open(hub)
  const [plain, bySdk] = [await socket.request('tools/list', {}), await socket.request('tools/list', { cursor: '' })]
  expect(plain.result).toEqual(bySdk.result)
  socket.cut()
})

test('what needs the SDK is answered after a handshake that it did not make, and beside calls', async () => {
  await using hub = await testHub()
  await hub.seed()
  const socket = await RawSocket.open(hub)
  const answers = await Promise.all([
    socket.request('resources/templates/list', {}),
    socket.request('prompts/list', {}, { id: 'toryo:handshake' }),
    socket.request('resources/nothing', {}),
    socket.request('initialize', usual),
    socket.call('get_task', { task_id: 'tsk_demo' }),
  ])
  expect(answers).toMatchObject([
    { result: { resourceTemplates: expect.any(Array) } },
    { result: { prompts: expect.any(Array) } },
    { error: { code: -32601 } },
    { result: { protocolVersion: '2025-11-25' } },
    { success: true },
  ])
  socket.cut()
})

test('a sign-in that changes the list of tools is announced without the SDK', () => {
  const sent: string[] = []
  const wire = { numbered: true, isOpen: true, unsent: 0, send: (text: string) => sent.push(text) }
  const transport = new FrameTransport(wire as unknown as FrameSocket, {
    greet: () => ({}),
    take: () => false,
    loadSdk: () => Promise.reject(new Error('the SDK is not needed')),
    fault: () => {},
  })
  transport.receive(Buffer.from('1 {"jsonrpc":"2.0","id":1,"method":"initialize"}'), false)
  transport.receive(Buffer.from('2 {"jsonrpc":"2.0","method":"notifications/initialized"}'), false)
  transport.toolsChanged()
  expect(sent.map(text => JSON.parse(text) as unknown)).toEqual([
    { jsonrpc: '2.0', id: 1, result: {} },
    { jsonrpc: '2.0', method: 'notifications/tools/list_changed' },
  ])
})

test.each([
  ['no parameters', undefined],
  ['no client', { protocolVersion: '2025-11-25', capabilities: {} }],
  ['a client without a version', { ...usual, clientInfo: { name: 'x' } }],
  ['a client with icons', { ...usual, clientInfo: { ...clientInfo, icons: [] } }],
  ['a name that is no text', { ...usual, clientInfo: { name: 7, version: '1' } }],
  ['a version that is no text', { ...usual, protocolVersion: 7 }],
  ['capabilities that are no object', { ...usual, capabilities: [] }],
  ['a capability that is no object', { ...usual, capabilities: { roots: true } }],
  ['a flag that is none', { ...usual, capabilities: { roots: { listChanged: 'yes' } } }],
  ['a capability of its own', { ...usual, capabilities: { experimental: { x: {} } } }],
  ['metadata', { ...usual, _meta: { progressToken: 1 } }],
])('a handshake with %s is left to the SDK', (_what, params) => {
  const hub = {} as Hub<never>
  expect(greeting(hub, {} as Peer, { jsonrpc: '2.0', id: 1, method: 'initialize', ...(params && { params }) })).toBe(
    undefined,
  )
})
