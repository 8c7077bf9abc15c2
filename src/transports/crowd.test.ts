import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { Relay } from '#bridge/relay.ts'
import type { Link, LinkEndpoint } from '#client/frame-link/link.ts'
import { openLink } from '#client/frame-link/open-link.ts'
import { createClient } from '#client/api.ts'
import { readState } from '#client/state-file.ts'
import { testHub, type TestHub } from '#test/hub.ts'
import { until } from '#test/until.ts'

const SENTENCE = 'The hub has 3 connections open, which is its limit; close one and try again.'
const ROOM = { known: 3, strangers: 4 }

const hello = { toolsets: undefined, secret: 'x'.repeat(32), lang: 'en', directory: undefined }
const events = { frame: () => {}, congested: () => {} }

/** All that a door takes: three bridges. */
function crowd(endpoint: LinkEndpoint): Promise<Link[]> {
  const secrets = ['a', 'b', 'c'].map(letter => letter.repeat(32))
  return Promise.all(secrets.map(secret => openLink(endpoint, { ...hello, secret }, events)))
}

const portOf = (hub: TestHub) => ({ url: hub.url, credential: hub.token })

test('one caller too many gets a sentence over HTTP, and is welcome when another has gone; a person always is', async () => {
  await using hub = await testHub({ room: ROOM })
  const links = await crowd(portOf(hub))
  const { token } = await hub.api('runner.add', { name: 'far' })
  const client = createClient({ url: hub.url, token })
  await expect(client.call('runner.startable', {})).rejects.toMatchObject({
    ...{ code: 'TOO_MANY_CONNECTIONS', message: SENTENCE, retryable: true },
  })
  // A client that looks for the hub still finds it, and a person sees what fills it.
  expect((await hub.fetch('/healthz')).status).toBe(200)
  expect((await hub.fetch('/api/hub.status', { method: 'POST', body: '{}' })).status).toBe(200)
  links[0]?.terminate()
  const isServed = async () =>
    client.call('runner.startable', {}).then(
      () => true,
      () => false,
    )
  await until(isServed)
})

test('who does not say who it is takes the place of others who do not, and keeps nobody out', async () => {
  await using hub = await testHub({ room: ROOM })
  const port = Number(new URL(hub.url).port)
  const [link] = await crowd(portOf(hub))
  const silent: Socket[] = []
  const gone: number[] = []
  for (let at = 0; at < 10; at++) {
    const socket = connect(port, '127.0.0.1').on('error', () => {})
    socket.once('close', () => gone.push(at))
    silent.push(socket)
    await once(socket, 'connect')
  }
  await until(() => gone.length >= 6)
  expect(gone.slice(0, 6)).toEqual([0, 1, 2, 3, 4, 5])
  // Nor who speaks, and never comes to say who it is.
  const dripping = Array.from({ length: 8 }, () => connect(port, '127.0.0.1').on('error', () => {}))
  for (const socket of dripping) socket.write('POST /api/hub.status HTTP/1.1\r\n')
  expect((await hub.fetch('/api/hub.status', { method: 'POST', body: '{}' })).status).toBe(200)
  let isClosed = false
  void link?.closed.then(() => (isClosed = true))
  await hub.api('hub.status', {})
  expect(isClosed).toBe(false)
  for (const socket of [...silent, ...dripping]) socket.destroy()
})

test('a WebSocket of a program is closed with the sentence, and so is a bridge that speaks in lines', async () => {
  await using hub = await testHub({ room: ROOM })
  const links = await crowd(portOf(hub))
  const headers = { authorization: `Bearer ${hub.token}` }
  const socket = new WebSocket(`${hub.url.replace('http', 'ws')}/bridge`, { headers })
  const [code, reason] = (await once(socket, 'close')) as [number, Buffer]
  expect({ code, reason: reason.toString() }).toEqual({ code: 1013, reason: SENTENCE })
  const link = await openLink(portOf(hub), hello, events)
  expect(await link.closed).toEqual({ code: 1013, reason: SENTENCE })
  const inJapanese = await openLink(portOf(hub), { ...hello, lang: 'ja' }, events)
  expect((await inJapanese.closed).reason).toBe(
    'ハブの接続数が上限の 3 に達しています。接続を 1 つ閉じてから再実行してください。',
  )
  const watching = new WebSocket(`${hub.url.replace('http', 'ws')}/events`, { headers })
  await once(watching, 'open')
  watching.terminate()
  for (const one of links) one.terminate()
})

test.each(['port', 'socket'] as const)(
  'the client of a bridge that is turned away at the %s hears the sentence, and is served when there is room',
  async door => {
    await using hub = await testHub({ room: ROOM })
    const { url, token, socket } = await until(() => readState(hub.target))
    const endpoint = { url, credential: token, token, ...(door === 'socket' && socket !== undefined && { socket }) }
    const links = await crowd(endpoint)
    const answers: Record<string, unknown>[] = []
    const notes: string[] = []
    const relay = new Relay({
      source: { find: () => endpoint },
      hello: { toolsets: undefined, secret: 'y'.repeat(32), lang: 'en', directory: undefined },
      lang: 'en',
      toClient: line => answers.push(JSON.parse(String(line)) as Record<string, unknown>) > 0,
      pauseClient: () => {},
      note: sentence => void notes.push(sentence),
      now: () => performance.now(),
    })
    const ended = relay.run()
    const greet = (id: number) => {
      const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } }
      relay.fromClient(Buffer.from(`${JSON.stringify({ jsonrpc: '2.0', id, method: 'initialize', params })}\n`))
    }
    greet(1)
    await until(() => answers.length > 0)
    greet(2)
    await until(() => answers.length > 1)
    expect(answers).toMatchObject([
      { id: 1, error: { message: SENTENCE } },
      { id: 2, error: { message: SENTENCE } },
    ])
    // However often it tries again.
    expect(notes).toEqual([SENTENCE])
    for (const one of links) one.terminate()
    greet(3)
    await until(() => answers.length > 2)
    expect(answers[2]).toMatchObject({ id: 3, result: { serverInfo: {} } })
    relay.end(0)
    expect(await ended).toBe(0)
  },
)
