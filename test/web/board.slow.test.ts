import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { bridgeProgram, QUICK, scriptedConfig, working, Yard } from '../runner.ts'
import { sql } from '../queries-past-the-hub.ts'
import { until } from '../until.ts'
import { axe, go, sharedPage, type TestPage, testPage } from './page.ts'
import { openShops } from './scene.ts'
import { SHOTS } from './shots.ts'

/** Each test has a shop of its own. */
const shared = sharedPage(hub =>
  openShops(hub, 'pick', 'order', 'plan', 'sheet', 'reopen', 'filter', 'phone', 'over', 'glide'),
)

test('cards are selected, given to an agent, made urgent and moved together, by keys alone', async () => {
  const { page, stage } = await shared.at('/board?project=prj_pick')
  const focus = async (id: string) => {
    await page.locator(`[data-task=${id}] a`).focus()
    await until(() => page.evaluate<boolean>(`document.activeElement?.closest('[data-task=${id}]') !== null`))
  }
  const both = ['tsk_pick_05', 'tsk_pick_06']
  for (const id of both) {
    await focus(id)
    await page.keyboard.press('x')
  }
  await page.getByText('2 selected').waitFor()
  const shown = async () =>
    (await Promise.all(both.map(task_id => stage.hub.api('task.show', { task_id })))).map(
      ({ assignee_id, priority, status }) => [assignee_id, priority, status],
    )

  await page.keyboard.press('a')
  await page.getByPlaceholder('Assign 2 tasks to…').fill('sora')
  await page.keyboard.press('Enter')
  await until(async () => (await shown()).every(([agent]) => agent === 'agt_sora'))
  await focus('tsk_pick_05')
  await page.keyboard.press('P')
  await page.getByPlaceholder('Priority of 2 tasks…').fill('urgent')
  await page.keyboard.press('Enter')
  await until(async () => (await shown()).every(([, priority]) => priority === 'urgent'))
  await focus('tsk_pick_05')
  await page.keyboard.press('1')
  await until(async () => (await shown()).every(([, , status]) => status === 'backlog'))
  await page.keyboard.press('Escape')
  await page.getByText('2 selected').waitFor({ state: 'detached' })
  expect(await shown()).toEqual(both.map(() => ['agt_sora', 'urgent', 'backlog']))
})

test('reported work is in review until it is merged, and a drop on Done leads to its review', async () => {
  const { page, stage } = await shared.at('/board?project=prj_pick')
  const card = page.locator('[data-column=review] [data-task=tsk_pick_13]')
  await card.waitFor()
  await page.locator('[data-column=done] [data-task=tsk_pick_11]').waitFor()
  await page.screenshot({ path: join(SHOTS, 'board-in-review.png') })
  await card.dragTo(page.locator('[data-column=done]'))
  await page.getByText('is done once its work is accepted and merged').waitFor()
  expect((await stage.hub.api('task.show', { task_id: 'tsk_pick_13' })).stage).toBe('review')
  await page.getByRole('button', { name: 'Review', exact: true }).click()
  await until(() => new URL(page.url()).pathname === '/tasks/tsk_pick_13/review')
})

test('a view that has nothing to show yet is under More, until it has', async () => {
  await using stage = await testPage()
  await stage.hub.api('project.add', { id: 'prj_new', name: 'new' })
  const page = await stage.open('/needs')
  const nav = page.getByRole('navigation', { name: 'Main' })
  const links = () => nav.getByRole('link').allTextContents()
  await until(async () => !(await links()).includes('Memory'))
  expect(await links()).toEqual(['Toryo', 'Needs you', 'Board', 'Crew', 'Terminals', 'Reviews', 'Activity', 'Settings'])
  expect(await axe(page)).toEqual([])
  await nav.getByRole('button', { name: 'More' }).click()
  const more = page.getByRole('dialog', { name: 'More' })
  await more.getByRole('link').first().waitFor()
  expect(await more.getByRole('link').allTextContents()).toEqual(['Changes', 'Phases', 'Memory'])
  await more.getByRole('link', { name: 'Memory' }).click()
  await until(async () => (await links()).includes('Memory'))
  await page.keyboard.press('!')
  await until(async () => !(await links()).includes('Memory'))
  const why = { project_id: 'prj_new', reason: 'A script must not read them.' }
  await stage.hub.api('memory.decision.add', { ...why, decision: 'Sessions are cookies' })
  await until(async () => (await links()).includes('Memory'))
})

test('cards are put in order by dragging and by keys, in both browsers; a refused order is put back', async () => {
  const { page: one } = await shared.at('/board?project=prj_order')
  const two = await shared.other('/board?project=prj_order')
  const column = (page: typeof one) =>
    page
      .locator('[data-column=backlog] [data-task]')
      .evaluateAll(cards => cards.map(card => card.getAttribute('data-task')))
  const shows = async (...ids: string[]) => {
    for (const page of [one, two]) await until(async () => (await column(page)).join() === ids.join())
  }
  await shows('tsk_order_10', 'tsk_order_07', 'tsk_order_08', 'tsk_order_09')
  const card = (id: string) => one.locator(`[data-task=${id}]`)
  // Onto the upper half: above it. Onto the lower half: below.
  await card('tsk_order_09').dragTo(card('tsk_order_07'), { targetPosition: { x: 80, y: 4 } })
  await shows('tsk_order_10', 'tsk_order_09', 'tsk_order_07', 'tsk_order_08')
  const { height = 0 } = (await card('tsk_order_08').boundingBox()) ?? {}
  await card('tsk_order_10').dragTo(card('tsk_order_08'), { targetPosition: { x: 80, y: height - 4 } })
  await shows('tsk_order_09', 'tsk_order_07', 'tsk_order_08', 'tsk_order_10')

  await two.locator('[data-task=tsk_order_10] a').focus()
  await two.keyboard.press('Shift+ArrowUp')
  await shows('tsk_order_09', 'tsk_order_07', 'tsk_order_10', 'tsk_order_08')
  await two.keyboard.press('Shift+ArrowUp')
  await shows('tsk_order_09', 'tsk_order_10', 'tsk_order_07', 'tsk_order_08')
  await until(() => two.evaluate<boolean>(`document.activeElement?.closest('[data-task=tsk_order_10]') !== null`))
  await two.keyboard.press('Shift+ArrowDown')
  await shows('tsk_order_09', 'tsk_order_07', 'tsk_order_10', 'tsk_order_08')

  // What the hub refuses is put back, and said.
  await one.route('**/api/task.order', route =>
    route.fulfill({
      status: 409,
      json: { error: { code: 'TASKS_APART', message: 'Not there.', kind: 'conflict', retryable: false } },
    }),
  )
  await one.locator('[data-task=tsk_order_09] a').focus()
  await one.keyboard.press('Shift+ArrowDown')
  await one.getByText('Not there.').waitFor()
  await shows('tsk_order_09', 'tsk_order_07', 'tsk_order_10', 'tsk_order_08')
  // A drag to another column is a move, as before.
  await card('tsk_order_08').dragTo(one.locator('[data-column=blocked]'))
  for (const page of [one, two]) await page.locator('[data-column=blocked] [data-task=tsk_order_08]').waitFor()
})

const linksOf = async (stage: TestPage, task_id: string) => {
  const { depends_on = [], parent_id = null } = await stage.hub.api('task.show', { task_id })
  return { waits: [...depends_on], part: parent_id }
}

test('a plan is made on the board: by key, by menu and by drag; a circle is refused and put back', async () => {
  const { page, stage } = await shared.at('/board?project=prj_plan')
  const card = (id: string) => page.locator(`[data-task=${id}]`)
  const focus = async (id: string) => {
    await card(id).locator('a').focus()
    await until(() => page.evaluate<boolean>(`document.activeElement?.closest('[data-task=${id}]') !== null`))
  }
  // By key: tsk_plan_06 waits for tsk_plan_05, which waits for tsk_plan_04 already.
  await focus('tsk_plan_06')
  await page.keyboard.press('w')
  await page.getByPlaceholder('What the task waits for…').fill('split')
  await page.keyboard.press('Enter')
  await card('tsk_plan_06').getByRole('img', { name: 'waits for 1 task' }).waitFor()
  await until(async () => (await linksOf(stage, 'tsk_plan_06')).waits.join() === 'tsk_plan_05')

  // What would go in a circle is refused in the hub's own words, and the card is as before.
  await focus('tsk_plan_04')
  await page.keyboard.press('w')
  await page.getByPlaceholder('What the task waits for…').fill('plan-6')
  await page.keyboard.press('Enter')
  await page.getByRole('alert').filter({ hasText: 'plan-4' }).getByText('plan-6', { exact: false }).first().waitFor()
  await until(
    async () =>
      (await card('tsk_plan_04')
        .getByRole('img', { name: /waits for/ })
        .count()) === 0,
  )
  expect((await linksOf(stage, 'tsk_plan_04')).waits).toEqual([])

  // By menu: a part of another task, and undone.
  await card('tsk_plan_08').hover()
  await card('tsk_plan_08').locator('[data-card-menu]').click()
  await page.getByRole('option', { name: 'Make it part of another task' }).click()
  await page.getByPlaceholder('What the task is a part of…').fill('Dark theme')
  await page.keyboard.press('Enter')
  await until(async () => (await linksOf(stage, 'tsk_plan_08')).part === 'tsk_plan_09')
  await card('tsk_plan_09').getByRole('img', { name: '0/1 sub-tasks closed' }).waitFor()
  await page.getByRole('status').filter({ hasText: 'is part of' }).getByRole('button', { name: 'Undo' }).click()
  await until(async () => (await linksOf(stage, 'tsk_plan_08')).part === null)

  // By drag: onto the upper right of a card it waits for it, onto the lower right it is a part of it.
  const box = (await card('tsk_plan_07').boundingBox()) ?? { width: 0, height: 0 }
  await card('tsk_plan_10').dragTo(card('tsk_plan_07'), { targetPosition: { x: box.width - 20, y: 8 } })
  await until(async () => (await linksOf(stage, 'tsk_plan_10')).waits.join() === 'tsk_plan_07')
  await card('tsk_plan_08').dragTo(card('tsk_plan_07'), { targetPosition: { x: box.width - 20, y: box.height - 8 } })
  await until(async () => (await linksOf(stage, 'tsk_plan_08')).part === 'tsk_plan_07')
  expect((await stage.hub.api('task.show', { task_id: 'tsk_plan_10' })).status).toBe('backlog')

  // A link goes by key.
  await focus('tsk_plan_10')
  await page.keyboard.press('W')
  await page.getByRole('option', { name: /^waits for plan-7/ }).click()
  await until(async () => (await linksOf(stage, 'tsk_plan_10')).waits.length === 0)
})

test('a plan is made in the sheet, where the graph and the lists show it', async () => {
  const { page, stage } = await shared.at('/board?project=prj_sheet')
  await stage.hub.api('task.link', { task_id: 'tsk_sheet_06', depends_on: ['tsk_sheet_05'] })
  await page.locator('[data-task=tsk_sheet_05] a').click()
  const sheet = page.locator('dialog[open]').first()
  const plan = sheet.locator('[data-plan]')
  await until(async () => (await plan.locator('[data-node]').count()) === 3)
  await plan.getByRole('img', { name: /^Graph of 3 linked tasks/ }).waitFor()
  await plan.getByText('Blocks', { exact: true }).waitFor()

  await plan.locator('[data-add-part]').fill('Model first')
  await page.keyboard.press('Enter')
  await plan.getByRole('link', { name: /Model first/ }).waitFor()
  await page.keyboard.type('それから画面')
  await page.keyboard.press('Enter')
  await plan.getByRole('link', { name: /それから画面/ }).waitFor()
  const { children } = await stage.hub.api('task.show', { task_id: 'tsk_sheet_05' })
  expect(children.map(({ title }) => title)).toEqual(['Model first', 'それから画面'])

  // The focus is in a field: a letter is a letter. Outside it, a key opens the picker over the sheet.
  await page.keyboard.press('w')
  expect(await plan.locator('[data-add-part]').inputValue()).toBe('w')
  await plan.locator('[data-add-part]').fill('')
  await sheet.locator('[data-dialog-body]').focus()
  await page.keyboard.press('w')
  await page.getByPlaceholder('What the task waits for…').fill('import of orders')
  await page.keyboard.press('Enter')
  await plan.getByRole('link', { name: /Import of orders/ }).waitFor()
  await until(async () => (await linksOf(stage, 'tsk_sheet_05')).waits.includes('tsk_sheet_10' as never))
  await plan.getByRole('button', { name: 'Remove the link to sheet-10' }).click()
  await until(async () => !(await linksOf(stage, 'tsk_sheet_05')).waits.includes('tsk_sheet_10' as never))
  await until(async () => (await plan.getByRole('link', { name: /Import of orders/ }).count()) === 0)

  // A click in the graph opens that task.
  await plan.locator('[data-node=tsk_sheet_06]').click()
  await sheet.getByRole('heading', { name: 'Write down how releases are made' }).waitFor()
})

test('finished work that is dragged back says what that means, and asks where no undo can help', async () => {
  const { page, stage } = await shared.at('/board?project=prj_reopen')
  const card = (id: string) => page.locator(`[data-task=${id}]`)
  const statusOf = async (task_id: string) => (await stage.hub.api('task.show', { task_id })).status
  // Done by hand: opened at once, said, and undone with one click.
  await card('tsk_reopen_11').dragTo(page.locator('[data-column=todo]'), { targetPosition: { x: 60, y: 20 } })
  await until(async () => (await statusOf('tsk_reopen_11')) === 'todo')
  await page
    .getByRole('status')
    .filter({ hasText: 'reopen-11 is open again' })
    .getByRole('button', { name: 'Undo' })
    .click()
  await until(async () => (await statusOf('tsk_reopen_11')) === 'done')

  // Waiting for its review: asked first.
  await card('tsk_reopen_13').locator('a').focus()
  await page.keyboard.press('3')
  await page.getByText('the report no longer counts').waitFor()
  await page.getByRole('button', { name: 'Leave it' }).first().click()
  expect(await statusOf('tsk_reopen_13')).toBe('done')
  await card('tsk_reopen_13').locator('a').focus()
  await page.keyboard.press('3')
  await page.getByRole('button', { name: 'Reopen in In progress' }).click()
  await until(async () => (await statusOf('tsk_reopen_13')) === 'in_progress')
})

test('the filter has a language, cards are grouped, and what is chosen is kept for the project', async () => {
  const { page, stage } = await shared.at('/board?project=prj_filter')
  const shown = async () =>
    (
      await page.locator('[data-task]').evaluateAll(cards => cards.map(card => card.getAttribute('data-task') ?? ''))
    ).toSorted((a, b) => a.localeCompare(b))
  const filter = async (text: string, ...ids: string[]) => {
    await page.locator('[data-search]').fill(text)
    await until(async () => (await shown()).join() === ids.join())
  }
  await filter('assignee:aoi', 'tsk_filter_01', 'tsk_filter_04', 'tsk_filter_12')
  await filter('assignee:aoi -status:done', 'tsk_filter_01', 'tsk_filter_04')
  await filter('label:cart', 'tsk_filter_04')
  await filter('is:waiting', 'tsk_filter_05')
  await filter('priority:high status:todo', 'tsk_filter_04')
  await page.reload()
  await until(async () => (await shown()).join() === 'tsk_filter_04')
  await page.locator('[data-search]').fill('')
  await page.locator('[data-column=todo] [data-task]').nth(2).waitFor()

  // Another's task is news; our own is not.
  await stage.hub.api('task.add', { id: 'tsk_new', project_id: 'prj_filter', title: 'From elsewhere', status: 'todo' })
  await page.locator('[data-new]').getByText('1 new').waitFor()
  await page.locator('[data-task=tsk_filter_01] a').focus()
  await page.keyboard.press('c')
  await page.locator('dialog[open] input').first().fill('My own')
  await page.keyboard.press('Enter')
  await page.locator('[data-column=todo]').getByText('My own').waitFor()
  await page.locator('[data-new]').getByText('1 new').click()
  await until(async () => (await shown()).join() === 'tsk_new')
  await page.getByRole('button', { name: 'Mark as seen' }).click()
  await page.getByRole('button', { name: 'Clear filters' }).click()

  await page.locator('[data-group]').selectOption('assignee')
  await page.locator('[data-column=agt_aoi] [data-task=tsk_filter_01]').waitFor()
  // A drag to another person's column assigns it.
  await page
    .locator('[data-task=tsk_filter_04]')
    .dragTo(page.locator('[data-column=agt_ren]'), { targetPosition: { x: 40, y: 15 } })
  await until(async () => (await stage.hub.api('task.show', { task_id: 'tsk_filter_04' })).assignee_id === 'agt_ren')
  await page.locator('[data-column=none]').hover()
  await page.getByRole('button', { name: 'Fold Unassigned' }).click()
  await page.reload()
  await page.locator('[data-column=none]').getByRole('button', { expanded: false }).waitFor()
  await page.locator('[data-column=agt_ren] [data-task=tsk_filter_04]').waitFor()
  // All projects together are another board.
  await go(page, '/board?q=assignee:ren+priority:high')
  await page.locator('[data-column=todo] [data-task=tsk_filter_04]').waitFor()
})

test('on a phone one column is shown at a time: by name, by arrow and by swipe; a card is moved by its menu', async () => {
  const { stage } = await shared.at('/needs')
  const page = await stage.open('/board?project=prj_phone', { width: 390, height: 844 })
  await page.locator('[data-column=in_progress] [data-task=tsk_phone_01]').waitFor()
  expect(await page.locator('[data-column]').count()).toBe(1)
  await page.getByRole('button', { name: 'Blocked' }).click()
  await page.locator('[data-column=blocked] [data-task=tsk_phone_03]').waitFor()
  const swipe = (from: number, to: number) =>
    page.evaluate(`{
      const target = document.querySelector('[data-column]')
      const touch = x => new Touch({ identifier: 1, target, clientX: x, clientY: 400 })
      const fire = (type, x, list) => target.dispatchEvent(new TouchEvent(type, {
        bubbles: true, touches: list ? [touch(x)] : [], changedTouches: [touch(x)] }))
      fire('touchstart', ${from}, true)
      fire('touchend', ${to}, false)
    }`)
  await swipe(100, 300)
  await page.locator('[data-column=in_progress]').waitFor()
  await swipe(300, 100)
  await page.locator('[data-column=blocked] [data-task=tsk_phone_03]').waitFor()
  await page.locator('[data-task=tsk_phone_03] [data-card-menu]').click()
  await page.getByRole('option', { name: 'Move to: Todo' }).click()
  await until(async () => (await stage.hub.api('task.show', { task_id: 'tsk_phone_03' })).status === 'todo')
  await page.reload()
  await page.locator('[data-column=blocked]').waitFor()
})

test('a card says what is done on its task while that happens', async () => {
  const source = { PATH: process.env['PATH'], HOME: '/tmp', LANG: 'C' }
  const runner = { bridge: await bridgeProgram(), source, pace: QUICK }
  await using stage = await testPage({ config: scriptedConfig, runner })
  const yard = new Yard(stage.hub)
  const worker = await yard.agent('aoi', working('aoi', ['say 合計を直しています。', 'write a.txt x', 'wait go']))
  const page = await stage.open('/board')
  await yard.task(worker, 'tsk_live')
  const card = page.locator('[data-column=in_progress] [data-task=tsk_live]')
  await card.locator('[data-live]').getByText('合計を直しています。').waitFor()
  await card
    .locator('[data-live]')
    .getByText(/\d tool calls/)
    .waitFor()
  writeFileSync(join(worker.directory, 'go'), '')
  // What is over is not shown as if it went on.
  await page.locator('[data-column=done] [data-task=tsk_live]').waitFor()
  await until(async () => (await page.locator('[data-live]').count()) === 0)
})

test('a card says for which task its agent is busy, and one press adds another agent, which works on it', async () => {
  const source = { PATH: process.env['PATH'], HOME: '/tmp', LANG: 'C' }
  const runner = { bridge: await bridgeProgram(), source, pace: QUICK }
  await using stage = await testPage({ config: scriptedConfig, runner })
  const yard = new Yard(stage.hub)
  const worker = await yard.agent('aoi', working('aoi', ['wait go']))
  const page = await stage.open('/board')
  await yard.task(worker, 'tsk_first')
  const first = page.locator('[data-column=in_progress] [data-task=tsk_first]')
  await first.getByText('working', { exact: true }).waitFor({ state: 'attached' })
  await yard.task(worker, 'tsk_second')
  const second = page.locator('[data-task=tsk_second]')
  await second.getByText(/^Waits: .+ works on \S+-1$/).waitFor()
  expect(await axe(page)).toEqual([])
  await second.getByRole('button', { name: 'Add another like it' }).click()
  await page.getByText(/is added and takes \S+-2/).waitFor()
  await second.locator('[data-waits-for-agent]').waitFor({ state: 'detached' })
  const { agents } = await stage.hub.api('agent.list', {})
  const [before, after] = agents.toSorted((a, b) => a.created_at.localeCompare(b.created_at))
  expect(after).toMatchObject({ name: `${before?.name} 2`, engine: before?.engine })
  const shown = () => stage.hub.api('task.show', { task_id: 'tsk_second' })
  expect((await shown()).assignee_id).toBe(after?.agent_id)
  // It is started while the first one goes on.
  await until(async () => (await shown()).executions.some(({ agent_id }) => agent_id === after?.agent_id))
  expect((await stage.hub.api('task.show', { task_id: 'tsk_first' })).executions).toMatchObject([{ status: 'running' }])
  writeFileSync(join(worker.directory, 'go'), '')
})

test('a task opens over the board from there, and as a page of its own by its address', async () => {
  const { page, stage } = await shared.at('/board?project=prj_over')
  const [sheet, own] = [page.locator('dialog[open] [data-task-detail]'), page.locator('[data-task-page]')]
  await page.locator('[data-task=tsk_over_05] a').click()
  await sheet.getByRole('heading', { name: 'Split cart.ts' }).waitFor()
  await page.locator('[data-column=todo]').waitFor()
  // What it leads to stays over the board, and so it does after a reload and on the way back.
  await sheet.locator('[data-plan] a', { hasText: 'カート' }).first().click()
  await page.locator('dialog[open] [data-task-detail=tsk_over_04]').waitFor()
  await page.reload()
  await page.locator('dialog[open] [data-task-detail=tsk_over_04]').waitFor()
  await page.goBack()
  await page.locator('dialog[open] [data-task-detail=tsk_over_05]').waitFor()
  await page.goBack()
  await page.locator('dialog[open]').waitFor({ state: 'detached' })
  expect(page.url()).toContain('/board?project=prj_over')

  // Pasted, or in a tab of its own.
  await page.goto(`${stage.hub.url}/tasks/tsk_over_05?project=prj_over`)
  await own.getByRole('heading', { name: 'Split cart.ts' }).waitFor()
  expect(await page.locator('dialog[open], [data-column]').count()).toBe(0)
  expect(await axe(page)).toEqual([])
  await own.getByLabel('Status').selectOption('blocked')
  await until(async () => (await stage.hub.api('task.show', { task_id: 'tsk_over_05' })).status === 'blocked')
  await own.locator('[data-plan] a', { hasText: 'カート' }).first().click()
  await page.locator('[data-task-page] [data-task-detail=tsk_over_04]').waitFor()
  await page.goBack()
  await page.locator('[data-task-page] [data-task-detail=tsk_over_05]').waitFor()
  await own.getByRole('link', { name: 'Board' }).click()
  await page.locator('[data-column=blocked] [data-task=tsk_over_05]').waitFor()
  await page.goBack()
  await own.locator('[data-task-detail=tsk_over_05]').waitFor()

  const phone = await stage.open('/tasks/tsk_over_05', { width: 390, height: 844 })
  await phone.locator('dialog[open] [data-task-detail=tsk_over_05]').waitFor()
})

/** Pictures of cards that glide: which, for how long, how many of them at once. */
const RECORD = `{
  window.glided = []
  window.most = 0
  window.recorder = new MutationObserver(records => {
    for (const { addedNodes } of records)
      for (const node of addedNodes) {
        const id = node.getAttribute?.('data-glides')
        if (!id) continue
        const [flight] = node.getAnimations()
        window.glided.push([id, flight.effect.getTiming().duration, flight.effect.getKeyframes()[0].transform !== 'none'])
      }
    window.most = Math.max(window.most, document.querySelectorAll('[data-glides]').length)
  })
  recorder.observe(document.body, { childList: true })
}`

test('a card that another moved glides once to its place, one at a time, and none where motion is not wanted', async () => {
  const { page, stage } = await shared.at('/board?project=prj_glide')
  const glided = () => page.evaluate<[string, number, boolean][]>('glided')
  const there = (status: string, id: string) => page.locator(`[data-column=${status}] [data-task=${id}]`)
  await there('todo', 'tsk_glide_05').waitFor()
  await page.evaluate(RECORD)
  await stage.hub.api('task.move', { task_id: 'tsk_glide_05', status: 'blocked' })
  await there('blocked', 'tsk_glide_05').waitFor()
  await until(async () => (await glided()).length > 0)
  await page.locator('[data-glides]').waitFor({ state: 'detached' })
  expect(await glided()).toEqual([['tsk_glide_05', 160, true]])

  // What this page does itself is where it was put.
  await page.locator('[data-task=tsk_glide_06] a').focus()
  await page.keyboard.press('4')
  await until(async () => (await stage.hub.api('task.show', { task_id: 'tsk_glide_06' })).status === 'blocked')
  await stage.hub.api('task.edit', { task_id: 'tsk_glide_06', title: 'Heard after the move' })
  await there('blocked', 'tsk_glide_06').getByText('Heard after the move').waitFor()
  expect(await glided()).toHaveLength(1)

  // Many at once: all are there, and never two on the way.
  const ids = ['tsk_glide_04', 'tsk_glide_05', 'tsk_glide_07', 'tsk_glide_08', 'tsk_glide_09']
  await Promise.all(ids.map(task_id => stage.hub.api('task.move', { task_id, status: 'in_progress' })))
  for (const id of ids) await there('in_progress', id).waitFor()
  await until(async () => (await glided()).length > 1)
  expect(await page.evaluate('most')).toBe(1)

  await page.locator('[data-glides]').waitFor({ state: 'detached' })
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.evaluate('glided.length = 0')
  await stage.hub.api('task.move', { task_id: 'tsk_glide_10', status: 'todo' })
  await there('todo', 'tsk_glide_10').waitFor()
  expect(await glided()).toEqual([])
  await page.evaluate('recorder.disconnect()')
})

test('the newest hundred of what is done are shown, and earlier ones when they are asked for', async () => {
  await using stage = await testPage()
  await openShops(stage.hub, 'old')
  const now = Date.now()
  const rows = Array.from({ length: 130 }, (_, n) => {
    const at = now - (n + 1) * 60_000
    return `('tsk_past_${n}', 'prj_old', 'Past ${n}', '', 'done', 'low', ${n + 100}, ${at}, ${at}, ${at}, ${at}, ${at})`
  })
  await sql(
    stage.hub,
    `INSERT INTO tasks (id, project_id, title, description, status, priority, number, created_at, updated_at, reported_at, verified_at, accepted_at) VALUES ${rows.join(', ')}`,
  )
  const page = await stage.open('/board?project=prj_old')
  const done = page.locator('[data-column=done]')
  const head = done.locator('h2')
  const more = done.getByRole('button', { name: 'Show earlier ones' })
  await more.waitFor()
  // How many, and of how many days.
  expect(await head.textContent()).toBe('Done10014 days')
  expect(await axe(page)).toEqual([])
  await more.click()
  await more.waitFor({ state: 'detached' })
  await until(async () => /^Done13\d14 days$/.test((await head.textContent()) ?? ''))
  expect(await more.count()).toBe(0)
})
