// A client that signs in is offered other tools: every transport notifies it, and only where that is possible is it declared.
import { randomBytes } from 'node:crypto'
import { Client, StreamableHTTPClientTransport, type Transport } from '@modelcontextprotocol/client'
import { expect, test } from 'vitest'
import { CONNECTION_HEADER, LANG_HEADER } from '#contract/limits.ts'
import { type TestHub, testHub } from './hub.ts'
import { HEAVY, Workshop } from './processes.ts'
import { until } from './until.ts'
import { FrameClientTransport } from './ws-transport.ts'

const modern = { versionNegotiation: { mode: { pin: '2026-07-28' } } } as const

const relay = (hub: TestHub): Transport =>
  new FrameClientTransport(`${hub.url.replace('http', 'ws')}/bridge`, {
    authorization: `Bearer ${hub.token}`,
    [CONNECTION_HEADER]: randomBytes(32).toString('hex'),
    [LANG_HEADER]: 'en',
  })
const http = (hub: TestHub): Transport =>
  new StreamableHTTPClientTransport(new URL(`${hub.url}/mcp`), {
    requestInit: { headers: { authorization: `Bearer ${hub.token}` } },
  })

const ways = [
  ['a bridge’s socket, 2025-11-25', relay, {}],
  ['a bridge’s socket, 2026-07-28', relay, modern],
  ['HTTP, 2025-11-25', http, {}],
] as const

test.each(ways)(
  'over %s a client hears that its tools have changed when it signs in and out',
  async (_, to, options) => {
    await using hub = await testHub()
    const { agentId, passkey, projectId } = await hub.seed()
    const client = new Client({ name: 'test', version: '1' }, options)
    let changes = 0
    client.setNotificationHandler('notifications/tools/list_changed', () => void changes++)
    await client.connect(to(hub))
    if (options === modern) await client.listen({ toolsListChanged: true })
    expect(client.getServerCapabilities()).toMatchObject({ tools: { listChanged: true } })
    const names = async () =>
      (await client.listTools({}, { cacheMode: 'reload' } as object)).tools.map(({ name }) => name)
    const before = await names()
    const sign = { agent_id: agentId, passkey, project_id: projectId }
    const { structuredContent } = await client.callTool({ name: 'authenticate', arguments: sign })
    await until(() => changes === 1)
    const inside = await names()
    expect(inside.length).toBeLessThan(before.length)
    // A refused sign-in, and a second one as the same kind of caller, change nothing.
    await client.callTool({ name: 'authenticate', arguments: { ...sign, passkey: 'wrong' } })
    const { session_token } = structuredContent as { session_token: string }
    await client.callTool({ name: 'logout', arguments: { session_token } })
    await until(() => changes > 1)
    expect([changes, await names()]).toEqual([2, before])
    await client.close()
  },
)

test('where nothing of the kind is ever sent, it is not declared', async () => {
  await using hub = await testHub()
  for (const [to, options] of [
    [relay, {}],
    [relay, modern],
    [http, {}],
    [http, modern],
  ] as const) {
    const client = new Client({ name: 'test', version: '1' }, options)
    await client.connect(to(hub))
    const capabilities = client.getServerCapabilities()
    expect(capabilities?.resources).toEqual({ subscribe: true, listChanged: false })
    expect(capabilities?.prompts).toEqual({ listChanged: false })
    expect(capabilities).not.toHaveProperty('logging')
    // No connection, no sign-in: the list stays.
    expect(capabilities?.tools).toEqual({ listChanged: to === relay || options !== modern })
    await client.close()
  }
})

test('a bridge passes it on, also after its hub was replaced', HEAVY, async () => {
  await using shop = new Workshop()
  const hub = await shop.hub()
  const bridge = shop.bridge()
  await bridge.initialize()
  const changes = () => bridge.messages.filter(({ method }) => method === 'notifications/tools/list_changed').length
  const tools = async () => (await bridge.request('tools/list', {})).result?.['tools'] as unknown[]
  const all = await tools()
  const { agentId, passkey, projectId } = await seed(hub.state as { url: string; token: string })
  const { body } = await bridge.call('authenticate', { agent_id: agentId, passkey, project_id: projectId })
  await until(() => changes() === 1)
  expect((await tools()).length).toBeLessThan(all.length)
  hub.child.kill('SIGKILL')
  // The new hub may offer others; it also knows who signed in, and hears of the sign-out.
  await until(() => changes() === 2)
  expect((await tools()).length).toBeLessThan(all.length)
  await bridge.call('logout', { session_token: body['session_token'] })
  await until(() => changes() === 3)
  expect(await tools()).toEqual(all)
  await bridge.close()
  await shop.stopHub()
})

async function seed({ url, token }: { url: string; token: string }) {
  const api = async (operation: string, input: object) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const response = await fetch(`${url}/api/${operation}`, { method: 'POST', headers, body: JSON.stringify(input) })
    return (await response.json()) as Record<string, string>
  }
  const project = await api('project.add', { name: 'demo' })
  const agent = await api('agent.add', { name: 'worker', engine: 'claude' })
  const pair = { project_id: project['project_id'], agent_id: agent['agent_id'] }
  await api('project.assign', pair)
  return { agentId: agent['agent_id'], passkey: agent['passkey'], projectId: project['project_id'] }
}
