// Reported work is read line by line, commented, sent back, looked at again and merged; and a long diff stays light.
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { DIST } from '../../scripts/sources.js'
import { build } from '../processes.ts'
import { inShop, put, reached, report, type Shop } from '../thread.ts'
import { sql } from '../queries-past-the-hub.ts'
import { eventsOf, rowsOf } from '../scene.ts'
import { until } from '../until.ts'
import { LOOKS } from './looks.ts'
import { axe, go, TestPage } from './page.ts'
import { lookIn, SHOTS } from './shots.ts'

// Agents, checks and merges are processes, and every look has a picture.
const SLOW = { timeout: 240_000 }
const project_id = 'prj_shop'
const task_id = 'tsk_cart'

async function atShop(story: (shop: Shop, stage: TestPage) => Promise<void>): Promise<void> {
  build()
  await inShop({ page: join(DIST, 'web') }, async shop => {
    await using stage = new TestPage(shop.hub)
    await story(shop, stage)
  })
}

const CART = [
  'export function total(items: Item[]) {',
  '  let sum = 0',
  '  for (const item of items) sum += item.price',
  '  return sum',
  '}',
]

async function reportCart(shop: Shop): Promise<void> {
  await shop.hub.api('project.check.add', { project_id, name: 'test', command: ['echo', 'all', 'good'] })
  put(shop.path, 'src/cart.ts', `${CART.join('\n')}\n`)
  put(shop.path, 'test/cart.test.ts', 'test("total", () => {})\n')
  await report(shop, { summary: 'The total of a cart' })
  await reached(shop.hub, 'review')
}

const lineWith = (page: Page, text: string) => page.locator('[data-spot]', { hasText: text })

test(
  'two lines are commented, sent back, answered, looked at again since then, accepted and merged',
  SLOW,
  async () => {
    await atShop(async (shop, stage) => {
      const { hub, path, repo } = shop
      await reportCart(shop)
      const page = await stage.open('/queue')
      await page.locator(`[data-waiting=${task_id}] a`).click()
      await page.getByText('The total of a cart').waitFor()
      await page.getByText('merged into main after these checks pass on the merged files: test').waitFor()
      const head = page.locator('[data-review] header')
      await head.getByText('Kim · claude').waitFor()
      await head.locator('[data-verified]').getByText('passed in the workspace').waitFor()
      await page.locator('[data-evidence]').getByText('in the workspace').waitFor()
      await head.locator('[data-waits]').getByText('waits for you').waitFor()
      await page.locator('[data-facts]').getByText('2 changed files').waitFor()
      const strip = page.locator('[data-queue-strip]')
      await strip.getByText('shop-1 is first once accepted').waitFor()
      await strip.getByText(`main is checked out clean in ${repo.root}`).waitFor()
      await lineWith(page, 'let sum = 0').locator('button').click()
      await page.locator('[data-comment-field]').fill('Prices are integers: 0n?')
      // What is being written and what is kept outlive a reload.
      await page.reload()
      expect(await page.locator('[data-comment-field]').inputValue()).toBe('Prices are integers: 0n?')
      await page.locator('[data-comment-field]').press('Control+Enter')
      await page.locator('[data-diff] [data-comment]').waitFor()
      await page.locator('[data-comment-field]').waitFor({ state: 'detached' })
      // By keys alone: to the last line, and a comment there.
      await page.locator('[data-diff]').focus()
      for (const _ of CART) await page.keyboard.press('ArrowDown')
      await page.keyboard.press('ArrowUp')
      await page.keyboard.press('c')
      await page.locator('[data-comment-field]').waitFor()
      await page.keyboard.type('合計は返す前に検証して')
      await page.keyboard.press('Control+Enter')
      await until(async () => (await hub.api('task.comments', { task_id })).comments.length === 2)
      await page.reload()
      await page.getByText('2 comments go out with your verdict.').waitFor()
      expect((await hub.api('task.comments', { task_id })).comments).toMatchObject([
        { path: 'src/cart.ts', from_line: 2, to_line: 2, draft: true },
        { path: 'src/cart.ts', from_line: 4, to_line: 4, draft: true },
      ])
      expect(await axe(page)).toEqual([])
      await page.getByRole('button', { name: 'Changes wanted' }).click()
      await page.locator('[data-stage=working]').waitFor()

      const { comments } = await hub.api('task.comments', { task_id })
      put(path, 'src/cart.ts', `${CART.with(1, '  let sum = 0n').join('\n')}\n`)
      const answers = comments.map(({ comment_id }, index) => ({ comment_id, answer: `Answer ${index + 1}` }))
      const got = await report(shop, { summary: 'Integers now', answers })
      expect(got['returned']).toMatchObject({
        why: 'changes',
        comments: [
          { path: 'src/cart.ts', lines: '2', text: 'Prices are integers: 0n?' },
          { path: 'src/cart.ts', lines: '4', text: '合計は返す前に検証して' },
        ],
      })
      await page.getByText('Integers now').waitFor()
      await page.locator('[data-stage=review]').waitFor()
      const earlier = page.locator('[data-earlier-checks]')
      await earlier.getByText('1 check of earlier snapshots').click()
      await earlier.getByText('snapshot 1').waitFor()
      const select = page.locator('[data-since]')
      await select.selectOption({ label: 'Since snapshot 1' })
      const diff = page.locator('[data-diff]')
      await lineWith(page, '0n').waitFor()
      // One line of two changed; what was said of it stands below the old one, with its answer.
      await until(async () => (await page.locator('[data-spot]').count()) === 6)
      await diff.getByText('Prices are integers: 0n?').waitFor()
      await diff.getByText('Answer 1').waitFor()
      await diff.getByText('Answer 2').waitFor()
      await page.keyboard.press('v')
      await page.getByText('1 of 1 seen').waitFor()
      expect(await page.locator('[data-spot]').count()).toBe(0)
      await page.keyboard.press('a')
      await reached(hub, 'merged')
      expect(repo.git('show', 'HEAD:src/cart.ts')).toContain('0n')
      await page.keyboard.press('g')
      await page.keyboard.press('q')
      await page.locator('[data-step=merged]').waitFor()
    })
  },
)

test('accepted work shows its commit, the next review and a way back, which undoes the merge', SLOW, async () => {
  await atShop(async (shop, stage) => {
    const { hub, repo } = shop
    await reportCart(shop)
    const other = await hub.api('task.add', { project_id, title: 'A basket' })
    await sql(hub, `UPDATE tasks SET status = 'done', reported_at = 1, verified_at = 2 WHERE id = '${other.task_id}'`)
    const page = await stage.open(`/tasks/${task_id}/review`)
    await lineWith(page, 'let sum = 0').waitFor()
    await page.getByRole('button', { name: 'Accept' }).click()
    const after = page.locator('[data-after-accept]')
    await after.getByText('Merged into main as').waitFor()
    const commit = repo.git('rev-parse', 'HEAD').trim()
    expect(await after.locator('code').textContent()).toBe(commit.slice(0, 8))
    expect(await axe(page)).toEqual([])
    const next = after.getByRole('link', { name: `Next review: ${other.handle}` })
    expect(await next.getAttribute('href')).toBe(`/tasks/${other.task_id}/review`)
    // Asked once more; what was merged after it stays.
    await after.getByRole('button', { name: 'Undo the merge' }).click()
    await after.getByRole('button', { name: 'Yes' }).click()
    await after.getByText('No verdict is needed now (planned).').waitFor()
    expect(repo.git('ls-tree', '--name-only', 'HEAD')).not.toContain('src')
    expect((await hub.api('task.show', { task_id })).status).toBe('todo')
    await next.click()
    await until(() => new URL(page.url()).pathname === `/tasks/${other.task_id}/review`)
  })
})

test('work that changed while it is read is offered, and a verdict on the older one is refused', SLOW, async () => {
  await atShop(async (shop, stage) => {
    const { hub, path } = shop
    await reportCart(shop)
    const page = await stage.open(`/tasks/${task_id}/review`)
    await lineWith(page, 'let sum = 0').waitFor()
    put(path, '.env', 'TOKEN=1\n')
    put(path, 'src/cart.ts', 'export {}\n')
    // A person lets a file in elsewhere: a new snapshot of what lies there now.
    await hub.api('task.include', { task_id, paths: ['.env'] })
    await page.getByRole('alert').filter({ hasText: 'Newer work was reported' }).waitFor()
    await until(async () => (await hub.api('task.show', { task_id })).snapshots[0]?.commit)
    await lineWith(page, 'let sum = 0').waitFor()
    await page.getByRole('button', { name: 'Accept' }).click()
    await page.getByRole('alert').filter({ hasText: 'has changed since it was looked at' }).waitFor()
    expect((await hub.api('task.show', { task_id })).verdicts).toEqual([])
    await page.getByRole('button', { name: 'Show the newer one' }).click()
    await lineWith(page, 'export {}').waitFor()
  })
})

test('a diff of 10,000 lines opens with few elements, is searched, unfolded and read side by side', SLOW, async () => {
  await atShop(async (shop, stage) => {
    const { hub, path, repo } = shop
    repo.write('old.txt', `${Array.from({ length: 60 }, (_, index) => `old ${index + 1}`).join('\n')}\n`)
    repo.commit()
    put(path, 'big.txt', `${Array.from({ length: 10_000 }, (_, index) => `line number ${index + 1}`).join('\n')}\n`)
    put(path, 'mixed.txt', 'one\ntwo\n')
    await report(shop)
    await reached(hub, 'review')
    const page = await stage.open(`/tasks/${task_id}/review`)
    await lineWith(page, 'line number 1').first().waitFor()
    const elements = () => page.evaluate('document.querySelectorAll("*").length') as Promise<number>
    expect(await elements()).toBeLessThan(1500)
    await page.keyboard.press('/')
    await page.keyboard.type('number 9876')
    await page.getByText('0 of 1 match').waitFor()
    await page.keyboard.press('Enter')
    await page.getByText('1 of 1 match').waitFor()
    await lineWith(page, 'line number 9876').waitFor()
    expect(await page.locator('mark').count()).toBe(1)
    expect(await elements()).toBeLessThan(1500)
    await page.keyboard.press('Escape')
    await page.locator('[data-diff]').focus()
    await page.keyboard.press('s')
    await until(() => new URL(page.url()).searchParams.get('view') === 'split')
    await page.locator('[data-spot].grid').first().waitFor()
    expect(await elements()).toBeLessThan(1500)
    await page.keyboard.press('j')
    await page.locator('[aria-current=true]', { hasText: 'mixed.txt' }).waitFor()
  })
})

test(
  'a merge that waits names the file in its way and goes on; one that conflicts shows both sides',
  SLOW,
  async () => {
    await atShop(async (shop, stage) => {
      const { hub, path, repo } = shop
      put(path, 'README', 'of the task\n')
      await report(shop)
      await reached(hub, 'review')
      repo.write('README', 'of main\n')
      const page = await stage.open('/queue')
      await page.locator(`[data-waiting=${task_id}]`).waitFor()
      await hub.api('task.verdict', { task_id, decision: 'accept' })
      const entry = page.locator('[data-merge=shop-1][data-step=waiting]')
      await entry.getByText(/these files have changes that the merge would overwrite: README/).waitFor()
      expect(await axe(page)).toEqual([])
      repo.commit()
      await entry.getByRole('button', { name: 'Try again now' }).click()
      const ended = page.locator('[data-merge=shop-1][data-step=conflict]')
      await ended.getByText('Details').click()
      await ended.getByText('of main').waitFor()
      await ended.getByText('of the task').waitFor()
      await page.screenshot({ path: join(SHOTS, 'queue-conflict.png') })
      // The title keeps its room beside what became of it.
      const phone = await stage.open('/queue', { width: 390, height: 844 })
      const title = phone.locator('[data-merge=shop-1][data-step=conflict] a').first()
      await title.waitFor()
      expect((await title.boundingBox())?.width).toBeGreaterThan(190)
    })
  },
)

test('review and queue are readable for all, wide and on a phone, in both themes and languages', SLOW, async () => {
  await atShop(async (shop, stage) => {
    const { hub } = shop
    const fails = ['node', '-e', 'console.log("src/cart.ts:3 unused"); process.exit(1)']
    await hub.api('project.check.add', { project_id, name: 'lint', command: fails, optional: true })
    put(shop.path, '.env', 'TOKEN=1\n')
    await reportCart(shop)
    await hub.api('task.comment', {
      task_id,
      path: 'src/cart.ts',
      from_line: 2,
      text: 'Prices are integers: 0n? 整数で',
    })
    const read = async (page: Page) => {
      await page.locator('[data-review]').waitFor()
      if (page.viewportSize()?.width === 390) await page.locator('summary', { hasText: 'src/cart.ts' }).click()
      await page.locator('[data-spot]').first().waitFor()
      await page.locator('[data-comment]').first().waitFor()
    }
    const split = async (page: Page) => {
      await page.keyboard.press('s')
      await page.locator('[data-spot].grid').first().waitFor()
    }
    const path = `/tasks/${task_id}/review`
    for (const look of LOOKS) {
      const page = await stage.open('/needs', look)
      await lookIn(page, look, [
        ['review-page', path, read],
        ...(look.width === 1440 ? [['review-split', path, split] as const] : []),
        ['queue', '/queue', '[data-waiting]'],
        ['queue-empty', '/queue?project=prj_none', 'h2'],
      ])
    }
  })
})

test('a conflict shows both sides and who made them, and is given back to its agent', SLOW, async () => {
  await atShop(async (shop, stage) => {
    const { hub, path, repo } = shop
    put(path, 'src/cart.ts', 'export const mine = 1\n')
    await report(shop, { summary: 'The cart' })
    await reached(hub, 'review')
    repo.write('src/cart.ts', 'export const yours = 2\n')
    repo.commit()
    const page = await stage.open(`/tasks/${task_id}/review`)
    // Both sides stand there before the verdict, and the first press asks.
    const conflicts = page.locator('[data-conflicts]')
    await conflicts.getByText('export const mine = 1').waitFor()
    await conflicts.getByText('export const yours = 2').waitFor()
    await page.getByText('Accepted as it is, it goes back to its agent: it does not merge with main.').waitFor()
    expect(await page.getByText('merged into main after').count()).toBe(0)
    expect(await axe(page)).toEqual([])
    await page.screenshot({ path: join(SHOTS, 'review-conflict-light-en-1440.png') })
    // Only its own part of the page scrolls.
    await page.setViewportSize({ width: 1440, height: 420 })
    await go(page, `/needs/${encodeURIComponent(`review:${task_id}`)}`)
    await page.locator('[data-detail] [data-conflicts]').waitFor()
    expect(await page.evaluate('document.documentElement.scrollHeight - innerHeight')).toBe(0)
    await page.setViewportSize({ width: 1440, height: 900 })
    await go(page, `/tasks/${task_id}/review`)
    await conflicts.getByText('export const mine = 1').waitFor()
    await page.getByRole('button', { name: 'Accept' }).click()
    await page.locator('[data-warned]').getByText('It does not merge with main (src/cart.ts).').waitFor()
    expect((await hub.api('task.show', { task_id })).stage).toBe('review')
    await page.getByRole('button', { name: 'Accept anyway' }).click()
    await reached(hub, 'working')
    // After the fourth time the hub asks a person: until then it gives it back automatically.
    await hub.api('task.move', { task_id, status: 'blocked' })
    const merged = `INSERT INTO merges (id, task_id, project_id, snapshot_id, repository, base_ref, method, queued_at, ended_at, outcome, details)
      SELECT 'mrg_0', 'tsk_other', project_id, snapshot_id, repository, base_ref, method, queued_at, ended_at, 'merged', '{}' FROM merges`
    await hub.api('task.add', { id: 'tsk_other', project_id, title: 'Rename the cart' })
    await sql(hub, merged)
    await page.goto(`${hub.url}/queue`)
    const row = page.locator('[data-step=conflict]')
    await row.locator('summary').click()
    await row.getByText('export const mine = 1').waitFor()
    await row.getByText('export const yours = 2').waitFor()
    await row.locator('[data-changed-by]').getByText('Rename the cart').waitFor()
    expect(await axe(page)).toEqual([])
    await page.screenshot({ path: join(SHOTS, 'conflict-light-en-1440.png') })
    const givenBack = async (from: string) => {
      const button = page.getByRole('button', { name: /^Give back to / })
      await button.waitFor()
      if (from !== 'queue') expect(await axe(page), from).toEqual([])
      await page.screenshot({ path: join(SHOTS, `give-back-${from}.png`) })
      await button.click()
      await until(async () => (await hub.api('task.show', { task_id })).status === 'in_progress')
      await button.waitFor({ state: 'detached' })
      await hub.api('task.move', { task_id, status: 'blocked' })
    }
    await givenBack('queue')
    // Wherever else a person meets it.
    for (const [from, path] of [
      ['needs', `/needs/${encodeURIComponent(`blocked:${task_id}`)}`],
      ['sheet', `/tasks/${task_id}`],
      ['review', `/tasks/${task_id}/review`],
    ] as const) {
      await go(page, path)
      await page.locator('[data-give-back]').getByText('Its work did not merge').waitFor()
      await givenBack(from)
    }
  })
})

test('what was changed after the report is shown, and taken in by one press', SLOW, async () => {
  await atShop(async (shop, stage) => {
    const { hub, path } = shop
    await reportCart(shop)
    put(path, 'src/cart.ts', 'export const mended = 1\n')
    const page = await stage.open(`/tasks/${task_id}/review`)
    const changed = page.locator('[data-changed-since]')
    await changed.getByText('src/cart.ts').waitFor()
    expect(await axe(page)).toEqual([])
    await page.screenshot({ path: join(SHOTS, 'changed-since.png') })
    await page.getByRole('button', { name: 'Accept' }).click()
    await page.getByText('these changes are left out').waitFor()
    expect((await hub.api('task.show', { task_id })).stage).toBe('review')
    await changed.getByRole('button', { name: 'Take it in' }).click()
    await until(async () => (await hub.api('task.review', { task_id })).diff.includes('mended'))
    // What is read does not change by itself.
    await page.getByRole('button', { name: 'Show the newer one' }).click()
    await changed.waitFor({ state: 'detached' })
  })
})

test('a check that failed for the fourth time shows its output, and is no question', SLOW, async () => {
  await atShop(async (shop, stage) => {
    const { hub, path } = shop
    const command = ['sh', '-c', 'for n in $(seq 30); do echo "line $n"; done; exit 1']
    await hub.api('project.check.add', { project_id, name: 'test', command })
    for (const count of [1, 2, 3, 4]) {
      put(path, 'src/cart.ts', `export const n = ${count}\n`)
      await report(shop)
      await reached(hub, count === 4 ? 'blocked' : 'working')
    }
    const page = await stage.open(`/needs/${encodeURIComponent(`blocked:${task_id}`)}`)
    await page.getByRole('heading', { name: 'Check test failed' }).waitFor()
    const output = page.locator('[data-check=test]')
    expect(await output.locator('pre').textContent()).toMatch(/^line 16\n[^]*line 30$/)
    await output.getByRole('button', { name: 'Whole log' }).click()
    await output.locator('[data-log]').getByText('line 1\n').waitFor()
    expect(await page.locator('[data-detail]').textContent()).not.toMatch(/evd_|asks/)
    await page.getByRole('textbox', { name: 'Say what to do' }).waitFor()
    await page
      .locator('[data-row-steps]')
      .getByRole('button', { name: /^Say what to do/ })
      .waitFor()
    const steps = page.locator('[data-steps]')
    for (const name of [/^Give to/, 'Accept anyway']) await steps.getByRole('button', { name }).waitFor()
    for (const look of LOOKS)
      await lookIn(await stage.open('/needs', look), look, [
        ['check-failed', `/needs/${encodeURIComponent(`blocked:${task_id}`)}`, '[data-check=test]'],
      ])
    // Mended by hand, it is reported work again: checked, and reviewed when it passes.
    await hub.api('project.check.edit', { project_id, name: 'test', command: ['sh', '-c', '! grep -q 4 src/cart.ts'] })
    put(path, 'src/cart.ts', 'export const mended = 5\n')
    await page.reload()
    const changed = page.locator('[data-changed-since]')
    await changed.getByText('src/cart.ts').waitFor()
    await page.screenshot({ path: join(SHOTS, 'mended-by-hand.png') })
    await changed.getByRole('button', { name: 'Take it in' }).click()
    await reached(hub, 'review')
    expect((await hub.api('task.review', { task_id })).diff).toContain('mended = 5')
    const asked = eventsOf(await rowsOf(hub, 'events'), 'snapshot.asked')
    expect(asked).toMatchObject([{ taskId: task_id }])
  })
})

test('work whose check fails can be accepted anyway, and is not merged as long as it does', SLOW, async () => {
  await atShop(async (shop, stage) => {
    const { hub, path } = shop
    await hub.api('project.check.add', { project_id, name: 'test', command: ['false'] })
    for (const count of [1, 2, 3, 4]) {
      put(path, 'src/cart.ts', `export const n = ${count}\n`)
      await report(shop)
      await reached(hub, count === 4 ? 'blocked' : 'working')
    }
    const page = await stage.open(`/needs/${encodeURIComponent(`blocked:${task_id}`)}`)
    await page.locator('[data-steps]').getByRole('button', { name: 'Accept anyway' }).click()
    // It is not merged as long as the check fails.
    await until(async () => (await hub.api('task.show', { task_id })).merge?.outcome === 'failed')
  })
})

test('the sheet of a task has its changes and what happened, and is made wider by key and drag', SLOW, async () => {
  await atShop(async (shop, stage) => {
    const { hub, path } = shop
    put(path, 'src/cart.ts', 'export const one = 1\nexport const two = 2\n')
    const page = await stage.open('/board')
    await page.locator(`[data-task=${task_id}] a`).click()
    await page.locator('[data-changed]').getByText('1 file +2 −0').waitFor()
    await page.locator('[data-task-events] li').first().waitFor()
    await hub.api('task.edit', { task_id, priority: 'urgent' })
    await page.locator('[data-task-events]').getByText('You', { exact: true }).first().waitFor()
    const sheet = page.locator('dialog[open]')
    const width = async () => Math.round((await sheet.boundingBox())?.width ?? 0)
    await until(async () => (await width()) === 560)
    const handle = page.locator('[data-sheet-handle]')
    await handle.focus()
    await page.keyboard.press('ArrowLeft')
    await until(async () => (await width()) === 600)
    await page.keyboard.press('Home')
    await until(async () => (await width()) === 420)
    await handle.hover()
    await page.mouse.down()
    await page.mouse.move(740, 300)
    await page.mouse.up()
    await until(async () => (await width()) === 700)
    await page.reload()
    await page.locator('[data-task-events] li').first().waitFor()
    await until(async () => (await width()) === 700)
    expect(await axe(page)).toEqual([])
  })
})
