// A disk that is full and a database that another process holds: a code that says what to do, nothing half written, and all is
// well when the cause has gone.
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { compose } from '#hub/compose.ts'
import { migrations } from '#hub/schema.ts'
import type { Services } from '#hub/services.ts'
import { systemClock } from '#kernel/clock.ts'
import { parseConfig } from '#kernel/config.ts'
import { Sqlite } from '#kernel/db/sqlite-port.ts'
import { systemIds } from '#kernel/ids.ts'
import type { Tool } from '#kernel/tool.ts'
import { placeFor, quietLog } from './database.ts'
import { callBy, onStage, operator, rowsOf } from './scene.ts'

test('a full disk is STORAGE_FULL for everybody in the batch, and passes', async () => {
  await using place = await placeFor('sqlite')
  await using database = await place.open(migrations)
  const hub = compose({
    database,
    clock: systemClock,
    ids: systemIds,
    log: quietLog(),
    lang: 'en',
    version: '0',
    token: 't',
    places: { worktrees: '/nowhere', git: '/nowhere' },
    env: {},
    config: () => parseConfig('{}', 'config.json'),
    runs: { env: {}, logFolder: '/nowhere' },
    thread: { logFolder: '/nowhere' },
    tabs: { hub: 'h', home: '/nowhere', db: '/nowhere', env: {}, bridge: '/nowhere' },
    facts: () => ({ url: '', startedAt: '', background: false, connections: 0 }),
    stop: () => {},
  } as unknown as Parameters<typeof compose>[0])
  const operations = await hub.operations()
  const call = (name: string, args: object) => {
    const all = name.includes('.') ? operations : hub.registry
    const tool = all.find(name, { toolsets: ['api', 'projects'] }) as Tool<Services>
    return hub.invoker.invoke(tool, args, callBy(operator))
  }
  const pages = (count: number) =>
    database.tx(async tx => void (await sql.raw(`PRAGMA max_page_count = ${count}`).execute(tx.tables())))
  await call('project.add', { id: 'p', name: 'p' })
  await call('task.add', { id: 't', project_id: 'p', title: 't' })
  await pages(1)
  const save = (length: number) => call('save_context', { task_id: 't', progress: 'x'.repeat(length) })

  const refused = await Promise.all([save(500_000), save(10), save(500_000)])
  for (const outcome of refused)
    expect(outcome).toMatchObject({ ok: false, error: { code: 'STORAGE_FULL', kind: 'unavailable', retryable: true } })
  const reading = await call('get_task_context', { task_id: 't' })
  expect(reading).toMatchObject({ ok: true, value: { context: null } })

  await pages(1_000_000)
  expect(await save(500_000)).toMatchObject({ ok: true })
})

test('for phases, which have six codes, it is INTERNAL_ERROR that says what happened', () =>
  onStage({}, async ({ hub, projectId }) => {
    const other = new Sqlite(hub.target.db)
    other.exec('BEGIN IMMEDIATE')
    const refused = await hub.call('inject_phase_prompt', { phase: 'phase0', project_id: projectId })
    other.exec('ROLLBACK')
    other.close()
    expect(refused.body).toEqual({
      error: {
        code: 'INTERNAL_ERROR',
        message: 'The database does not answer; nothing is lost. Try again in a moment.',
        details: { reason: 'DB_UNAVAILABLE' },
      },
    })
    expect((await hub.call('inject_phase_prompt', { phase: 'phase0', project_id: projectId })).isError).toBe(false)
  }))

test('a database that another program holds is DB_UNAVAILABLE, and free again it works', () =>
  onStage({}, async ({ hub, taskId }) => {
    const other = new Sqlite(hub.target.db)
    other.exec('BEGIN IMMEDIATE')
    const refused = await hub.call('save_context', { task_id: taskId, progress: 'p' })
    other.exec('ROLLBACK')
    other.close()
    expect(refused.body).toEqual({
      success: false,
      error: 'The database does not answer; nothing is lost. Try again in a moment.',
      code: 'DB_UNAVAILABLE',
    })
    expect((await hub.call('save_context', { task_id: taskId, progress: 'p' })).isError).toBe(false)
    expect((await rowsOf(hub, 'notes'))['notes']).toHaveLength(1)
  }))
