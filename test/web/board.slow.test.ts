import { expect, test } from 'vitest'
import { until } from '../until.ts'
import { testPage } from './page.ts'
import { openShop } from './scene.ts'

const SLOW = { timeout: 240_000 }

test('cards are selected, given to an agent, made urgent and moved together, by keys alone', SLOW, async () => {
  await using stage = await testPage()
  await openShop(stage.hub)
  const page = await stage.open('/board')
  const focus = async (id: string) => {
    await page.locator(`[data-task=${id}] a`).focus()
    await until(() => page.evaluate<boolean>(`document.activeElement?.closest('[data-task=${id}]') !== null`))
  }
  const both = ['tsk_05', 'tsk_06']
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
  await focus('tsk_05')
  await page.keyboard.press('P')
  await page.getByPlaceholder('Priority of 2 tasks…').fill('urgent')
  await page.keyboard.press('Enter')
  await until(async () => (await shown()).every(([, priority]) => priority === 'urgent'))
  await focus('tsk_05')
  await page.keyboard.press('1')
  await until(async () => (await shown()).every(([, , status]) => status === 'backlog'))
  await page.keyboard.press('Escape')
  await page.getByText('2 selected').waitFor({ state: 'detached' })
  expect(await shown()).toEqual(both.map(() => ['agt_sora', 'urgent', 'backlog']))
})
