// The ways on which a hub and its clients may meet, and what is said on those that are refused.
import { createHmac } from 'node:crypto'
import fs from 'node:fs'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { HubLink } from '#client/hub-link.ts'
import { createClient } from '#client/api.ts'
import { ROOT } from '../scripts/sources.js'
import { BridgeClient } from './bridge/bridge-client.ts'
import { makeCertificate } from './certificate.ts'
import { type TestHub, testHub } from './hub.ts'
import { build } from './processes.ts'
import { Tap } from './tap.ts'
import { Toryo } from './toryo.ts'
import { until } from './until.ts'

const PROGRAM = path.join(ROOT, 'bin', 'toryo.js')

beforeAll(() => build())

async function status(url: string, token: string, env: NodeJS.ProcessEnv = {}) {
  await using toryo = new Toryo()
  const file = path.join(toryo.folder, 'token')
  fs.writeFileSync(file, token, { mode: 0o600 })
  return await toryo.run(['status', '--url', url, '--token-file', file], { env })
}

/** Every kind of client, over an address that is not the hub's own. */
async function useAll(hub: TestHub, url: string): Promise<void> {
  expect(await status(url, hub.token)).toMatchObject({ code: 0 })
  await using toryo = new Toryo()
  const file = path.join(toryo.folder, 'token')
  fs.writeFileSync(file, hub.token, { mode: 0o600 })
  const bridge = new BridgeClient(PROGRAM, ['mcp', '--url', url, '--token-file', file], toryo.env() as never)
  const hello = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '0' } }
  expect((await bridge.request('initialize', hello)).result).toBeDefined()
  bridge.child.stdin.end()
  await bridge.exit
  const { token } = await hub.api('runner.add', { name: 'elsewhere' })
  fs.writeFileSync(file, token, { mode: 0o600 })
  const runner = toryo.start('runner', '--url', url, '--token-file', file)
  await until(async () => (await hub.api('runner.list', {})).runners.some(one => one.last_seen_at !== null))
  runner.child.kill('SIGTERM')
  expect(await runner.ended).toBe(0)
}

test('a forward to another port is refused until the user names it, and works then', async () => {
  await using forward = await Tap.to(0, { keepHost: true })
  {
    await using hub = await testHub()
    forward.target = Number(new URL(hub.url).port)
    const { code, err } = await status(forward.url, hub.token)
    expect(code).toBe(3)
    expect(err).toContain(`toryo up --allow-host 127.0.0.1:${forward.port}`)
    expect(forward.heard).not.toContain(hub.token)
  }
  await using hub = await testHub({ hosts: [`127.0.0.1:${forward.port}`] })
  forward.target = Number(new URL(hub.url).port)
  await useAll(hub, forward.url)
})

test('a name that leads to the address on which the hub listens is as good as the address', async () => {
  await using hub = await testHub()
  expect(await status(hub.url.replace('127.0.0.1', 'localhost'), hub.token)).toMatchObject({ code: 0 })
})

test('over TLS the connection itself is the bond: the hub is believed, a stranger with its very certificate is not', async () => {
  await using toryo = new Toryo()
  const certificate = makeCertificate(toryo.folder)
  await using hub = await testHub({ tls: certificate })
  expect(hub.url).toMatch(/^https:/)
  const env = { NODE_EXTRA_CA_CERTS: certificate.cert }
  expect(await status(hub.url, hub.token, env)).toMatchObject({ code: 0 })
  await using tap = await Tap.to(Number(new URL(hub.url).port), { tls: certificate, secureTarget: true })
  const { code, err } = await status(tap.url, hub.token, env)
  expect([code, err]).toEqual([3, expect.stringContaining(`--allow-host 127.0.0.1:${tap.port}`)])
  expect(tap.connections).toBeGreaterThan(0)
  expect(tap.heard).not.toContain(hub.token)
})

test('a proxy that ends TLS in front of the hub works once the user has named its address', async () => {
  await using toryo = new Toryo()
  const certificate = makeCertificate(toryo.folder)
  await using proxy = await Tap.to(0, { tls: certificate })
  await using hub = await testHub({ hosts: [`127.0.0.1:${proxy.port}`] })
  proxy.target = Number(new URL(hub.url).port)
  expect(await status(proxy.url, hub.token, { NODE_EXTRA_CA_CERTS: certificate.cert })).toMatchObject({ code: 0 })
})

test('a token that the hub does not know is not sent, and the sentence says where tokens come from', async () => {
  await using hub = await testHub()
  await using tap = await Tap.to(Number(new URL(hub.url).port))
  const stale = `hub_${'x'.repeat(43)}`
  const { code, err } = await status(tap.url, stale)
  expect([code, err]).toEqual([4, expect.stringContaining('toryo token')])
  expect(tap.heard).not.toContain(stale)
})

test('a bridge of an older version hears that it is to be updated, over lines and over WebSocket', async () => {
  await using hub = await testHub()
  const challenge = 'c'.repeat(43)
  // What such a bridge asks first, and believes.
  const health = await fetch(`${hub.url}/healthz?challenge=${challenge}`)
  const before = createHmac('sha256', hub.token).update(challenge).digest('base64url')
  expect(health.headers.get('x-toryo-proof')).toBe(before)
  for (const headers of [
    { upgrade: 'toryo-lines.1' },
    {
      upgrade: 'websocket',
      'sec-websocket-protocol': 'toryo-relay.1',
      'sec-websocket-version': '13',
      'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
    },
  ]) {
    const all = { ...headers, connection: 'upgrade', authorization: `Bearer ${hub.token}` }
    const said = await new Promise<[number | undefined, string]>((resolve, reject) => {
      const request = http.get(`${hub.url}/bridge`, { headers: all, agent: false }, response => {
        let body = ''
        response.on('data', (chunk: Buffer) => (body += chunk.toString()))
        response.on('end', () => resolve([response.statusCode, body]))
      })
      request.on('upgrade', () => reject(new Error('it was let in')))
      request.on('error', reject)
    })
    expect(said).toEqual([400, expect.stringContaining('update the bridge')])
  }
})

test('a hub of an older version is named as such, by the CLI and by a bridge, and gets no token', async () => {
  const token = `hub_${'o'.repeat(43)}`
  const old = http.createServer((request, response) => {
    const challenge = new URL(request.url ?? '', 'http://hub').searchParams.get('challenge') ?? ''
    response.setHeader('x-toryo-proof', createHmac('sha256', token).update(challenge).digest('base64url')).end('ok')
  })
  await new Promise<void>(resolve => old.listen(0, '127.0.0.1', resolve))
  await using tap = await Tap.to((old.address() as AddressInfo).port)
  const { code, err } = await status(tap.url, token)
  expect([code, err]).toEqual([1, expect.stringContaining('older version')])
  // The same hub, found by its state file: no client tries to start another beside it.
  await using toryo = new Toryo()
  fs.mkdirSync(toryo.home, { mode: 0o700 })
  const state = { pid: process.pid, url: tap.url, token, version: '0', startedAt: '' }
  fs.writeFileSync(`${toryo.db}.hub.json`, JSON.stringify(state), { mode: 0o600 })
  expect(await toryo.run(['task', 'list'])).toMatchObject({ code: 1, err: expect.stringContaining('older version') })
  const bridge = new BridgeClient(PROGRAM, ['mcp'], toryo.env() as never)
  const answer = await bridge.request('initialize', {})
  expect(answer.error?.message).toContain('older version')
  bridge.child.stdin.end()
  await bridge.exit
  expect(tap.heard).not.toContain(token)
  fs.rmSync(`${toryo.db}.hub.json`)
  await new Promise(resolve => old.close(resolve))
})

test('calls at the same time each have a connection that proved itself', async () => {
  await using tap = await Tap.to(0, { keepHost: true })
  await using named = await testHub({ hosts: [`127.0.0.1:${tap.port}`] })
  tap.target = Number(new URL(named.url).port)
  const link = new HubLink(tap.url, named.token)
  const client = createClient({ url: tap.url, token: named.token, fetch: link.fetch })
  for (const _ of [1, 2]) await Promise.all(Array.from({ length: 5 }, () => client.call('hub.status', {})))
  link.dispose()
  expect(tap.heard.split('GET /healthz').length - 1).toBe(tap.connections)
  expect(tap.connections).toBeLessThanOrEqual(5)
})
