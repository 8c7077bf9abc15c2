import { expect, test } from 'vitest'
import { until } from '../until.ts'
import { testPage } from './page.ts'
import { openShop } from './scene.ts'

const SLOW = { timeout: 240_000 }

test('an item is snoozed with keys alone, and is gone in the other browser, too', SLOW, async () => {
  await using stage = await testPage()
  await openShop(stage.hub)
  const [one, two] = [await stage.open('/needs'), await stage.open('/needs')]
  const item = '[data-item="blocked:tsk_03"]'
  await one.locator(item).click()
  await one.getByText('signed cookie or a bearer token').waitFor()
  await one.keyboard.press('z')
  await one.getByRole('button', { name: 'For an hour' }).waitFor()
  await until(() => one.evaluate<boolean>('document.activeElement?.textContent === "For an hour"'))
  await one.keyboard.press('Enter')
  for (const page of [one, two]) await page.locator(item).waitFor({ state: 'detached' })
  const { items, next_at } = await stage.hub.api('inbox.list', {})
  expect(items.map(({ item_id }) => item_id)).not.toContain('blocked:tsk_03')
  expect(next_at).not.toBeNull()
  await until(async () => (await two.title()).startsWith(`(${items.length})`))

  // Something new happens to it before its time.
  await stage.hub.api('task.move', { task_id: 'tsk_03', status: 'in_progress' })
  await stage.hub.api('task.move', { task_id: 'tsk_03', status: 'blocked' })
  for (const page of [one, two]) await page.locator(item).waitFor()
})
