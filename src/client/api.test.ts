// The client against real HTTP servers that behave as badly as real ones do.
import http from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterEach, expect, test } from 'vitest'
import { createClient } from './api.ts'
import { HubLink } from './hub-link.ts'
import { PROOF_HEADER } from '#contract/proof.ts'
import { proofOf } from './proof.ts'

type Seen = { path: string; headers: http.IncomingHttpHeaders; body: string }
type Answer = (request: Seen, response: http.ServerResponse, number: number) => void

const TOKEN = 'hub_0123456789abcdef0123456789'
const closing: (() => void)[] = []
afterEach(() => {
  for (const close of closing.splice(0)) close()
})

async function serve(answer: Answer, { token = TOKEN } = {}) {
  const seen: Seen[] = []
  const handle = async (request: http.IncomingMessage, response: http.ServerResponse) => {
    const url = new URL(request.url ?? '', 'http://hub')
    if (url.pathname === '/healthz') {
      const { localAddress: address = '', localPort: port = 0 } = request.socket
      const challenge = url.searchParams.get('challenge') ?? ''
      response.setHeader(PROOF_HEADER, `2 ${proofOf(token, challenge, { kind: 'tcp', address, port })}`)
      return response.end('ok')
    }
    const call = { path: request.url ?? '', headers: request.headers, body: await text(request) }
    seen.push(call)
    return answer(call, response, seen.length)
  }
  const server = http.createServer((request, response) => void handle(request, response))
  const sockets = new Set<Socket>()
  server.on('connection', socket => sockets.add(socket))
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  closing.push(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return { seen, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

const json = (response: http.ServerResponse, body: unknown, status = 200) =>
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
const reset = (response: http.ServerResponse) => response.socket?.resetAndDestroy()

const kinds = {
  'the global fetch': (url: string) => createClient({ url, token: TOKEN, lang: 'ja' }),
  'a proven connection': (url: string) => {
    const link = new HubLink(url, TOKEN)
    closing.push(() => link.dispose())
    return createClient({ url, token: TOKEN, lang: 'ja', fetch: link.fetch })
  },
}

for (const [kind, client] of Object.entries(kinds)) {
  test(`sends the call with its token, language and key over ${kind}`, async () => {
    const { seen, url } = await serve((_, response) => json(response, { project_id: 'prj_1' }))
    const project = await client(url).call('project.add', { name: '通販' })
    expect(project.project_id).toBe('prj_1')
    expect(seen).toMatchObject([
      {
        path: '/api/project.add',
        body: '{"name":"通販"}',
        headers: {
          authorization: `Bearer ${TOKEN}`,
          'accept-language': 'ja',
          'content-type': 'application/json',
          'idempotency-key': expect.stringMatching(/^[0-9a-f-]{36}$/),
        },
      },
    ])
  })

  test(`tries a call whose connection broke once more, with the same key, over ${kind}`, async () => {
    const { seen, url } = await serve((_, response, number) =>
      number === 1 ? reset(response) : json(response, { project_id: 'prj_1' }),
    )
    await client(url).call('project.add', { name: 'a' })
    expect(seen).toHaveLength(2)
    expect(seen[1]?.headers['idempotency-key']).toBe(seen[0]?.headers['idempotency-key'])
  })

  test(`gives up after the second time over ${kind}`, async () => {
    const { seen, url } = await serve((_, response) => reset(response))
    await expect(client(url).call('project.add', { name: 'a' })).rejects.toMatchObject({
      code: 'HUB_UNREACHABLE',
      kind: 'unavailable',
    })
    expect(seen).toHaveLength(2)
  })

  test(`passes on what a hub refuses over ${kind}`, async () => {
    const error = {
      code: 'PROJECT_EXISTS',
      message: '既にあります',
      kind: 'conflict',
      retryable: false,
      details: { what: 'id x' },
    }
    const { seen, url } = await serve((_, response) => json(response, { error }, 409))
    await expect(client(url).call('project.add', { name: 'a' })).rejects.toMatchObject({
      code: 'PROJECT_EXISTS',
      kind: 'conflict',
      message: '既にあります',
      details: { what: 'id x' },
    })
    expect(seen).toHaveLength(1)
  })
}

test('gives each call its own key, and reads none', async () => {
  const { seen, url } = await serve((_, response) => json(response, { projects: [] }))
  const client = createClient({ url, token: TOKEN })
  await client.call('project.list', {})
  await client.call('project.archive', { project_id: 'a' })
  await client.call('project.archive', { project_id: 'a' })
  const [read, first, second] = seen.map(({ headers }) => headers['idempotency-key'])
  expect(read).toBeUndefined()
  expect(first).not.toBe(second)
})

test('says that nobody answers, and does not ask again, when nobody listens', async () => {
  const { url } = await serve(() => {})
  for (const close of closing.splice(0)) close()
  const client = createClient({ url, token: TOKEN })
  const failure = client.call('hub.status', {})
  await expect(failure).rejects.toMatchObject({ code: 'HUB_UNREACHABLE' })
  await expect(failure).rejects.toThrow(/127\.0\.0\.1:\d+ does not answer: .*ECONNREFUSED/)
})

test('says that a hub thinks for too long, and does not ask again', async () => {
  const { seen, url } = await serve(() => {})
  const link = new HubLink(url, TOKEN)
  closing.push(() => link.dispose())
  for (const client of [createClient({ url, token: TOKEN }), createClient({ url, token: TOKEN, fetch: link.fetch })])
    await expect(client.call('hub.stop', {}, { timeoutMs: 50 })).rejects.toMatchObject({ code: 'HUB_UNREACHABLE' })
  // The second request of either would be one too many; on a busy machine the first may not even arrive in time.
  expect(seen.length).toBeLessThanOrEqual(2)
})

test('asks the hub that took over, with the same key', async () => {
  const before = await serve((_, response) => reset(response))
  const after = await serve((_, response) => json(response, { task_id: 'tsk_1' }))
  const client = createClient({
    url: before.url,
    token: TOKEN,
    revive: async () => ({ url: after.url, token: 'another-token-of-the-new-hub' }),
  })
  await client.call('task.move', { task_id: 'tsk_1', status: 'done' })
  await client.call('task.move', { task_id: 'tsk_1', status: 'todo' })
  expect(before.seen).toHaveLength(1)
  expect(after.seen).toHaveLength(2)
  expect(after.seen[0]?.headers).toMatchObject({
    authorization: 'Bearer another-token-of-the-new-hub',
    'idempotency-key': before.seen[0]?.headers['idempotency-key'],
  })
})

test.each([
  [401, 'no', { code: 'UNAUTHENTICATED', kind: 'unauthenticated' }],
  [403, 'this Host is not allowed', { code: 'NOT_ALLOWED', kind: 'forbidden', message: 'this Host is not allowed' }],
  [404, '<html>', { code: 'NOT_A_HUB' }],
  [502, 'Bad gateway', { code: 'NOT_A_HUB' }],
  [200, '<html>', { code: 'NOT_A_HUB' }],
  [500, '{"error":"text"}', { code: 'NOT_A_HUB' }],
  [500, 'null', { code: 'NOT_A_HUB' }],
])('understands HTTP %d with the body %s', async (status, body, problem) => {
  const { url } = await serve((_, response) => response.writeHead(status).end(body))
  await expect(createClient({ url, token: TOKEN }).call('hub.status', {})).rejects.toMatchObject(problem)
})

test('tells its token to nobody who has not proven to know it', async () => {
  const { seen, url } = await serve((_, response) => json(response, {}), { token: 'the-token-of-somebody-else' })
  const link = new HubLink(url, TOKEN)
  await expect(createClient({ url, token: TOKEN, fetch: link.fetch }).call('hub.status', {})).rejects.toMatchObject({
    code: 'HUB_NOT_PROVEN',
  })
  expect(seen).toEqual([])
})
