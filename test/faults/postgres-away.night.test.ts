import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { openPostgres } from '#kernel/db/postgres.ts'
import { type HubChild, post, until, Workshop } from '../processes.ts'
import { freshPostgres, type PostgresDatabase, type PostgresServer, startPostgres } from '../postgres.ts'

let server: PostgresServer
let database: PostgresDatabase
let shop: Workshop
let hub: HubChild

beforeAll(async () => {
  server = await startPostgres()
  database = await freshPostgres(server.url)
  shop = new Workshop()
  hub = await shop.hub(database.url)
  if (!hub.state) throw new Error(hub.exit?.stderr)
  await post(hub.state, 'project.add', { id: 'prj', name: 'prj' })
})

afterAll(async () => {
  expect(await hub.stop()).toMatchObject({ code: 0, stderr: '' })
  await shop.allGone()
  await shop[Symbol.asyncDispose]()
  await database.drop()
  await server.stop()
})

/** Adds tasks until it is stopped; each is asked for with its own key until it is acknowledged. */
class Load {
  readonly acked: string[] = []
  readonly codes = new Set<string>()
  #stop = false
  readonly #running: Promise<void>[]
  readonly #name: string

  constructor(name: string) {
    this.#name = name
    this.#running = [0, 1, 2].map(worker => this.#work(worker))
  }

  async stop(): Promise<void> {
    this.#stop = true
    await Promise.all(this.#running)
  }

  async #work(worker: number): Promise<void> {
    for (let count = 0; !this.#stop; count++) {
      const title = `${this.#name} ${worker} ${count}`
      await until(async () => {
        const { status, body } = await post(hub.state as never, 'task.add', { project_id: 'prj', title }, title)
        if (status === 200) return true
        const { code, retryable } = body['error'] as { code: string; retryable: boolean }
        this.codes.add(`${status} ${code} ${retryable}`)
        return false
      })
      this.acked.push(title)
    }
  }
}

async function expectAll(load: Load): Promise<void> {
  const rows = await query('select title from tasks')
  const titles = rows.map(row => String(row['title']))
  const stored = new Set(titles)
  expect(load.acked.filter(title => !stored.has(title))).toEqual([])
  expect(titles.length).toBe(stored.size)
  const events = await query("select count(*)::int as n from events where type = 'task.added'")
  expect(events[0]?.['n']).toBe(titles.length)
}

test('the server crashes three times under load: the hub stays, says so, and loses nothing', async () => {
  const load = new Load('crash')
  const events = await follow()
  for (let round = 0; round < 3; round++) {
    const count = load.acked.length
    await until(() => load.acked.length > count + 10)
    const seen = events.length
    await server.crash()
    await server.revive()
    await until(() => load.acked.length > count + 20)
    // The reader of events is cut off or not; either way a new one misses nothing, see below.
    expect(events.length).toBeGreaterThanOrEqual(seen)
  }
  await load.stop()
  expect([...load.codes]).toEqual(['503 DB_UNAVAILABLE true'])
  await expectAll(load)
  expect(hub.exit).toBeUndefined()
  expect((await shop.servingHub(database.url)).pid).toBe(hub.pid)
})

test('connections that the server ends are made anew, and events wake their readers again', async () => {
  const load = new Load('terminated')
  for (let round = 0; round < 5; round++) {
    const count = load.acked.length
    await until(() => load.acked.length > count + 10)
    // The writer, the listener and the readers.
    await query("select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'toryo'")
  }
  await load.stop()
  for (const code of load.codes) expect(code).toBe('503 DB_UNAVAILABLE true')
  await expectAll(load)

  const events = await follow()
  // Not by polling alone: the listener is back, as another hub's commits show.
  await until(async () => {
    const rows = await query("select 1 from pg_stat_activity where application_name = 'toryo' and query like 'LISTEN%'")
    return rows.length > 0
  })
  const title = 'woken'
  expect((await post(hub.state as never, 'task.add', { project_id: 'prj', title })).status).toBe(200)
  await until(() => events.some(event => event.includes('task.added')))
})

test('while it is away reads and writes are told so at once, and a call of an agent too', async () => {
  const bridge = shop.bridge(database.url)
  await bridge.initialize()
  expect((await bridge.call('list_projects')).ok).toBe(true)
  await server.crash()
  for (const operation of ['project.list', 'project.add']) {
    const { status, body } = await post(hub.state as never, operation, { name: 'while away' })
    expect({ operation, status, body }).toMatchObject({
      operation,
      status: 503,
      body: { error: { code: 'DB_UNAVAILABLE', retryable: true } },
    })
  }
  expect((await bridge.call('list_projects')).body).toMatchObject({ success: false, code: 'DB_UNAVAILABLE' })
  await server.revive()
  await until(async () => (await bridge.call('list_projects')).ok)
  expect((await bridge.close()).code).toBe(0)
  const names = await query('select name from projects')
  expect(names).toEqual([{ name: 'prj' }])
})

test.each([
  ['the pool has no connection left', { message: 'timeout exceeded when trying to connect' }],
  ['the server has none left', { code: '53300', message: 'sorry, too many clients already' }],
  ['it starts up', { code: '57P03', message: 'the database system is starting up' }],
  ['a statement took too long', { code: '57014', message: 'canceling statement due to statement timeout' }],
  ['nobody answers', { message: 'Query read timeout' }],
])('%s: unavailable, not broken', async (_name, error) => {
  await using fresh = await freshPostgres(server.url)
  const opened = await openPostgres(fresh.url, [], Date.now)
  expect(opened.translate(Object.assign(new Error(error.message), error))).toMatchObject({
    code: 'DB_UNAVAILABLE',
    retryable: true,
  })
  await opened.close()
})

test('a hub that is told to stop while the database is away stops', async () => {
  const second = await freshPostgres(server.url)
  const other = await shop.hub(second.url)
  expect(other.exit).toBeUndefined()
  await server.crash()
  expect((await other.stop()).code).toBe(0)
  const refused = await shop.refusal(second.url)
  expect(refused.code).toBe(1)
  expect(refused.stderr).toMatch(/^toryo: PostgreSQL does not answer at 127\.0\.0\.1:\d+\. Start it there/)
  await server.revive()
  await second.drop()
})

/** What `/events` carries from now on. */
async function follow(): Promise<string[]> {
  const received: string[] = []
  const { url, token } = hub.state as NonNullable<typeof hub.state>
  const socket = new WebSocket(`${url.replace('http', 'ws')}/events`, { headers: { authorization: `Bearer ${token}` } })
  socket.on('message', (data: Buffer) => received.push(data.toString('utf8')))
  socket.on('error', () => {})
  await new Promise(resolve => socket.once('open', resolve))
  return received
}

async function query(statement: string): Promise<Record<string, unknown>[]> {
  return until(async () => {
    const client = new pg.Client({ connectionString: database.url })
    client.on('error', () => {})
    try {
      await client.connect()
      return (await client.query(statement)).rows as Record<string, unknown>[]
    } catch {
      return undefined // Not back yet.
    } finally {
      await client.end().catch(() => {})
    }
  })
}
