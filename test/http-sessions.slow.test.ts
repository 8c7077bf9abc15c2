// Sessions of older clients over HTTP: forgotten ones make room, an open stream is life, and a stream that breaks is resumed.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { expect, test } from 'vitest'
import { TestClock, type TestHub, testHub } from './hub.ts'
import { onStage, rowsOf, type Scene } from './scene.ts'
import { until } from './until.ts'

const HEADERS = { accept: 'application/json, text/event-stream', 'mcp-protocol-version': '2025-11-25' }
const clientInfo = { name: 'raw', version: '1' }

async function open(hub: TestHub): Promise<string> {
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo }
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params })
  const response = await hub.fetch('/mcp', { method: 'POST', headers: HEADERS, body })
  expect({ status: response.status, text: await response.text() }).toMatchObject({ status: 200 })
  return response.headers.get('mcp-session-id') as string
}

async function ping(hub: TestHub, session: string): Promise<number> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'ping' })
  const response = await hub.fetch('/mcp', {
    method: 'POST',
    headers: { ...HEADERS, 'mcp-session-id': session },
    body,
  })
  await response.text()
  return response.status
}

async function listen(hub: TestHub, session: string, lastEventId?: string): Promise<Response> {
  const headers = { ...HEADERS, 'mcp-session-id': session, ...(lastEventId && { 'last-event-id': lastEventId }) }
  return hub.fetch('/mcp', { headers })
}

test('sessions that nobody uses any more shut nobody out, and one that only listens stays', async () => {
  await using hub = await testHub()
  const listening = await open(hub)
  const stream = await listen(hub, listening)
  const forgotten: string[] = []
  for (let n = 0; n < 1030; n++) forgotten.push(await open(hub))
  expect(await ping(hub, forgotten.at(-1) as string)).toBe(200)
  expect(await ping(hub, forgotten[0] as string)).toBe(404)
  expect(await ping(hub, listening)).toBe(200)
  expect((await hub.api('hub.status', {})).connections).toBeLessThanOrEqual(256)
  await stream.body?.cancel()
})

test('an open stream is life: its session outlasts one that is idle, and goes when the stream has closed', async () => {
  const clock = new TestClock()
  await using hub = await testHub({ clock })
  const [listening, idle] = [await open(hub), await open(hub)]
  const stream = await listen(hub, listening)
  clock.advance(31 * 60_000)
  const late = await open(hub)
  expect([await ping(hub, idle), await ping(hub, listening)]).toEqual([404, 200])
  await stream.body?.cancel()
  // The hub hears of it a moment later.
  await until(async () => {
    clock.advance(31 * 60_000)
    await ping(hub, late)
    await open(hub)
    return (await ping(hub, listening)) === 404
  })
})

test('an agent that signed in over HTTP and listens keeps its session, as one on a bridge does', async () => {
  const clock = new TestClock()
  await using hub = await testHub({ clock, idleMs: 50 })
  const { agentId, passkey, projectId, taskId } = await hub.seed()
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(transportTo(hub, fetch))
  await client.callTool({ name: 'authenticate', arguments: { agent_id: agentId, passkey, project_id: projectId } })
  for (let half = 0; half < 4; half++) {
    const before = JSON.stringify((await rowsOf(hub, 'sessions'))['sessions'])
    clock.advance(25 * 60_000)
    await until(async () => JSON.stringify((await rowsOf(hub, 'sessions'))['sessions']) !== before)
  }
  expect(await client.callTool({ name: 'get_task', arguments: { task_id: taskId } })).not.toHaveProperty('isError')
  await client.close()
})

function transportTo(hub: TestHub, fetchIt: typeof fetch): StreamableHTTPClientTransport {
  const headers = { authorization: `Bearer ${hub.token}`, 'accept-language': 'en' }
  return new StreamableHTTPClientTransport(new URL(`${hub.url}/mcp`), {
    requestInit: { headers },
    fetch: fetchIt,
    reconnectionOptions: {
      initialReconnectionDelay: 10,
      maxReconnectionDelay: 50,
      reconnectionDelayGrowFactor: 1,
      maxRetries: 1000,
    },
  })
}

/** A network between client and hub that can be cut. */
class Network {
  readonly streams = new Set<AbortController>()
  readonly asked: { method: string; lastEventId: string | null }[] = []
  isDown = false
  /** The next answers break off after their first event. */
  breaks = false

  fetch = async (url: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
    if (this.isDown) throw new TypeError('the network is down')
    const headers = new Headers(init.headers)
    this.asked.push({ method: init.method ?? 'GET', lastEventId: headers.get('last-event-id') })
    const cut = new AbortController()
    const signal = init.signal ? AbortSignal.any([init.signal, cut.signal]) : cut.signal
    const response = await fetch(url, { ...init, signal })
    if (init.method === 'GET') this.streams.add(cut)
    return init.method === 'POST' && this.breaks ? brokenOff(response, cut) : response
  }

  cut(): void {
    this.isDown = true
    for (const stream of this.streams) stream.abort()
    this.streams.clear()
  }

  get listening(): boolean {
    return this.streams.size > 0
  }
}

/** The first event of a stream, which says nothing but its id, then an error in place of the rest. */
function brokenOff(response: Response, cut: AbortController): Response {
  const reader = (response.body as ReadableStream<Uint8Array>).getReader()
  const body = new ReadableStream<Uint8Array>({
    async start(controller) {
      let text = ''
      while (!text.includes('\n\n')) text += new TextDecoder().decode((await reader.read()).value)
      controller.enqueue(new TextEncoder().encode(text.slice(0, text.indexOf('\n\n') + 2)))
    },
    pull(controller) {
      cut.abort()
      controller.error(new TypeError('the connection broke'))
    },
  })
  return new Response(body, { status: response.status, headers: response.headers })
}

async function withNetwork(story: (scene: Scene & { client: Client; network: Network }) => Promise<void>) {
  await onStage({}, async scene => {
    const network = new Network()
    const client = new Client({ name: 'test', version: '1' })
    await client.connect(transportTo(scene.hub, network.fetch))
    await until(() => network.listening)
    try {
      await story({ ...scene, client, network })
    } finally {
      await client.close()
    }
  })
}

test('a client that loses its stream hears of everything that happened meanwhile, once', () =>
  withNetwork(async ({ hub, client, network, projectId }) => {
    const heard: string[] = []
    client.setNotificationHandler('notifications/resources/updated', ({ params }) => void heard.push(params.uri))
    const tasks: string[] = []
    for (let n = 0; n < 9; n++) {
      const { task_id } = await hub.api('task.add', { project_id: projectId, title: `${n}` })
      tasks.push(task_id)
      await client.subscribeResource({ uri: `task://${task_id}` })
    }
    const move = (n: number) => hub.call('update_task_status', { task_id: tasks[n] as string, status: 'blocked' })
    // Cut before anything came over the stream, in the middle, and at its end.
    for (let round = 0; round < 3; round++) {
      network.cut()
      await move(3 * round)
      await move(3 * round + 1)
      network.isDown = false
      await until(() => heard.length === 3 * round + 2)
      await move(3 * round + 2)
      await until(() => heard.length === 3 * round + 3)
    }
    expect(heard).toEqual(tasks.map(id => `task://${id}`))
    const resumed = network.asked.filter(({ lastEventId }) => lastEventId !== null)
    expect(resumed.length).toBeGreaterThanOrEqual(3)
  }))

test('an answer whose stream breaks comes after the client is back, and the call is carried out once', () =>
  withNetwork(async ({ hub, client, network, taskId }) => {
    network.breaks = true
    const saving = client.callTool({ name: 'save_context', arguments: { task_id: taskId, progress: 'once' } })
    await until(() => network.asked.some(({ lastEventId }) => lastEventId !== null))
    network.breaks = false
    expect((await saving).structuredContent).toMatchObject({ success: true })
    const { body } = await hub.call('get_task_context', { task_id: taskId, include_history: true })
    expect(body['history']).toHaveLength(1)
  }))

test('a stream begins with when to come back and what to name then', async () => {
  await using hub = await testHub()
  const session = await open(hub)
  const stream = await listen(hub, session)
  const reader = (stream.body as ReadableStream<Uint8Array>).getReader()
  const text = new TextDecoder().decode((await reader.read()).value)
  expect(text).toMatch(/^id: \d+\._GET_stream\nretry: 1000\ndata: \n\n$/)
  await reader.cancel()
})

test('a client that was away for too long is told that what it watches may have changed', () =>
  onStage({}, async ({ hub, taskId }) => {
    const session = await open(hub)
    const headers = { ...HEADERS, 'mcp-session-id': session }
    const params = { uri: `task://${taskId}` }
    const body = JSON.stringify({ jsonrpc: '2.0', id: 3, method: 'resources/subscribe', params })
    await (await hub.fetch('/mcp', { method: 'POST', headers, body })).text()
    const stream = await listen(hub, session, '99999.\u005fGET_stream')
    expect(stream.status).toBe(200)
    const reader = (stream.body as ReadableStream<Uint8Array>).getReader()
    let text = ''
    await until(async () => {
      text += new TextDecoder().decode((await reader.read()).value)
      return text.includes('list_changed') && text.includes('resources/updated')
    })
    expect(text).toContain(`task://${taskId}`)
    await reader.cancel()
  }))

test.each(['nonsense', '7.no-such-call', '-1', '1.a b'])(
  'an event %j that was never sent is refused with a sentence',
  async event => {
    await using hub = await testHub()
    const session = await open(hub)
    const answer = await listen(hub, session, event)
    expect(answer.status).toBe(400)
    expect(await answer.json()).toMatchObject({
      error: { code: -32600, message: expect.stringContaining('ask again') },
    })
    expect(await ping(hub, session)).toBe(200)
  },
)
