// The dashboard's own files: what a browser gets without a token, and with which headers.
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ask } from './attacks/raw.ts'
import { type TestHub, testHub } from './hub.ts'
import { writePage } from './page-files.ts'

let hub: TestHub
let folder: string
let port: number

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'toryo-page-'))
  writePage(folder)
  hub = await testHub({ page: folder })
  port = Number(new URL(hub.url).port)
})

afterAll(async () => {
  await hub[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true })
})

const get = (path: string, headers: Record<string, string> = {}) => fetch(`${hub.url}${path}`, { headers })
const host = () => `Host: 127.0.0.1:${port}`

describe('the page', () => {
  test.each(['/', '/needs', '/needs/task:tsk_1', '/board?project=prj_1', '/tasks/tsk_1', '/tabs/tab_1/messages'])(
    'is at %s, without a token and with a strict policy',
    async path => {
      const response = await get(path)
      expect(response.status).toBe(200)
      expect(Object.fromEntries(response.headers)).toMatchObject({
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-cache',
        'referrer-policy': 'no-referrer',
        'cross-origin-opener-policy': 'same-origin',
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
      })
      // What a page may do is off, but for the clipboard and notices.
      const permissions = response.headers.get('permissions-policy') ?? ''
      for (const name of [
        'camera',
        'microphone',
        'geolocation',
        'usb',
        'hid',
        'bluetooth',
        'payment',
        'idle-detection',
      ])
        expect(permissions).toContain(`${name}=()`)
      expect(permissions).not.toMatch(/clipboard|notifications/)
      const policy = response.headers.get('content-security-policy') ?? ''
      const nonce = /'nonce-([^']+)'/.exec(policy)?.[1] ?? ''
      expect(policy).toBe(
        `default-src 'none'; script-src 'self'; style-src-elem 'self' 'nonce-${nonce}'; style-src-attr 'none'; ` +
          "connect-src 'self'; img-src 'self' data:; font-src 'self'; manifest-src 'self'; base-uri 'none'; " +
          "form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
      )
      const html = await response.text()
      expect(html).toContain(`nonce="${nonce}"`)
      expect(html).not.toContain('__NONCE__')
      expect(html).not.toContain(hub.token)
    },
  )

  test('has another nonce in each response', async () => {
    const policies = await Promise.all([1, 2].map(async () => (await get('/')).headers.get('content-security-policy')))
    expect(policies[0]).not.toBe(policies[1])
  })

  test.each([
    [
      'an asset, for good',
      '/assets/index-abc.js',
      'text/javascript; charset=utf-8',
      'public, max-age=31536000, immutable',
    ],
    [
      'a file with a fixed name, to be asked for again',
      '/first-paint.js',
      'text/javascript; charset=utf-8',
      'no-cache',
    ],
    ['the icon', '/icon.svg', 'image/svg+xml', 'no-cache'],
    ['the manifest', '/manifest.webmanifest', 'application/manifest+json', 'no-cache'],
  ])('has %s', async (_, path, type, cache) => {
    const response = await get(path, { 'accept-encoding': 'gzip' })
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe(type)
    expect(response.headers.get('cache-control')).toBe(cache)
    expect(response.headers.get('cross-origin-resource-policy')).toBe('same-origin')
  })

  test('sends what was compressed at the build, to those who take it', async () => {
    const raw = (encoding: string) =>
      ask(port, { target: '/assets/index-abc.js', headers: [host(), `Accept-Encoding: ${encoding}`] })
    expect((await raw('br, gzip')).head).toContain('content-encoding: gzip')
    for (const encoding of ['identity', 'gzip;q=0', 'xgzip'])
      expect((await raw(encoding)).head).not.toContain('content-encoding')
    const response = await get('/assets/index-abc.js')
    expect(await response.text()).toContain('hello from the page')
  })

  test('HEAD has the headers and no body', async () => {
    const response = await fetch(`${hub.url}/`, { method: 'HEAD' })
    expect(response.status).toBe(200)
    expect(await response.text()).toBe('')
  })
})

describe('everything else needs a token, as before', () => {
  test.each([
    '/api',
    '/api/project.list',
    '/api/export',
    '/mcp',
    '/prompts/phase0',
    '/bridge',
    '/events',
    '/tabs/tab_1/terminal',
    '/runs/run_1/log',
    '/favicon.ico',
    '/x.html',
    '/../package.json',
    '/%2e%2e/package.json',
    '/.env',
  ])('GET %s', async path => {
    const { status, body } = await ask(port, { target: path, headers: [host()] })
    expect(status).toBe(401)
    expect(body).not.toContain('<html')
  })

  test.each(['//', '//evil.example/', 'http://evil.example/', '*'])('GET %s is no page', async target => {
    const { status, body } = await ask(port, { target, headers: [host()] })
    expect([400, 401]).toContain(status)
    expect(body).not.toContain('<html')
  })

  test.each(['POST', 'PUT', 'DELETE', 'OPTIONS'])('%s /', async method => {
    const { status } = await ask(port, { method, target: '/', headers: [host(), 'Content-Length: 0'] })
    expect(status).toBe(401)
  })

  test('an asset that is not there is a 404, and never a file of the disk', async () => {
    for (const path of [
      '/assets/none.js',
      '/assets/../../package.json',
      '/assets/%2e%2e/%2e%2e/package.json',
      '/assets/',
    ]) {
      const { status, body } = await ask(port, { target: path, headers: [host()] })
      expect(status).toBe(404)
      expect(body).toBe('File not found.')
    }
  })

  test('what agents wrote is no file here: no address gives it as a page, a picture or a script', async () => {
    const paths = [
      '/runs/run_1/log',
      '/runs/run_1/log.html',
      '/runs/run_1.log',
      '/tasks/tsk_1/diff.svg',
      '/x.svg',
      '/x.log',
    ]
    for (const path of paths)
      for (const headers of [[host()], [host(), `Authorization: Bearer ${hub.token}`]]) {
        const { status, head, body } = await ask(port, { target: path, headers })
        expect([401, 404, 405, 426], path).toContain(status)
        expect(head.toLowerCase(), path).toContain('x-content-type-options: nosniff')
        expect(head.toLowerCase(), path).not.toMatch(/content-type: (?:text\/html|image\/|text\/javascript)/)
        expect(body).not.toContain('<')
      }
  })

  test('a program with a token gets the hub, not the page', async () => {
    const response = await hub.fetch('/none')
    expect(response.status).toBe(404)
    expect(await response.text()).toBe('Nothing is served here.')
  })
})

describe('who may open it', () => {
  const fetchSite = (site: string, mode: string, dest: string) => [
    host(),
    `Sec-Fetch-Site: ${site}`,
    `Sec-Fetch-Mode: ${mode}`,
    `Sec-Fetch-Dest: ${dest}`,
  ]

  test.each(['cross-site', 'same-site'])('a link on a page of another site (%s)', async site => {
    const { status } = await ask(port, { target: '/board', headers: fetchSite(site, 'navigate', 'document') })
    expect(status).toBe(200)
  })

  test.each([
    ['a frame', '/', 'navigate', 'iframe'],
    ['a script', '/assets/index-abc.js', 'no-cors', 'script'],
    ['an image', '/icon.svg', 'no-cors', 'image'],
    ['a request of a script', '/', 'cors', 'empty'],
    ['a link to an asset', '/assets/index-abc.js', 'navigate', 'document'],
    ['a link to an operation', '/api/project.list', 'navigate', 'document'],
    ['a link to the export', '/api/export', 'navigate', 'document'],
  ])('not %s of another site', async (_, target, mode, dest) => {
    const { status } = await ask(port, { target, headers: fetchSite('cross-site', mode, dest) })
    expect(status).toBe(403)
  })

  test('not a name that leads here (DNS rebinding)', async () => {
    for (const name of ['evil.example', `evil.example:${port}`, '127.0.0.1']) {
      const { status, body } = await ask(port, { target: '/', headers: [`Host: ${name}`] })
      expect(status).toBe(403)
      expect(body).not.toContain('<html')
    }
  })

  test('not a page of another Origin', async () => {
    const { status } = await ask(port, { target: '/', headers: [host(), 'Origin: https://evil.example'] })
    expect(status).toBe(403)
  })
})

test('a hub without the files answers as it always did', async () => {
  const empty = mkdtempSync(join(tmpdir(), 'toryo-page-'))
  await using bare = await testHub({ page: empty })
  expect((await fetch(`${bare.url}/`)).status).toBe(401)
  expect(readdirSync(empty)).toEqual([])
  rmSync(empty, { recursive: true })
})
