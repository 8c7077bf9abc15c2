// What differs in each worktree, as it lies there now, and who else changes the same lines.
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { DIST } from '../../scripts/sources.js'
import { run } from '../git.ts'
import { build } from '../processes.ts'
import { inShop, newTask, put, type Shop } from '../thread.ts'
import { until } from '../until.ts'
import { LOOKS } from './looks.ts'
import { TestPage } from './page.ts'
import { lookIn, type View } from './shots.ts'

// Git works for each of its steps, and every look has a picture.
const SLOW = { timeout: 240_000 }

const LINES = Array.from({ length: 60 }, (_, index) => `export const line${index + 1} = ${index + 1}`)

type Two = Shop & { other: string }

let two: (Two & { stage: TestPage }) | undefined
let close = () => {}
let closed: Promise<void> | undefined

/** Two agents at work, who both change line 30 of one file. */
beforeAll(async () => {
  build()
  await new Promise<void>((ready, fail) => {
    closed = inShop({ page: join(DIST, 'web'), thread: { radarMs: 0 } }, async shop => {
      await using stage = new TestPage(shop.hub)
      const { hub, repo, path } = shop
      repo.write('src/cart.ts', `${LINES.join('\n')}\n`)
      repo.write('run.sh', 'echo\n', 0o644)
      repo.commit()
      run(path, ['reset', '-q', '--hard', 'main'])
      const other = await newTask(shop, 'tsk_shelf')
      const { passkey } = await hub.api('agent.add', { id: 'agt_lee', name: 'Lee', engine: 'claude' })
      await hub.api('project.assign', { project_id: 'prj_shop', agent_id: 'agt_lee' })
      await hub.api('task.assign', { task_id: 'tsk_shelf', agent_id: 'agt_lee' })
      for (const [id, key] of [
        ['agt_lee', passkey],
        ['agt_kim', shop.passkey],
      ] as const) {
        const agent = await hub.connect()
        await agent.call('get_my_task', { session_token: await agent.signIn(id, key, 'prj_shop') })
      }
      two = { ...shop, other, stage }
      await new Promise<void>(resolve => {
        close = resolve
        ready()
      })
    })
    closed.catch(fail)
  })
})

afterAll(async () => {
  close()
  await closed
})

/** The same shop for each test, with both worktrees as the base is; each opens browsers of its own. */
async function withTwo(story: (shop: Two, stage: TestPage) => Promise<void>): Promise<void> {
  if (two === undefined) throw new Error('the shop did not open')
  const { stage, ...shop } = two
  for (const worktree of [shop.path, shop.other]) {
    run(worktree, ['reset', '-q', '--hard', 'main'])
    run(worktree, ['clean', '-qfd'])
  }
  await until(async () => {
    shop.hub.running.hub.thread.wake()
    return (await shop.hub.api('overlap.list', {})).overlaps.length === 0
  })
  try {
    await story(shop, stage)
  } finally {
    await stage.leave()
  }
  stage.check()
}

function change({ path, other }: { path: string; other: string }): void {
  put(path, 'src/cart.ts', `${LINES.with(29, 'export const line30 = 300').join('\n')}\n`)
  put(path, 'docs/カート.md', '# カート\n\n合計は整数です。\n')
  put(path, 'logo.png', '\0\u0001')
  put(other, 'src/cart.ts', `${LINES.with(29, "export const line30 = '30'").join('\n')}\n`)
}

async function overlapped(shop: Shop): Promise<void> {
  await until(async () => {
    shop.hub.running.hub.thread.wake()
    return (await shop.hub.api('overlap.list', {})).overlaps.some(({ kind }) => kind === 'conflict')
  })
}

test(
  'worktrees that differ are listed with their lines, overlap is marked, and a diff is unfolded and looked at again',
  SLOW,
  async () => {
    await withTwo(async (shop, stage) => {
      const page = await stage.open('/board')
      await page.keyboard.press('g')
      await page.keyboard.press('d')
      await page.getByText('No worktree differs from its base.').waitFor()
      change(shop)
      await overlapped(shop)
      await page.reload()
      await page.locator('[data-overlap=conflict]').getByText('would not merge').waitFor()
      const row = page.locator('[data-worktree*="shop-1"]')
      await row.getByText('3 files').waitFor()
      await row.getByText('also changed by shop-2').waitFor()
      expect(await row.textContent()).toContain('+4 added−1 removed')
      await row.getByRole('link').click()
      await page.locator('[data-spot]', { hasText: 'line30 = 300' }).waitFor()
      await page.locator('[data-file="src/cart.ts"]').getByText('also changed by shop-2').waitFor()
      // Which lines the other changes, as its own file has them; and how many there are.
      await page.locator('[data-elsewhere]').getByText('also changed by shop-2, lines 30 there').waitFor()
      await page.locator('[data-overlap-count]').getByText('1 overlap').waitFor()
      const folder = page.locator('[data-folder=src]')
      await folder.click()
      const listed = page.locator('button[title="src/cart.ts"]')
      await listed.waitFor({ state: 'detached' })
      await folder.click()
      await listed.waitFor()
      await page.locator('[data-file="logo.png"]').getByText('A binary file: its content is not shown.').waitFor()
      const far = page.locator('[data-spot]', { hasText: 'line5 =' })
      expect(await far.count()).toBe(0)
      await page.getByText('26 unchanged lines').waitFor()
      await page.getByRole('button', { name: 'Show whole file' }).first().click()
      await far.waitFor()
      put(shop.path, 'src/cart.ts', `${LINES.with(29, 'export const line30 = 999').join('\n')}\n`)
      await page.getByRole('button', { name: 'Look again' }).click()
      await page.locator('[data-spot]', { hasText: 'line30 = 999' }).waitFor()
      // Compared with another branch, which has the same line: the address says so.
      run(shop.path, ['branch', 'other-base', 'HEAD'])
      await page.reload()
      await page.locator('[data-base-pick]').selectOption({ label: 'against other-base' })
      await until(() => new URL(page.url()).searchParams.get('base') === 'other-base')
      await page.locator('[data-spot]', { hasText: 'line30 = 999' }).waitFor()
      await page.locator('[data-base-pick]').selectOption({ index: 0 })
      await until(() => !new URL(page.url()).searchParams.has('base'))
      await page.goto(`${page.url()}?file=src%2Fcart.ts&view=split`)
      await page.locator('[data-spot].grid', { hasText: 'line30 = 999' }).waitFor()
    })
  },
)

test(
  'code has colours, blanks and word marks are switched, and lines become a decision, a question and a task',
  SLOW,
  async () => {
    await withTwo(async (shop, stage) => {
      const { hub, path } = shop
      put(
        path,
        'src/cart.ts',
        `${LINES.with(29, '  export const line30 = 300 // why').with(50, `  ${LINES[50]}`).join('\n')}\n`,
      )
      const big = Array.from({ length: 10_000 }, (_, at) => `export const n${at} = 'text ${at}'`)
      put(path, 'src/wide.ts', `${big.join('\n')}\n`)
      const { task_id } = await hub.api('task.show', { task_id: 'tsk_cart' })
      const made = { project_id: 'prj_shop', decision: 'Prices are integers', reason: 'no rounding' }
      await hub.api('memory.decision.add', { ...made, task_ids: [task_id] })
      const page = await stage.open('/changes')
      await page.locator('[data-worktree*="shop-1"] a').click()
      const line = page.locator('[data-spot]', { hasText: 'line30 = 300' })
      await line.locator('.text-code-keyword', { hasText: 'export' }).waitFor()
      await line.locator('.text-code-comment', { hasText: '// why' }).waitFor()
      // The words that are new in it are marked, whatever their colour.
      await line.locator('[class*="bg-matsu/25"]').first().waitFor()
      await page.getByRole('button', { name: 'Mark changed words' }).click()
      await line.locator('[class*="bg-matsu/25"]').first().waitFor({ state: 'detached' })
      const moved = page.locator('[data-spot]', { hasText: 'line51 =' })
      await until(async () => (await moved.count()) === 2)
      await page.getByRole('button', { name: 'Show changes of blanks' }).click()
      await until(async () => (await moved.count()) === 1)
      const told = page.locator('[data-ledger] [data-decision]', { hasText: 'Prices are integers' })
      await told.getByText('told to Kim').waitFor()

      // Ten thousand lines, of which only those that are seen are there.
      await page
        .getByRole('button', { name: /wide\.ts/ })
        .first()
        .click()
      await page.locator('[data-spot]', { hasText: 'n0 =' }).locator('.text-code-string').waitFor()
      expect(Number(await page.evaluate('document.querySelectorAll("[data-spot]").length'))).toBeLessThan(200)
      await page.getByRole('searchbox').fill('n9876')
      await page.getByRole('searchbox').press('Enter')
      await page.locator('[data-spot]', { hasText: 'n9876 =' }).locator('.text-code-keyword').first().waitFor()
      expect(Number(await page.evaluate('document.querySelectorAll("[data-spot]").length'))).toBeLessThan(200)
      await page.getByRole('searchbox').fill('')

      await page
        .getByRole('button', { name: /cart\.ts/ })
        .first()
        .click()
      await line.getByRole('button').click()
      const dialog = page.locator('[data-line-acts]')
      await dialog.getByText('About src/cart.ts:30').waitFor()
      await dialog.locator('pre', { hasText: 'line30 = 300' }).waitFor()
      await dialog.getByLabel('What is decided?').fill('Line 30 is a price')
      await dialog.getByLabel('Why?').fill('the shop says so')
      await dialog.getByRole('button', { name: 'Save the decision' }).click()
      await page.locator('[data-ledger] [data-decision]', { hasText: 'Line 30 is a price' }).waitFor()
      const { decisions } = await hub.api('memory.decision.list', { project_id: 'prj_shop' })
      expect(decisions.find(({ decision }) => decision === 'Line 30 is a price')?.reason).toBe(
        'the shop says so\n\nsrc/cart.ts:30',
      )

      // By keys alone.
      await page.keyboard.press('.')
      await dialog.getByRole('button', { name: 'Ask', exact: true }).click()
      await dialog.getByText('No agent has a terminal here').waitFor()
      await dialog.getByRole('button', { name: 'Make a task' }).click()
      await dialog.getByLabel('Title').fill('Name line 30')
      await page.keyboard.press('Enter')
      await dialog.waitFor({ state: 'detached' })
      const { tasks } = await hub.api('task.list', { project_id: 'prj_shop' })
      expect(tasks.find(({ title }) => title === 'Name line 30')?.description).toContain('src/cart.ts:30\n>   export')
    })
  },
)

test('files that change appear while a page shows them, and git rests when none does', SLOW, async () => {
  await withTwo(async (shop, stage) => {
    const page = await stage.open('/changes')
    await page.getByText('No worktree differs from its base.').waitFor()
    put(shop.path, 'src/first.ts', 'export {}\n')
    const row = page.locator('[data-worktree*="shop-1"]')
    await row.getByText('1 file', { exact: true }).waitFor()
    await row.getByRole('link').click()
    await page.locator('[data-file="src/first.ts"]').waitFor()
    put(shop.path, 'src/second.ts', 'export const second = 2\n')
    await page.locator('[data-spot]', { hasText: 'second = 2' }).waitFor()
    for (const args of [
      ['add', '-A'],
      ['commit', '-qm', 'two files'],
    ])
      run(shop.path, args)
    shop.repo.write('elsewhere.ts', 'export {}\n')
    shop.repo.commit()
    const distance = page.locator('[data-distance]')
    await distance.getByText('1 commit ahead of its base').waitFor()
    await distance.getByText('1 commit behind its base').waitFor()
    const events = await shop.hub.api('event.list', { types: ['worktree.changed'] })
    expect(events.events).toEqual([])
    // Another view shows no worktree.
    await page.keyboard.press('g')
    await page.keyboard.press('b')
    await page.waitForURL(/board/)
    await until(() => shop.hub.running.hub.watching.size === 0)
  })
})

test('two on other lines of one file are shown as near, and no person is asked', SLOW, async () => {
  await withTwo(async (shop, stage) => {
    put(shop.path, 'src/cart.ts', `${LINES.with(4, 'export const line5 = 500').join('\n')}\n`)
    put(shop.other, 'src/cart.ts', `${LINES.with(54, 'export const line55 = 550').join('\n')}\n`)
    const page = await stage.open('/changes')
    const near = page.locator('[data-near=file]')
    await near.getByText('change the same file').waitFor()
    expect(await near.textContent()).toContain('src/cart.ts')
    shop.hub.running.hub.thread.wake()
    expect(await page.locator('[data-overlap]').count()).toBe(0)
    expect((await shop.hub.api('overlap.list', {})).overlaps).toEqual([])
    await near.getByRole('link').first().click()
    await page.locator('[data-file="src/cart.ts"]').waitFor()
  })
})

test('on a phone one steps from file to file, reads the decisions and changes to another worktree', SLOW, async () => {
  await withTwo(async (shop, stage) => {
    change(shop)
    await shop.hub.api('memory.decision.add', {
      ...{ project_id: 'prj_shop', decision: 'Totals are integers', reason: 'Cents', task_ids: ['tsk_cart'] },
    })
    const { decisions } = await shop.hub.api('memory.decision.list', { project_id: 'prj_shop' })
    const page = await stage.open('/changes', { width: 390, height: 844 })
    await page.locator('[data-worktree*="shop-1"] a').click()
    const at = page.getByRole('navigation', { name: 'Files' })
    await at.getByText('File 1 of 3').waitFor()
    await at.getByRole('button', { name: 'Next file' }).click()
    await at.getByText('File 2 of 3').waitFor()
    await page.getByText(`Decisions ${decisions.length}`).click()
    await page.locator('[data-ledger]').getByText('Totals are integers').waitFor()
    const first = page.url()
    await page.locator('[data-worktree-pick]').selectOption({ index: 0 })
    if (page.url() === first) await page.locator('[data-worktree-pick]').selectOption({ index: 1 })
    await at.getByText('File 1 of 1').waitFor()
    expect(page.url()).not.toBe(first)
  })
})

test('changes are readable for all, wide and on a phone', SLOW, async () => {
  await withTwo(async (shop, stage) => {
    const list = async (page: Page) => {
      await page.locator('[data-overlap]').first().waitFor()
      await page.locator('[data-worktree*="shop-1"]', { hasText: '+4' }).waitFor()
    }
    const views: View[] = [
      ['changes', '/changes', list],
      [
        'changes-diff',
        '/changes',
        async page => {
          await page.locator('[data-worktree*="shop-1"] a').click()
          await page.locator('[data-spot]').first().waitFor()
        },
      ],
    ]
    const [wide, , phone] = LOOKS
    const first = await stage.open('/changes', phone)
    await lookIn(first, phone, [['changes-empty', '/changes', 'h2']])
    change(shop)
    await overlapped(shop)
    await lookIn(first, phone, views)
    await lookIn(await stage.open('/changes', wide), wide, views)
  })
})
