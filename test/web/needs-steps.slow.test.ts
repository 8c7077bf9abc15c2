// What Needs you offers for each kind of item, done by a person in a browser: the hub has done it, and the item is gone.
import { mkdirSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { DIST } from '../../scripts/sources.js'
import { scriptedConfig } from '../crews.ts'
import { sql } from '../queries-past-the-hub.ts'
import { becomes, launch, TabShop } from '../tabs.ts'
import { until } from '../until.ts'
import { axe, go, sharedPage, TestPage, testPage } from './page.ts'
import { databases } from '../hub.ts'
import { beside, inShop } from '../thread.ts'
import { fillNeeds, openAnother, openShop } from './scene.ts'

const item = (page: Page, id: string) => page.locator(`[data-item="${id}"]`)
const gone = (page: Page, id: string) => item(page, id).waitFor({ state: 'detached' })
const press = (page: Page, name: string) => page.locator('[data-steps]').getByRole('button', { name }).click()

const shared = sharedPage(async hub => {
  await openShop(hub)
  await fillNeeds(hub)
  await openAnother(hub, 'start')
  await openAnother(hub, 'asks')
})

test('of a crew only the failed run again, a task is made of it, and one that ended well is looked at', async () => {
  await using stage = await testPage({ config: scriptedConfig(), engineEnv: { PATH: process.env['PATH'] } })
  const { hub } = stage
  const directory = join(realpathSync(hub.home), 'work')
  mkdirSync(directory)
  await hub.api('project.add', { name: 'shop', directory })
  const tasks = ['!say fine', '!fail no luck'].map(prompt => ({ role: 'worker', prompt }))
  const wish = { description: 'Look at the last commit', mode: 'concurrent' as const, directory }
  const { crew } = await hub.api('crew.run', { ...wish, stages: [{ tasks }] })
  const page = await stage.open('/needs')
  await page.getByRole('heading', { name: 'worker failed' }).waitFor()
  const failed = async () => (await hub.api('inbox.list', {})).items.find(({ kind }) => kind === 'run_failed')
  const first = await failed()
  expect(first).toMatchObject({ crew_id: crew.crew_id })
  await press(page, 'Run all that failed')
  await gone(page, first?.item_id ?? '')
  // The one that failed, and not the other, in a crew of its own; and it fails once more.
  const second = await until(failed)
  const again = await hub.api('crew.show', { crew_id: second.crew_id ?? '' })
  expect(again.runs.map(({ prompt }) => prompt)).toEqual([expect.stringContaining('!fail no luck')])

  await item(page, second.item_id).click()
  await press(page, 'Make a task of it')
  const dialog = page.locator('dialog[open]')
  expect(await dialog.getByRole('textbox').first().inputValue()).toMatch(/^worker failed: /)
  await page.keyboard.press('Control+Enter')
  await dialog.waitFor({ state: 'detached' })
  const made = await until(async () => (await hub.api('task.list', {})).tasks[0])
  expect(made.title).toMatch(/^worker failed: /)
  await item(page, second.item_id).click()
  await page.keyboard.press('e')
  await gone(page, second.item_id)

  const good = async () => {
    const { crew: one } = await hub.api('crew.run', { ...wish, stages: [{ tasks: tasks.slice(0, 1) }] })
    await item(page, `crew_ended:${one.crew_id}`).click()
    await page.getByRole('heading', { name: 'A crew has ended well' }).waitFor()
    return one.crew_id
  }
  const looked = await good()
  await press(page, 'Look at it')
  await until(() => page.url().includes(`/crews/${looked}`))
  await until(async () => (await hub.api('inbox.count', {})).count === 0)
  await page.keyboard.press('!')
  const fine = await good()
  expect(await axe(page)).toEqual([])
  await page.keyboard.press('e')
  await gone(page, `crew_ended:${fine}`)
})

test('a tab that waits is stopped, a lost message is sent again, and both of an overlap are told', async () => {
  await using shop = new TabShop({ hub: { page: join(DIST, 'web') } })
  const hub = await shop.hub()
  await using stage = new TestPage(hub)
  const [one, two] = [await launch(hub, 'feature/one'), await launch(hub, 'feature/two')]
  for (const id of [one, two]) await becomes(hub, id, 'idle')
  const messagesOf = async (tab_id: string) => (await hub.api('message.list', { tab_id })).messages
  await hub.api('tab.send', { tab_id: one, message: 'Use tabs' })
  const message_id = (await messagesOf(one))[0]?.message_id ?? ''
  await until(async () => (await messagesOf(one)).some(({ state }) => state === 'delivered'))
  await sql(
    hub,
    `UPDATE messages SET delivered_at = NULL, failed_at = 5, reason = 'stalled' WHERE id = '${message_id}'`,
  )
  await sql(
    hub,
    `INSERT INTO overlaps (pair, home, project_id, kind, a_worktree, a_tab, b_worktree, b_tab, files, at)
     VALUES ('wt_a wt_b lines', 'here', 'prj_tabs', 'lines', 'wt_a', '${one}', 'wt_b', '${two}', '["src/cart.ts"]', 6)`,
  )
  const page = await stage.open('/needs')
  await item(page, `message_failed:${message_id}`).click()
  await page.getByRole('heading', { name: 'A message did not reach feature/one' }).waitFor()
  await press(page, 'Send again')
  await gone(page, `message_failed:${message_id}`)
  await until(async () => (await messagesOf(one)).filter(({ state }) => state === 'delivered').length === 1)

  await item(page, 'overlap:wt_a+wt_b').click()
  await press(page, 'Tell both')
  await gone(page, 'overlap:wt_a+wt_b')
  for (const id of [one, two])
    await until(async () => {
      const bodies = (await messagesOf(id)).filter(({ state }) => state === 'delivered').map(({ message }) => message)
      return bodies.some(body => body.includes('change the same lines') && body.includes('"src/cart.ts"'))
    })

  await shop.show(hub, two, 'menu', 'Run this command?')
  await item(page, `tab_waits:${two}`).click()
  await page.locator('[data-open-terminal]').waitFor()
  await press(page, 'Stop')
  await gone(page, `tab_waits:${two}`)
  await until(async () => (await hub.api('tab.show', { tab_id: two })).end_reason === 'stopped')
})

test.runIf(databases.includes('postgres'))(
  'a command from another hub is allowed here as it was shown, and refused when it has changed since',
  async () => {
    await inShop({ database: 'postgres', page: join(DIST, 'web') }, async shop => {
      const { hub, repo } = shop
      const project_id = 'prj_shop'
      await using other = await beside(shop)
      const command = ['sh', '-c', 'echo *one* && echo *two*']
      await other.api('project.check.add', { project_id, name: 'lint', command })
      const setup = ['sh', '-c', 'echo set up > made']
      repo.write('.toryo/config.json', JSON.stringify({ worktrees: { setup } }))
      await other.api('worktree.setup.trust', { project_id })
      const stage = new TestPage(hub)
      const pages = [await stage.open('/needs'), await stage.open('/needs', { lang: 'ja' })] as const
      const [page, japanese] = pages
      const shown = (at: Page, title: string) => at.getByRole('heading', { name: title })
      const trusted = async () => (await hub.api('project.check.list', { project_id })).checks[0]?.trusted

      // Nothing is allowed without having read it, and the command is shown letter by letter.
      await page.locator('[data-item^="command:prj_shop:check:lint:"]').click()
      await shown(page, 'Check lint was added on another machine and does not run here yet').waitFor()
      expect(await page.locator('[data-row-steps]').getByRole('button', { name: 'Allow it here' }).count()).toBe(0)
      expect(await page.locator('[data-allows]').textContent()).toBe(JSON.stringify(command))
      expect(await axe(page)).toEqual([])

      // What stands there now is another command, and this page has not heard of it.
      const list = '**/api/inbox.list'
      await page.route(list, route => route.abort())
      const changed = ['sh', '-c', 'id']
      await other.api('project.check.remove', { project_id, name: 'lint' })
      await other.api('project.check.add', { project_id, name: 'lint', command: changed })
      await press(page, 'Allow it here')
      await page.getByText('is not what was shown to you; nothing was trusted').waitFor()
      expect(await trusted()).toBe(false)
      await page.unroute(list)
      await page.reload()

      await page.locator('[data-item^="command:prj_shop:check:lint:"]').click()
      await until(async () => (await page.locator('[data-allows]').textContent()) === JSON.stringify(changed))
      await press(page, 'Allow it here')
      await page.locator('[data-item^="command:prj_shop:check:lint:"]').waitFor({ state: 'detached' })
      expect(await trusted()).toBe(true)

      // The setup, in the other language; a page that says nothing of what it showed allows nothing.
      const ofSetup = '[data-item^="command:prj_shop:setup:"]'
      await japanese.locator(ofSetup).click()
      await shown(japanese, '別のマシンで許可されたセットアップコマンドは、まだここでは実行しません').waitFor()
      expect(await japanese.locator('[data-allows]').textContent()).toBe(JSON.stringify(setup))
      const plan = () => hub.api('worktree.setup.show', { project_id })
      const trust = '**/api/worktree.setup.trust'
      await japanese.route(trust, route => route.continue({ postData: JSON.stringify({ project_id }) }))
      await press(japanese, 'このマシンで許可')
      await japanese.getByText('セットアップコマンドが表示された内容から変わっているため').waitFor()
      expect(await plan()).toMatchObject({ trusted: false })
      await japanese.unroute(trust)
      await press(japanese, 'このマシンで許可')
      await japanese.locator(ofSetup).waitFor({ state: 'detached' })
      expect(await plan()).toMatchObject({ trusted: true, command: setup })
      await stage.leave()
      stage.check()
    })
  },
)

test('an agent that cannot be started leads to what is missing, and to another engine', async () => {
  const { page, hub } = await shared.at('/needs')
  const { token } = await hub.api('runner.add', { name: 'bare' })
  const headers = { authorization: `Bearer ${token}` }
  const hold = async (list: string, here: string[]) => {
    const body = JSON.stringify({ engines: ['gemini'], instances: [], folders: { list, here } })
    const held = await hub.fetch('/api/runner.hold', { method: 'POST', body, headers })
    return ((await held.json()) as { folders: { list: string } }).folders.list
  }
  await hold(await hold('', []), ['prj_start'])
  // No event says what a Runner lacks.
  await page.goto(`${hub.url}/needs?project=prj_start`)
  const id = 'not_startable:agt_aoi:prj_start'
  await item(page, id).click()
  await page.getByRole('heading', { name: 'Aoi cannot be started' }).waitFor()
  await page.getByText('bare does not have claude').waitFor()
  expect(await axe(page)).toEqual([])
  await page.locator('[data-steps]').getByRole('link', { name: 'Doctor' }).click()
  await until(() => page.url().includes('/settings/doctor'))
  await page.goBack()
  await page.locator('[data-steps]').getByRole('link', { name: 'Choose another engine' }).click()
  await until(() => page.url().includes('/agents/agt_aoi'))
  await page.goBack()
  await item(page, id).click()
  await press(page, 'Dismiss')
  await gone(page, id)
  expect((await hub.api('inbox.list', {})).items.map(({ item_id }) => item_id)).not.toContain(id)
})

test('a replaced decision starts its agent again, and an ended phase is looked at', async () => {
  const { page, hub } = await shared.at('/needs?project=prj_shop')
  const decision = 'decision_replaced:tsk_01'
  await item(page, decision).click()
  await page.getByRole('heading', { name: 'Aoi follows a replaced decision' }).waitFor()
  await page.getByText('Sessions are signed cookies').waitFor()
  const ready = (text: string) => (view: Page) => view.getByRole('heading', { name: text }).waitFor()
  expect(await axe(page)).toEqual([])
  await press(page, 'Start again with the new one')
  await gone(page, decision)
  await until(async () => (await hub.api('task.show', { task_id: 'tsk_01' })).status === 'in_progress')
  const { events } = await hub.api('event.list', { types: ['task.moved'] })
  expect(events.slice(0, 2).map(({ payload }) => payload)).toMatchObject([
    { taskId: 'tsk_01', from: 'todo', to: 'in_progress' },
    { taskId: 'tsk_01', from: 'in_progress', to: 'todo' },
  ])

  await item(page, 'phase_ended:prj_shop:phase0').click()
  await ready('Phase 0 has ended')(page)
  await press(page, 'Look at it')
  await until(() => page.url().includes('/phases?project=prj_shop'))
  await until(async () => !(await hub.api('inbox.list', {})).items.some(({ kind }) => kind === 'phase_ended'))
})

test('the list is narrowed and turned around in the address; what is dealt with leaves, and the next one is there', async () => {
  await using stage = await testPage()
  await openShop(stage.hub)
  const page = await stage.open('/needs')
  const ids = () => page.locator('[data-item]').evaluateAll(all => all.map(one => one.getAttribute('data-item')))
  await until(async () => (await ids()).length === 3)
  expect(await ids()).toEqual(['review:tsk_13', 'blocked:tsk_03', 'engine_paused:codex'])
  await page.locator('[data-order]').selectOption('newest')
  await until(async () => (await ids())[0] === 'engine_paused:codex')
  await page.locator('[data-kind]').selectOption('questions')
  await until(async () => (await ids()).join() === 'blocked:tsk_03')
  expect(new URL(page.url()).search).toBe('?order=newest&kind=questions')
  // A pasted address shows the same; the count is of all that waits.
  const other = await stage.open('/needs?kind=results&order=newest')
  await other.locator('[data-item="review:tsk_13"]').waitFor()
  expect(await other.locator('[data-item]').count()).toBe(1)
  expect(await other.title()).toContain('(3)')

  // Nobody goes on with it: nothing of this kind is left, and the others are one click away.
  await page.getByRole('button', { name: 'Cancel the task' }).click()
  await page.getByText('Nothing of this kind waits for you.').waitFor()
  expect((await stage.hub.api('task.show', { task_id: 'tsk_03' })).status).toBe('cancelled')
  await page.getByRole('button', { name: 'Show all' }).click()
  await until(async () => (await ids()).join() === 'engine_paused:codex,review:tsk_13')
  await page.locator('[data-item="engine_paused:codex"][aria-current]').waitFor()
  await page.locator('[data-next]').click()
  await page.locator('[data-item="review:tsk_13"][aria-current]').waitFor()
  await page.locator('[data-next]').click()
  await page.locator('[data-item="engine_paused:codex"][aria-current]').waitFor()
})

test('a question comes with the decisions that fit it, and its answer is kept as one', async () => {
  const { page, stage } = await shared.at('/needs?project=prj_asks')
  const decided = {
    project_id: 'prj_asks',
    decision: 'A session is a signed cookie',
    reason: 'A script must not read it.',
  }
  const { id } = await stage.hub.api('memory.decision.add', decided)
  await go(page, '/needs/blocked%3Atsk_asks_03?project=prj_asks')
  await page.locator('[data-fitting]').getByText(`#${id}`).waitFor()
  await page.locator('[data-item="blocked:tsk_asks_03"]').focus()
  await page.keyboard.press('Enter')
  await until(() => page.evaluate<boolean>('document.activeElement.matches("[data-answer]")'))
  await page.keyboard.type('A cookie, as before.')
  await page.locator('[data-keep]').check()
  await page.locator('[data-answer]').press('Control+Enter')
  await page.locator('[data-item="blocked:tsk_asks_03"]').waitFor({ state: 'detached' })
  const kept = await until(async () => {
    const { decisions } = await stage.hub.api('memory.decision.list', { project_id: 'prj_asks' })
    return decisions.find(({ decision }) => decision === 'A cookie, as before.')
  })
  expect(kept.reason).toContain('Should the session be a signed cookie')
  const { tasks } = await stage.hub.api('memory.decision.show', { decision_id: kept.id })
  expect(tasks.map(({ task_id }) => task_id)).toEqual(['tsk_asks_03'])
})
