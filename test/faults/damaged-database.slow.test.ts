import { createHash } from 'node:crypto'
import { copyFileSync, readdirSync, readFileSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Sqlite } from '#kernel/db/sqlite-port.ts'
import { post, Workshop } from '../processes.ts'

let nursery: Workshop
/** A database with some pages, closed cleanly, and one as a killed hub leaves it. */
let clean: string
let killed: string

beforeAll(async () => {
  nursery = new Workshop()
  clean = await grow('clean.db', 'stop')
  killed = await grow('killed.db', 'kill')
  expect(readdirSync(nursery.home)).toContain('killed.db-wal')
})

afterAll(() => nursery[Symbol.asyncDispose]())

async function grow(name: string, end: 'stop' | 'kill'): Promise<string> {
  const hub = await nursery.hub(nursery.db(name))
  const description = '棟梁 '.repeat(2000)
  await post(hub.state as never, 'project.add', { id: 'prj', name: 'prj' })
  for (let index = 0; index < 40; index++)
    await post(hub.state as never, 'task.add', { project_id: 'prj', title: `t${index}`, description })
  await hub[end]()
  return nursery.db(name)
}

/** Puts a copy of a database, with its log if it has one, where the hub will look. */
function plant(shop: Workshop, from: string): string {
  for (const suffix of ['', '-wal'])
    if (readdirSync(path.dirname(from)).includes(`${path.basename(from)}${suffix}`))
      copyFileSync(`${from}${suffix}`, `${shop.db()}${suffix}`)
  return shop.db()
}

const corruptions: [name: string, prepare: (shop: Workshop) => void, sentence: RegExp][] = [
  [
    'a page overwritten',
    shop => overwrite(plant(shop, clean), 4096 * 7, Buffer.alloc(4096, 0xa5)),
    /is damaged .*nothing was changed.*toryo restore/,
  ],
  // SQLite reads all of it without an error; only the look before the start finds it.
  [
    'a row that its table does not allow',
    shop => {
      const file = plant(shop, clean)
      const text = readFileSync(file, 'latin1')
      // As long as before: what may be empty is not the same.
      const [from, to] = ['"directory" text, "active" integer not null', '"directory" text not null, "active" integer']
      expect(text).toContain(from)
      writeFileSync(file, text.replace(from, to), 'latin1')
    },
    /is damaged \(NULL value in projects\.directory\)/,
  ],
  [
    'a page overwritten, with the log of a killed hub beside it',
    shop => overwrite(plant(shop, killed), 4096 * 2, Buffer.alloc(4096 * 40, 0xa5)),
    /is damaged/,
  ],
  [
    'the page of the schema overwritten',
    shop => overwrite(plant(shop, clean), 100, Buffer.alloc(3996, 0x5a)),
    /is damaged/,
  ],
  ['cut in half', shop => truncateSync(plant(shop, clean), 4096 * 20), /is damaged/],
  ['cut inside its first page', shop => truncateSync(plant(shop, clean), 1000), /is damaged/],
  ['cut inside its header', shop => truncateSync(plant(shop, clean), 50), /(is damaged|another program|not an SQLite)/],
  ['a text file', shop => writeFileSync(shop.db(), 'my shopping list\n'.repeat(100)), /is not an SQLite database/],
  ['zeros', shop => writeFileSync(shop.db(), Buffer.alloc(8192)), /is not an SQLite database/],
  ['an empty file', shop => writeFileSync(shop.db(), ''), /is empty \(0 bytes\)/],
  ["another program's database", shop => foreign(shop.db()), /belongs to another program/],
  [
    'a newer version number',
    shop => edit(plant(shop, clean), 'PRAGMA user_version = 9999'),
    /written by a newer Toryo; update this program/,
  ],
  [
    'a migration that nobody here knows',
    shop => edit(plant(shop, clean), "INSERT INTO migrations VALUES ('future.1', 999, 0)"),
    /written by a newer Toryo \(which made future\.1\)/,
  ],
  [
    'missing, with its log left',
    shop => {
      plant(shop, killed)
      rmSync(shop.db())
    },
    /is missing but its write-ahead log .* is still there/,
  ],
]

describe('a database that cannot be trusted is refused and keeps every byte', () => {
  test.each(corruptions)('%s', async (_name, prepare, sentence) => {
    await using shop = new Workshop()
    prepare(shop)
    const before = fingerprints(shop)
    const { code, stderr, stdout } = await shop.refusal(shop.db())
    expect(stderr).toMatch(/^toryo: [^\n]+\n$/)
    expect(stderr).toMatch(sentence)
    expect(stderr).toContain(shop.db())
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    const after = fingerprints(shop)
    for (const [name, hash] of Object.entries(before)) expect({ name, hash: after[name] }).toEqual({ name, hash })
    // Beside it only the lock has come.
    const fresh = Object.keys(after).filter(name => !(name in before))
    expect(fresh.filter(name => !/\.lock(-journal)?$/.test(name))).toEqual([])

    await shop.allGone()
  })

  test('and a client that would start the hub is told the same, and does not try for ever', async () => {
    await using shop = new Workshop()
    writeFileSync(shop.db(), 'my shopping list\n'.repeat(100))
    const before = fingerprints(shop)
    const bridge = shop.bridge()
    const answer = await bridge.initialize()
    expect(answer.error?.message).toMatch(/is not an SQLite database/)
    await bridge.close()
    expect(fingerprints(shop)).toMatchObject(before)
    await shop.allGone()
  })
})

test('what a killed hub leaves is opened again, whole', async () => {
  await using shop = new Workshop()
  plant(shop, killed)
  const hub = await shop.hub()
  const { body } = await post(hub.state as never, 'task.list', { project_id: 'prj', limit: 100 })
  expect(body['tasks']).toHaveLength(40)
  await hub.stop()
  await shop.allGone()
})

test('a database that was moved away, as the advice says, leaves room for a new one', async () => {
  await using shop = new Workshop()
  plant(shop, clean)
  overwrite(shop.db(), 4096 * 7, Buffer.alloc(4096, 0xa5))
  expect((await shop.refusal(shop.db())).code).toBe(1)
  renameSync(shop.db(), path.join(shop.home, 'damaged.db'))
  // What a hub that ended cleanly may leave beside it.
  writeFileSync(`${shop.db()}-wal`, '')
  const hub = await shop.hub()
  expect(hub.exit).toBeUndefined()
  await hub.stop()
  await shop.allGone()
})

test('a hub killed while it made its database finds nothing in the way', async () => {
  await using shop = new Workshop()
  for (const name of ['.new', '.new-wal', '.whole', '.hub.json.0123456789abcdef.tmp'])
    writeFileSync(`${shop.db()}${name}`, 'half')
  const hub = await shop.hub()
  expect(hub.exit).toBeUndefined()
  await hub.stop()
  // The workshop itself looks for drafts that were left.
  await shop.allGone()
})

test('a backup made under load opens, is whole, and holds what was acknowledged before it', async () => {
  await using shop = new Workshop()
  const hub = await shop.hub()
  const state = hub.state as NonNullable<typeof hub.state>
  await post(state, 'project.add', { id: 'prj', name: 'prj' })
  const stop = new AbortController()
  let acked = 0
  const load = Array.from({ length: 4 }, async (_, index) => {
    for (let count = 0; !stop.signal.aborted; count++) {
      expect((await post(state, 'task.add', { project_id: 'prj', title: `${index} ${count}` })).status).toBe(200)
      acked++
    }
  })
  for (let round = 0; round < 5; round++) {
    const file = path.join(shop.home, `backup-${round}.db`)
    const atLeast = acked
    expect((await post(state, 'hub.backup', { file })).status).toBe(200)
    const copy = new Sqlite(file, { readOnly: true })
    expect(copy.all('PRAGMA integrity_check')).toEqual([{ integrity_check: 'ok' }])
    const tasks = Number(copy.get('SELECT count(*) AS n FROM tasks')?.['n'])
    expect(tasks).toBeGreaterThanOrEqual(atLeast)
    // Each task with its event: no transaction is cut in two.
    expect(copy.get("SELECT count(*) AS n FROM events WHERE type = 'task.added'")).toEqual({ n: tasks })
    copy.close()
  }
  stop.abort()
  await Promise.all(load)
  // An existing file is never overwritten, and a place that cannot be written leaves nothing half done.
  const taken = await post(state, 'hub.backup', { file: path.join(shop.home, 'backup-0.db') })
  expect(taken.status).toBe(400)
  expect((await post(state, 'hub.backup', { file: 'relative.db' })).status).toBe(400)
  expect(
    (await post(state, 'hub.backup', { file: path.join(shop.home, 'none', 'x.db') })).status,
  ).toBeGreaterThanOrEqual(400)
  await hub.stop()

  // Restored, it is a database like any other.
  for (const suffix of ['-wal', '-shm']) rmSync(`${shop.db()}${suffix}`, { force: true })
  renameSync(path.join(shop.home, 'backup-4.db'), shop.db())
  const again = await shop.hub()
  expect(again.exit).toBeUndefined()
  expect((await post(again.state as never, 'task.add', { project_id: 'prj', title: 'after' })).status).toBe(200)
  await again.stop()
  await shop.allGone()
})

function overwrite(file: string, at: number, bytes: Buffer): void {
  const content = readFileSync(file)
  bytes.copy(content, at)
  writeFileSync(file, content)
}

function edit(file: string, sql: string): void {
  const db = new Sqlite(file)
  db.exec(`PRAGMA journal_mode = DELETE; ${sql}; PRAGMA journal_mode = WAL`)
  db.close()
  for (const suffix of ['-wal', '-shm']) rmSync(`${file}${suffix}`, { force: true })
}

function foreign(file: string): void {
  const db = new Sqlite(file)
  db.exec('CREATE TABLE bookmarks (url TEXT); INSERT INTO bookmarks VALUES (1)')
  db.close()
}

function fingerprints(shop: Workshop): Record<string, string> {
  const entries = readdirSync(shop.home, { withFileTypes: true }).filter(entry => entry.isFile())
  return Object.fromEntries(
    entries.map(({ name }) => {
      const hash = createHash('sha256')
        .update(readFileSync(path.join(shop.home, name)))
        .digest('hex')
      return [name, hash]
    }),
  )
}
