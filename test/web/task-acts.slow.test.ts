// A task is deleted and restored, its merge undone and brought back, its folder copied and opened: each asked, said and seen.
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { DIST } from '../../scripts/sources.js'
import { build } from '../processes.ts'
import { inShop, newTask, put, reached, report } from '../thread.ts'
import { until } from '../until.ts'
import { axe, go, TestPage } from './page.ts'
import { lookAt } from './shots.ts'

// A merge, its undo and its return, each with its checks, in one browser on a busy machine.
const SLOW = { timeout: 240_000 }
const task_id = 'tsk_cart'

test('a merge is undone from the sheet, and a task deleted from its card, both after a question', SLOW, async () => {
  build()
  await inShop({ page: join(DIST, 'web') }, async shop => {
    await using stage = new TestPage(shop.hub)
    const { hub, repo, path } = shop
    put(path, 'cart.ts', 'export {}\n')
    const page = await stage.open(`/tasks/${task_id}`)
    const place = page.locator('[data-place]')
    await place.getByText('Open in editor').click()
    const link = place.getByRole('link', { name: 'Open in VS Code' })
    expect(await link.getAttribute('href')).toBe(`vscode://file${path}/`)
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await place.getByRole('button', { name: 'Copy path' }).click()
    expect(await page.evaluate<string>('navigator.clipboard.readText()')).toBe(path)
    await report(shop)
    await reached(hub, 'review')
    await hub.api('task.verdict', { task_id, decision: 'accept' })
    await reached(hub, 'merged')
    expect(repo.git('ls-tree', '--name-only', 'main')).toContain('cart.ts')

    await page.getByRole('button', { name: 'Undo the merge' }).click()
    await page.locator('[data-task-act=undo]').getByText('tasks that depend on it wait for it again').waitFor()
    expect(await axe(page)).toEqual([])
    await page.locator('[data-task-act=undo]').getByRole('button', { name: 'Undo the merge' }).click()
    await reached(hub, 'planned')
    expect(repo.git('ls-tree', '--name-only', 'main')).not.toContain('cart.ts')
    await page.getByText('undone in main').waitFor()
    await page.getByRole('button', { name: 'Bring the merge back' }).click()
    await page.locator('[data-task-act=redo]').getByRole('button', { name: 'Bring it back' }).click()
    await reached(hub, 'merged')
    expect(repo.git('ls-tree', '--name-only', 'main')).toContain('cart.ts')

    await newTask(shop, 'tsk_mistake')
    await go(page, '/board')
    const card = page.locator('[data-task=tsk_mistake]')
    await card.hover()
    await card.locator('[data-card-menu]').click()
    await page.getByText('Delete', { exact: true }).click()
    await page.locator('[data-task-act=delete]').getByText('It can be restored for 30 days').waitFor()
    await page.locator('[data-task-act=delete]').getByRole('button', { name: 'Delete' }).click()
    await card.waitFor({ state: 'detached' })
    expect(await hub.api('task.show', { task_id: 'tsk_mistake' })).toMatchObject({ status: 'cancelled' })
    await go(page, '/tasks/tsk_mistake')
    await page.locator('[data-deleted]').getByText('gone for good on').waitFor()
    await lookAt(stage, [
      ['task-deleted', '/tasks/tsk_mistake', '[data-deleted]'],
      ['task-merged', `/tasks/${task_id}`, '[data-task-detail]'],
    ])
    await go(page, '/tasks/tsk_mistake')
    await page.locator('[data-deleted] button').click()
    await until(async () => (await hub.api('task.show', { task_id: 'tsk_mistake' })).deleted_at === undefined)
  })
})
