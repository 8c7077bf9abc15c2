// Tokens with the operator's rights that people create and revoke: at every door as good as the hub's own, until they are revoked.
import { once } from 'node:events'
import fs from 'node:fs'
import path from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { HubLink } from '#client/hub-link.ts'
import { locate } from '#client/locate.ts'
import { TERMINAL_PROTOCOL } from '#contract/limits.ts'
import { PLACES, onBelow } from './below.ts'
import { ROOT } from '../scripts/sources.js'
import { BridgeClient } from './bridge/bridge-client.ts'
import { databases, testHub } from './hub.ts'
import { makeCertificate } from './certificate.ts'
import { build } from './processes.ts'
import { RawSocket } from './raw-socket.ts'
import { rowsOf } from './scene.ts'
import { Tap } from './tap.ts'
import { Toryo } from './toryo.ts'
import { until } from './until.ts'

const PROGRAM = path.join(ROOT, 'bin', 'toryo.js')
const HELLO = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '0' } }

beforeAll(() => build())

describe.runIf(process.platform === 'linux')('a token that was created', () => {
  test('opens every door to a person, and shows a process below an agent as that agent', async () => {
    await onBelow({}, async scene => {
      const { hub, otherTask, ids } = scene
      const { token } = await hub.api('token.add', { name: 'laptop' })
      expect(JSON.stringify(await rowsOf(hub))).not.toContain(token)
      const calls = [{ tool: 'get_task', args: { task_id: otherTask } }]
      const called = { calls: [{ isError: false }] }
      expect(await scene.knock({}, calls, '$DOORS', token)).toMatchObject({
        export: { status: 200 },
        prompts: { status: 200 },
        'lines over the port': called,
        WebSocket: called,
        'MCP over HTTP': called,
        // Of the hub's own token: a session belongs to the credential that opened it.
        "another's MCP session": { status: 404 },
        'a message with a key': { status: 200 },
        events: { status: 101 },
        terminal: { status: 101 },
        'a pass': { status: 200, given: true },
      })
      const place = PLACES[2]
      const below = await scene.knock(
        place,
        [{ tool: 'update_task_status', args: { task_id: otherTask, status: 'cancelled' } }],
        '$DOORS',
        token,
      )
      const refused = { status: 403, text: expect.stringContaining(ids[place]) as unknown }
      const denied = { calls: [{ isError: true, code: 'NOT_ALLOWED' }] }
      expect(below).toMatchObject({
        'api over the port': refused,
        export: refused,
        'lines over the port': denied,
        WebSocket: denied,
        'MCP over HTTP': denied,
        events: refused,
        terminal: refused,
        'a pass': { given: false },
      })
    })
  })

  test('closes what it opened when it is revoked: bridge, events, terminal and a request that is under way', async () => {
    await onBelow({}, async ({ hub, tab }) => {
      const { token } = await hub.api('token.add', { name: 'laptop' })
      const headers = { authorization: `Bearer ${token}` }
      const base = hub.url.replace('http', 'ws')
      const bridge = await RawSocket.open(hub, { credential: token, secret: 's'.repeat(43) })
      const events = new WebSocket(`${base}/events`, { headers })
      const terminal = new WebSocket(`${base}/tabs/${tab}/terminal`, TERMINAL_PROTOCOL, { headers })
      terminal.on('error', () => {})
      await Promise.all([once(events, 'open'), once(terminal, 'open')])
      const own = await RawSocket.open(hub, { secret: 'o'.repeat(43) })
      const closed = [bridge.socket, events, terminal].map(
        async socket => ((await once(socket, 'close')) as [number])[0],
      )
      await hub.api('token.revoke', { name: 'laptop' })
      expect(await Promise.all(closed)).toEqual([4401, 4401, 1006])
      expect((await fetch(`${hub.url}/api/hub.status`, { method: 'POST', headers })).status).toBe(401)
      await expect(RawSocket.open(hub, { credential: token, secret: 'x'.repeat(43) })).rejects.toThrow('401')
      expect(own.socket.readyState).toBe(WebSocket.OPEN)
      own.socket.terminate()
    })
  })
})

test('is refused by every hub of the database, and its connections there are closed', async () => {
  await using first = await testHub({ database: 'postgres' })
  const home = path.join(first.home, 'second')
  await using second = await testHub({ target: locate(first.target.db, { env: { HOME: home, TORYO_HOME: home } }) })
  const { token } = await first.api('token.add', { name: 'laptop' })
  const there = await RawSocket.open(second, { credential: token, secret: 's'.repeat(43) })
  const closed = once(there.socket, 'close')
  await first.api('token.revoke', { name: 'laptop' })
  expect((await closed)[0]).toBe(4401)
  await expect(RawSocket.open(second, { credential: token, secret: 'x'.repeat(43) })).rejects.toThrow('401')
})

test.each(databases)(
  'refusals name the token, a name is used once, and calls on an open connection are refused (%s)',
  async database => {
    await using hub = await testHub({ database })
    const { token } = await hub.api('token.add', { name: 'laptop' })
    const ask = async (operation: string, input: object) => {
      const answer = await hub.fetch(`/api/${operation}`, { method: 'POST', body: JSON.stringify(input) })
      return [answer.status, ((await answer.json()) as { error: { code: string } }).error.code]
    }
    expect(await ask('token.add', { name: 'laptop' })).toEqual([409, 'TOKEN_EXISTS'])
    expect(await ask('token.revoke', { name: 'none' })).toEqual([404, 'TOKEN_NOT_FOUND'])
    const link = new HubLink(hub.url, token)
    const init = {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: '{}',
    }
    // The hub proves that it knows this token before it is sent.
    expect((await link.fetch(`${hub.url}/api/hub.status`, init)).status).toBe(200)
    link.dispose()
    const { tokens } = await hub.api('token.list', {})
    expect(tokens).toMatchObject([{ name: 'laptop', last_used_at: expect.any(String), revoked_at: null }])
    const revoked = { kind: 'operator', token: 'laptop' } as const
    await hub.api('token.revoke', { name: 'laptop' })
    const tool = hub.running.hub.registry.all().find(({ name }) => name === 'list_projects')
    if (!tool) throw new Error('list_projects is missing')
    const call = { caller: revoked, lang: 'en' as const, signal: new AbortController().signal, progress: () => {} }
    expect(await hub.running.hub.invoker.invoke(tool, {}, call)).toMatchObject({
      ok: false,
      error: { code: 'TOKEN_REFUSED' },
    })
    expect(await ask('token.add', { name: 'laptop' })).toEqual([409, 'TOKEN_EXISTS'])
  },
)

test('a bridge with --url goes on after the hub was restarted, over TLS, and ends when its token is revoked', async () => {
  await using toryo = new Toryo()
  fs.mkdirSync(toryo.home, { recursive: true, mode: 0o700 })
  const { cert, key } = makeCertificate(toryo.folder)
  const serve = async (port: string) => {
    const up = toryo.start(
      'up',
      '--port',
      port,
      '--json',
      '--no-runner',
      '--no-register',
      '--tls-cert',
      cert,
      '--tls-key',
      key,
    )
    const [, url = ''] = await up.output(/"url":"([^"]+)"/)
    return { up, url }
  }
  const first = await serve('0')
  // No authority is known here: the state file says which certificate is the hub's own.
  expect(await toryo.json('status')).toMatchObject({ running: true, url: first.url })
  const created = await toryo.run(['token', 'create', 'laptop'])
  expect(created.out).toMatch(/^Created the token laptop\.\n {2}token {2}opr_\S+\nKeep the token now/)
  const file = path.join(toryo.folder, 'laptop.token')
  fs.writeFileSync(file, /opr_\S+/.exec(created.out)?.[0] ?? '', { mode: 0o600 })
  const env = { ...toryo.env({ NODE_EXTRA_CA_CERTS: cert }), TORYO_HOME: path.join(toryo.folder, 'elsewhere') }
  const bridge = new BridgeClient(PROGRAM, ['mcp', '--url', first.url, '--token-file', file], env)
  expect((await bridge.request('initialize', HELLO)).result).toBeDefined()
  expect(await toryo.run(['stop'])).toMatchObject({ code: 0 })
  expect(await first.up.ended).toBe(0)
  const second = await serve(new URL(first.url).port)
  expect((await bridge.request('tools/list', {})).result).toBeDefined()
  expect((await toryo.run(['token', 'list'])).out).toMatch(/laptop\s+active/)
  expect(await toryo.run(['token', 'revoke', 'laptop'])).toMatchObject({ code: 0 })
  expect(await bridge.exit).toMatchObject({ code: 4 })
  const [, lastly] = [await toryo.run(['stop']), await second.up.ended]
  expect(lastly).toBe(0)
})

test('a Runner is told when the hub does not answer to the name that it dialled', async () => {
  await using toryo = new Toryo()
  await using hub = await testHub()
  await using forward = await Tap.to(Number(new URL(hub.url).port), { keepHost: true })
  const { token } = await hub.api('runner.add', { name: 'far' })
  const file = path.join(toryo.folder, 'token')
  fs.writeFileSync(file, token, { mode: 0o600 })
  const runner = toryo.start('runner', '--url', forward.url, '--token-file', file)
  const named = `toryo up --allow-host 127.0.0.1:${forward.port}`
  await until(() => runner.seen.err.includes(named))
  expect(runner.seen.err).toContain('Host not allowed')
  expect(runner.seen.err).not.toContain('refuses this token')
  runner.child.kill('SIGTERM')
  await runner.ended
})
