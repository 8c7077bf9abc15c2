import { randomBytes } from 'node:crypto'
import { existsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { deflateRawSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { askPass } from '#client/proof.ts'
import { FRAME_BYTES, PASS_HEADER } from '#contract/limits.ts'
import { type HubChild, post, type Rpc, until, Workshop } from '../processes.ts'
import { frame, RawLines, RawSocket } from './raw.ts'

/** How much the hub may grow while it is attacked. What it must not hold is many times as much. */
const GROWTH = 160 * 1024 * 1024

let shop: Workshop
let hub: HubChild
let port: number
let token: string
let socketPath: string

beforeAll(async () => {
  shop = new Workshop()
  hub = await shop.hub()
  if (!hub.state) throw new Error(hub.exit?.stderr)
  token = hub.state.token
  port = Number(new URL(hub.state.url).port)
  socketPath = hub.state.socket ?? ''
})

afterAll(async () => {
  expect((await hub.stop()).code).toBe(0)
  await shop.allGone()
  await shop[Symbol.asyncDispose]()
})

/** Runs an attack while another client keeps calling, and checks that it was answered and the hub stayed small. */
async function under(attack: () => Promise<void>): Promise<void> {
  const before = await memory()
  const done = new AbortController()
  let answered = 0
  let most = 0
  const bystander = (async () => {
    do {
      most = Math.max(most, await memory())
      answered++
    } while (!done.signal.aborted)
  })()
  await attack()
  done.abort()
  await bystander
  expect(answered).toBeGreaterThan(0)
  expect(most - before).toBeLessThan(GROWTH)
  expect(hub.exit).toBeUndefined()
}

async function memory(): Promise<number> {
  const { status, body } = await post({ url: `http://127.0.0.1:${port}`, token }, 'hub.status', {})
  expect(status).toBe(200)
  return Number(body['rss_bytes'])
}

describe('a socket that sends', () => {
  test('200 MB in one frame is closed with 1009 before the hub has taken them in', async () => {
    await under(async () => {
      const raw = await RawSocket.open(port, token)
      raw.socket.write(frame(1, Buffer.alloc(0), { length: 200 * 1024 * 1024 }))
      const chunk = Buffer.alloc(1024 * 1024, 0x20)
      let sent = 0
      while (sent < 200 && raw.closeCode === undefined && !raw.socket.destroyed) {
        sent++
        if (!raw.socket.write(chunk))
          await Promise.race([raw.closed, new Promise(done => raw.socket.once('drain', done))])
      }
      await until(() => raw.closeCode)
      expect(raw.closeCode).toBe(1009)
      raw.socket.destroy()
    })
  })

  test('a message in pieces without end is closed as soon as they are too much', async () => {
    await under(async () => {
      const raw = await RawSocket.open(port, token)
      raw.socket.write(frame(1, Buffer.alloc(10), { fin: false }))
      const piece = frame(0, Buffer.alloc(64 * 1024), { fin: false })
      for (let sent = 0; sent < 3000 && raw.closeCode === undefined; sent++) {
        if (!raw.socket.write(piece))
          await Promise.race([raw.closed, new Promise(done => raw.socket.once('drain', done))])
      }
      await until(() => raw.closeCode)
      expect(raw.closeCode).toBe(1009)
      raw.socket.destroy()
    })
  })

  test('a message in a hundred thousand tiny pieces is closed', async () => {
    await under(async () => {
      const raw = await RawSocket.open(port, token)
      raw.socket.write(frame(1, Buffer.alloc(1), { fin: false }))
      const pieces = Buffer.concat(Array.from({ length: 100_000 }, () => frame(0, Buffer.alloc(1), { fin: false })))
      raw.socket.write(pieces)
      await until(() => raw.closeCode)
      expect([1008, 1009]).toContain(raw.closeCode)
      raw.socket.destroy()
    })
  })

  test('a compressed frame is closed: compression is not spoken here', async () => {
    await under(async () => {
      const raw = await RawSocket.open(port, token)
      const bomb = deflateRawSync(Buffer.alloc(64 * 1024 * 1024))
      expect(bomb.length).toBeLessThan(FRAME_BYTES)
      raw.socket.write(frame(1, bomb, { rsv1: true }))
      await until(() => raw.closeCode)
      expect(raw.closeCode).toBe(1002)
      raw.socket.destroy()
    })
  })

  test('what is not UTF-8 is closed with 1007', async () => {
    const raw = await RawSocket.open(port, token)
    raw.socket.write(frame(1, Buffer.from([0xff, 0xfe, 0x80])))
    await until(() => raw.closeCode)
    expect(raw.closeCode).toBe(1007)
    raw.socket.destroy()
  })

  test('a flood of tiny frames, and never reads, is cut off or answered, and others are served', async () => {
    await under(async () => {
      const raw = await RawSocket.open(port, token)
      raw.socket.pause()
      const flood = Buffer.concat(Array.from({ length: 10_000 }, () => frame(1, Buffer.from('{}'))))
      for (let sent = 0; sent < 20 && !raw.socket.destroyed; sent++) {
        // The hub stops reading when it cannot write, or hangs up: both are right, so is answering everything.
        const taken = new Promise(done => raw.socket.write(flood, done))
        await Promise.race([taken, raw.closed, new Promise(done => setTimeout(done, 500))])
      }
      raw.socket.destroy()
    })
  })

  test('a flood of requests, and never reads, does not fill the hub', async () => {
    await under(async () => {
      const raw = await RawSocket.open(port, token)
      raw.socket.pause()
      raw.socket.write(frame(1, Buffer.from(JSON.stringify(initialize))))
      const calls = (from: number) =>
        Buffer.concat(
          Array.from({ length: 2_000 }, (_, index) =>
            frame(
              1,
              Buffer.from(JSON.stringify({ jsonrpc: '2.0', id: from + index, method: 'tools/list', params: {} })),
            ),
          ),
        )
      for (let round = 0; round < 10; round++) {
        const taken = new Promise(done => raw.socket.write(calls(2 + round * 2_000), done))
        await Promise.race([taken, raw.closed, new Promise(done => setTimeout(done, 500))])
      }
      raw.socket.destroy()
    })
  })
})

const doors = ['port', 'socket'] as const

describe.each(doors)('lines at the %s', door => {
  const at = () => (door === 'port' ? port : socketPath)
  const host = () => `Host: 127.0.0.1:${port}`
  const open = async () => {
    const pass = door === 'port' ? undefined : await askPass({ url: `http://127.0.0.1:${port}` }, token, 60_000)
    const more = pass === undefined ? [] : [`${PASS_HEADER}: ${pass}`]
    return RawLines.open(at(), [host(), `Authorization: Bearer ${token}`, ...more])
  }

  test('are for those with a token and no others, and Host and Origin are looked at all the same', async () => {
    await expect(RawLines.open(at(), [host()])).rejects.toThrow(' 401 ')
    await expect(RawLines.open(at(), [host(), `Authorization: Bearer ${token}x`])).rejects.toThrow(' 401 ')
    const good = `Authorization: Bearer ${token}`
    await expect(RawLines.open(at(), ['Host: evil.example', good])).rejects.toThrow(' 403 ')
    await expect(RawLines.open(at(), [host(), good, 'Origin: http://evil.example'])).rejects.toThrow(' 403 ')
  })

  test('one without end is closed with 1009 as soon as it is too much', async () => {
    await under(async () => {
      const raw = await open()
      const chunk = Buffer.alloc(1024 * 1024, 0x20)
      for (let sent = 0; sent < 200 && raw.closeCode === undefined && !raw.socket.destroyed; sent++)
        if (!raw.socket.write(chunk))
          await Promise.race([raw.closed, new Promise(done => raw.socket.once('drain', done))])
      await until(() => raw.closeCode)
      expect(raw.closeCode).toBe(1009)
      raw.socket.destroy()
    })
  })

  test('what is not UTF-8 is closed with 1007', async () => {
    const raw = await open()
    raw.socket.write(Buffer.from([0x31, 0x20, 0xff, 0xfe, 0x80, 0x0a]))
    await until(() => raw.closeCode)
    expect(raw.closeCode).toBe(1007)
    raw.socket.destroy()
  })

  test('a flood of tiny ones from somebody who never reads is cut off or answered, and others are served', async () => {
    await under(async () => {
      const raw = await open()
      raw.socket.pause()
      const flood = Buffer.from('1 {}\n'.repeat(10_000))
      for (let sent = 0; sent < 20 && !raw.socket.destroyed; sent++) {
        const taken = new Promise(done => raw.socket.write(flood, done))
        await Promise.race([taken, raw.closed, new Promise(done => setTimeout(done, 500))])
      }
      raw.socket.destroy()
    })
  })

  test('what is no JSON-RPC is answered with an error and ends nothing, wherever the bytes are cut', async () => {
    const raw = await open()
    let number = 0
    const answers = () => raw.lines.filter(line => line.startsWith('{')).map(line => JSON.parse(line) as Rpc)
    for (const [name, text, code, id] of malformed) {
      const count = answers().length
      const bytes = Buffer.from(`${++number} ${text}\n`)
      const middle = Math.floor(bytes.length / 2)
      raw.socket.write(bytes.subarray(0, middle))
      await new Promise(resolve => setImmediate(resolve))
      raw.socket.write(bytes.subarray(middle))
      await until(() => answers().length > count)
      const answer = answers()[count]
      expect({ name, code: answer?.error?.code }).toEqual({ name, code })
      if (text.length <= FRAME_BYTES) expect({ name, id: answer?.id }).toEqual({ name, id })
    }
    raw.socket.write(`?\n${++number} ${JSON.stringify(initialize)}\n`)
    await until(() => answers().find(message => message.id === 1))
    expect(raw.lines).toContain('!')
    raw.socket.end()
    await raw.closed
  })
})

test('the socket is for its owner alone, and gone with the hub', async () => {
  const other = new Workshop()
  const child = await other.hub()
  const path = child.state?.socket ?? ''
  expect(statSync(dirname(path)).mode & 0o077).toBe(0)
  expect(statSync(path).isSocket()).toBe(true)
  expect((await child.stop()).code).toBe(0)
  expect(existsSync(path)).toBe(false)
  await other[Symbol.asyncDispose]()
})

const initialize = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'x', version: '1' } },
}

const deep = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`
const call = (args: string) =>
  `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"list_tasks","arguments":${args}}}`
const wide = `{${Array.from({ length: 100_000 }, (_, index) => `"k${index}":1`).join(',')}}`
const long = (bytes: number) => call(`{"x":"${'a'.repeat(bytes)}"}`)

/** What is sent, the code it must get, and whether the id is readable. */
const malformed: [name: string, text: string, code: number, id: 7 | null][] = [
  ['nothing', ' ', -32700, null],
  ['no JSON', '{"jsonrpc"', -32700, null],
  ['a word', 'hello', -32700, null],
  ['a number', '42', -32600, null],
  ['null', 'null', -32600, null],
  ['a batch', `[${call('{}')}]`, -32600, null],
  ['an empty batch', '[]', -32600, null],
  ['an empty object', '{}', -32600, null],
  ['another protocol', '{"jsonrpc":"1.0","id":7,"method":"ping"}', -32600, 7],
  ['no protocol', '{"id":7,"method":"ping"}', -32600, 7],
  ['a method that is no name', '{"jsonrpc":"2.0","id":7,"method":5}', -32600, 7],
  ['no method', '{"jsonrpc":"2.0","id":7}', -32600, 7],
  ['an id that is an object', '{"jsonrpc":"2.0","id":{},"method":"ping"}', -32600, null],
  ['an id that is null', '{"jsonrpc":"2.0","id":null,"method":"ping"}', -32600, null],
  ['an id that is a fraction', '{"jsonrpc":"2.0","id":1.5,"method":"ping"}', -32600, null],
  ['an id beyond whole numbers', '{"jsonrpc":"2.0","id":1e300,"method":"ping"}', -32600, null],
  ['an answer without an id', '{"jsonrpc":"2.0","result":{}}', -32600, null],
  ['params that are a list', '{"jsonrpc":"2.0","id":7,"method":"ping","params":[1]}', -32600, 7],
  ['params that are null', '{"jsonrpc":"2.0","id":7,"method":"ping","params":null}', -32600, 7],
  ['JSON a little too deep', call(`{"x":${deep(65)}}`), -32600, 7],
  ['JSON far too deep', call(`{"x":${deep(400_000)}}`), -32600, 7],
  ['a hundred thousand keys', call(wide.slice(0, 1_000_000).replace(/,[^,]*$/, '}')), -32600, 7],
  ['more bytes than the limit', long(FRAME_BYTES), -32600, 7],
  ['three times the limit', long(3 * FRAME_BYTES), -32600, 7],
]

describe('what is no JSON-RPC is answered with an error and ends nothing', () => {
  test.each(['toryo-relay.2', ''])('on a WebSocket (%s)', async protocol => {
    const socket = new WebSocket(`ws://127.0.0.1:${port}/bridge`, protocol ? [protocol] : [], {
      headers: { authorization: `Bearer ${token}` },
    })
    const received: Rpc[] = []
    socket.on('message', (data: Buffer) => received.push(JSON.parse(data.toString('utf8')) as Rpc))
    await new Promise(resolve => socket.once('open', resolve))
    let number = 0
    for (const [name, text, code, id] of malformed) {
      const count = received.length
      socket.send(protocol ? `${++number} ${text}` : text)
      await until(() => received.length > count)
      const answer = received[count]
      expect({ name, code: answer?.error?.code }).toEqual({ name, code })
      // Beyond the limit it is not parsed just to find its id.
      if (text.length <= FRAME_BYTES) expect({ name, id: answer?.id }).toEqual({ name, id })
    }
    const count = received.length
    socket.send(Buffer.from('{"jsonrpc":"2.0","id":7,"method":"ping"}'))
    await until(() => received.length > count)
    expect(received[count]?.error?.code).toBe(-32600)
    // It is still the same connection.
    socket.send(`${protocol ? `${++number} ` : ''}${JSON.stringify(initialize)}`)
    await until(() => received.find(message => message.id === 1))
    socket.terminate()
  })

  test('over HTTP', async () => {
    for (const [name, text, code, id] of malformed) {
      const response = await fetch(`http://127.0.0.1:${port}/mcp`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${token}`,
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
        },
        body: text,
      })
      const answer = (await response.json()) as Rpc
      expect({ name, code: answer.error?.code }).toEqual({ name, code })
      expect([400, 413]).toContain(response.status)
      if (text.length <= FRAME_BYTES) expect({ name, id: answer.id }).toEqual({ name, id })
    }
  })

  test('on the stdin of a bridge', async () => {
    const bridge = shop.bridge()
    await bridge.initialize()
    for (const [name, text, code, id] of malformed) {
      if (text.trim() === '') continue // A blank line is none.
      const count = bridge.messages.length
      bridge.write(text)
      await until(() => bridge.messages.length > count)
      const answer = bridge.messages[count]
      expect({ name, code: answer?.error?.code }).toEqual({ name, code })
      expect({ name, id: answer?.id }).toEqual({ name, id })
    }
    bridge.child.stdin?.write(Buffer.from([0xff, 0xfe, 0x0a]))
    await until(() => bridge.messages.at(-1)?.error?.code === -32700)
    expect((await bridge.call('health_check')).ok).toBe(true)
    expect(bridge.noise).toEqual([])
    // Never a loop of reconnections: the hub has seen one connection of it.
    await until(async () => (await connections()) === 1)
    expect((await bridge.close()).code).toBe(0)
  })

  test('on the API', async () => {
    const bodies: [string, number][] = [
      ['{"a"', 400],
      ['[]', 400],
      ['5', 400],
      [deep(400_000), 400],
      [wide.slice(0, 1_000_000).replace(/,[^,]*$/, '}'), 400],
      [JSON.stringify({ name: 'x\0y' }), 400],
      ['{"name":"\\ud800"}', 400],
      [JSON.stringify({ name: 'a'.repeat(FRAME_BYTES) }), 413],
    ]
    for (const [body, status] of bodies) {
      const response = await fetch(`http://127.0.0.1:${port}/api/project.add`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body,
      })
      expect({ body: body.slice(0, 40), status: response.status }).toEqual({ body: body.slice(0, 40), status })
      expect(await response.json()).toMatchObject({ error: { code: 'INVALID_ARGUMENT', retryable: false } })
    }
  })

  test('a body of 200 MB is refused without being taken in', async () => {
    await under(async () => {
      const chunk = randomBytes(1024 * 1024)
      let sent = 0
      const body = new ReadableStream<Uint8Array>({
        pull(controller) {
          if (++sent > 200) controller.close()
          else controller.enqueue(new Uint8Array(chunk))
        },
      })
      const sending = fetch(`http://127.0.0.1:${port}/mcp`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body,
        duplex: 'half',
      })
      // Answered, or cut off in the middle of sending: some clients then see only the cut.
      const status = await sending.then(
        response => response.status,
        () => 413,
      )
      expect(status).toBe(413)
      expect(sent).toBeLessThan(200)
    })
  })
})

async function connections(): Promise<number> {
  const { body } = await post({ url: `http://127.0.0.1:${port}`, token }, 'hub.status', {})
  return Number(body['connections'])
}
