import { expect, test } from 'vitest'
import { sql } from '../queries-past-the-hub.ts'
import { until } from '../until.ts'
import { axe, go, sharedPage, testPage } from './page.ts'
import { openShop, openShops } from './scene.ts'

// Agents and their merges are processes.
const SLOW = { timeout: 240_000 }

/** Each test has a shop of its own. */
const shared = sharedPage(async hub => {
  await openShops(hub, 'snooze', 'hand', 'row')
  await sql(
    hub,
    `INSERT INTO handoffs (id, task_id, from_agent_id, summary, created_at)
     VALUES ('hof_0', 'tsk_hand_05', 'agt_aoi', 'The model is split, the view is not.', 5)`,
  )
  await sql(
    hub,
    `INSERT INTO overlaps (pair, home, project_id, kind, a_worktree, a_task, b_worktree, b_task, files, at)
     VALUES ('wt_a wt_b lines', 'here', 'prj_hand', 'lines', 'wt_a', 'tsk_hand_01', 'wt_b', 'tsk_hand_02', '["src/cart.ts"]', 6)`,
  )
})

test('an item is snoozed with keys alone, and is gone in the other browser, too', SLOW, async () => {
  const { page: one, stage } = await shared.at('/needs?project=prj_snooze')
  const two = await shared.other('/needs?project=prj_snooze')
  const item = '[data-item="blocked:tsk_snooze_03"]'
  await one.locator(item).click()
  await one.locator('[data-detail]').getByText('signed cookie or a bearer token').waitFor()
  // Its row has the first steps, one Tab away; no other row has any.
  const row = one.locator('li').filter({ has: one.locator(item) })
  await row.getByRole('button', { name: 'Give to…' }).waitFor()
  await one.locator(item).focus()
  await one.keyboard.press('Tab')
  await until(() => one.evaluate<boolean>('document.activeElement?.textContent?.startsWith("Answer") === true'))
  await one.keyboard.press('Enter')
  await until(() => one.evaluate<boolean>('document.activeElement?.matches("[data-answer]") === true'))
  expect(await one.locator('[data-row-steps]').count()).toBe(1)
  expect(await axe(one)).toEqual([])
  await one.locator(item).focus()
  await one.keyboard.press('z')
  await one.getByRole('button', { name: 'For an hour' }).waitFor()
  await until(() => one.evaluate<boolean>('document.activeElement?.textContent === "For an hour"'))
  await one.keyboard.press('Enter')
  for (const page of [one, two]) await page.locator(item).waitFor({ state: 'detached' })
  const { items, next_at } = await stage.hub.api('inbox.list', {})
  expect(items.map(({ item_id }) => item_id)).not.toContain('blocked:tsk_snooze_03')
  expect(next_at).not.toBeNull()
  const shown = items.filter(({ project_id }) => project_id === 'prj_snooze' || project_id === null)
  await until(async () => (await two.title()).startsWith(`(${shown.length})`))

  // Something new happens to it before its time.
  await stage.hub.api('task.move', { task_id: 'tsk_snooze_03', status: 'in_progress' })
  await stage.hub.api('task.move', { task_id: 'tsk_snooze_03', status: 'blocked' })
  for (const page of [one, two]) await page.locator(item).waitFor()
})

/** The browser's own notifications are invisible here: what the page hands to it is kept. */
const RECORD = `{
  window.shown = []
  window.Notification = class extends EventTarget {
    static permission = 'default'
    static requestPermission() {
      return Promise.resolve((Notification.permission = window.refuses ? 'denied' : 'granted'))
    }
    constructor(title, options) {
      super()
      window.shown.push({ title, ...options, click: () => this.dispatchEvent(new Event('click')) })
    }
    close() {}
  }
  Object.defineProperty(document, 'visibilityState', { get: () => (window.isAway ? 'hidden' : 'visible') })
}`

test(
  'a hidden page notifies once for each new item, if it was asked to; today’s answers stay to be seen',
  SLOW,
  async () => {
    await using stage = await testPage()
    await openShop(stage.hub)
    const page = await stage.open('/settings')
    await page.evaluate(RECORD)
    const shown = () => page.evaluate<{ title: string; body: string; tag: string }[]>('shown')
    const block = async (task_id: string) => {
      await stage.hub.api('task.move', { task_id, status: 'in_progress' })
      await stage.hub.api('task.move', { task_id, status: 'blocked' })
    }
    const box = page.getByLabel('Notify me when something needs me')
    expect(await box.isChecked()).toBe(false)
    await page.evaluate('refuses = true')
    await box.click()
    await page.getByText('does not allow notices').waitFor()
    expect(await box.isChecked()).toBe(false)
    await page.evaluate('refuses = false')
    await box.click()
    await until(() => box.isChecked())

    // No notification for what is on the screen, nor for what was there before.
    await block('tsk_05')
    await until(async () => /^\(\d+\)/.test(await page.title()))
    const before = (await stage.hub.api('inbox.list', {})).items.length
    await until(async () => (await page.title()).startsWith(`(${before})`))
    await page.evaluate('isAway = true')
    const hostile = '<img src=x onerror=alert(1)> which one?'
    await stage.hub.api('task.edit', { task_id: 'tsk_06', title: hostile })
    await block('tsk_06')
    await until(async () => (await shown()).length > 0)
    await block('tsk_07')
    await until(async () => (await shown()).length > 1)
    expect((await shown()).map(({ tag }) => tag)).toEqual(['blocked:tsk_06', 'blocked:tsk_07'])
    expect((await shown())[0]?.body).toBe(hostile)
    await page.evaluate('isAway = false; shown[0].click()')
    await until(() => page.url().endsWith(`/needs/${encodeURIComponent('blocked:tsk_06')}`))

    await page.locator('summary', { hasText: 'Answered today' }).click()
    await page.getByText('Nothing yet.').waitFor()
    await page.locator('[data-item="blocked:tsk_06"]').click()
    await page.locator('[data-answer]').fill('The first one.')
    await page.keyboard.press('Control+Enter')
    await page.locator('[data-answered]').getByText('answered').waitFor()
    expect(await axe(page)).toEqual([])
  },
)

test(
  'what was handed on to nobody is given to an agent, and of two on the same lines one waits for the other',
  SLOW,
  async () => {
    const { page, stage } = await shared.at('/needs?project=prj_hand')
    await page.locator('[data-item="handoff:tsk_hand_05"]').click()
    await page.getByRole('heading', { name: 'Aoi handed a task on, to no agent yet' }).waitFor()
    await page.getByText('The model is split, the view is not.').waitFor()
    await page.locator('[data-steps]').getByRole('button', { name: 'Give to…' }).click()
    await page.getByPlaceholder('Assign the task to…').fill('ren')
    // Those to choose from are asked for when the list opens.
    await page.getByRole('option', { name: /^Ren/ }).waitFor()
    await page.keyboard.press('Enter')
    await page.locator('[data-item="handoff:tsk_hand_05"]').waitFor({ state: 'detached' })
    const given = await stage.hub.api('task.show', { task_id: 'tsk_hand_05' })
    expect(given).toMatchObject({ assignee_id: 'agt_ren', status: 'in_progress' })
    expect(given.handoff).toMatchObject({ handoff_id: 'hof_0', accepted_by: 'agt_ren', status: 'accepted' })

    // From the task's sheet, to nobody: it is here again.
    await go(page, '/tasks/tsk_hand_05')
    await page.getByRole('button', { name: 'Hand over…' }).click()
    await page.getByLabel('What is done, and what is left?').fill('The view is half split.')
    await page.locator('[data-hand-over]').getByRole('button', { name: 'Hand over' }).click()
    await page.getByText('is handed over').waitFor()
    const { handoffs } = await stage.hub.api('handoff.list', { task_id: 'tsk_hand_05' })
    expect(handoffs).toMatchObject([
      { from_agent_id: 'agt_ren', to_agent_id: null, summary: 'The view is half split.' },
    ])
    await go(page, '/needs?project=prj_hand')
    await page.locator('[data-item="handoff:tsk_hand_05"]').click()
    await page.getByText('The view is half split.').waitFor()

    await page.locator('[data-item="overlap:wt_a+wt_b"]').click()
    await page.getByRole('heading', { name: 'hand-1 and hand-2 change the same lines' }).waitFor()
    await page.getByRole('region', { name: 'Needs you' }).getByText('src/cart.ts').waitFor()
    expect(await axe(page)).toEqual([])
    await page.getByRole('button', { name: 'hand-2 waits for hand-1' }).click()
    await page.locator('[data-item="overlap:wt_a+wt_b"]').waitFor({ state: 'detached' })
    expect((await stage.hub.api('task.show', { task_id: 'tsk_hand_02' })).depends_on).toEqual(['tsk_hand_01'])

    // A question can be given to another agent, too.
    await page.locator('[data-item="blocked:tsk_hand_03"]').click()
    await page.locator('[data-steps]').getByRole('button', { name: 'Give to…' }).click()
    await page.getByPlaceholder('Assign the task to…').fill('aoi')
    await page.keyboard.press('Enter')
    await page.locator('[data-item="blocked:tsk_hand_03"]').waitFor({ state: 'detached' })
    expect(await stage.hub.api('task.show', { task_id: 'tsk_hand_03' })).toMatchObject({ assignee_id: 'agt_aoi' })
  },
)

test('a row of a blocked task has its title and what its agent asks', SLOW, async () => {
  const { page, stage } = await shared.at('/needs?project=prj_row')
  const row = page.locator('[data-item="blocked:tsk_row_03"]')
  await row.getByText('Login page with a signed session cookie').waitFor()
  await row.locator('[data-question]').getByText('Should the session be a signed cookie').waitFor()

  // Enter leads to the answer, wherever the focus is in the view; the Tab key stops once in the list.
  await page.goto(`${stage.hub.url}/needs/blocked%3Atsk_row_03?project=prj_row`)
  await page.locator('[data-detail] [data-answer]').waitFor()
  expect(await page.locator('[data-item][tabindex="0"]').count()).toBe(1)
  await page.keyboard.press('Enter')
  await until(() => page.evaluate<boolean>('document.activeElement?.matches("[data-answer]") === true'))
})

test('where nobody waits, those who work are listed, and the first task is one click away', SLOW, async () => {
  await using stage = await testPage()
  const { project_id } = await stage.hub.api('project.add', { id: 'prj_shop', name: 'shop', directory: stage.hub.home })
  await stage.hub.api('agent.add', { id: 'agt_aoi', name: 'Aoi', engine: 'claude' })
  await stage.hub.api('project.assign', { project_id, agent_id: 'agt_aoi' })
  const page = await stage.open('/needs?project=prj_shop')
  await page.getByRole('heading', { name: 'Nobody waits for you. No agent is working right now.' }).waitFor()
  await page.getByText('toryo task add <project> "Title"').waitFor()
  await page.locator('[data-begin-task]').click()
  await page.getByRole('dialog', { name: 'New task' }).getByRole('textbox').first().fill('Health endpoint')
  await page.keyboard.press('Enter')
  await until(async () => (await stage.hub.api('task.list', { project_id })).tasks.length === 1)
  const [task] = (await stage.hub.api('task.list', { project_id })).tasks
  const task_id = task?.task_id ?? ''
  await stage.hub.api('task.assign', { task_id, agent_id: 'agt_aoi' })
  await stage.hub.api('task.move', { task_id, status: 'in_progress' })
  const { passkey } = await stage.hub.api('agent.rotate', { agent_id: 'agt_aoi' })
  const client = await stage.hub.connect()
  const session_token = await client.signIn('agt_aoi', passkey, project_id)
  await client.call('get_my_task', { session_token })
  await page.getByRole('heading', { name: 'Nobody waits for you. 1 agent works.' }).waitFor()
  await page.locator('[data-at-work]').getByText('Health endpoint').waitFor()
  expect(await axe(page)).toEqual([])
  // Another project is chosen: those who work elsewhere are not counted.
  await stage.hub.api('project.add', { id: 'prj_other', name: 'other' })
  await go(page, '/needs?project=prj_other')
  await page.getByRole('heading', { name: 'Nobody waits for you. No agent is working right now.' }).waitFor()
})
