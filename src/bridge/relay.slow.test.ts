import fs from 'node:fs'
import http from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isAlive } from '#system/processes.ts'
import type { BridgeClient } from '#test/bridge/bridge-client.ts'
import { bundlePrograms, kill, until, World } from '#test/bridge/world.ts'

let programs = ''
beforeAll(async () => {
  programs = await bundlePrograms()
})
afterAll(() => fs.rmSync(programs, { recursive: true, force: true }))

/** A bridge whose hub has ended in an orderly way. */
async function leftAlone(world: World): Promise<BridgeClient> {
  const client = world.bridge()
  await client.handshake()
  const { pid } = world.hub()
  process.kill(pid, 'SIGTERM')
  await until(() => !isAlive(pid))
  return client
}

type Connected = { pid: number; url: string; headers: Record<string, string>; ticket: boolean; local: boolean }

describe.each(['socket', 'lines', 'websocket'] as const)('over %s', carrier => {
  test('starts a hub when none runs, and what the client sent meanwhile arrives in order', async () => {
    await using world = new World(programs, { carrier })
    const client = world.bridge(['--db', world.db, '--toolsets', 'agent,projects'], { TORYO_LANG: 'ja' })
    client.post('initialize', { protocolVersion: '2025-11-25' })
    client.notify('notifications/initialized')
    client.post('tools/list')
    await client.answerTo(2)
    expect(world.records().map(({ n, message }) => [n, message['method']])).toEqual([
      [1, 'initialize'],
      [2, 'notifications/initialized'],
      [3, 'tools/list'],
    ])
    const [connected] = world.records<Connected>('connected')
    expect(connected?.url).toBe('/bridge?toolsets=agent%2Cprojects')
    expect(connected?.local).toBe(carrier === 'socket')
    expect(connected?.headers).toMatchObject({
      ...(carrier === 'websocket' ? { 'sec-websocket-protocol': 'toryo-relay.2' } : { upgrade: 'toryo-lines.2' }),
      'x-toryo-lang': 'ja',
      'x-toryo-directory': encodeURIComponent(process.cwd()),
      'x-toryo-connection': expect.stringMatching(/^[\w-]{43}$/) as string,
    })
    expect(connected?.headers).not.toHaveProperty('origin')
  })

  test('relays text of every kind unchanged, in both directions, also when it is large', async () => {
    await using world = new World(programs, { carrier })
    const client = world.bridge()
    const text = '棟梁 \u0000 \ud800 🪚 \\ " \u2028'
    expect((await client.call('echo', { text })).result).toEqual({ echo: { text } })
    const long = '棟'.repeat(300_000)
    expect((await client.call('echo', { long })).result).toEqual({ echo: { long } })
    expect((await client.call('big', { chars: 1_300_000 })).result?.['text']).toHaveLength(1_300_000)
    // Of lines, a hub sends one for each message.
    if (carrier === 'websocket') expect((await client.call('pretty')).result).toEqual({ a: [1] })
    await client.call('twice')
    await client.call('echo')
    expect(client.messages.filter(({ result }) => result && 'time' in result)).toHaveLength(1)
  })

  test('a client that reads slowly and writes fast loses nothing', async () => {
    await using world = new World(programs, { carrier })
    const client = world.bridge()
    await client.handshake()
    client.child.stdout.pause()
    const ids = Array.from({ length: 60 }, () =>
      client.post('tools/call', { name: 'big', arguments: { chars: 300_000 } }),
    )
    const padding = 'x'.repeat(900_000)
    const echoes = Array.from({ length: 30 }, (_, k) =>
      client.post('tools/call', { name: 'echo', arguments: { k, padding } }),
    )
    await until(() => world.records().length > 30)
    client.child.stdout.resume()
    const answers = await Promise.all([...ids, ...echoes].map(id => client.answerTo(id)))
    expect(answers.every(({ result }) => result && !('isError' in result))).toBe(true)
  })

  test('when the hub is killed a new one answers, and the client sees no gap', async () => {
    await using world = new World(programs, { carrier })
    const client = world.bridge()
    await client.handshake()
    await client.request('resources/subscribe', { uri: 'task://1' })
    const first = world.hub()
    const waiting = client.post('tools/call', { name: 'never' })
    await until(() => world.records().length === 4)
    kill(first.pid)
    const second = await until(() => world.hub().pid !== first.pid && world.hub())
    expect(second.url).not.toBe(first.url)
    await client.call('touch', { uri: 'task://1' })
    // One from the bridge, since updates were missed for a while, and one from the new hub, which got the subscriptions again.
    const updates = () => client.messages.filter(({ method }) => method === 'notifications/resources/updated')
    await until(() => updates().length === 2)

    const [before, after] = [first, second].map(hub => world.records().filter(({ pid }) => pid === hub.pid))
    const seen = (frames: typeof before) => frames?.map(({ n, message }) => [n, message['method']])
    expect(seen(after)?.slice(0, 4)).toEqual(seen(before))
    expect(new Set(world.records().map(({ secret }) => secret)).size).toBe(1)
    expect(client.messages.filter(({ id }) => id === 1 || id === 2)).toHaveLength(2)
    expect(client.messages.some(({ id }) => id === waiting)).toBe(false)
  })

  test('the hub can ask the client, and a question of a dead hub is taken back', async () => {
    await using world = new World(programs, { carrier })
    const client = world.bridge()
    await client.handshake()
    client.post('tools/call', { name: 'ask' }, 'q')
    await client.message(({ method }) => method === 'roots/list')
    kill(world.hub().pid)
    await client.message(({ method }) => method === 'notifications/cancelled')
    const again = await client.message(({ method, id }) => method === 'roots/list' && id !== 0)
    client.raw(`${JSON.stringify({ jsonrpc: '2.0', id: 0, result: 'old' })}\n`)
    client.raw(`${JSON.stringify({ jsonrpc: '2.0', id: again.id, result: 'new' })}\n`)
    expect((await client.answerTo('q')).result).toEqual({ answer: 'new' })
  })

  test('a hub that took its leave is replaced only when a request needs one', async () => {
    await using world = new World(programs, { carrier })
    const client = await leftAlone(world)
    // Two rounds of its idle poll.
    await new Promise(resolve => setTimeout(resolve, 2500))
    expect(world.records('started')).toHaveLength(1)
    expect((await client.call('echo', { k: 1 })).result).toEqual({ echo: { k: 1 } })
    expect(world.records('started')).toHaveLength(2)
  })

  test('a hub that somebody else starts is found', async () => {
    await using world = new World(programs, { carrier })
    await leftAlone(world)
    world.spawn(process.execPath, [world.hubProgram, '--db', world.db])
    await until(() => world.records('connected').length === 2)
  })

  test('a hub that ends each time it works on a request does not end the others’ calls', async () => {
    await using world = new World(programs, { carrier })
    const client = world.bridge()
    await client.handshake()
    client.post('tools/call', { name: 'die' }, 'deadly')
    expect((await client.answerTo('deadly')).result).toMatchObject({ isError: true })
    expect(world.records('started')).toHaveLength(25)
    expect((await client.call('echo')).result).toEqual({ echo: {} })
  })
})

test('a ticket goes in place of the token, and the hub must prove itself all the same', async () => {
  await using world = new World(programs)
  const ticket = 'ticket_0123456789abcdef'
  const file = `${world.folder}/ticket`
  fs.writeFileSync(file, `${ticket}\n`, { mode: 0o600 })
  const env = { SCRIPT_TICKET: ticket }
  expect((await world.bridge(undefined, { ...env, TORYO_TICKET: ticket }).call('echo')).result).toEqual({ echo: {} })
  expect((await world.bridge(undefined, { ...env, TORYO_TICKET_FILE: file }).call('echo')).result).toBeDefined()
  const connections = world.records<Connected>('connected')
  expect(connections.map(connected => connected.ticket)).toEqual([true, true])
  // Only over TCP can the process at the other end be identified.
  expect(connections.map(connected => connected.local)).toEqual([false, false])
  const [started] = world.records<{ env: string[] }>('started')
  expect(started?.env).not.toContain('TORYO_TICKET')
})

test('reaches a hub by its address, and never starts one there', async () => {
  await using world = new World(programs)
  await world.bridge().handshake()
  const hub = world.hub()
  const token = `${world.folder}/token`
  fs.writeFileSync(token, hub.token, { mode: 0o600 })
  const remote = world.bridge(['--url', hub.url, '--token-file', token])
  expect((await remote.call('echo')).result).toEqual({ echo: {} })
  fs.chmodSync(token, 0o644)
  const careless = world.bridge(['--url', hub.url, '--token-file', token])
  expect((await careless.exit).code).toBe(4)
  expect(careless.stderr).toContain('others can read it')
})

test('a socket that is gone, or that somebody else listens at, is passed by', async () => {
  await using world = new World(programs)
  await world.bridge().handshake()
  const { socket = '', token } = world.hub()
  fs.rmSync(socket)
  expect((await world.bridge().call('echo')).result).toEqual({ echo: {} })
  const heard: string[] = []
  const stranger = http.createServer((request, response) => {
    heard.push(`${request.url} ${JSON.stringify(request.headers)}`)
    response.setHeader('x-toryo-proof', 'A'.repeat(43)).end('ok')
  })
  await new Promise<void>(resolve => stranger.listen(socket, resolve))
  expect((await world.bridge().call('echo')).result).toEqual({ echo: {} })
  expect(world.records<Connected>('connected').map(connected => connected.local)).toEqual([true, false, false])
  expect(heard).toHaveLength(1)
  expect(heard.join()).not.toContain(token)
  stranger.close()
  stranger.closeAllConnections()
})
