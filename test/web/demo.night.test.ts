// A newcomer at an empty dashboard: starts the demo, answers, accepts, sees it merged, and is rid of it.
import fs from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { DIST } from '../../scripts/sources.js'
import { DemoFolder } from '../demo.ts'
import { until } from '../until.ts'
import { axe, testPage } from './page.ts'

// The scene of the demo alone takes half a minute.
const SLOW = { timeout: 240_000 }

test('from the empty page to a merged change in the demo, which is then deleted', SLOW, async () => {
  await using demo = new DemoFolder()
  await using stage = await testPage({ demoProgram: join(DIST, 'hub.js'), engineEnv: demo.env })
  const page = await stage.open('/board')
  await page.getByText('toryo up --demo').waitFor()
  expect(await axe(page)).toEqual([])
  await page.getByRole('link', { name: 'Needs you' }).first().click()
  await page.getByRole('button', { name: 'See it work: start the demo' }).click()
  const link = page.getByRole('link', { name: 'Open the demo' })
  await link.waitFor()
  expect(await page.locator('[data-demo]').count()).toBe(0)

  const shop = await stage.open('/', { elsewhere: (await link.getAttribute('href')) as string })
  // The scene plays as fast as the machine starts its processes.
  shop.setDefaultTimeout(240_000)
  await shop.getByText('Demo: scripted agents, no model, nothing leaves this machine').waitFor()
  // Before anything waits, a newcomer sees who works, and what there is to do.
  await shop.locator('[data-at-work], [data-item]').first().waitFor()
  const step = (name: string, state: string) => shop.locator(`[data-step=${name}][data-state=${state}]`).first()
  await step('watch', 'now').waitFor()
  await step('answer', 'now').waitFor()
  const waiting = shop.locator('[data-item^="tab_waits"]')
  await waiting.click()
  await shop.getByText('Should the session be a cookie or a bearer token?').first().waitFor()
  await shop.locator('.xterm-screen').click()
  // Pressed again where the terminal was not ready for the first: after the answer it is only shown.
  await until(async () => {
    await shop.keyboard.type('1')
    return (await demo.api('tab.list', {})).tabs.every(({ status }) => status !== 'waiting')
  })
  await waiting.waitFor({ state: 'detached' })
  await step('answer', 'done').waitFor()
  await shop.locator('[data-done="1"]').getByText('1 of 4').waitFor()

  // The review failed, by the script; it is run again from here.
  const failed = shop.locator('[data-item^="run_failed"]')
  await failed.click()
  const steps = shop.locator('[data-steps]')
  await steps.getByRole('link', { name: 'Log', exact: true }).waitFor()
  await steps.getByRole('button', { name: 'Run again' }).click()
  await failed.waitFor({ state: 'detached' })
  await until(async () =>
    (await demo.api('run.list', { status: 'completed' })).runs.some(run => run.role === 'reviewer'),
  )

  await shop.locator('[data-item="review:tsk_prices"]').click()
  const review = shop.locator('[data-review=tsk_prices]')
  await review.getByText('Prices are integers now').waitFor()
  await review.getByText('src/price.js', { exact: true }).click()
  await review.getByText('tea: 1280').first().waitFor()
  expect(await axe(shop)).toEqual([])
  await review.getByRole('button', { name: 'Accept' }).click()
  await until(async () => (await demo.api('task.show', { task_id: 'tsk_prices' })).stage === 'merged')
  expect(await demo.git('show', 'main:src/price.js')).toContain('tea: 1280')
  await shop.getByRole('link', { name: 'Board' }).first().click()
  await shop.locator('[data-task=tsk_prices]').getByText('merged').waitFor()
  await step('review', 'done').waitFor()
  await step('watch', 'done').waitFor()
  // What the run used, as far as the engine reports it.
  await shop.locator('[data-task=tsk_prices] a').click()
  await shop.locator('[data-used=one]').getByText('tool calls').waitFor()
  await shop.keyboard.press('Escape')

  // The ribbon speaks Japanese and fits on a phone.
  const { url } = await demo.api('hub.login_link', {})
  const phone = await stage.open('/', { elsewhere: url, lang: 'ja', theme: 'dark', width: 390, height: 844 })
  await phone.getByRole('button', { name: '終了して削除' }).waitFor()
  await phone.getByText('モデルは使いません').waitFor()
  // What was done on the other page is done here.
  await phone.getByText('2 / 4 完了').waitFor()
  await phone.locator('[data-step=watch]:visible').waitFor()
  expect(await axe(phone)).toEqual([])
  expect(await phone.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)

  // The replay plays, and then there is nothing left but to begin.
  await shop.locator('[data-step=replay]').first().click()
  await shop.getByText('That was all of it. Next, in a project of your own:').waitFor()
  await shop.getByText('bin/toryo.js init').waitFor()
  await shop.getByRole('button', { name: 'Pause' }).waitFor()
  expect(await axe(shop)).toEqual([])
  await shop.getByRole('button', { name: 'End and delete' }).click()
  await shop.locator('[data-demo=ended]').getByText('The demo has ended and is deleted.').waitFor()
  // The other page of it says so, too, and does not only wait for the hub to come back.
  await phone.locator('[data-demo=ended]').getByText('デモを終了し、すべて削除しました').waitFor()
  await until(() => !fs.existsSync(demo.place.home))
  await until(() => demo.processes().length === 0)
  // The hub that started it goes on.
  await page.locator('[data-line=live]').waitFor()
})
