import { once } from 'node:events'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import { type TestHub, testHub } from '#test/hub.ts'
import { until } from '#test/until.ts'

const PING_MS = 10_000

beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }))
afterEach(() => void vi.useRealTimers())

/** A client that says on its own what it says; `pings` is how often it was asked. */
async function silent(hub: TestHub, autoPong: boolean) {
  const headers = { authorization: `Bearer ${hub.token}` }
  const socket = new WebSocket(`${hub.url.replace('http', 'ws')}/bridge`, { headers, autoPong })
  const seen = { socket, pings: 0, closed: false }
  socket.on('error', () => {})
  socket.on('ping', () => void (seen.pings += 1))
  socket.on('close', () => void (seen.closed = true))
  await once(socket, 'open')
  return seen
}

test('who says nothing at all is cut off; who sends calls is not, even if the answer to the ping stands behind them', async () => {
  await using hub = await testHub()
  const [dead, busy] = [await silent(hub, false), await silent(hub, false)]
  for (let round = 1; round <= 3; round++) {
    vi.advanceTimersByTime(PING_MS)
    await until(() => busy.pings === round)
    busy.socket.send('{"jsonrpc":"2.0","id":1,"method":"ping"}')
    await once(busy.socket, 'message')
  }
  await until(() => dead.closed)
  expect(busy.closed).toBe(false)
  busy.socket.terminate()
})

test('a hub that was held up itself reads the answer before it judges', async () => {
  await using hub = await testHub()
  const client = await silent(hub, true)
  vi.advanceTimersByTime(PING_MS)
  await once(client.socket, 'ping')
  // The answer is on its way, and the next round is due before it was read.
  const due = new Promise<void>(resolve => {
    setTimeout(() => {
      vi.advanceTimersByTime(PING_MS)
      resolve()
    }, 1)
  })
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20)
  await due
  await until(() => client.pings === 2 || client.closed)
  expect(client.closed).toBe(false)
  client.socket.terminate()
})
