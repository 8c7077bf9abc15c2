import { expect, test } from 'vitest'
import { until } from '../until.ts'
import { axe, testPage } from './page.ts'
import { openShop } from './scene.ts'

const byName = (a: string, b: string) => (a < b ? -1 : 1)
const then = (status: string, task: string) => `[data-then=${status}] [data-task-then=${task}]`

/** Which moments are drawn, one after the other. */
const NOTE_MOMENTS = `window.moments = []
new MutationObserver(() => {
  const now = document.querySelector('[data-moment]')?.getAttribute('data-moment')
  if (now != null && now !== window.moments.at(-1)) window.moments.push(now)
}).observe(document, { subtree: true, childList: true, attributes: true })`

test('a link that asks for it plays the hour from its beginning, once', async () => {
  await using stage = await testPage()
  await openShop(stage.hub)
  await stage.hub.api('task.move', { task_id: 'tsk_07', status: 'todo' })
  const page = await stage.open('/replay?span=hour&project=prj_shop&play=1', { first: NOTE_MOMENTS })
  await page.getByRole('button', { name: 'Play' }).waitFor()
  const moments = page.locator('[data-moment]')
  // Its end was reached from before its beginning.
  await page.locator('[data-live-edge]').waitFor()
  expect(new URL(page.url()).searchParams.has('play')).toBe(false)
  expect(await moments.getAttribute('data-moment')).not.toBe('0')
  const seen = (await page.evaluate('window.moments')) as string[]
  expect(seen[0]).toBe('0')
  expect(seen.length).toBeGreaterThan(2)
  await page.reload()
  await page.locator('[data-live-edge]').waitFor()
  expect(await page.evaluate('window.moments.length')).toBe(1)
})

test('the past hour is stepped through, and its end is what the board shows', async () => {
  await using stage = await testPage()
  await openShop(stage.hub)
  for (const status of ['todo', 'in_progress', 'done'] as const)
    await stage.hub.api('task.move', { task_id: 'tsk_07', status })
  const page = await stage.open('/replay?span=hour&project=prj_shop')
  await page.locator(then('done', 'tsk_07')).waitFor()
  // Every column as the hub has it.
  const { cards } = await stage.hub.api('task.cards', { closed_since: new Date(0).toISOString() })
  for (const status of ['backlog', 'todo', 'in_progress', 'blocked', 'done'] as const) {
    const ids = await page
      .locator(`[data-then=${status}] [data-task-then]`)
      .evaluateAll(found => found.map(one => one.getAttribute('data-task-then')))
    expect(ids.map(String).toSorted(byName)).toEqual(
      cards
        .filter(card => card.status === status)
        .map(card => card.task_id)
        .toSorted(byName),
    )
  }
  const momentNow = () => page.locator('[data-moment]').getAttribute('data-moment')
  for (const status of ['in_progress', 'todo'])
    await until(async () => {
      const before = await momentNow()
      await page.keyboard.press('ArrowLeft')
      // Drawn, before it is looked at: a second step would pass it by.
      await until(async () => (await momentNow()) !== before)
      return page.locator(then(status, 'tsk_07')).isVisible()
    })
  // Three keys are three steps, however late the page draws.
  const last = Number(await momentNow())
  await page.evaluate(`for (const key of ['ArrowLeft', 'ArrowLeft', 'ArrowLeft'])
    document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }))`)
  const { events } = await stage.hub.api('event.list', { project_id: 'prj_shop', before: last, limit: 3 })
  await page.locator(`[data-moment="${events.at(-1)?.seq}"]`).waitFor()
  for (const _ of events) await page.keyboard.press('ArrowRight')
  await page.locator(`[data-moment="${last}"]`).waitFor()
  // The address carries the moment: opened again, it shows the same.
  await until(() => new URL(page.url()).searchParams.get('at') === String(last))
  await page.reload()
  await page.locator(`[data-moment="${last}"]`).waitFor()
  await page.locator(then('todo', 'tsk_07')).waitFor()
  await page.keyboard.press('Home')
  await page.locator('[data-moment="0"]').waitFor()
  expect(await page.locator('[data-task-then]').count()).toBe(0)
  await page.keyboard.press('Space')
  await page.getByRole('button', { name: 'Pause' }).waitFor()
  await page.getByRole('button', { name: 'Play' }).waitFor()
  await page.locator(then('done', 'tsk_07')).waitFor()
  expect(await axe(page)).toEqual([])

  // Its end is now, and goes on; who looks at an earlier moment stays there.
  await page.locator('[data-live-edge]').waitFor()
  await until(() => !new URL(page.url()).searchParams.has('at'))
  await stage.hub.api('task.move', { task_id: 'tsk_05', status: 'blocked', reason: 'Which one?' })
  await page.locator(then('blocked', 'tsk_05')).waitFor()
  await page.locator('[data-live-edge]').waitFor()
  await page.keyboard.press('ArrowLeft')
  await page.locator('[data-live-edge]').waitFor({ state: 'detached' })
  const past = await momentNow()
  const range = page.getByRole('slider')
  const length = await range.getAttribute('max')
  await stage.hub.api('task.move', { task_id: 'tsk_05', status: 'todo' })
  await until(async () => (await range.getAttribute('max')) !== length)
  expect(await momentNow()).toBe(past)
})

test('a moment is opened from Activity; a time without events says so', async () => {
  await using stage = await testPage()
  await openShop(stage.hub)
  const page = await stage.open('/activity', { lang: 'ja', width: 390, theme: 'dark' })
  // Not by the mouse: the rows may still find their places below it.
  await page.locator('[data-event]', { hasText: '商品一覧のページ送り' }).first().press('Enter')
  await page.getByRole('link', { name: 'ここから再生' }).click()
  await page.locator(then('backlog', 'tsk_07')).waitFor()
  expect(await page.locator('[data-task-then=tsk_08]').count()).toBe(0)
  expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
  expect(await axe(page)).toEqual([])
  // Also with a long list of who worked, which is a table for those who hear the page.
  await page.goto(`${stage.hub.url}/replay?span=hour`)
  await page.locator(then('backlog', 'tsk_07')).waitFor()
  expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
  await page.goto(`${stage.hub.url}/crews/grp_none/replay`)
  await page.getByText('この期間には何も起きていません。').waitFor()
})
