import { execFileSync } from 'node:child_process'
import https from 'node:https'
import { connect, type Socket } from 'node:net'
import { networkInterfaces } from 'node:os'
import { expect, test } from 'vitest'
import { readFileSync } from 'node:fs'
import { makeCertificate } from '../certificate.ts'
import { post, until, Workshop } from '../processes.ts'

/** Ports on which any process of the workshop listens. */
function listening(shop: Workshop): string[] {
  const inodes = new Set<string>()
  for (const { pid } of shop.processes()) {
    const links = execFileSync('ls', ['-l', `/proc/${pid}/fd`], { encoding: 'utf8' })
    for (const [, inode] of links.matchAll(/socket:\[(\d+)\]/g)) inodes.add(inode as string)
  }
  const lines = ['/proc/net/tcp', '/proc/net/tcp6'].flatMap(file => readFileSync(file, 'utf8').split('\n').slice(1))
  const columns = lines.map(line => line.trim().split(/\s+/))
  return columns.filter(row => row[3] === '0A' && inodes.has(row[9] ?? '')).map(row => row[1] as string)
}

const elsewhere = ['0.0.0.0', '::', '192.0.2.7', 'example.com', '', '127.0.0.1.example.com', '0']

test.each(elsewhere)('does not listen on %j without a certificate, and says what to do', async host => {
  await using shop = new Workshop()
  const ended = await shop.refusal(shop.db(), ['--background', `--host=${host}`])
  expect(ended.code).toBe(1)
  expect(ended.stderr).toMatch(/^toryo: .*--tls-cert and --tls-key/)
  expect(ended.stdout).toBe('')
  expect(listening(shop)).toEqual([])
})

test('one half of a certificate, or one that is none, is refused too', async () => {
  await using shop = new Workshop()
  expect((await shop.refusal(shop.db(), ['--background', '--tls-cert', '/x'])).code).toBe(2)
  const { code, stderr } = await shop.refusal(shop.db(), [
    '--background',
    '--host',
    '0.0.0.0',
    '--tls-cert',
    '/dev/null',
    '--tls-key',
    '/dev/null',
  ])
  expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringMatching(/^toryo: .+/) })
})

test('with a certificate it serves other machines, encrypted, with token and Host still asked for', async () => {
  await using shop = new Workshop()
  const { cert, key } = makeCertificate(shop.home)
  const hub = await shop.hub(shop.db(), [
    '--background',
    '--host=0.0.0.0',
    '--allow-host=Hub.Example',
    `--tls-cert=${cert}`,
    `--tls-key=${key}`,
  ])
  const { url, token } = hub.state ?? { url: hub.exit?.stderr ?? '', token: '' }
  expect(url).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/)
  const port = Number(new URL(url).port)
  const ca = readFileSync(cert)
  const get = (host: string, authorization: string, address = '127.0.0.1') =>
    new Promise<number>((resolve, reject) => {
      const options = { host: address, port, path: '/api/export', ca, servername: 'hub.example', agent: false }
      const headers = { host, authorization }
      https
        .get({ ...options, headers }, response => {
          response.resume()
          response.on('end', () => resolve(response.statusCode ?? 0))
        })
        .on('error', reject)
    })
  expect(await get(`hub.example:${port}`, `Bearer ${token}`)).toBe(200)
  expect(await get(`127.0.0.1:${port}`, `Bearer ${token}`)).toBe(200)
  expect(await get(`hub.example:${port}`, 'Bearer wrong')).toBe(401)
  expect(await get(`evil.example:${port}`, `Bearer ${token}`)).toBe(403)
  const own = Object.values(networkInterfaces())
    .flat()
    .find(address => address?.family === 'IPv4' && !address.internal)
  if (own) expect(await get(`hub.example:${port}`, `Bearer ${token}`, own.address)).toBe(200)
  // Clear text gets nothing.
  await expect(fetch(`http://127.0.0.1:${port}/healthz`)).rejects.toThrow('fetch failed')

  expect((await hub.stop()).code).toBe(0)
  await shop.allGone()
})

test.each(['127.0.0.1', 'localhost', '127.0.0.2', '::1'])(
  'the address it writes down for %s is one it answers on',
  async host => {
    await using shop = new Workshop()
    const hub = await shop.hub(shop.db(), ['--background', `--host=${host}`])
    if (hub.exit?.stderr.includes('EADDRNOTAVAIL')) return // A machine without that address.
    expect(hub.exit).toBeUndefined()
    expect((await shop.servingHub()).pid).toBe(hub.pid)
    expect((await post(hub.state as never, 'hub.status', {})).body['url']).toBe(hub.state?.url)
    expect((await hub.stop()).code).toBe(0)
    await shop.allGone()
  },
)

test('2,500 clients that send nothing, or their headers byte by byte, keep nobody out', async () => {
  await using shop = new Workshop()
  const hub = await shop.hub()
  const state = hub.state as NonNullable<typeof hub.state>
  const port = Number(new URL(state.url).port)
  // More than there are places for callers that are known.
  const CLIENTS = 2500
  let opened = 0
  let open = 0
  const sockets: Socket[] = []
  for (let count = 0; count < CLIENTS; count++) {
    const socket = connect(port, '127.0.0.1', () => {
      opened++
      open++
      if (count % 2) socket.write(`GET /healthz HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nX-Slow: `)
    })
    socket.on('error', () => {})
    socket.on('close', () => open--)
    sockets.push(socket)
  }
  // Not all at the same time: where that many take long to open, the first are closed before the last come.
  await until(() => opened === CLIENTS)
  const dripping = setInterval(() => {
    for (const socket of sockets) if (!socket.destroyed) socket.write('a')
  }, 500)
  expect((await post(state, 'hub.status', {})).status).toBe(200)
  // None of them has shown a token, so none of them may stay.
  await until(() => open === 0)
  clearInterval(dripping)
  expect((await hub.stop()).code).toBe(0)
  await shop.allGone()
})

test('a client that holds its socket open does not hold up the stop, nor the lock', async () => {
  await using shop = new Workshop()
  const hub = await shop.hub()
  const port = Number(new URL(hub.state?.url ?? '').port)
  const sockets = await Promise.all(
    [
      '',
      `GET /healthz HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`,
      `POST /api/task.add HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${hub.state?.token}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{`,
      `GET /bridge HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${hub.state?.token}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n`,
    ].map(
      bytes =>
        new Promise<Socket>(resolve => {
          const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true }, () => {
            socket.write(bytes)
            resolve(socket)
          })
          socket.on('error', () => {})
          socket.resume()
        }),
    ),
  )
  expect((await hub.stop()).code).toBe(0)
  const next = await shop.hub()
  expect(next.exit).toBeUndefined()
  expect((await next.stop()).code).toBe(0)
  for (const socket of sockets) socket.destroy()
  await shop.allGone()
})
