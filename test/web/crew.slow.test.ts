// The view of the crew as a person uses it: real runs of the scripted engine at a real hub.
import { mkdirSync, realpathSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { scriptedConfig } from '../crews.ts'
import type { TestHub } from '../hub.ts'
import { startOf, takingConfig } from '../taking.ts'
import { sql } from '../queries-past-the-hub.ts'
import { until } from '../until.ts'
import { axe, go, sharedPage, type TestPage, testPage } from './page.ts'
import { openShop } from './scene.ts'
import { lookAt } from './shots.ts'

// Runs are processes, and every look has a picture.
const SLOW = { timeout: 240_000 }

const config = () => {
  const own = scriptedConfig()
  const worker = own.roles[0]
  return {
    ...own,
    roles: [...own.roles, { ...worker, id: 'reviewer', name: 'Reviewer' }, { ...worker, id: 'tester', name: 'Tester' }],
  }
}

const options = { config: config(), engineEnv: { PATH: process.env['PATH'] } }

async function crewPage(): Promise<TestPage & { folder: string }> {
  const stage = await testPage(options)
  return Object.assign(stage, { folder: newFolder(stage.hub, 'work') })
}

function newFolder({ home }: TestHub, name: string): string {
  const folder = join(realpathSync(home), name)
  mkdirSync(folder)
  return folder
}

/** For tests that leave nothing at work; each has a folder of its own. */
const shared = sharedPage(openShop, options)

async function withFolder(name: string) {
  const { page, hub } = await shared.at('/needs')
  return { page, hub, folder: newFolder(hub, name) }
}

const start = async ({ hub, folder }: { hub: TestHub; folder: string }, ...prompts: string[]) => {
  const tasks = prompts.map((prompt, index) => ({ role: index % 2 === 0 ? 'reviewer' : 'tester', prompt }))
  return hub.api('crew.run', {
    ...{ description: 'Look at the last commit', mode: 'concurrent', stages: [{ tasks }], directory: folder },
  })
}
const row = (page: Page, id: string) => page.locator(`[data-work="${id}"]`)
const statusIs = (page: Page, id: string, status: string) =>
  page.locator(`[data-work="${id}"][data-status=${status}]`).first().waitFor()

test('a run is seen from its start to its end, and its log as it is written', SLOW, async () => {
  const { page, hub, folder } = await withFolder('seen')
  await go(page, '/crew')
  await page.getByText('No agent is at work').waitFor()
  const { runs } = await start({ hub, folder }, '!say first words\n!write a.txt x\n!wait go\n!say last words')
  const id = runs[0]?.run_id ?? ''
  await statusIs(page, id, 'running')
  await row(page, id).getByText('a.txt').waitFor()
  await row(page, id).getByText('1 tool call').locator('visible=true').waitFor()
  await page.locator('[data-starter=operator] [data-crew]').getByText('0 of 1 ended').waitFor()

  // By keys alone: the crew is the first row, its run the second.
  await page.keyboard.press('j')
  await page.keyboard.press('j')
  await page.keyboard.press('Enter')
  const sheet = page.locator(`dialog[open] [data-run="${id}"]`)
  await sheet.locator('[data-log=live]').waitFor()
  await sheet.locator('[data-entry=say]').getByText('first words').waitFor()
  await sheet.locator('[data-entry=tool]').getByText('Write').waitFor()
  expect(await sheet.locator('[data-entry]').getByText('last words').count()).toBe(0)
  expect(page.url()).toContain(`/runs/${id}`)
  writeFileSync(join(folder, 'go'), '')
  await sheet.locator('[data-entry=say]').getByText('last words').waitFor()
  await sheet.locator('[data-log=ended]').waitFor()
  await sheet.locator('[data-result]').getByText('as the hub saw it').waitFor()
  await page.locator(`dialog[open] [data-run="${id}"][data-status=completed]`).waitFor()
  await page.keyboard.press('Escape')
  await page.locator(`[data-lately] [data-work="${id}"][data-status=completed]`).waitFor()

  // The pasted address opens the same.
  await page.goto(`${hub.url}/runs/${id}`)
  await sheet.locator('[data-log=ended]').waitFor()
})

test('the conversation of a run goes on in a terminal, by T on the run and on its row', SLOW, async () => {
  const { config: taking, notes } = takingConfig()
  using _ = notes
  const own = await testPage({ config: taking, terminals: true, engineEnv: { PATH: process.env['PATH'] } })
  await using stage = own
  const folder = join(realpathSync(stage.hub.home), 'work')
  mkdirSync(folder)
  const stages = [{ tasks: [{ role: 'worker', prompt: '!say hello' }] }]
  const { runs } = await stage.hub.api('crew.run', { mode: 'concurrent', stages, directory: folder })
  const id = runs[0]?.run_id ?? ''
  const page = await stage.open(`/runs/${id}`)
  const sheet = page.locator(`dialog[open] [data-run="${id}"][data-status=completed]`)
  await sheet.getByRole('button', { name: /^Take into a tab/ }).waitFor()
  expect(await axe(page)).toEqual([])
  await page.keyboard.press('T')
  await page.getByText('The conversation goes on in a tab').waitFor()
  const tab = await until(() => new URL(page.url()).searchParams.get('show'))
  const { session_id } = await stage.hub.api('run.show', { run_id: id })
  expect((await until(() => startOf(notes.path, tab))).argv.slice(-2)).toEqual(['--resume', session_id])
  await page.locator(`[data-tab="${tab}"]`).waitFor()

  // What the hub refuses is said: its folder has that tab now.
  await go(page, '/crew')
  await page.locator(`[data-lately] [data-work="${id}"] a`).focus()
  await page.keyboard.press('T')
  await page.getByRole('alert').getByText(tab).waitFor()
  expect((await stage.hub.api('tab.list', { all: true })).tabs).toHaveLength(1)

  // One that is at work is ended for it.
  const other = join(realpathSync(stage.hub.home), 'other')
  mkdirSync(other)
  const waits = [{ tasks: [{ role: 'worker', prompt: '!say hello\n!wait never' }] }]
  const wish = { mode: 'concurrent' as const, stages: waits, directory: other }
  const open = (await stage.hub.api('crew.run', wish)).runs[0]?.run_id ?? ''
  await until(async () => (await stage.hub.api('run.show', { run_id: open })).session_id)
  await go(page, `/runs/${open}`)
  await page.locator('[data-interrupt]').getByRole('button', { name: 'Interrupt and take over' }).click()
  const taken = await until(() => {
    const show = new URL(page.url()).searchParams.get('show')
    return show !== tab && show
  })
  expect((await until(() => startOf(notes.path, taken))).cwd).toBe(other)
  expect((await stage.hub.api('run.show', { run_id: open })).ended_at).not.toBeNull()
})

test('a crew is run from the dialog, fails, and what failed is repeated', SLOW, async () => {
  const { page, hub, folder } = await withFolder('failing')
  await hub.api('project.add', { id: 'prj_failing', name: 'failing', directory: folder })
  const before = await hub.api('crew.list', {})
  await go(page, '/crew?project=prj_failing')
  await page.locator('[data-crew-body]').waitFor()
  await page.keyboard.press('r')
  const dialog = page.locator('[data-run-crew]')
  await dialog
    .locator('textarea')
    .fill('!shell test -e fixed || touch failed\n!shell test -e fixed || exit 0\n!fail no luck')
  await dialog.locator('[data-role=lost]:disabled').waitFor()
  await dialog.locator('[data-role=reviewer]').click()
  await dialog.getByRole('button', { name: /^Start/ }).click()
  await page.locator('[data-crew-page]').waitFor()
  const first = new URL(page.url()).pathname
  await page.locator('[data-crew-page] [data-status=failed]').waitFor()
  await page.locator('[data-progress]').getByText('1 of 1 ended').waitFor()
  await page.locator('[data-timeline] [data-bar]').waitFor()
  const wide = async () => (await page.locator('[data-bar] rect').last().boundingBox())?.width ?? 0
  const drawn = await wide()
  await page.keyboard.press('+')
  await until(async () => (await wide()) > drawn)
  await page.locator('[data-timeline] svg[role=group]').hover()
  await page.mouse.wheel(0, 400)
  await page.mouse.wheel(0, 400)
  await page.mouse.wheel(0, 400)
  await page.mouse.wheel(0, 400)
  await until(async () => (await wide()) < drawn)
  await page.keyboard.press('t')
  await page.locator('[data-timeline] table').getByText('Failed').waitFor()
  await page.getByRole('button', { name: 'Repeat what failed' }).click()
  await until(() => new URL(page.url()).pathname !== first && page.url().includes('/crews/'))
  await page.locator('[data-crew-page] [data-status=failed]').waitFor()
  const { crews } = await hub.api('crew.list', {})
  expect(crews).toHaveLength(before.crews.length + 2)

  // What the hub refuses is said.
  await page.keyboard.press('r')
  await dialog.locator('textarea').fill('!say on')
  await dialog.locator('[data-role=tester]').click()
  await dialog.getByLabel('Where').selectOption('elsewhere')
  await dialog.getByLabel(/^Directory/).fill('/nowhere/at/all')
  await page.keyboard.press('Control+Enter')
  await dialog.getByRole('alert').getByText('/nowhere/at/all is not a folder').waitFor()
})

test('roles are put into stages by key, and each has its own words', SLOW, async () => {
  const { page, hub, folder } = await withFolder('stages')
  await hub.api('project.add', { id: 'prj_stages', name: 'stages', directory: folder })
  await go(page, '/crew?project=prj_stages')
  // One click has it filled in, as far as there are roles.
  await page.locator('[data-sample]').click()
  const dialog = page.locator('[data-run-crew]')
  await dialog.locator('[data-chosen=reviewer]').waitFor()
  await dialog.locator('[data-chosen=tester]').waitFor()
  expect(await dialog.locator('textarea').inputValue()).toContain('last commit')
  expect(await dialog.locator('[data-stage]').count()).toBe(1)
  await dialog.locator('textarea').fill('!say first')
  await dialog.getByLabel('What tester should do').fill('!say second')
  await page.keyboard.press('Alt+ArrowDown')
  await dialog.locator('[data-stage="2"] [data-chosen=tester]').waitFor()
  await page.keyboard.press('Control+Enter')
  await page.locator('[data-crew-page]').waitFor()
  const crew_id = new URL(page.url()).pathname.split('/')[2] ?? ''
  const { runs, crew } = await until(async () => {
    const shown = await hub.api('crew.show', { crew_id })
    return shown.runs.every(({ ended_at }) => ended_at !== null) && shown
  })
  expect(crew.mode).toBe('sequential')
  expect(runs.map(({ role, stage: at }) => [role, at])).toEqual([
    ['reviewer', 0],
    ['tester', 1],
  ])
  expect(runs.map(({ last_message }) => last_message)).toEqual(['first', 'second'])
  await page.getByRole('link', { name: 'Replay' }).waitFor()
  // Each stage is marked where it began.
  await until(async () => (await page.locator('[data-stage-start]').count()) === 2)

  // What cannot be started says why, and where that is mended; all are asked again on request.
  await page.goto(`${hub.url}/crew/roles`)
  const lost = page.locator('main [data-role=lost]')
  await lost.getByRole('link', { name: 'Engines and how to fix them' }).waitFor()
  expect(await page.locator('main [data-role=reviewer] a').count()).toBe(0)
  const asked = page.waitForRequest(request => request.postData()?.includes('"refresh":true') === true)
  await page.locator('[data-check-roles]').click()
  await asked
  await page.locator('[data-check-roles]:enabled').waitFor()
})

test('a log follows its end until one scrolls up, and then counts what is new', SLOW, async () => {
  const { page, hub, folder } = await withFolder('follow')
  const many = Array.from({ length: 120 }, (_, index) => `!say line ${index}`).join('\n')
  const { runs } = await start(
    { hub, folder },
    `${many}\n!wait more\n${many.replaceAll('line', 'later')}\n!wait end\n!say the end`,
  )
  await go(page, `/runs/${runs[0]?.run_id}`)
  const list = page.locator('[data-log-list]')
  await list.getByText('line 119', { exact: true }).waitFor()
  await list.hover()
  await page.mouse.wheel(0, -1500)
  await page.locator('[data-log-end]').getByText('To the end').waitFor()
  writeFileSync(join(folder, 'more'), '')
  await page.locator('[data-log-end]').getByText('↓ 120 new').waitFor()
  expect(await list.getByText('later 119', { exact: true }).count()).toBe(0)
  await page.locator('[data-log-end]').click()
  await list.getByText('later 119', { exact: true }).waitFor()
  writeFileSync(join(folder, 'end'), '')
  await list.locator('[data-entry=say]').getByText('the end', { exact: true }).waitFor()
  await page.locator('[data-log=ended]').waitFor()
})

test('two hundred runs are on the timeline, zoomed, moved, and said in a table', SLOW, async () => {
  await using stage = await crewPage()
  // One of each crew runs, and the stages after it wait for it.
  const stages = Array.from({ length: 40 }, (_, at) => ({
    tasks: [{ role: at % 2 === 0 ? 'reviewer' : 'tester', prompt: '!wait never' }],
  }))
  const runOne = () =>
    stage.hub.api('crew.run', { description: 'Many', mode: 'sequential', stages, directory: stage.folder })
  for (let n = 0; n < 2; n++) await runOne()
  const first = await stage.hub.api('crew.list', {})
  for (const { crew_id } of first.crews) await stage.hub.api('crew.stop', { crew_id })
  await until(async () => (await stage.hub.api('work.list', {})).work.length === 0)
  for (let n = 0; n < 2; n++) await runOne()
  const second = await stage.hub.api('crew.list', {})
  for (const { crew_id } of second.crews.slice(0, 1)) await stage.hub.api('crew.stop', { crew_id })
  await until(async () => (await stage.hub.api('work.list', {})).work.length === 40)
  await runOne()
  const page = await stage.open('/crew/timeline')
  const bars = page.locator('[data-bar]')
  await until(async () => (await bars.count()) === 200)
  for (const mark of ['queued', 'running', 'waits for you', 'completed', 'failed', 'cancelled'])
    await page.locator('[data-timeline] p').getByText(mark, { exact: false }).first().waitFor()
  // Of the one that is drawn widest: most were stopped at once, and are as narrow as can be.
  const extent = async (name: 'x' | 'width') =>
    Number(
      await page.evaluate(`Math.max(...[...document.querySelectorAll('[data-bar]')]
        .map(bar => Number([...bar.querySelectorAll('rect')].at(-1).getAttribute('${name}'))))`),
    )
  const width = () => extent('width')
  const before = await width()
  await page.keyboard.press('+')
  await until(async () => (await width()) > before)
  await page.keyboard.press('-')
  await page.keyboard.press('0')
  const box = await page.locator('[data-timeline] svg').last().boundingBox()
  await page.mouse.move((box?.x ?? 0) + 500, (box?.y ?? 0) + 60)
  await page.keyboard.down('Control')
  await page.mouse.wheel(0, -400)
  await page.keyboard.up('Control')
  await until(async () => (await width()) > before)
  const left = () => extent('x')
  const from = await left()
  await page.mouse.down()
  await page.mouse.move((box?.x ?? 0) + 700, (box?.y ?? 0) + 60, { steps: 5 })
  await page.mouse.up()
  await until(async () => (await left()) > from)
  await page.keyboard.press('t')
  await until(async () => (await page.locator('tbody tr').count()) === 200)

  // From run to run with the sheet open.
  await page.goto(`${stage.hub.url}/crew`)
  await page.locator('[data-work]').first().waitFor()
  const listed = await page.evaluate<string[]>(
    `[...document.querySelectorAll('[data-work]')].map(one => one.dataset.work)`,
  )
  // The Tab key stops once in the whole list.
  expect(await page.locator('[data-crew-body] a[tabindex="0"]').count()).toBe(1)
  await page.locator(`[data-work="${listed[0]}"] a`).press('Enter')
  for (const [key, id] of [
    [']', listed[1]],
    [']', listed[2]],
    ['[', listed[1]],
  ] as const) {
    await page.locator('dialog[open] [data-run]').waitFor()
    await page.keyboard.press(key)
    await page.locator(`dialog[open] [data-run="${id}"]`).waitFor()
  }

  // The replay of one crew asks only for the time in which it lived.
  const asked: { types?: string[]; after?: number; before?: number }[] = []
  page.on('request', request => {
    if (request.url().endsWith('/api/event.list')) asked.push(request.postDataJSON() as (typeof asked)[number])
  })
  const old = first.crews[0]?.crew_id ?? ''
  await go(page, `/crews/${old}/replay`)
  await page.getByRole('slider').waitFor()
  const { last_event } = await stage.hub.api('hub.status', {})
  const reads = asked.filter(({ types }) => types === undefined)
  expect(reads.length).toBeGreaterThan(0)
  for (const { after = 0, before = last_event } of reads) {
    expect(after).toBeGreaterThan(0)
    expect(before).toBeLessThan(last_event)
  }
})

test('runs and crews are stopped, by key and by button', SLOW, async () => {
  const { page, hub, folder } = await withFolder('stopped')
  const one = await start({ hub, folder }, '!say on\n!hang', '!say on\n!hang')
  const [first = '', second = ''] = one.runs.map(({ run_id }) => run_id)
  await go(page, '/crew')
  await statusIs(page, first, 'running')
  await row(page, first).locator('a').focus()
  await page.keyboard.press('s')
  await statusIs(page, first, 'cancelled')
  await statusIs(page, second, 'running')
  await page.locator('[data-crew] a').click()
  await page.getByRole('button', { name: 'Stop crew' }).click()
  await statusIs(page, second, 'cancelled')
  await page.locator('[data-progress]').getByText('2 of 2 ended').waitFor()
  const { runs } = await hub.api('crew.show', { crew_id: one.crew.crew_id })
  expect(runs.map(({ status }) => status)).toEqual(['cancelled', 'cancelled'])
})

test('what an agent does on a task is in the list and on its page', SLOW, async () => {
  const { page, stage, made } = await shared.at('/crew')
  const worker = await takeTask(stage, 'agt_aoi', made.projectId)
  const row = page.locator('[data-starter=operator] [data-work^=exec_]')
  await row.getByText('Health endpoint for the load balancer').waitFor()
  await page.locator('footer').getByText('1 agent').waitFor()
  // Whoever started it is called as in Activity.
  await sql(stage.hub, "UPDATE runs SET started_by = 'macbook:5f3c2a' WHERE agent_id = 'agt_aoi'")
  await page.reload()
  await page.getByRole('heading', { name: 'Started by Toryo on macbook', exact: true }).waitFor()
  await go(page, '/crew/agents')
  await page.locator('[data-agent=agt_aoi]').getByText('shop-1').waitFor()
  await page.locator('[data-agent=agt_aoi] a').click()
  const own = page.locator('[data-agent-page=agt_aoi]')
  await own.locator('[data-status=running]').waitFor()
  await own.getByText('shop-4').waitFor()
  await worker.call('report_completed', { session_token: worker.token, result: 'success', summary: 'It answers 200.' })
  await own.locator('[data-status=completed]').getByText('It answers 200.').waitFor()
  await own.locator('[data-status=completed] a').click()
  await page.locator('dialog[open] [data-result]').getByText('as the agent reported it').waitFor()
  await page.locator('dialog[open] [data-log=ended]').getByText('There is no log').waitFor()
})

test('an agent at work is stopped on its page and in the menu of its card', SLOW, async () => {
  const { page, stage, made } = await shared.at('/agents/agt_ren')
  const { hub } = stage
  const open = async () => {
    const { executions } = await hub.api('execution.list', { agent_id: 'agt_ren' })
    return executions.find(({ ended_at }) => ended_at === null)
  }
  await takeTask(stage, 'agt_ren', made.projectId)
  const own = page.locator('[data-interrupt]')
  await own.getByRole('button', { name: 'Interrupt and take over' }).waitFor()
  expect(await axe(page)).toEqual([])
  await own.getByRole('button', { name: 'Stop' }).click()
  await own.waitFor({ state: 'detached' })
  expect(await open()).toBeUndefined()
  const [task] = (await hub.api('task.list', { assignee_id: 'agt_ren' })).tasks
  expect(task?.status).toBe('todo')

  await hub.api('task.move', { task_id: task?.task_id ?? '', status: 'in_progress' })
  await takeTask(stage, 'agt_ren', made.projectId)
  await until(open)
  await go(page, '/board')
  const card = page.locator(`[data-task=${task?.task_id}]`)
  await card.locator('[data-live], .text-ai').first().waitFor()
  await card.locator('a').focus()
  await card.locator('[data-card-menu]').click()
  await page.getByRole('option', { name: 'Stop', exact: true }).click()
  await until(async () => (await open()) === undefined)
})

async function takeTask({ hub }: TestPage, agentId: string, projectId: string) {
  const { passkey } = await hub.api('agent.rotate', { agent_id: agentId })
  const client = await hub.connect()
  const token = await client.signIn(agentId, passkey, projectId)
  await client.call('get_my_task', { session_token: token })
  return { token, call: client.call.bind(client) }
}

test('nothing that axe finds, no sideways scroll, in every look', SLOW, async () => {
  await using stage = await crewPage()
  const { projectId } = await openShop(stage.hub)
  await takeTask(stage, 'agt_aoi', projectId)
  const done = await start(stage, '!say The price is rounded twice; see cart.ts line 88.', '!fail 2 of 41 tests failed')
  const plan = await stage.hub.api('crew.run', {
    description: 'Review the cart, then fix what was found',
    mode: 'sequential',
    stages: [
      {
        tasks: [
          { role: 'reviewer', prompt: '!say 合計の丸めが二重になっています。\n!write a.txt x\n!wait go' },
          { role: 'tester', prompt: '!say 41 tests, all green' },
        ],
      },
      { tasks: [{ role: 'worker', prompt: '!say on' }] },
    ],
    directory: stage.folder,
  })
  await until(async () =>
    (await stage.hub.api('crew.show', { crew_id: done.crew.crew_id })).runs.every(run => run.ended_at !== null),
  )
  const running = plan.runs[0]?.run_id ?? ''
  const failed = done.runs[1]?.run_id ?? ''
  await until(async () => (await stage.hub.api('run.show', { run_id: running })).tool_calls > 0)
  const acts = (ready: string, key: string, sign: string) => async (page: Page) => {
    await page.locator(ready).first().waitFor()
    await page.keyboard.press(key)
    await page.locator(sign).first().waitFor()
  }
  await lookAt(stage, [
    ['crew-now', '/crew', '[data-work]'],
    ['crew-timeline', '/crew/timeline', '[data-bar]'],
    ['crew-agents', '/crew/agents', '[data-agent]'],
    ['crew-roles', '/crew/roles', '[data-role]'],
    ['crew-plan', `/crews/${plan.crew.crew_id}`, '[data-bar]'],
    ['crew-failed', `/crews/${done.crew.crew_id}`, '[data-bar]'],
    ['crew-agent', '/agents/agt_aoi', '[data-agent-page] li'],
    ['crew-run', `/runs/${running}`, `[data-run="${running}"] [data-log=live] [data-entry]`],
    ['crew-run-failed', `/runs/${failed}`, `[data-run="${failed}"] [data-log=ended] [data-entry]`],
    ['crew-table', '/crew/timeline', acts('[data-bar]', 't', 'table')],
    ['crew-create', '/crew', acts('[data-work]', 'r', '[data-run-crew] [data-role]')],
  ])
})
