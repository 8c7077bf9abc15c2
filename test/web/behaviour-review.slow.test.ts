// Reported work is reviewed at the dashboard, in a real browser, at a hub over a real repository.
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { DIST } from '../../scripts/sources.js'
import { build } from '../processes.ts'
import { inShop, put, reached, report, type Shop } from '../thread.ts'
import { until } from '../until.ts'
import { axe, TestPage } from './page.ts'

const project_id = 'prj_shop'
const task_id = 'tsk_cart'

async function atReview(story: (shop: Shop, stage: TestPage) => Promise<void>): Promise<void> {
  build()
  await inShop({ page: join(DIST, 'web') }, async shop => {
    await using stage = new TestPage(shop.hub)
    await shop.hub.api('project.check.add', { project_id, name: 'test', command: ['echo', 'all', 'good'] })
    const fails = ['node', '-e', 'console.log("3 warnings"); process.exit(1)']
    await shop.hub.api('project.check.add', { project_id, name: 'lint', command: fails, optional: true })
    put(shop.path, 'src/cart.ts', 'export const cart = []\n')
    put(shop.path, 'package-lock.json', '{}\n')
    put(shop.path, '.env', 'TOKEN=1\n')
    await report(shop, { summary: 'A cart, with a lock file' })
    await reached(shop.hub, 'review')
    await story(shop, stage)
  })
}

test('changes are wanted by `r`, and the work is accepted by `a` and merged', async () => {
  await atReview(async (shop, stage) => {
    const { hub, path, repo } = shop
    const page = await stage.open('/needs')
    const review = page.locator(`[data-review=${task_id}]`)
    await review.getByText('A cart, with a lock file').waitFor()
    await review.getByText('3 warnings').waitFor()
    await review.getByText('looks like a secret').waitFor()
    await review.getByText('lock file', { exact: true }).waitFor()
    expect(await review.getByText('all good').isVisible()).toBe(false)
    await review.getByText('src/cart.ts').click()
    await review.getByText('export const cart = []').waitFor()
    expect(await axe(page)).toEqual([])

    expect(await page.getByRole('button', { name: 'Changes wanted' }).isDisabled()).toBe(true)
    await page.keyboard.press('r')
    await page.keyboard.type('Name it items. 商品なので。')
    await page.keyboard.press('Control+Enter')
    await page.locator('[data-item]').waitFor({ state: 'detached' })
    const back = await hub.api('task.show', { task_id })
    expect(back).toMatchObject({ stage: 'working', verdicts: [{ decision: 'changes', by: 'operator' }] })
    expect(back.verdicts[0]?.summary).toBe('Name it items. 商品なので。')

    put(path, 'src/cart.ts', 'export const items = []\n')
    await report(shop, { summary: 'Renamed' })
    await review.getByText('Renamed', { exact: true }).waitFor()
    expect(await page.locator('[data-verdict]').inputValue()).toBe('')
    await page.keyboard.press('a')
    await page.locator('[data-item]').waitFor({ state: 'detached' })
    await reached(hub, 'merged')
    expect(repo.git('show', 'HEAD:src/cart.ts')).toContain('items')
  })
})

test('the sheet accepts, too, and says what the hub refuses without pretending', async () => {
  await atReview(async ({ hub }, stage) => {
    const page = await stage.open(`/tasks/${task_id}`)
    const sheet = page.locator('[data-task-page]')
    await sheet.getByText('A cart, with a lock file').first().waitFor()
    // As when the hub has a reason of its own: only the answer is made up.
    await page.route('**/api/task.verdict', route =>
      route.fulfill({
        status: 409,
        json: { error: { code: 'NOT_ACCEPTED', message: 'The hub says no.', kind: 'conflict', retryable: false } },
      }),
    )
    await page.keyboard.press('a')
    await sheet.getByRole('alert').filter({ hasText: 'The hub says no.' }).waitFor()
    expect((await hub.api('task.show', { task_id })).stage).toBe('review')
    await page.unroute('**/api/task.verdict')
    await sheet.getByRole('button', { name: 'Accept' }).click()
    await until(async () => (await hub.api('task.show', { task_id })).verdicts[0]?.decision === 'accept')
    await reached(hub, 'merged')
    await sheet.locator('[data-stage=merged]').waitFor()
  })
})
