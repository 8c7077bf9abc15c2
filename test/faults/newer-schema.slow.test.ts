// A team updates one machine after the other. The first hub of a newer version changes the tables of the PostgreSQL that they share;
// a hub of the version before, which knows nothing of that, must not write into them any more.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { locate } from '#client/locate.ts'
import type { Lang } from '#contract/errors.ts'
import type { Notice } from '#runner/notice.ts'
import { testHub } from '../hub.ts'
import { insertRows } from '../queries.ts'
import { working, yard } from '../runner.ts'
import { rowsOf, tend } from '../scene.ts'
import { until } from '../until.ts'

/** As a newer hub leaves it behind, in the transaction with its change of the tables. */
const step = { id: 'memory.999', position: 999, applied_at: 1 }

/** All but what a hub writes for itself. */
async function stored(hub: Parameters<typeof rowsOf>[0]) {
  const { hub_time: _time, ...rows } = await rowsOf(hub)
  return rows
}

test('a hub that runs refuses every write from then on, says what to do, and still reads', async () => {
  await using hub = await testHub({ database: 'postgres' })
  const { projectId, taskId } = await hub.seed()
  await hub.call('get_task', { task_id: taskId })
  await insertRows(hub.target.db, 'migrations', [step])
  const before = await stored(hub)
  const ask = async (operation: string, input: object, lang: Lang = 'en') => {
    const headers = { 'x-toryo-lang': lang }
    const answer = await hub.fetch(`/api/${operation}`, { method: 'POST', body: JSON.stringify(input), headers })
    return (await answer.json()) as { error?: { code: string; message: string; retryable: boolean } }
  }
  const task = { project_id: projectId, title: 'late' }
  expect((await ask('task.add', task)).error).toMatchObject({
    code: 'DATABASE_IS_NEWER',
    retryable: false,
    message: expect.stringMatching(
      /^A newer Toryo has changed the tables of postgres:\S+ \(memory\.999\), so this hub no longer writes to it; nothing was written\. Update Toryo on this machine, then run `toryo stop` and start it again\.$/,
    ),
  })
  expect((await ask('task.add', task, 'ja')).error?.message).toContain('`toryo stop`')
  const decided = { project_id: projectId, topic_id: 1, decision: 'c', reason: 'r' }
  expect(JSON.stringify((await hub.call('add-decision', decided)).body)).toContain('DATABASE_IS_NEWER')
  expect((await hub.call('save_context', { task_id: taskId, progress: 'half' })).body).toMatchObject({
    code: 'DATABASE_IS_NEWER',
  })
  await expect(tend(hub)).rejects.toThrow('newer Toryo')
  expect(await stored(hub)).toEqual(before)
  // What it reads is still there, and the doctor names the cause.
  expect(await hub.api('task.list', { project_id: projectId })).toMatchObject({ tasks: [{ task_id: taskId }] })
  // Also what happened to one thing, although the index of that was never written.
  expect(before['event_subjects'] ?? []).toEqual([])
  const about = await hub.api('event.list', { subject: taskId })
  expect(about.events).toMatchObject([{ type: 'task.added', payload: { taskId } }])
  expect(about.names.tasks[taskId]).toBeDefined()
  expect(await stored(hub)).toEqual(before)
  expect((await hub.api('doctor.run', {})).findings).toContainEqual({
    check: 'database',
    level: 'fail',
    message: expect.stringContaining('A newer Toryo has changed the tables'),
    fix: expect.stringContaining('toryo stop'),
  })
})

test('its Runner starts nothing more, and the person at its terminal reads why, once', async () => {
  const notices: Notice[] = []
  await using first = await yard({
    database: 'postgres',
    runner: { notice: notice => void notices.push(notice) },
  })
  const worker = await first.agent('amy', working('amy'))
  await until(async () => (await first.hub.api('runner.list', {})).runners.length === 1)
  const task = await first.task(worker, 'tsk_amy')
  await until(async () => (await first.status(task)) === 'done')
  await insertRows(first.hub.target.db, 'migrations', [step])
  await until(() => notices.some(({ kind }) => kind === 'halted'))
  expect(notices.filter(({ kind }) => kind === 'halted')).toMatchObject([
    { why: { en: expect.stringContaining('Update Toryo on this machine') } },
  ])
})

test('a hub of the version before does not start on it, and says what to do', async () => {
  await using hub = await testHub({ database: 'postgres' })
  await insertRows(hub.target.db, 'migrations', [step])
  const home = mkdtempSync(join(tmpdir(), 'toryo-other-'))
  try {
    const target = locate(hub.target.db, { env: { HOME: home, TORYO_HOME: home } })
    const refusal = await testHub({ target }).then(
      () => undefined,
      (error: unknown) => error,
    )
    expect(refusal).toMatchObject({
      text: {
        en: expect.stringMatching(
          /^postgres:\S+ was changed by a newer Toryo \(memory\.999\); update Toryo on this machine to use it\.$/,
        ),
        ja: expect.stringContaining('Toryo を更新'),
      },
    })
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
})
