import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { Relay } from '#bridge/relay.ts'
import { openLink } from '#client/frame-link/open-link.ts'
import { createClient } from '#client/api.ts'
import { readState } from '#client/state-file.ts'
import { testHub, type TestHub } from '#test/hub.ts'
import { until } from '#test/until.ts'

const SENTENCE = 'The hub has 3 connections open, which is its limit; close one and try again.'

/** All that the port takes. */
async function crowd(hub: TestHub): Promise<Socket[]> {
  const port = Number(new URL(hub.url).port)
  const sockets = Array.from({ length: 3 }, () => connect(port, '127.0.0.1'))
  await Promise.all(sockets.map(socket => once(socket, 'connect')))
  // Until the hub has taken note of them, which it has when it turns others away.
  await until(async () => (await hub.fetch('/api/hub.status', { method: 'POST', body: '{}' })).status === 503)
  return sockets
}

test('one connection too many gets a sentence over HTTP, and the next is welcome when one has gone', async () => {
  await using hub = await testHub({ connections: 3 })
  const sockets = await crowd(hub)
  const refused = await hub.fetch('/api/task.list', { method: 'POST', body: '{}' })
  expect(refused.status).toBe(503)
  expect(await refused.json()).toMatchObject({ error: { code: 'TOO_MANY_CONNECTIONS', message: SENTENCE } })
  const client = createClient({ url: hub.url, token: hub.token })
  await expect(client.call('task.list', {})).rejects.toMatchObject({ code: 'TOO_MANY_CONNECTIONS', retryable: true })
  // A client that looks for the hub still finds it.
  expect((await hub.fetch('/healthz')).status).toBe(200)
  for (const socket of sockets) socket.destroy()
  await until(async () => (await hub.fetch('/api/task.list', { method: 'POST', body: '{}' })).status === 200)
})

test('a WebSocket is closed with the sentence, and so is a bridge that speaks in lines', async () => {
  await using hub = await testHub({ connections: 3 })
  const sockets = await crowd(hub)
  const headers = { authorization: `Bearer ${hub.token}` }
  for (const path of ['events', 'bridge']) {
    const socket = new WebSocket(`${hub.url.replace('http', 'ws')}/${path}`, { headers })
    const [code, reason] = (await once(socket, 'close')) as [number, Buffer]
    expect({ path, code, reason: reason.toString() }).toEqual({ path, code: 1013, reason: SENTENCE })
  }
  const hello = { toolsets: undefined, secret: 'x'.repeat(32), lang: 'en', directory: undefined }
  const events = { frame: () => {}, congested: () => {} }
  const link = await openLink({ url: hub.url, credential: hub.token }, hello, events)
  expect(await link.closed).toEqual({ code: 1013, reason: SENTENCE })
  const inJapanese = await openLink({ url: hub.url, credential: hub.token }, { ...hello, lang: 'ja' }, events)
  expect((await inJapanese.closed).reason).toBe(
    'ハブの接続数が上限の 3 に達しています。接続を 1 つ閉じてから再実行してください。',
  )
  expect(readState(hub.target)).toMatchObject({ url: hub.url })
  for (const socket of sockets) socket.destroy()
})

test.each(['port', 'socket'] as const)(
  'the client of a bridge that is turned away at the %s hears the sentence, and is served when there is room',
  async door => {
    await using hub = await testHub({ connections: 3 })
    const { url, token, socket } = await until(() => readState(hub.target))
    const sockets = door === 'port' ? await crowd(hub) : Array.from({ length: 3 }, () => connect(socket ?? ''))
    // They are taken in their order: whoever comes after them is one too many.
    if (door === 'socket') await Promise.all(sockets.map(one => once(one, 'connect')))
    const answers: Record<string, unknown>[] = []
    const notes: string[] = []
    const endpoint = { url, credential: token, token, ...(door === 'socket' && socket !== undefined && { socket }) }
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
    for (const one of sockets) one.destroy()
    greet(3)
    await until(() => answers.length > 2)
    expect(answers[2]).toMatchObject({ id: 3, result: { serverInfo: {} } })
    relay.end(0)
    expect(await ended).toBe(0)
  },
)
