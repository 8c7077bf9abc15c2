// What a person does at the dashboard, in a real browser at a real hub.
import { type AddressInfo, createServer } from 'node:net'
import { expect, test } from 'vitest'
import type { Page } from 'playwright-core'
import { Workshop } from '../processes.ts'
import { until } from '../until.ts'
import { go, sharedPage, testPage, type TestPage } from './page.ts'
import { openShop, openShops } from './scene.ts'

const column = (page: Page, status: string) => page.locator(`[data-column=${status}]`)
const card = (page: Page, id: string) => page.locator(`[data-task=${id}]`)
const statusOf = async (stage: TestPage, id: string) => (await stage.hub.api('task.show', { task_id: id })).status

/** Each test has a shop of its own. */
const shared = sharedPage(hub =>
  openShops(hub, 'stops', 'moves', 'both', 'asks', 'edits', 'japan', 'hostile', 'offline'),
)

test('signs in by the link, which leaves the address; signs out; a used link opens nothing', async () => {
  await using stage = await testPage()
  const link = await stage.link('/board')
  const page = await stage.open('/', { signedIn: false })
  await page.locator('#login-link').waitFor()
  await page.goto(link)
  await page.locator('[data-line=live]').waitFor()
  expect(page.url()).toBe(`${stage.hub.url}/board`)
  expect(await page.evaluate('document.cookie')).toBe('')
  await page.reload()
  await page.locator('[data-line=live]').waitFor()

  await stage.hub.api('page.revoke', {})
  await page.locator('#login-link').waitFor()
  await page.locator('#login-link').fill(link)
  await page.keyboard.press('Enter')
  await page.getByRole('alert').filter({ hasText: 'used before' }).waitFor()
  await page.locator('#login-link').fill(await stage.link())
  await page.keyboard.press('Enter')
  await page.locator('[data-line=live]').waitFor()
})

test('keys that work everywhere do so on the board, too, and Escape goes back to the view', async () => {
  const { page } = await shared.at('/board?project=prj_stops')
  await card(page, 'tsk_stops_05').locator('a').focus()
  await page.keyboard.press('l')
  await page.getByRole('dialog', { name: /Launch/ }).waitFor()
  await page.keyboard.press('Escape')

  // The Tab key stops once in each column, at the card that had the focus last.
  const stops = () =>
    page.evaluate<string[]>(`[...document.querySelectorAll('[data-column]')].map(column =>
      [...column.querySelectorAll('[data-task]:has(a[tabindex="0"])')].map(one => one.dataset.task).join())`)
  await until(async () => (await stops()).includes('tsk_stops_05'))
  for (const stop of await stops()) expect(stop).not.toContain(',')
  // From task to task with the sheet open; closed, the focus is on the card of the last one.
  const ids = await page.evaluate<string[]>(
    `[...document.querySelectorAll('[data-column]:has([data-task=tsk_stops_05]) [data-task]')].map(one => one.dataset.task)`,
  )
  const at = ids.indexOf('tsk_stops_05')
  const [next, key, back] = at + 1 < ids.length ? [ids[at + 1], ']', '['] : [ids[at - 1], '[', ']']
  await page.keyboard.press('Enter')
  await page.locator('dialog[open] [data-task-detail=tsk_stops_05]').waitFor()
  await page.keyboard.press(key ?? '')
  await page.locator(`dialog[open] [data-task-detail=${next}]`).waitFor()
  await page.keyboard.press(back ?? '')
  await page.locator('dialog[open] [data-task-detail=tsk_stops_05]').waitFor()
  await page.keyboard.press(key ?? '')
  await page.locator(`dialog[open] [data-task-detail=${next}]`).waitFor()
  await page.keyboard.press('Escape')
  await until(() => page.evaluate<boolean>(`document.activeElement?.closest('[data-task=${next}]') != null`))
  expect(new URL(page.url()).pathname).toBe('/board')

  await go(page, '/agents/agt_aoi')
  await page.locator('[data-agent-page=agt_aoi]').waitFor()
  await page.keyboard.press('Escape')
  await until(() => new URL(page.url()).pathname === '/crew')
  await page.keyboard.press('Escape')
  expect(new URL(page.url()).pathname).toBe('/crew')
})

test('a card moves by drag, by key and by menu, and the last move can be undone', async () => {
  const { page, stage } = await shared.at('/board?project=prj_moves')
  await card(page, 'tsk_moves_05').dragTo(column(page, 'backlog'))
  await column(page, 'backlog').locator('[data-task=tsk_moves_05]').waitFor()
  await until(async () => (await statusOf(stage, 'tsk_moves_05')) === 'backlog')

  await card(page, 'tsk_moves_06').locator('a').focus()
  await page.keyboard.press('4')
  await column(page, 'blocked').locator('[data-task=tsk_moves_06]').waitFor()
  await until(async () => (await statusOf(stage, 'tsk_moves_06')) === 'blocked')
  await until(
    async () => (await page.evaluate('document.activeElement.closest("[data-task]")?.dataset.task')) === 'tsk_moves_06',
  )
  // Also from another view.
  await page.keyboard.press('g')
  await page.keyboard.press('a')
  await page.locator('main time').first().waitFor()
  await page.keyboard.press('u')
  await until(async () => (await statusOf(stage, 'tsk_moves_06')) === 'todo')
  await page.keyboard.press('g')
  await page.keyboard.press('b')

  await card(page, 'tsk_moves_06').hover()
  await card(page, 'tsk_moves_06')
    .getByRole('button', { name: /^Actions for/ })
    .click()
  await page.getByRole('option', { name: 'Move to: Done' }).click()
  await until(async () => (await statusOf(stage, 'tsk_moves_06')) === 'done')
})

test('two browsers see each other, and what the hub refuses is put back and said', async () => {
  const { page: one, stage } = await shared.at('/board?project=prj_both')
  const two = await shared.other('/board?project=prj_both')
  await card(one, 'tsk_both_05').locator('a').focus()
  await one.keyboard.press('1')
  await column(two, 'backlog').locator('[data-task=tsk_both_05]').waitFor()

  await stage.hub.api('task.add', { project_id: 'prj_both', title: 'From the command line', status: 'todo' })
  for (const page of [one, two]) await page.getByText('From the command line').waitFor()

  // As when the hub has a reason of its own: only the answer is made up.
  await one.route('**/api/task.move', route =>
    route.fulfill({
      status: 409,
      json: { error: { code: 'TASK_CLOSED', message: 'The hub says no.', kind: 'conflict', retryable: false } },
    }),
  )
  await card(one, 'tsk_both_04').locator('a').focus()
  await one.keyboard.press('5')
  await one.getByRole('alert').filter({ hasText: 'The hub says no.' }).waitFor()
  await column(one, 'todo').locator('[data-task=tsk_both_04]').waitFor()
  expect(await statusOf(stage, 'tsk_both_04')).toBe('todo')
  await one.unroute('**/api/task.move')
  await one.getByRole('button', { name: 'Try again' }).click()
  await column(two, 'done').locator('[data-task=tsk_both_04]').waitFor()
})

test('a question is answered from Needs you, is gone everywhere, and the next one is selected', async () => {
  const { page: one, stage } = await shared.at('/needs?project=prj_asks')
  const two = await shared.other('/needs?project=prj_asks')
  const item = one.locator('[data-item="blocked:tsk_asks_03"]')
  await item.click()
  await one.locator('[data-detail]').getByText('signed cookie or a bearer token').waitFor()
  // A page that draws nothing for a while: what is typed after the key still arrives in the field.
  await one.evaluate('requestAnimationFrame = () => 0')
  await one.keyboard.press('a')
  await one.keyboard.type('Cookie. 署名付きで。')
  // The draft is still there after a reload.
  await one.reload()
  await one.locator('[data-answer]').waitFor()
  expect(await one.locator('[data-answer]').inputValue()).toBe('Cookie. 署名付きで。')
  await one.locator('[data-answer]').focus()
  await one.keyboard.press('Control+Enter')
  for (const page of [one, two]) await page.locator('[data-item="blocked:tsk_asks_03"]').waitFor({ state: 'detached' })
  const task = await stage.hub.api('task.show', { task_id: 'tsk_asks_03' })
  expect(task.status).toBe('in_progress')
  expect(task.answers[0]?.answer).toBe('Cookie. 署名付きで。')
  await until(async () => (await one.title()).startsWith('(2)'))

  // What was dealt with on a command line goes, too.
  await stage.hub.api('engine.resume', { engine: 'codex' })
  await one.locator('[data-item="engine_paused:codex"]').waitFor({ state: 'detached' })
  await one.locator('[data-item="review:tsk_asks_13"][aria-current=true]').waitFor()
})

test('a task is edited in its sheet, seen on the card at once, and put back when the hub refuses', async () => {
  const { page, stage } = await shared.at('/needs')
  await stage.hub.api('task.link', { task_id: 'tsk_edits_05', depends_on: ['tsk_edits_04', 'tsk_edits_06'] })
  const other = await shared.other('/board?project=prj_edits')
  await go(page, '/tasks/tsk_edits_05')
  await card(other, 'tsk_edits_05').getByRole('img', { name: 'waits for 2 tasks' }).waitFor()
  const sheet = page.locator('[data-task-page]')
  await sheet.getByRole('button', { name: 'Edit: Title' }).click()
  await sheet.getByLabel('Title', { exact: true }).fill('Split the cart')
  await page.keyboard.press('Enter')
  await sheet.getByLabel('Priority').selectOption('urgent')
  await sheet.getByLabel('Add a label').fill('ui')
  await page.keyboard.press('Enter')
  await card(other, 'tsk_edits_05').getByText('Split the cart').waitFor()
  await card(other, 'tsk_edits_05').getByText('ui', { exact: true }).waitFor()
  await until(async () => (await stage.hub.api('task.show', { task_id: 'tsk_edits_05' })).labels.includes('ui'))
  expect(await stage.hub.api('task.show', { task_id: 'tsk_edits_05' })).toMatchObject({
    title: 'Split the cart',
    priority: 'urgent',
  })

  // As when the hub has a reason of its own: only the answer is made up.
  await page.route('**/api/task.edit', route =>
    route.fulfill({
      status: 409,
      json: { error: { code: 'TASK_CLOSED', message: 'The hub says no.', kind: 'conflict', retryable: false } },
    }),
  )
  await sheet.getByRole('button', { name: 'Edit: Description' }).click()
  await sheet.getByLabel('Description', { exact: true }).fill('Not to be')
  await page.keyboard.press('Control+Enter')
  await page.getByRole('alert').filter({ hasText: 'The hub says no.' }).waitFor()
  await sheet.getByText('Answers 200 with the version').waitFor()

  await stage.hub.api('task.move', { task_id: 'tsk_edits_06', status: 'done' })
  await card(other, 'tsk_edits_05').getByRole('img', { name: 'waits for 1 task' }).waitFor()
  await sheet.getByRole('link', { name: 'edits-4' }).click()
  await sheet.getByText('端数処理').first().waitFor()
})

test('what is typed right after a key that opens something is in its field, also before that is loaded', async () => {
  const { page, hub } = await shared.at('/board?project=prj_moves')
  const typed = 'abcdefghijklmnopqrst'
  for (const [key, field] of [
    ['c', page.getByRole('textbox', { name: 'Title' })],
    ['l', page.getByRole('combobox', { name: 'Branch' })],
    ['r', page.getByRole('textbox', { name: 'What they should do' })],
    ['C', page.getByRole('textbox', { name: 'Folder' })],
    ['Control+k', page.getByRole('combobox', { name: 'Commands' })],
    ['m', page.getByRole('combobox', { name: /^Move/ })],
  ] as const) {
    for (const isLoaded of [false, true]) {
      if (!isLoaded) await page.goto(`${hub.url}/board?project=prj_moves`)
      await card(page, 'tsk_moves_05').locator('a').focus()
      await page.keyboard.press(key)
      await page.keyboard.type(typed)
      await expect.poll(() => field.inputValue(), { message: `${key}, ${isLoaded}` }).toContain(typed)
      await page.keyboard.press('Escape')
      await page.locator('dialog[open]').waitFor({ state: 'detached' })
      await page.evaluate('sessionStorage.removeItem("toryo.new-task")')
    }
  }
})

test('keys, palette and help do what they say, and none fires while a person types', async () => {
  await using stage = await testPage()
  await openShop(stage.hub)
  const page = await stage.open('/needs')
  await page.keyboard.press('g')
  await page.keyboard.press('b')
  await column(page, 'todo').waitFor()
  await page.keyboard.press('/')
  await page.keyboard.type('cart!')
  expect(page.url()).toContain('/board')
  await until(() => page.url().includes('q=cart'))
  await page.locator('[data-search]').fill('cart')
  await until(async () => (await page.locator('[data-task]').count()) === 2)
  await page.goBack()
  await page.goForward()
  await page.keyboard.press('Control+k')
  await page.locator('dialog[open] input').waitFor()
  await page.keyboard.type('shop-7')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: '商品一覧のページ送り' }).waitFor()
  await page.keyboard.press('Escape')
  await page.keyboard.press('!')
  await page.locator('[data-item]').first().waitFor()
  await page.keyboard.press('c')
  await page.locator('dialog[open] input').waitFor()
  await page.keyboard.type('Written by keys')
  await page.keyboard.press('Enter')
  await until(async () => (await stage.hub.api('task.list', {})).tasks.some(({ title }) => title === 'Written by keys'))
  await page.keyboard.press('?')
  await page.getByRole('heading', { name: 'Keys' }).waitFor()
  await page.getByLabel('Language').selectOption('ja')
  await page.getByRole('heading', { name: 'キー操作' }).waitFor()
  expect(await page.evaluate('document.documentElement.lang')).toBe('ja')
})

test('the palette searches everything; the frame keeps its fold, counts on its icon and shows its line', async () => {
  await using stage = await testPage()
  const { hub } = stage
  await openShop(hub)
  const topic = await hub.api('memory.topic.add', { project_id: 'prj_shop', title: 'Deployment' })
  const decided = { topic_id: topic.id, decision: 'Ship on Tuesdays', reason: 'So that it can be fixed' }
  const { id } = await hub.api('memory.decision.add', decided)
  const page = await stage.open('/board')
  await page.keyboard.press('Control+k')
  await page.locator('[cmdk-input]').fill('tuesdays')
  await page.locator(`[data-found=decision-${id}]`).click()
  await page.getByRole('heading', { name: 'Ship on Tuesdays' }).waitFor()
  await page.keyboard.press('Control+k')
  await page.locator('[cmdk-input]').fill('sora')
  await page.locator('[data-found=agent-agt_sora]').click()
  await until(() => page.url().includes('/agents/agt_sora'))
  await page.keyboard.press('Control+k')
  await page.locator('[cmdk-input]').fill('xyzzy')
  await page.getByText('Nothing found for “xyzzy”.').waitFor()
  await page.keyboard.press('Escape')

  await page.getByRole('button', { name: 'Fold the navigation' }).click()
  await page.reload()
  await page.locator('[data-line=live]').waitFor()
  expect(await page.getByRole('button', { name: 'Fold the navigation' }).getAttribute('aria-pressed')).toBe('true')
  await page.keyboard.press('Control+b')
  await page.getByRole('navigation').getByText('Search…').waitFor()

  const icon = () => page.locator('link[rel=icon]').getAttribute('href')
  await until(async () => decodeURIComponent((await icon()) ?? '').includes('>3</text>'))
  await page.locator('[data-line=live]').click()
  const panel = page.locator('#live-panel')
  await panel.locator('[data-last-event]').getByText('#').waitFor()
  await panel.locator('[data-delay]').getByText('ms').waitFor()
  await panel.getByRole('button', { name: 'Reconnect' }).click()
  await page.keyboard.press('Escape')
  await page.locator('[data-line=live]').waitFor()
  await page.locator('footer').getByRole('link', { name: 'codex paused until' }).click()
  await until(() => page.url().includes('/settings/engines'))
})

test('Japanese in an English page is marked as Japanese', async () => {
  const { page, stage } = await shared.at('/board?project=prj_japan')
  const title = card(page, 'tsk_japan_04').locator('[lang=ja]')
  await title.first().waitFor()
  expect(await card(page, 'tsk_japan_05').locator('[lang]').count()).toBe(0)
  const japanese = await stage.open('/board?project=prj_japan', { lang: 'ja' })
  await card(japanese, 'tsk_japan_04').waitFor()
  expect(await japanese.locator('main [lang]').count()).toBe(0)
})

test('text of agents is text, and what hides in it is shown', async () => {
  const { page, stage } = await shared.at('/board?project=prj_hostile')
  const hostile = '<img src=x onerror=alert(1)><script>alert(2)</script>\u202Egnp.exe {{7*7}} javascript:alert(3)'
  await stage.hub.api('task.add', {
    id: 'tsk_xss',
    project_id: 'prj_hostile',
    title: hostile,
    status: 'todo',
    description: hostile,
  })
  let isRun = false
  page.once('dialog', dialog => {
    isRun = true
    return dialog.dismiss()
  })
  await card(page, 'tsk_xss').getByText('<img src=x onerror=alert(1)>').waitFor()
  await card(page, 'tsk_xss').getByText('U+202E').waitFor()
  await go(page, '/tasks/tsk_xss')
  await page.locator('[data-task-page]').getByText('<script>').first().waitFor()
  expect(await page.locator('#root img, #root script').count()).toBe(0)
  expect(isRun, 'a script of the text ran').toBe(false)
})

test('a page outlives a hub that was killed: it says so, and goes on without a reload', async () => {
  await using shop = new Workshop()
  const port = await freePort()
  const start = () => shop.hub(shop.db(), ['--port', String(port), '--no-register', '--no-open', '--no-runner'])
  const { stage: browsers } = await shared.at('/needs')
  let hub = await start()
  const api = async (operation: string, input: object) => {
    const { url, token } = hub.state ?? { url: '', token: '' }
    const response = await fetch(`${url}/api/${operation}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(input),
    })
    return (await response.json()) as Record<string, string>
  }
  await api('project.add', { id: 'prj_a', name: 'a' })
  await api('task.add', { id: 'tsk_a', project_id: 'prj_a', title: 'Survives', status: 'todo' })
  const { url = '' } = await api('hub.login_link', {})
  const page = await browsers.open('/', { signedIn: false, elsewhere: url.replace('/#', '/board#') })
  await card(page, 'tsk_a').waitFor()
  await page.locator('[data-line=live]').waitFor()
  await hub.kill()
  await page.locator('[data-line=cut]').waitFor()
  expect(await page.getByRole('button', { name: 'New task' }).isDisabled()).toBe(true)
  await card(page, 'tsk_a').waitFor()
  // What was not loaded before cannot be now. It says so in its own place, and takes nothing else down.
  await page.keyboard.press('r')
  const alert = page.getByRole('alert').filter({ hasText: 'This could not be loaded' })
  await alert.getByText('The hub did not answer').waitFor()
  await card(page, 'tsk_a').waitFor()
  await alert.getByRole('button', { name: 'Close' }).click()
  await alert.waitFor({ state: 'detached' })
  await page.keyboard.press('g')
  await page.keyboard.press('m')
  await alert.waitFor()
  await page.getByRole('navigation').getByText('Search…').waitFor()
  hub = await start()
  await page.locator('[data-line=live]').waitFor({ timeout: 60_000 })
  await alert.getByRole('button', { name: 'Try again' }).click()
  await page.locator('main [data-search]').waitFor()
  await page.keyboard.press('r')
  await page.locator('[data-run-crew]').waitFor()
  await page.keyboard.press('Escape')
  await page.keyboard.press('g')
  await page.keyboard.press('b')
  await card(page, 'tsk_a').waitFor()
  await api('task.move', { task_id: 'tsk_a', status: 'done' })
  await column(page, 'done').locator('[data-task=tsk_a]').waitFor()
  expect(await page.locator('[data-task=tsk_a]').count()).toBe(1)
  await hub.stop()
})

function freePort(): Promise<number> {
  return new Promise(resolve => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo
      server.close(() => resolve(port))
    })
  })
}

test('without a network the page says so and writes nothing; with it, what was missed is there, each once', async () => {
  const { page, stage } = await shared.at('/board?project=prj_offline')
  const there = (status: string, id: string) => page.locator(`[data-column=${status}] [data-task=${id}]`)
  await there('todo', 'tsk_offline_05').waitFor()
  await page.context().setOffline(true)
  await page.locator('[data-line=cut]').getByText('cut off since').waitFor()
  await until(() => page.getByRole('button', { name: /New task/ }).isDisabled())
  // What is shown stays; what happens meanwhile is not seen.
  for (const status of ['in_progress', 'blocked'] as const)
    await stage.hub.api('task.move', { task_id: 'tsk_offline_05', status })
  const added = await stage.hub.api('task.add', {
    project_id: 'prj_offline',
    title: 'Came while nobody heard',
    status: 'todo',
  })
  expect(await there('todo', 'tsk_offline_05').count()).toBe(1)
  await page.context().setOffline(false)
  await page.locator('[data-line=live]').waitFor()
  await there('blocked', 'tsk_offline_05').waitFor()
  await there('todo', added.task_id).waitFor()
  expect(await page.locator('[data-task=tsk_offline_05]').count()).toBe(1)
  await page.locator('[data-task=tsk_offline_05] a').focus()
  await page.keyboard.press('2')
  await until(async () => (await stage.hub.api('task.show', { task_id: 'tsk_offline_05' })).status === 'todo')
})
