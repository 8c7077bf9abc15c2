import { execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { migrations } from '#hub/schema.ts'
import { openSqlite } from '#kernel/db/sqlite.ts'
import { Sqlite } from '#kernel/db/sqlite-port.ts'
import { ended, HubChild, post, until, Workshop } from '../processes.ts'

const isRoot = process.getuid?.() === 0

/** A small disk of its own where we may mount one, else a limit on the database's pages. */
class SmallDisk implements Disposable {
  readonly folder: string
  readonly #ballast: string
  readonly mounted: boolean

  constructor(folder: string) {
    this.folder = folder
    this.#ballast = path.join(folder, 'ballast')
    mkdirSync(folder, { mode: 0o700 })
    this.mounted = isRoot && mount(folder)
  }

  fill(): void {
    const chunk = Buffer.alloc(4096)
    for (;;) {
      try {
        writeFileSync(this.#ballast, chunk, { flag: 'a' })
      } catch {
        return // It is full now.
      }
    }
  }

  free(): void {
    rmSync(this.#ballast, { force: true })
  }

  [Symbol.dispose](): void {
    if (this.mounted) execFileSync('umount', ['-l', this.folder])
  }
}

function mount(folder: string): boolean {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=4m,mode=0700', 'tmpfs', folder], { stdio: 'pipe' })
    return true
  } catch {
    return false
  }
}

test('on a full disk writes say so, reads go on, and when there is room again so do the writes', async context => {
  await using shop = new Workshop()
  using disk = new SmallDisk(path.join(shop.home, 'disk'))
  if (!disk.mounted) {
    console.warn('NOT TESTED HERE: a full disk needs the right to mount one (root)')
    context.skip()
  }
  const db = path.join(disk.folder, 'toryo.db')
  const hub = await shop.hub(db)
  const state = hub.state as NonNullable<typeof hub.state>
  const bridge = shop.bridge(db)
  await bridge.initialize()
  await post(state, 'project.add', { id: 'prj', name: 'prj' })
  let acked = 0
  const add = async () => {
    const title = `t${acked}`
    const { status, body } = await post(state, 'task.add', {
      project_id: 'prj',
      title,
      description: 'x'.repeat(20_000),
    })
    if (status === 200) acked++
    return { status, error: body['error'] }
  }
  for (let round = 0; round < 3; round++) {
    disk.fill()
    const refused = await until(async () => {
      // Several at once share one commit, and one fate.
      const answers = await Promise.all(Array.from({ length: 5 }, add))
      return answers.find(({ status }) => status !== 200)
    })
    expect(refused).toMatchObject({ status: 503, error: { code: 'STORAGE_FULL', retryable: true } })
    expect((await bridge.call('save_context', { task_id: 'none', progress: 'x' })).ok).toBe(false)
    // Reads do not care.
    expect((await post(state, 'task.list', { project_id: 'prj', limit: 1 })).status).toBe(200)
    expect((await bridge.call('list_projects')).ok).toBe(true)
    expect((await post(state, 'hub.backup', { file: path.join(disk.folder, `b${round}.db`) })).status).toBe(503)
    expect(existsSync(path.join(disk.folder, `b${round}.db`))).toBe(false)
    disk.free()
    await until(async () => (await add()).status === 200)
  }
  expect(hub.exit).toBeUndefined()
  expect((await bridge.close()).code).toBe(0)
  expect((await hub.stop()).code).toBe(0)
  const file = new Sqlite(db, { readOnly: true })
  expect(file.all('PRAGMA integrity_check')).toEqual([{ integrity_check: 'ok' }])
  expect(file.get('SELECT count(*) AS n FROM tasks')).toEqual({ n: acked })
  expect(file.get("SELECT count(*) AS n FROM events WHERE type = 'task.added'")).toEqual({ n: acked })
  file.close()
  await shop.allGone()
})

/** The database's own limit has the same code, and needs no rights. */
test('a database that may not grow says the same, and holds exactly what was acknowledged', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'toryo-pages-'))
  const database = await openSqlite(path.join(folder, 'x.db'), migrations, Date.now)
  const run = (statement: string) => database.tx(tx => sql.raw<{ n: number }>(statement).execute(tx.tables()))
  const insert = () =>
    run(`INSERT INTO events (at, type, caller, payload, touches) VALUES (1, 't', 'c', '${'x'.repeat(3000)}', '')`)
  try {
    const { rows } = await sql.raw<{ page_count: number }>('PRAGMA page_count').execute(database.tables())
    await run(`PRAGMA max_page_count = ${Number(rows[0]?.page_count) + 12}`)
    let acked = 0
    for (;;) {
      // Several at once share one commit, and one fate.
      const results = await Promise.allSettled([insert(), insert(), insert()])
      const lost = results.find(result => result.status === 'rejected')
      acked += results.filter(result => result.status === 'fulfilled').length
      if (!lost) continue
      expect(lost.reason).toMatchObject({ code: 'STORAGE_FULL', retryable: true })
      break
    }
    expect(acked).toBeGreaterThan(0)
    const count = sql.raw<{ n: number }>('SELECT count(*) AS n FROM events')
    expect((await count.execute(database.tables())).rows).toEqual([{ n: acked }])
    await run('PRAGMA max_page_count = 1000000')
    await insert()
    expect((await count.execute(database.tables())).rows).toEqual([{ n: acked + 1 }])
  } finally {
    await database.close()
    rmSync(folder, { recursive: true, force: true })
  }
})

const STRACE = '/usr/bin/strace'

describe('a system call that fails in the middle of a write', () => {
  const faults = ['error=ENOSPC', 'error=EIO', 'signal=SIGKILL']
  const points = ['pwrite64', 'fsync,fdatasync'].flatMap(call =>
    faults.map((fault, index) => ({ call, fault, when: 3 + 4 * index })),
  )

  if (!existsSync(STRACE)) console.warn('NOT TESTED HERE: failing system calls need strace')

  // Only strace can make one chosen system call fail; the full disk and the size limit above need nothing.
  test.skipIf(!existsSync(STRACE)).each(points)('$fault at number $when of $call', async ({ call, fault, when }) => {
    await using shop = new Workshop()
    const hub = await shop.hub()
    const state = hub.state as NonNullable<typeof hub.state>
    await post(state, 'project.add', { id: 'prj', name: 'prj' })
    const trace = path.join(shop.home, 'trace.txt')
    const inject = `inject=${call}:${fault}:when=${fault.startsWith('signal') ? when : `${when}..${when + 2}`}`
    const tracer = spawn(STRACE, ['-f', '-p', String(hub.pid), '-o', trace, '-e', `trace=${call}`, '-e', inject], {
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const traced = ended(tracer)
    let said = ''
    tracer.stderr.on('data', text => (said += text))
    await until(() => said.includes('attached') || tracer.exitCode !== null)

    const acked: string[] = []
    const codes = new Set<unknown>()
    for (let count = 0; count < 30; count++) {
      const title = `t${count}`
      try {
        const { status, body } = await post(state, 'task.add', { project_id: 'prj', title })
        if (status === 200) acked.push(title)
        else codes.add((body['error'] as { code: string }).code)
      } catch {
        break // Killed.
      }
    }
    expect(readFileSync(trace, 'utf8')).toMatch(/INJECTED|SIGKILL/)
    for (const code of codes) expect(['STORAGE_FULL', 'DB_UNAVAILABLE']).toContain(code)
    if (fault.startsWith('signal')) expect((await hub.ended).signal).toBe('SIGKILL')
    else {
      expect(hub.exit).toBeUndefined()
      expect(acked).toContain('t29')
      tracer.kill('SIGINT')
      await traced
      expect((await hub.stop()).code).toBe(0)
    }
    await traced

    const again = new HubChild(shop.spawn('hub.js', ['--db', shop.db(), '--background']), shop.target())
    await again.settled()
    expect(again.exit).toBeUndefined()
    await again.stop()
    const file = new Sqlite(shop.db(), { readOnly: true })
    expect(file.all('PRAGMA integrity_check')).toEqual([{ integrity_check: 'ok' }])
    const stored = file.all('SELECT title FROM tasks').map(row => String(row['title']))
    expect(acked.filter(title => !stored.includes(title))).toEqual([])
    // What was not acknowledged is whole or absent: each task with its event.
    expect(file.get("SELECT count(*) AS n FROM events WHERE type = 'task.added'")).toEqual({ n: stored.length })
    file.close()
    await shop.allGone()
  })
})
