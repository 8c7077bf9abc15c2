import { once } from 'node:events'
import { createServer, type Socket, connect } from 'node:net'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { freshPostgres } from '#test/postgres.ts'
import { dial } from './dial.ts'
import { openPostgres } from './postgres.ts'

const LONG_MS = 3_000

test('a server that does not take the call is given up', async () => {
  const [error] = await once(
    dial().on('error', () => {}),
    'error',
  )
  expect(String(error)).toContain('timeout expired')
})

test('a hub that was held up itself for seconds does not say that the server is away', async () => {
  await using fresh = await freshPostgres()
  const database = await openPostgres(fresh.url, [], Date.now)
  const answers = Promise.all(Array.from({ length: 6 }, () => one(database)))
  // All of them are on their way to the server; none can be answered while we do not look.
  await new Promise<void>(resolve => setImmediate(resolve))
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LONG_MS)
  expect(await answers).toEqual([1, 1, 1, 1, 1, 1])
  await database.close()
})

test('a server that takes seconds to let us in is waited for', async () => {
  await using fresh = await freshPostgres()
  await using front = await slowFront(new URL(fresh.url))
  const database = await openPostgres(front.url, [], Date.now)
  expect(await one(database)).toBe(1)
  await database.close()
})

async function one(database: Awaited<ReturnType<typeof openPostgres>>): Promise<number | undefined> {
  return (await sql<{ n: number }>`SELECT 1 AS n`.execute(database.tables())).rows[0]?.n
}

/** Passes everything on, the first bytes of a connection only after a while. */
async function slowFront(server: URL): Promise<AsyncDisposable & { url: string }> {
  const sockets = new Set<Socket>()
  const front = createServer(socket => {
    const upstream = connect(Number(server.port), server.hostname)
    for (const end of [socket, upstream]) sockets.add(end.on('error', () => {}))
    setTimeout(() => socket.pipe(upstream).pipe(socket), LONG_MS)
  }).listen(0, '127.0.0.1')
  await once(front, 'listening')
  const url = new URL(server)
  url.port = String((front.address() as { port: number }).port)
  const dispose = async () => {
    for (const socket of sockets) socket.destroy()
    front.close()
    await once(front, 'close')
  }
  return { url: url.href, [Symbol.asyncDispose]: dispose }
}
