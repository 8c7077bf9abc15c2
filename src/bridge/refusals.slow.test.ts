// What the bridge itself answers: bad input, and hubs that are absent, unwilling or strangers.
import fs from 'node:fs'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { FRAME_BYTES } from '#contract/limits.ts'
import { writeState } from '#client/state-file.ts'
import { prepareTarget } from '#client/trusted-path.ts'
import { Relay } from './relay.ts'
import type { Answer } from '#test/bridge/bridge-client.ts'
import { bundlePrograms, until, World } from '#test/bridge/world.ts'

let programs = ''
beforeAll(async () => {
  programs = await bundlePrograms()
})
afterAll(() => fs.rmSync(programs, { recursive: true, force: true }))

test('bad lines are answered by the bridge, and the hub never hears of them', async () => {
  await using world = new World(programs)
  const client = world.bridge()
  await client.handshake()
  const call = (id: string, size: number) =>
    JSON.stringify({
      jsonrpc: '2.0',
      id,
      method: 'tools/call',
      params: { name: 'echo', arguments: { x: 'x'.repeat(size) } },
    })
  client.raw('{"jsonrpc":\n\n  \r\n[{"jsonrpc":"2.0","id":1,"method":"ping"}]\r\n"text"\n{"id":7,"method":"x"}\n')
  client.raw(
    Buffer.concat([Buffer.from('{"jsonrpc":"2.0","id":8,"method":"'), Buffer.from([0xff, 0xfe]), Buffer.from('"}\n')]),
  )
  client.raw(`${call('large', FRAME_BYTES)}\n`)
  client.raw(`${call('huge', 20 * 1024 * 1024)}\n`)
  client.raw(
    `${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/x', params: { x: 'x'.repeat(FRAME_BYTES) } })}\n`,
  )
  client.raw(`{"jsonrpc":"2.0","id":"deep","method":"x","params":${'['.repeat(400_000)}${']'.repeat(400_000)}}\n`)
  // Up to the last byte that fits.
  const most = call('most', FRAME_BYTES - call('most', 0).length)
  client.raw(`${most}\r\n${call('more', FRAME_BYTES + 1 - call('more', 0).length)}\n`)
  expect((await client.answerTo('most')).result).toBeDefined()
  await client.answerTo('deep')
  await client.answerTo('more')
  const errors = client.messages.filter(({ error }) => error).map(({ id, error }) => [id, error?.code])
  expect(errors).toEqual([
    [null, -32700],
    [null, -32600],
    [null, -32600],
    [7, -32600],
    [null, -32700],
    ['large', -32600],
    [null, -32600],
    ['more', -32600],
  ])
  expect(world.records().map(({ message }) => message['id'])).toEqual([1, undefined, 'deep', 'most'])
  expect(world.records('connected')).toHaveLength(1)
})

test('a byte order mark in front of the first line is no part of it', async () => {
  await using world = new World(programs)
  const client = world.bridge()
  client.raw('\uFEFF{"jsonrpc":"2.0","id":1,"method":"ping"}\n')
  expect((await client.answerTo(1)).result).toBeDefined()
})

test('a hub that refuses to start is quoted at once, and asked again when a request comes', async () => {
  await using world = new World(programs, { refuse: 'The database was made by a newer toryo.' })
  const client = world.bridge()
  const sentence = 'The hub did not start: The database was made by a newer toryo.'
  const answer = await client.request('initialize')
  expect(answer.error).toEqual({ code: -32001, message: sentence })
  const call = await client.call('echo')
  expect(call.result).toEqual({ content: [{ type: 'text', text: sentence }], isError: true })
  expect(client.stderr).toBe(`${sentence}\n`)
  world.script({})
  expect((await until(async () => (await client.call('echo')).result?.['echo'] && true)) && client.child.exitCode).toBe(
    null,
  )
})

test('a hub that crashes at each start is given up with its last words', async () => {
  await using world = new World(programs, { crash: true })
  const answer = await world.bridge().request('tools/list')
  expect(answer.error?.message).toContain('It broke.')
  expect(world.records('started')).toHaveLength(3)
})

test('an absent hub at an address: after 30 s each call gets a clean answer, and the bridge stays', async () => {
  const answers: Answer[] = []
  let now = 0
  const relay = new Relay({
    // Port 9 of this machine: nothing listens there.
    source: { find: () => ({ url: 'http://127.0.0.1:9', credential: 'x', token: 'x' }) },
    hello: { toolsets: undefined, secret: 's', lang: 'en', directory: undefined },
    lang: 'en',
    toClient: line => answers.push(JSON.parse(String(line)) as Answer) > 0,
    pauseClient() {},
    note() {},
    now: () => now,
  })
  const run = relay.run()
  relay.fromClient(
    Buffer.from('{"jsonrpc":"2.0","id":1,"method":"tools/call"}\n{"jsonrpc":"2.0","id":2,"method":"ping"}\n'),
  )
  now = 29_999
  // Two of its ticks, in which nothing may happen.
  await new Promise(resolve => setTimeout(resolve, 1100))
  expect(answers).toEqual([])
  now = 30_000
  await until(() => answers.length === 2)
  expect(answers).toMatchObject([
    { id: 1, result: { isError: true } },
    { id: 2, error: { code: -32001 } },
  ])
  relay.end(0)
  expect(await run).toBe(0)
})

const closings: [name: string, script: object, code: number, says: string][] = [
  ['closes with 4401', { closeWith: 4401 }, 4, 'Closed as the script says.'],
  ['answers 401', { status: 401 }, 4, 'Not this time.'],
  ['closes with 4409', { closeWith: 4409 }, 1, 'Closed as the script says.'],
  ['answers 400', { status: 400 }, 1, 'Not this time.'],
]

const overBoth = closings.flatMap(([name, ...rest]) =>
  (['socket', 'websocket'] as const).map(carrier => [`${name}, over ${carrier}`, carrier, ...rest] as const),
)

test.each(overBoth)('ends with a sentence when the hub %s', async (_name, carrier, script, code, says) => {
  await using world = new World(programs, { ...script, carrier })
  const client = world.bridge()
  client.post('initialize')
  expect((await client.exit).code).toBe(code)
  expect(client.stderr).toBe(`${says}\n`)
  expect(client.messages).toMatchObject([{ id: 1, error: { code: -32001, message: says } }])
})

test('a stranger on the port of a dead hub gets no token, and the bridge finds a hub of its own', async () => {
  await using world = new World(programs)
  prepareTarget(world.target)
  const heard: string[] = []
  const squatter = http.createServer((request, response) => {
    heard.push(`${request.url} ${JSON.stringify(request.headers)}`)
    response.setHeader('x-toryo-proof', 'A'.repeat(43)).end('ok')
  })
  squatter.on('upgrade', (request, socket) => {
    heard.push(`upgrade ${JSON.stringify(request.headers)}`)
    socket.destroy()
  })
  await new Promise<void>(resolve => squatter.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(squatter.address() as AddressInfo).port}`
  const token = 'the-token-of-the-dead-hub'
  writeState(world.target, { pid: 1, url, token, version: '0', startedAt: 'then' })
  const client = world.bridge()
  expect((await client.call('echo')).result).toEqual({ echo: {} })
  expect(heard.length).toBeGreaterThan(0)
  expect(heard.join('\n')).not.toContain(token)
  expect(heard.join('\n')).not.toMatch(/upgrade|authorization/i)
  squatter.close()
  squatter.closeAllConnections()
})

const traps: [name: string, lay: (world: World, victim: string) => void, says: string][] = [
  ['a folder that others may write to', world => fs.chmodSync(world.target.directory, 0o777), 'others may write to it'],
  [
    'a state file that is a link',
    (world, victim) => fs.symlinkSync(victim, world.target.statePath),
    'it is a symbolic link',
  ],
  [
    'a state file that others can read',
    world => fs.writeFileSync(world.target.statePath, '{}', { mode: 0o644 }),
    'others can read it',
  ],
  [
    'a folder that is a link',
    (world, victim) => {
      fs.rmSync(world.home, { recursive: true })
      fs.symlinkSync(victim, world.home)
    },
    'it is a symbolic link',
  ],
]

test.each(traps)('refuses %s', async (_name, lay, says) => {
  await using world = new World(programs)
  prepareTarget(world.target)
  const victim = `${world.folder}/victim`
  fs.writeFileSync(victim, 'untouched', { mode: 0o600 })
  lay(world, victim)
  const client = world.bridge()
  expect((await client.exit).code).toBe(4)
  expect(client.stderr).toContain(says)
  expect(fs.readFileSync(victim, 'utf8')).toBe('untouched')
  expect(world.records('started')).toEqual([])
})
