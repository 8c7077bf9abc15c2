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

test(
  'cards are put in order by dragging and by keys, in both browsers; a refused order is put back',
  SLOW,
  async () => {
    await using stage = await testPage()
    await openShop(stage.hub)
    const [one, two] = [await stage.open('/board'), await stage.open('/board')]
    const column = (page: typeof one) =>
      page
        .locator('[data-column=backlog] [data-task]')
        .evaluateAll(cards => cards.map(card => card.getAttribute('data-task')))
    const shows = async (...ids: string[]) => {
      for (const page of [one, two]) await until(async () => (await column(page)).join() === ids.join())
    }
    await shows('tsk_10', 'tsk_07', 'tsk_08', 'tsk_09')
    const card = (id: string) => one.locator(`[data-task=${id}]`)
    // Onto the upper half: above it. Onto the lower half: below.
    await card('tsk_09').dragTo(card('tsk_07'), { targetPosition: { x: 80, y: 4 } })
    await shows('tsk_10', 'tsk_09', 'tsk_07', 'tsk_08')
    const { height = 0 } = (await card('tsk_08').boundingBox()) ?? {}
    await card('tsk_10').dragTo(card('tsk_08'), { targetPosition: { x: 80, y: height - 4 } })
    await shows('tsk_09', 'tsk_07', 'tsk_08', 'tsk_10')

    await two.locator('[data-task=tsk_10] a').focus()
    await two.keyboard.press('Shift+ArrowUp')
    await shows('tsk_09', 'tsk_07', 'tsk_10', 'tsk_08')
    await two.keyboard.press('Shift+ArrowUp')
    await shows('tsk_09', 'tsk_10', 'tsk_07', 'tsk_08')
    await until(() => two.evaluate<boolean>(`document.activeElement?.closest('[data-task=tsk_10]') !== null`))
    await two.keyboard.press('Shift+ArrowDown')
    await shows('tsk_09', 'tsk_07', 'tsk_10', 'tsk_08')

    // What the hub refuses is put back, and said.
    await one.route('**/api/task.order', route =>
      route.fulfill({
        status: 409,
        json: { error: { code: 'TASKS_APART', message: 'Not there.', kind: 'conflict', retryable: false } },
      }),
    )
    await one.locator('[data-task=tsk_09] a').focus()
    await one.keyboard.press('Shift+ArrowDown')
    await one.getByText('Not there.').waitFor()
    await shows('tsk_09', 'tsk_07', 'tsk_10', 'tsk_08')
    // A drag to another column is a move, as before.
    await card('tsk_08').dragTo(one.locator('[data-column=blocked]'))
    for (const page of [one, two]) await page.locator('[data-column=blocked] [data-task=tsk_08]').waitFor()
  },
)
