// What a hub without requests costs the PostgreSQL server, with a log that is long: the CPU time of all backends of its database, and
// which tables they read.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { locate } from '#client/locate.ts'
import { testHub } from '#test/hub.ts'
import { freshPostgres, startPostgres } from '#test/postgres.ts'
import { atMost, figure, report } from './report.ts'

const EVENTS = 1_000_000
const TASKS = 100_000
/** A hub that has just started looks at more. */
const SETTLE_MS = 30_000
const WATCH_MS = 60_000
const TICK_MS = 1000 / Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }))

const home = mkdtempSync(join(tmpdir(), 'toryo-bench-'))
try {
  await using server = await startPostgres()
  await using database = await freshPostgres(server.url)
  const target = locate(database.url, { env: { HOME: home, TORYO_HOME: home } })
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  // Written past the hub, before it starts again.
  const first = await testHub({ target })
  const { projectId } = await first.seed()
  await first[Symbol.asyncDispose]()
  await client.query(
    `INSERT INTO events (at, type, project_id, caller, payload, touches)
     SELECT n, (ARRAY['task.moved', 'task.added', 'run.ended', 'run.opened', 'task.edited'])[1 + n % 5], $1, 'operator',
       '{"taskId":"tsk_' || n || '","from":"todo","to":"done"}', '["tsk_' || n || '"]' FROM generate_series(1, $2) n`,
    [projectId, EVENTS],
  )
  await client.query(
    `INSERT INTO tasks (id, project_id, title, description, status, priority, created_at, updated_at, number, folded,
       reported_at, verified_at, accepted_at, queued_at, merged_at)
     SELECT 'tsk_' || n, $1, 'Task ' || n, '', 'done', 'medium', n, n, n + 100, 'task ' || n, n, n, n, n, n FROM generate_series(1, $2) n`,
    [projectId, TASKS],
  )
  // As it is where all of them came one by one: a log that comes in one piece is put into the index first, which takes minutes.
  await client.query("DELETE FROM event_subjects WHERE subject = ''")
  await client.query("INSERT INTO event_subjects (subject, seq) SELECT '', MAX(seq) FROM events")
  await client.query('VACUUM ANALYZE')
  await using _hub = await testHub({ target })
  await pause(SETTLE_MS)
  const before = [cpuOf(database.url), await rowsRead(client)] as const
  await pause(WATCH_MS)
  const used = cpuOf(database.url) - before[0]
  const after = await rowsRead(client)
  const read = [...after].map(([name, rows]) => ({ name, rows: rows - (before[1].get(name) ?? 0) }))
  const most = read.sort((a, b) => b.rows - a.rows).slice(0, 8)
  report(`idle-postgres: ${EVENTS} events, ${TASKS} tasks`, [
    atMost('CPU of the database’s backends a second', used / (WATCH_MS / 1000), 20, ' ms'),
    ...most.map(({ name, rows }) => figure(`rows of ${name} read a second`, rows / (WATCH_MS / 1000), '')),
  ])
  await client.end()
} finally {
  rmSync(home, { recursive: true, force: true })
}

/** Milliseconds of the processes that serve connections to this database, but for the one that measures. */
function cpuOf(url: string): number {
  const name = new URL(url).pathname.slice(1)
  let ticks = 0
  for (const pid of readdirSync('/proc').filter(entry => /^\d+$/.test(entry))) {
    try {
      if (!readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(` ${name} `)) continue
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
      ticks += Number(fields[11]) + Number(fields[12])
    } catch {
      // It has ended meanwhile.
    }
  }
  return ticks * TICK_MS
}

async function rowsRead(client: pg.Client): Promise<Map<string, number>> {
  await client.query('SELECT pg_stat_clear_snapshot()')
  const { rows } = await client.query<{ relname: string; read: string }>(
    'SELECT relname, seq_tup_read + COALESCE(idx_tup_fetch, 0) AS read FROM pg_stat_user_tables',
  )
  return new Map(rows.map(({ relname, read }) => [relname, Number(read)]))
}
