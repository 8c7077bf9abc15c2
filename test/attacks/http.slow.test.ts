import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { systemClock } from '#kernel/clock.ts'
import { McpOverHttp } from '#transports/mcp/over-http.ts'
import { Callers } from '#transports/callers.ts'
import { Crowd, ROOM } from '#transports/crowd.ts'
import { Guard } from '#transports/guard.ts'
import { routes } from '#transports/routes.ts'
import { type TestHub, testHub } from '../hub.ts'
import { until } from '../processes.ts'
import { ask, exchange, upgradeHeaders } from './raw.ts'

let hub: TestHub
let port: number
let auth: string
/** Everything the router knows, with each operation spelled out. */
let known: { method: string; target: string }[]

beforeAll(async () => {
  hub = await testHub()
  port = Number(new URL(hub.url).port)
  auth = `Authorization: Bearer ${hub.token}`
  const composed = hub.running.hub
  const router = routes(
    {
      hub: composed,
      guard: new Guard({ hosts: [], port: () => port, secure: false }),
      token: '',
      streamable: new McpOverHttp(composed, systemClock),
      callers: new Callers(composed.identities),
      crowd: new Crowd(ROOM),
      exportLines: async function* () {},
      importLines: async () => ({ rows: 0, secrets: true }),
    },
    () => undefined,
  )
  const operations = (await composed.operations()).all()
  expect(operations.length).toBeGreaterThan(20)
  known = router.routes.flatMap(({ method, path }) => {
    const verb = method === 'ALL' ? 'POST' : method
    if (!path.includes(':operation')) return [{ method: verb, target: path }]
    return operations.map(({ name }) => ({ method: verb, target: `/api/${name}` }))
  })
  known.push({ method: 'GET', target: '/' }, { method: 'GET', target: '/healthz' }, { method: 'GET', target: '/none' })
})

afterAll(async () => {
  const { url } = hub
  await hub[Symbol.asyncDispose]()
  await expect(fetch(url)).rejects.toThrow('fetch failed')
})

/** Names that a page elsewhere can make lead here, and unusual names for "this machine". */
const hostileHosts = (): [string, string[]][] => [
  ['another name', ['Host: evil.example']],
  ['another name with our port', [`Host: evil.example:${port}`]],
  ['a name that begins like ours', [`Host: 127.0.0.1.evil.example:${port}`]],
  ['a name that ends like ours', [`Host: evil.localhost:${port}`]],
  ['a trailing dot', [`Host: localhost.:${port}`]],
  ['the mapped address', [`Host: [::ffff:127.0.0.1]:${port}`]],
  ['every address', [`Host: 0.0.0.0:${port}`]],
  ['a short address', [`Host: 127.1:${port}`]],
  ['a number', [`Host: 2130706433:${port}`]],
  ['a user', [`Host: evil@127.0.0.1:${port}`]],
  ['no port', ['Host: 127.0.0.1']],
  ['another port', ['Host: 127.0.0.1:1']],
  ['an empty one', ['Host:']],
  ['none', []],
  ['two, the good one first', [`Host: 127.0.0.1:${port}`, 'Host: evil.example']],
  ['two, the bad one first', ['Host: evil.example', `Host: 127.0.0.1:${port}`]],
  ['the good one twice', [`Host: 127.0.0.1:${port}`, `host: 127.0.0.1:${port}`]],
]

describe('DNS rebinding', () => {
  test('every route refuses every foreign Host, with a good token, before the body is there', async () => {
    for (const [name, hosts] of hostileHosts()) {
      for (const { method, target } of known) {
        // The body never comes: a hub that waits for it would never answer.
        const headers = [...hosts, auth, 'Content-Type: application/json', 'Content-Length: 1000']
        const answer = await ask(port, { method, target, headers })
        expect([400, 403], `${method} ${target} with ${name}`).toContain(answer.status)
        expect(answer.body).not.toContain('ok')
      }
    }
    expect(await hub.api('project.list', {})).toEqual({ projects: [] })
  })

  test('the upgrade refuses them too', async () => {
    for (const [name, hosts] of hostileHosts()) {
      for (const target of ['/bridge', '/events', '/none']) {
        const answer = await ask(port, { target, headers: [...hosts, auth, ...upgradeHeaders()] })
        expect([400, 403], `${target} with ${name}`).toContain(answer.status)
      }
    }
  })

  test('a request of the old protocol, or for an absolute address, gets no further', async () => {
    const old = await ask(port, { target: '/healthz', headers: [], version: '1.0' })
    expect(old.status).toBe(400)
    const absolute = await ask(port, {
      target: 'http://evil.example/healthz',
      headers: [`Host: 127.0.0.1:${port}`],
    })
    expect(absolute.status).toBe(401)
    const both = await ask(port, { target: 'http://evil.example/healthz', headers: ['Host: evil.example', auth] })
    expect(both.status).toBe(403)
  })

  test('our own names are answered', async () => {
    for (const host of ['127.0.0.1', 'localhost', '[::1]', 'LOCALHOST']) {
      const headers = [`Host: ${host}:${port}`, auth, 'Content-Type: application/json', 'Content-Length: 2']
      expect((await ask(port, { target: '/healthz', headers: [`Host: ${host}:${port}`] })).status).toBe(200)
      expect((await ask(port, { method: 'POST', target: '/api/hub.status', headers, body: '{}' })).status).toBe(200)
    }
  })
})

describe('cross-site WebSockets', () => {
  const origins = () => [
    'https://evil.example',
    'null',
    'http://localhost:1',
    `http://127.0.0.1.evil.example:${port}`,
    `https://127.0.0.1:${port}`,
    `http://127.0.0.1:${port}.evil.example`,
    'file://',
    `http://127.0.0.1:${port}, http://127.0.0.1:${port}`,
  ]

  test('no page opens one, with a token or without', async () => {
    const before = await lastEvent()
    for (const origin of origins()) {
      for (const credential of [[auth], []]) {
        for (const target of ['/bridge', '/events', `/bridge?token=${hub.token}`]) {
          const headers = [`Host: 127.0.0.1:${port}`, `Origin: ${origin}`, ...credential, ...upgradeHeaders()]
          const answer = await ask(port, { target, headers })
          expect([401, 403], `${target} from ${origin}`).toContain(answer.status)
        }
      }
    }
    expect(await lastEvent()).toBe(before)
    expect((await hub.api('hub.status', {})).connections).toBe(0)
  })

  test('without an Origin it takes a token, in the header and nowhere else', async () => {
    const host = `Host: 127.0.0.1:${port}`
    const attempts: [string, string, string[]][] = [
      ['none', '/bridge', []],
      ['in the query', `/bridge?token=${hub.token}&access_token=${hub.token}`, []],
      ['in a cookie', '/bridge', [`Cookie: token=${hub.token}; authorization=${hub.token}`]],
      ['as the subprotocol', '/bridge', [`Sec-WebSocket-Protocol: ${hub.token}`]],
      ['as a password', '/bridge', [`Authorization: Basic ${btoa(`toryo:${hub.token}`)}`]],
      ['cut short', '/bridge', [`Authorization: Bearer ${hub.token.slice(0, -1)}`]],
      ['in another case', '/events', [`Authorization: Bearer ${hub.token.toUpperCase()}`]],
      ['empty', '/events', ['Authorization: Bearer ']],
    ]
    for (const [name, target, extra] of attempts) {
      const answer = await ask(port, { target, headers: [host, ...extra, ...upgradeHeaders()] })
      expect(answer.status, name).toBe(401)
    }
    const requests = ['same-site', 'cross-site'].map(site =>
      ask(port, { target: '/bridge', headers: [host, auth, `Sec-Fetch-Site: ${site}`, ...upgradeHeaders()] }),
    )
    for (const answer of await Promise.all(requests)) expect(answer.status).toBe(403)
  })

  test('a refused socket is closed by the hub, whatever the client does', async () => {
    const { connect } = await import('node:net')
    const lines = ['GET /bridge HTTP/1.1', `Host: 127.0.0.1:${port}`, ...upgradeHeaders()]
    // It never ends its own side.
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true }, () =>
      socket.write(`${lines.join('\r\n')}\r\n\r\n`),
    )
    let text = ''
    socket.on('data', chunk => (text += chunk))
    socket.on('error', () => {})
    await until(() => text.startsWith('HTTP/1.1 401'))
    // Once the hub has let go, what we write is answered with a reset.
    const gone = new Promise(resolve => socket.on('close', resolve))
    const writing = setInterval(() => socket.write('x'), 20)
    await gone
    clearInterval(writing)
  })
})

describe('without the token', () => {
  const methods = ['GET', 'POST', 'HEAD', 'OPTIONS', 'PUT', 'DELETE', 'PATCH', 'TRACE']

  test('no method on any route answers, and none invites other origins', async () => {
    const host = `Host: 127.0.0.1:${port}`
    for (const { target } of known.filter(route => route.target !== '/healthz')) {
      for (const method of methods) {
        const answer = await ask(port, { method, target, headers: [host, 'Content-Length: 0'] })
        expect(answer.status, `${method} ${target}`).toBe(401)
        expect(answer.head).not.toMatch(/^access-control/im)
      }
    }
  })

  test('nor with a credential of another kind, or of an earlier hub', async () => {
    const { projectId, agentId, passkey } = await hub.seed('sweep')
    const start = await hub.call('should_start', { agent_id: agentId, project_id: projectId })
    const worker = await hub.connect({ credential: String(start.body['ticket']) })
    const { body } = await worker.call('authenticate', { agent_id: agentId, project_id: projectId })
    await worker.close()
    const earlier = await testHub()
    const old = earlier.token
    await earlier[Symbol.asyncDispose]()
    const credentials = {
      'a ticket': start.body['ticket'],
      'a session token': body['session_token'],
      'a passkey': passkey,
      "an earlier hub's": old,
      nothing: '',
    }
    for (const [name, credential] of Object.entries(credentials)) {
      for (const { method, target } of known.filter(route => route.target !== '/healthz')) {
        const headers = [`Host: 127.0.0.1:${port}`, `Authorization: Bearer ${String(credential)}`, 'Content-Length: 0']
        expect((await ask(port, { method, target, headers })).status, `${target} with ${name}`).toBe(401)
      }
    }
  })

  test('no spelling of a path leads around the door, and none ends the hub', async () => {
    const spellings = [
      '//',
      '///',
      '//api/hub.status',
      '//healthz',
      '/./api/hub.status',
      '/%2e/api/hub.status',
      '/%2e%2e/api/hub.status',
      '/healthz/../api/hub.status',
      '/healthz/%2e%2e/api/hub.status',
      '/healthz%2f..%2fapi/hub.status',
      '/healthz/',
      '/healthz/x',
      '/healthzz',
      '/HEALTHZ',
      '/api/hub.status?/healthz',
      '/api/hub.status#/healthz',
      '/api/hub%2estatus',
      '/api/HUB.STATUS',
      '/api//hub.status',
      '/api/__proto__',
      '/api/constructor',
      '/mcp/',
      '/mcp?toolsets=nonsense',
      '/\\evil',
      '/%',
      '/%00',
      '//[',
      '//user:pass@host:99999/',
      'http://[',
      'http://127.0.0.1/healthz',
      '*',
      'healthz',
      `/${'a'.repeat(8000)}`,
    ]
    for (const target of spellings) {
      for (const method of ['GET', 'POST']) {
        const headers = [`Host: 127.0.0.1:${port}`, 'Content-Length: 0']
        const { status } = await ask(port, { method, target, headers })
        expect([400, 401], `${method} ${target}`).toContain(status)
        const withToken = await ask(port, { method, target, headers: [...headers, auth] })
        expect(withToken.status, `${method} ${target} with the token`).toBeGreaterThanOrEqual(200)
        const upgrade = await ask(port, { target, headers: [`Host: 127.0.0.1:${port}`, auth, ...upgradeHeaders()] })
        expect([400, 404], `upgrade of ${target}`).toContain(upgrade.status)
      }
    }
    expect((await ask(port, { target: '/healthz', headers: [`Host: 127.0.0.1:${port}`] })).body).toBe('ok')
  })

  test('health says ok and nothing else, to GET and HEAD alone', async () => {
    const host = `Host: 127.0.0.1:${port}`
    const plain = await ask(port, { target: '/healthz', headers: [host] })
    expect(plain).toMatchObject({ status: 200, body: 'ok' })
    expect(plain.head).not.toMatch(/^(access-control|server|x-powered-by|x-toryo)/im)
    expect((await ask(port, { method: 'HEAD', target: '/healthz', headers: [host, 'Connection: close'] })).body).toBe(
      '',
    )
    for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS'])
      expect((await ask(port, { method, target: '/healthz', headers: [host, 'Content-Length: 0'] })).status).toBe(405)
    for (const challenge of ['x'.repeat(129), '%0d%0aset-cookie:a=b', '<script>', ''])
      expect(await ask(port, { target: `/healthz?challenge=${challenge}`, headers: [host] })).toMatchObject({
        status: 200,
        body: 'ok',
        head: expect.not.stringMatching(/x-toryo-proof|set-cookie/i),
      })
  })

  test('what is not HTTP is told so and let go', async () => {
    const garbage = [
      '\0\0\0\0\r\n\r\n',
      'HELLO\r\n\r\n',
      'GET /healthz HTTP/9.9\r\n\r\n',
      '\x16\x03\x01\x02\x00\r\n\r\n',
    ]
    for (const bytes of garbage) expect([0, 400], JSON.stringify(bytes)).toContain((await exchange(port, bytes)).status)
    const huge = [`Host: 127.0.0.1:${port}`, auth, `X-Filler: ${'a'.repeat(64 * 1024)}`]
    expect((await ask(port, { target: '/healthz', headers: huge })).status).toBe(431)
    const smuggled = [`Host: 127.0.0.1:${port}`, auth, 'Content-Length: 4', 'Transfer-Encoding: chunked']
    expect(
      (await ask(port, { method: 'POST', target: '/api/hub.status', headers: smuggled, body: '0\r\n\r\n' })).status,
    ).toBe(400)
    expect(await hub.api('hub.status', {})).toMatchObject({ pid: process.pid })
  })
})

describe('forms on other pages', () => {
  const body = JSON.stringify({ id: 'prj_forged', name: 'forged' })
  const types = ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', '']

  test('change nothing, whatever they look like', async () => {
    const shapes: { headers: string[]; statuses: number[] }[] = [
      // Simple requests, which a browser sends without asking first.
      ...types.map(type => ({ headers: [`Content-Type: ${type}`, 'Origin: https://evil.example'], statuses: [403] })),
      ...types.map(type => ({ headers: [`Content-Type: ${type}`], statuses: [401] })),
      { headers: ['Content-Type: text/plain;charset=UTF-8', 'Sec-Fetch-Site: cross-site'], statuses: [403] },
      // A token that a browser would add automatically does not count.
      {
        headers: ['Content-Type: application/json', `Cookie: token=${hub.token}; Authorization=Bearer ${hub.token}`],
        statuses: [401],
      },
      {
        headers: [
          'Content-Type: application/json',
          `Cookie: token=${hub.token}`,
          `Origin: http://127.0.0.1:${port}`,
          'Sec-Fetch-Site: same-origin',
        ],
        statuses: [401],
      },
      { headers: ['Content-Type: application/json', auth, 'Origin: http://localhost:5173'], statuses: [403] },
      { headers: ['Content-Type: application/json', auth, 'Origin: null'], statuses: [403] },
      { headers: ['Content-Type: application/json', auth, 'Sec-Fetch-Site: same-site'], statuses: [403] },
      // Even with the token a body must say that it is JSON.
      ...types.map(type => ({ headers: [`Content-Type: ${type}`, auth], statuses: [415] })),
    ]
    for (const { headers, statuses } of shapes) {
      for (const target of ['/api/project.add', '/mcp']) {
        const all = [`Host: 127.0.0.1:${port}`, ...headers, `Content-Length: ${body.length}`]
        const { status, head } = await ask(port, { method: 'POST', target, headers: all, body })
        expect(statuses, `${target} ${headers.join(', ').slice(0, 100)}`).toContain(status)
        expect(head).not.toMatch(/^access-control/im)
      }
    }
    const { projects } = await hub.api('project.list', {})
    expect(projects.map(project => project.project_id)).not.toContain('prj_forged')
  })

  test('a preflight is told nothing', async () => {
    const headers = [
      `Host: 127.0.0.1:${port}`,
      'Origin: https://evil.example',
      'Access-Control-Request-Method: POST',
      'Access-Control-Request-Headers: authorization',
      'Access-Control-Request-Private-Network: true',
    ]
    const { status, head } = await ask(port, { method: 'OPTIONS', target: '/api/project.add', headers })
    expect(status).toBe(403)
    expect(head).not.toMatch(/^access-control/im)
  })
})

async function lastEvent(): Promise<number> {
  return (await hub.api('hub.status', {})).last_event
}
