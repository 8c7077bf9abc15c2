// What a person does at Activity.
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { insertRows } from '../queries.ts'
import { sql } from '../queries-past-the-hub.ts'
import { until } from '../until.ts'
import { axe, go, sharedPage } from './page.ts'
import { openShop } from './scene.ts'
import { lookAt } from './shots.ts'
import type { TestHub } from '../hub.ts'

// Thousands of events to scroll through, and every look with a picture.
const SLOW = { timeout: 240_000 }
const DAY = 24 * 3600_000

/** A fortnight of runs, and a few things that went wrong. */
async function busyDays(hub: TestHub): Promise<void> {
  const agents = ['agt_aoi', 'agt_ren', 'agt_sora']
  const facts = (n: number) =>
    JSON.stringify({
      ...{ toolCalls: 9, denied: 0, created: [], edited: [], deleted: [], costUsd: (n % 5) * 0.06 },
      usage: { input: 9000, cache_read: 100_000, cache_write: null, output: 900, reasoning: 0 },
    })
  const runs = Array.from({ length: 60 }, (_, n) => {
    const at = Date.now() - ((n * 7) % 13) * DAY - 3600_000
    const outcome = n % 9 === 0 ? 'error' : 'completed'
    return {
      ...{
        id: `exec_${String(n).padStart(3, '0')}`,
        task_id: 'tsk_01',
        agent_id: agents[n % 3],
        project_id: 'prj_shop',
      },
      ...{ engine: 'claude', created_at: at, started_at: at, ended_at: at + 60_000, outcome, facts: facts(n) },
    }
  })
  await insertRows(hub.target.db, 'runs', runs)
  const old = Date.now() - 26 * 3600_000
  const row = (type: string, caller: string, payload: object, at = old) => ({
    ...{ at, type, project_id: 'prj_shop', caller, payload: JSON.stringify(payload), touches: '[]' },
  })
  await insertRows(hub.target.db, 'events', [
    row('run.ended', 'agent:agt_aoi', {
      runId: 'exec_1',
      taskId: 'tsk_01',
      crewId: null,
      outcome: 'error',
      reason: null,
    }),
    row('check.ended', 'operator', { taskId: 'tsk_13', evidenceId: 'evd_test', check: 'test', outcome: 'passed' }),
    row('task.returned', 'operator', { taskId: 'tsk_02', why: 'checks', count: 1 }),
    row('note.saved', 'agent:agt_sora', { taskId: 'tsk_03' }),
    row('engine.paused', 'operator', { engine: 'codex', until: Date.now(), reason: 'The weekly limit is used up.' }),
    row('run.taken', 'agent:agt_ren', {
      runId: 'exec_2',
      taskId: 'tsk_02',
      crewId: null,
      agentId: 'agt_ren',
      startedFor: 'tsk_02',
    }),
  ])
}

const shared = sharedPage(async hub => {
  await openShop(hub)
  await busyDays(hub)
})

test('says what happened in sentences, follows what comes, and shows the stored event', SLOW, async () => {
  const { page, hub } = await shared.at('/needs')
  await page.keyboard.press('g')
  await page.keyboard.press('a')
  await page.locator('[data-event]').first().waitFor()
  await page.getByText('added shop-11 Fix a typo in the footer').waitFor()

  await hub.api('task.move', { task_id: 'tsk_05', status: 'in_progress' })
  const row = page.locator('[data-event]', { hasText: 'moved shop-5' })
  await row.filter({ hasText: 'todo → in progress' }).waitFor()

  await page.keyboard.press('j')
  await page.keyboard.press('Enter')
  const dialog = page.locator('dialog[open]')
  await dialog.locator('pre', { hasText: '"type": "task.moved"' }).waitFor()
  await dialog.getByRole('link', { name: 'Open' }).click()
  await page.waitForURL('**/tasks/tsk_05')
})

test('narrows by type, by who and to one thing; the address keeps it, and Back undoes it', SLOW, async () => {
  const { page } = await shared.at('/activity')
  await page.locator('[data-event]').first().waitFor()
  await page.keyboard.press('f')
  await page.locator('[data-filter=type]').selectOption('runs')
  await page.locator('[data-event]', { hasText: 'run of' }).waitFor()
  await page.locator('[data-event]', { hasText: 'task.moved' }).waitFor({ state: 'detached' })
  expect(new URL(page.url()).search).toBe('?type=runs')
  await page.getByRole('combobox', { name: 'Who' }).selectOption({ label: 'Aoi' })
  await page.locator('[data-event]', { hasText: 'Ren' }).first().waitFor({ state: 'detached' })
  await page.goBack()
  await page.goBack()
  await page.locator('[data-event]', { hasText: 'added' }).first().waitFor()

  await page.locator('[data-event]', { hasText: 'saved progress on shop-3' }).focus()
  await page.locator('[data-event]', { hasText: 'saved progress on shop-3' }).click()
  await page.locator('dialog[open]').getByRole('button', { name: 'Only about this' }).click()
  await page.getByRole('button', { name: 'Only shop-3' }).waitFor()
  await page.locator('[data-event]', { hasText: 'shop-11' }).first().waitFor({ state: 'detached' })
  expect(new URL(page.url()).searchParams.get('about')).toBe('tsk_03')

  const waits = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export' }).click()
  const lines = readFileSync(await (await waits).path(), 'utf8')
    .trimEnd()
    .split('\n')
  expect(lines.length).toBeGreaterThan(1)
  for (const line of lines) expect(line).toContain('tsk_03')
})

test('charts and table say each kind of token by its name, and of how many runs nothing is known', SLOW, async () => {
  const { page, hub } = await shared.at('/activity')
  await page.getByRole('img', { name: 'Input tokens (new), The last 14 days: 540K in total' }).waitFor()
  await page.getByRole('button', { name: 'Table', exact: true }).click()
  const table = page.getByRole('table', { name: 'The last 14 days, by engine' })
  const cells = async () => (await table.getByRole('row').nth(1).innerText()).split('\t')
  expect(await cells()).toEqual(['claude', '60', '7', '$7.20', '540K', '6M', '–', '54K', '0'])
  const run = { id: 'exec_unknown', task_id: 'tsk_01', agent_id: 'agt_aoi', project_id: 'prj_shop', engine: 'claude' }
  const at = Date.now() - 1000
  await insertRows(hub.target.db, 'runs', [{ ...run, created_at: at, started_at: at, ended_at: at, outcome: 'error' }])
  await page.reload()
  await page.getByRole('img', { name: 'Cost, The last 14 days: ≥ $7.20 (1 run unknown) in total' }).waitFor()
  await page.getByRole('button', { name: 'Table', exact: true }).click()
  expect((await cells()).slice(3, 5)).toEqual(['≥ $7.20 (1 run unknown)', '≥ 540K (1 run unknown)'])
  await sql(hub, `DELETE FROM runs WHERE id = 'exec_unknown'`)
  // The others look at the same page.
  await page.reload()
  await page.getByRole('img', { name: 'Runs, The last 14 days: 60 in total' }).waitFor()
})

test('days are chosen for the list, the charts and the export, in the address', SLOW, async () => {
  const { page, stage } = await shared.at('/activity')
  const runs = page.getByRole('img', { name: /^Runs, / })
  await page.getByText('saved progress on').first().waitFor()
  await page.getByRole('img', { name: 'Runs, The last 14 days: 60 in total' }).waitFor()
  await page.getByRole('combobox', { name: 'Days' }).selectOption('today')
  await page.getByRole('img', { name: /^Runs, Today: \d+ in total/ }).waitFor()
  // What happened yesterday is not of today.
  await until(async () => (await page.getByText('saved progress on').count()) === 0)
  await page.locator('[data-event]').first().waitFor()
  expect(new URL(page.url()).searchParams.get('days')).toBe('today')

  const date = (ago: number) => {
    const day = new Date(Date.now() - ago * DAY)
    return [day.getFullYear(), day.getMonth() + 1, day.getDate()].map(part => String(part).padStart(2, '0')).join('-')
  }
  await page.getByRole('combobox', { name: 'Days' }).selectOption('own')
  await page.getByLabel('First day').fill(date(2))
  await page.getByLabel('Last day').fill(date(1))
  await until(() => new URL(page.url()).searchParams.get('days') === `${date(2)}..${date(1)}`)
  await page.getByText('saved progress on').first().waitFor()
  expect(await page.getByText('added shop-11').count()).toBe(0)
  await runs.waitFor()
  expect(await axe(page)).toEqual([])
  const saved = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export' }).click()
  const lines = readFileSync(await (await saved).path(), 'utf8')
    .trim()
    .split('\n')
    .map(line => JSON.parse(line) as { type: string })
  expect(lines.map(({ type }) => type).toSorted()).toEqual([
    ...['check.ended', 'engine.paused', 'note.saved', 'run.ended', 'run.taken', 'task.returned'],
  ])

  // A pasted address is the same view; Back undoes.
  const other = await stage.open(`/activity?days=${date(2)}..${date(1)}`)
  await other.getByText('saved progress on').first().waitFor()
  expect(await other.getByLabel('Last day').inputValue()).toBe(date(1))
  await page.getByRole('combobox', { name: 'Days' }).selectOption('all')
  await page.getByText('added shop-11').first().waitFor()
  await page.goBack()
  await until(async () => (await page.getByText('added shop-11').count()) === 0)
})

test('a key replays from the event that is chosen', SLOW, async () => {
  const { page } = await shared.at('/activity')
  await page.locator('[data-event]').first().waitFor()
  await page.keyboard.press('j')
  await page.keyboard.press('j')
  const seq = await page.locator('[data-event][aria-current=true]').getAttribute('data-event')
  // The same by the mouse, beside its number.
  await page.locator(`[data-event="${seq}"]`).getByText(`#${seq}`).waitFor()
  const link = await page.locator(`[data-replay="${seq}"]`).getAttribute('href')
  expect(link).toMatch(new RegExp(`^/replay\\?at=${seq}&`))
  await page.keyboard.press('.')
  await page.locator('[data-task-then]').first().waitFor()
  expect(new URL(page.url()).searchParams.get('at')).toBe(seq)
})

test('looks as it should, in both themes and languages, wide and on a phone', SLOW, async () => {
  const { stage } = await shared.at('/needs')
  await lookAt(stage, [
    ['activity', '/activity', page => page.locator('[data-event]').first().waitFor()],
    ['activity-none', '/activity?who=operator%3Anobody', page => page.locator('main h2').waitFor()],
    [
      'activity-event',
      '/activity',
      async page => {
        await page.locator('[data-event]').nth(3).click()
        await page.locator('dialog[open] pre').waitFor()
      },
    ],
  ])
})

test('while one reads further down, nothing moves; a button leads to what came', SLOW, async () => {
  const { page, hub } = await shared.at('/needs')
  const rows = Array.from({ length: 350 }, (_, n) => ({
    ...{ at: Date.now(), type: 'note.saved', project_id: 'prj_shop', caller: 'agent:agt_aoi', touches: '[]' },
    payload: JSON.stringify({ taskId: `tsk_${String((n % 13) + 1).padStart(2, '0')}` }),
  }))
  await insertRows(hub.target.db, 'events', rows)
  await go(page, '/activity?type=tasks')
  await page.locator('[data-event]').first().waitFor()
  const list = page.getByRole('region', { name: 'Events, newest first' }).locator('> div')
  // Pages of a hundred come as one scrolls.
  await expect
    .poll(async () => {
      await list.evaluate((element: { scrollTo(x: number, y: number): void; scrollHeight: number }) =>
        element.scrollTo(0, element.scrollHeight),
      )
      return page.getByText('That is where these days begin.').count()
    })
    .toBe(1)
  expect(await page.locator('[data-event]').count()).toBeLessThan(120)
  await hub.api('task.move', { task_id: 'tsk_06', status: 'in_progress' })
  await page.getByRole('button', { name: 'New events' }).click()
  await page.locator('[data-event]', { hasText: 'moved shop-6' }).waitFor()
})
