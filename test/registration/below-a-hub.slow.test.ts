// The registered bridge below what a hub or a Runner has started: an MCP server without a tool, that never meets the hub.
import { spawn } from 'node:child_process'
import fs from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { describe, expect, test } from 'vitest'
import { ownMark } from '#system/process-identity.ts'
import { DIST } from '../../scripts/sources.js'
import { BridgeClient } from '../bridge/bridge-client.ts'
import { build } from '../processes.ts'
import { temporaryFolder } from '../scripted.ts'
import { until } from '../until.ts'

build()
const BRIDGE = path.join(DIST, 'bridge.js')
const MARKED = { TORYO_MARK: 'of-a-run' }

/** A home with a registered hub, which writes down who comes. */
async function registeredHome() {
  const folder = temporaryFolder()
  const visits: string[] = []
  const hub = createServer((request, response) => {
    visits.push(`${request.method} ${request.url}`)
    response.end('ok')
  })
  await new Promise<void>(resolve => hub.listen(0, '127.0.0.1', resolve))
  const { port } = hub.address() as AddressInfo
  const state = { port, url: `http://127.0.0.1:${port}`, pid: process.pid, token: 'x'.repeat(43), process: ownMark() }
  fs.mkdirSync(path.join(folder.path, '.gwt'), { mode: 0o700 })
  fs.writeFileSync(path.join(folder.path, '.gwt', 'mcp-state.json'), JSON.stringify(state), { mode: 0o600 })
  // As Codex does: nothing of its own environment reaches the server.
  const engine = path.join(folder.path, 'engine.mjs')
  fs.writeFileSync(
    engine,
    `import { spawn } from 'node:child_process'
     const env = { HOME: ${JSON.stringify(folder.path)}, PATH: '' }
     spawn(process.execPath, [${JSON.stringify(BRIDGE)}], { env, stdio: 'inherit' }).on('close', code => process.exit(code))`,
  )
  return {
    home: folder.path,
    engine,
    visits,
    async [Symbol.asyncDispose]() {
      hub.closeAllConnections()
      await new Promise(resolve => hub.close(resolve))
      folder[Symbol.dispose]()
    },
  }
}

describe.runIf(process.platform === 'linux')('started below a run', () => {
  test.each([
    ['2024-11-05', '2024-11-05'],
    ['2025-03-26', '2025-03-26'],
    ['2025-06-18', '2025-06-18'],
    ['2025-11-25', '2025-11-25'],
    ['1999-01-01', '2025-11-25'],
  ])('a client of %s is answered in %s and finds nothing, without a word on stderr', async (asked, answered) => {
    await using world = await registeredHome()
    const client = new BridgeClient(world.engine, [], MARKED)
    const clientInfo = { name: 'test', version: '1' }
    const { result } = await client.request('initialize', { protocolVersion: asked, capabilities: {}, clientInfo })
    expect(result).toEqual({
      protocolVersion: answered,
      capabilities: { tools: {} },
      serverInfo: expect.objectContaining({ name: 'toryo', version: expect.any(String) }),
    })
    client.notify('notifications/initialized')
    const lists = ['tools/list', 'prompts/list', 'resources/list', 'resources/templates/list', 'ping']
    const found = await Promise.all(lists.map(async method => (await client.request(method)).result))
    expect(found).toEqual([{ tools: [] }, { prompts: [] }, { resources: [] }, { resourceTemplates: [] }, {}])
    expect((await client.call('list_projects')).error).toEqual({ code: -32602, message: 'Unknown tool: list_projects' })
    expect((await client.request('logging/setLevel')).error).toMatchObject({ code: -32601 })
    client.raw('\nnonsense\n')
    expect(await client.answerTo(null)).toMatchObject({ error: { code: -32700 } })
    client.child.stdin.end()
    expect(await client.exit).toEqual({ code: 0, signal: null })
    expect(client.stderr).toBe('')
    expect(world.visits).toEqual([])
  })

  test.each([{ pin: '2026-07-28' }, 'auto', 'legacy'] as const)(
    'a client that negotiates by %o finds nothing, and may take its leave',
    async mode => {
      await using world = await registeredHome()
      const transport = new StdioClientTransport({ command: process.execPath, args: [world.engine], env: MARKED })
      const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } })
      await client.connect(transport)
      expect(client.getInstructions()).toBeUndefined()
      expect((await client.listTools()).tools).toEqual([])
      await client.close()
      expect(world.visits).toEqual([])
    },
  )

  test('wrong parameters are -32602 and a sentence, which repeats no long name and no credential', async () => {
    await using world = await registeredHome()
    const client = new BridgeClient(world.engine, [], MARKED)
    const secret = `key_${'aB3'.repeat(14)}x`
    const said = async (method: string, params?: object) => {
      const { error } = await client.request(method, params)
      return [error?.code, error?.message]
    }
    expect(await said('initialize', {})).toEqual([
      -32602,
      'Invalid params for initialize: protocolVersion: expected string',
    ])
    expect(await said('initialize', { protocolVersion: 5 })).toEqual([
      -32602,
      expect.stringContaining('expected string'),
    ])
    await client.handshake()
    expect(await said('tools/call')).toEqual([-32602, 'Invalid params for tools/call: name: expected string'])
    expect(await said('tools/call', { name: 5 })).toEqual([-32602, expect.stringContaining('expected string')])
    expect(await said('tools/call', { name: 'x'.repeat(3000) })).toEqual([-32602, `Unknown tool: ${'x'.repeat(99)}…`])
    expect(await said('tools/call', { name: secret })).toEqual([-32602, 'Unknown tool: key_[hidden]'])
    client.child.stdin.end()
    expect((await client.exit).code).toBe(0)
  })

  test('its own environment tells as well', async () => {
    await using world = await registeredHome()
    const client = new BridgeClient(BRIDGE, [], { HOME: world.home, PATH: '', ...MARKED })
    await client.handshake()
    expect((await client.request('tools/list')).result).toEqual({ tools: [] })
    client.child.stdin.end()
    expect((await client.exit).code).toBe(0)
    expect(world.visits).toEqual([])
  })

  test('it is the same when no hub runs any more', async () => {
    await using world = await registeredHome()
    fs.rmSync(path.join(world.home, '.gwt'), { recursive: true })
    const client = new BridgeClient(world.engine, [], MARKED)
    await client.handshake()
    expect((await client.request('tools/list')).result).toEqual({ tools: [] })
    client.child.stdin.end()
    expect((await client.exit).code).toBe(0)
    expect(client.stderr).toBe('')
  })

  test('it ends with the engine that started it', async () => {
    await using world = await registeredHome()
    const client = new BridgeClient(world.engine, [], MARKED)
    await client.handshake()
    client.child.kill('SIGKILL')
    // Its stdout is closed only when the bridge, which holds it too, has gone.
    expect((await client.exit).signal).toBe('SIGKILL')
  })
})

test('without such a parent it goes to the registered hub', async () => {
  await using world = await registeredHome()
  const client = spawn(process.execPath, [world.engine], { env: {}, stdio: ['pipe', 'ignore', 'ignore'] })
  client.stdin.write('{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}\n')
  await until(() => world.visits.length > 0)
  client.stdin.end()
  await new Promise(resolve => client.on('close', resolve))
})
