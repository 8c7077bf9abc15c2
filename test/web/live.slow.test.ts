// What is on the page is what is in the hub: after minutes without a line, with a slow hub, and when the hub is another one.
import { copyFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { sql } from '../queries-past-the-hub.ts'
import { until } from '../until.ts'
import { go, sharedPage, testPage, type TestPage } from './page.ts'
import { openShop, openShops } from './scene.ts'

const there = (page: Page, status: string, id: string) => page.locator(`[data-column=${status}] [data-task=${id}]`)

/** Numbers of the events that a socket brought, in their order. */
function heardBy(page: Page): number[] {
  const seqs: number[] = []
  page.on('websocket', socket => {
    if (!socket.url().includes('/events')) return
    socket.on('framereceived', ({ payload }) => {
      const { seq } = JSON.parse(String(payload)) as { seq?: number }
      if (seq !== undefined) seqs.push(seq)
    })
  })
  return seqs
}

/** Each test has a shop of its own. The page's time can be moved. */
const shared = sharedPage(
  hub => openShops(hub, 'five', 'many', 'slow', 'second', 'updated', 'lost', 'taken', 'refused'),
  {},
  { clock: true },
)

async function onBoard(shop: string): Promise<{ page: Page; stage: TestPage }> {
  const { page, stage } = await shared.at(`/board?project=prj_${shop}`)
  await there(page, 'todo', `tsk_${shop}_05`).waitFor()
  return { page, stage }
}

test('five minutes without a line: it goes on where it was, and what was missed comes once', async () => {
  const { page, stage } = await onBoard('five')
  const heard = heardBy(page)
  await page.context().setOffline(true)
  await page.locator('[data-line=cut]').waitFor()
  const before = (await stage.hub.api('hub.status', {})).last_event
  for (const status of ['in_progress', 'blocked', 'todo', 'done'] as const)
    await stage.hub.api('task.move', { task_id: 'tsk_five_05', status })
  await page.clock.fastForward('05:00')
  await there(page, 'todo', 'tsk_five_05').waitFor()
  await page.locator('[data-line=cut]').getByText('cut off since').waitFor()
  const after = (await stage.hub.api('hub.status', {})).last_event
  await page.context().setOffline(false)
  await page.locator('[data-line=live]').waitFor()
  await there(page, 'done', 'tsk_five_05').waitFor()
  expect(await page.locator('[data-task=tsk_five_05]').count()).toBe(1)
  const missed = heard.filter(seq => seq > before && seq <= after)
  expect(missed).toEqual(Array.from({ length: after - before }, (_, index) => before + 1 + index))
})

test('more than 5,000 missed events are not told one by one: what is shown is loaded again', async () => {
  const { page, stage } = await onBoard('many')
  const heard = heardBy(page)
  await page.context().setOffline(true)
  await page.locator('[data-line=cut]').waitFor()
  await sql(
    stage.hub,
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5100)
     INSERT INTO events (at, type, project_id, caller, payload, touches)
     SELECT at, type, project_id, caller, payload, touches FROM n, (SELECT * FROM events WHERE type = 'task.moved' LIMIT 1)`,
  )
  // The hub counts on from what it wrote last.
  await stage.hub.api('task.move', { task_id: 'tsk_many_05', status: 'blocked' })
  await page.context().setOffline(false)
  await page.locator('[data-line=live]').waitFor()
  await there(page, 'blocked', 'tsk_many_05').waitFor()
  expect(heard.length).toBeLessThan(100)
  await stage.hub.api('task.move', { task_id: 'tsk_many_05', status: 'todo' })
  await there(page, 'todo', 'tsk_many_05').waitFor()
})

test('a hub that cuts a slow reader off (4008) has it load again', async () => {
  const { stage } = await shared.at('/needs')
  const page = await stage.open('/board?project=prj_slow')
  let isFirst = true
  // Events are kept from it, and then it is closed as too slow.
  await page.routeWebSocket(/\/events/, socket => {
    const hub = socket.connectToServer()
    if (!isFirst) return
    isFirst = false
    hub.onMessage(message => {
      if (!String(message).includes('task.moved')) return socket.send(message)
      void socket.close({ code: 4008, reason: 'too slow' })
    })
  })
  await page.reload()
  await there(page, 'todo', 'tsk_slow_05').waitFor()
  await page.locator('[data-line=live]').waitFor()
  await stage.hub.api('task.move', { task_id: 'tsk_slow_05', status: 'blocked' })
  await there(page, 'blocked', 'tsk_slow_05').waitFor()
  await page.locator('[data-line=live]').waitFor()
  await stage.hub.api('task.move', { task_id: 'tsk_slow_05', status: 'todo' })
  await there(page, 'todo', 'tsk_slow_05').waitFor()
})

test('signed out while writing: the card stands over the page, and the draft is there after it', async () => {
  await using stage = await testPage()
  await openShop(stage.hub)
  const page = await stage.open('/board')
  await page.keyboard.press('c')
  const dialog = page.locator('dialog[open]', { hasText: 'New task' })
  await dialog.getByRole('textbox').first().fill('Half a thought')
  await stage.hub.api('page.revoke', {})
  await page.locator('#login-link').waitFor()
  // Nothing below it can be reached: not by the mouse, not by Escape.
  await page.keyboard.press('Escape')
  await page.locator('#login-link').click()
  await page.locator('#login-link').fill(await stage.link())
  await page.keyboard.press('Enter')
  await page.locator('#login-link').waitFor({ state: 'detached' })
  await page.locator('[data-line=live]').waitFor()
  expect(await dialog.getByRole('textbox').first().inputValue()).toBe('Half a thought')
  await dialog.getByRole('textbox').first().press('Enter')
  await page.locator('[data-column] [data-task]', { hasText: 'Half a thought' }).waitFor()
  await stage.hub.api('task.move', { task_id: 'tsk_05', status: 'blocked' })
  await there(page, 'blocked', 'tsk_05').waitFor()
})

test('with a hub that takes a second for each answer a move is seen at once and stays', async () => {
  const { page, stage } = await onBoard('second')
  let isAnswered = false
  await page.route('**/api/**', async route => {
    const isMove = route.request().url().endsWith('task.move')
    await new Promise(resolve => setTimeout(resolve, 1000))
    if (isMove) isAnswered = true
    await route.continue()
  })
  await page.locator('[data-task=tsk_second_05] a').focus()
  await page.keyboard.press('4')
  await there(page, 'blocked', 'tsk_second_05').waitFor()
  expect(isAnswered).toBe(false)
  await until(async () => (await stage.hub.api('task.show', { task_id: 'tsk_second_05' })).status === 'blocked')
  await stage.hub.api('task.move', { task_id: 'tsk_second_06', status: 'done' })
  await there(page, 'done', 'tsk_second_06').waitFor()
  expect(await there(page, 'blocked', 'tsk_second_05').count()).toBe(1)
  await page.goto(`${stage.hub.url}/crew`)
  await page.locator('[data-line=live]').waitFor()
})

test('behind the same address is another database: nothing of the first stays', async () => {
  await using first = await testPage()
  await openShop(first.hub)
  const page = await first.open('/board')
  await there(page, 'todo', 'tsk_05').waitFor()
  const { port } = new URL(first.hub.url)
  await first.hub.running.stop()
  await page.locator('[data-line=cut]').waitFor()
  await using second = await testPage({ port: Number(port) })
  await second.hub.api('project.add', { id: 'prj_other', name: 'other' })
  await second.hub.api('task.add', { id: 'tsk_other', project_id: 'prj_other', title: 'Elsewhere', status: 'todo' })
  // It is not signed in there.
  await page.locator('#login-link').fill(await second.link())
  await page.keyboard.press('Enter')
  await page.locator('[data-line=live]').waitFor()
  await there(page, 'todo', 'tsk_other').waitFor()
  await page.locator('[data-task=tsk_05]').waitFor({ state: 'detached' })
})

test('a backup was restored and has grown since: what it never had does not stay', async () => {
  await using first = await testPage()
  await openShop(first.hub)
  const page = await first.open('/board')
  await there(page, 'todo', 'tsk_05').waitFor()
  const { target, home, url } = first.hub
  const backup = join(home, 'backup.db')
  await first.hub.api('hub.backup', { file: backup })
  // It asks for what has moved, a moment later: not for what the next hub has.
  const asked = page.waitForResponse(response => response.request().postData()?.includes('"tsk_05"') === true)
  await first.hub.api('task.move', { task_id: 'tsk_05', status: 'done' })
  await asked
  await there(page, 'done', 'tsk_05').waitFor()
  const { last_event: seen } = await first.hub.api('hub.status', {})
  // Not by going offline: a browser that is online again asks for everything anyway.
  await page.route('**/api/hub.status', route => route.abort())
  await first.hub.stop()
  await page.locator('[data-line=cut]').waitFor()
  for (const left of ['-wal', '-shm']) rmSync(target.db + left, { force: true })
  copyFileSync(backup, target.db)
  await using second = await testPage({ target, port: Number(new URL(url).port) })
  for (const status of ['backlog', 'todo', 'backlog', 'todo'] as const)
    await second.hub.api('task.move', { task_id: 'tsk_06', status })
  expect((await second.hub.api('hub.status', {})).last_event).toBeGreaterThan(seen)
  await page.unroute('**/api/hub.status')
  await page.locator('[data-line=live]').waitFor()
  await there(page, 'todo', 'tsk_05').waitFor()
})

test('an updated hub offers a reload; a page that nobody looks at and writes in reloads itself', async () => {
  const { stage } = await shared.at('/needs')
  const page = await stage.open('/board?project=prj_updated')
  await page.route('**/api/hub.status', async route => {
    const response = await route.fetch()
    await route.fulfill({ response, json: { ...((await response.json()) as object), version: '9.9.9' } })
  })
  await page.locator('[data-line=live]').click()
  await page.getByRole('button', { name: 'Reconnect' }).click()
  const offer = page.locator('[data-new-version]')
  await offer.getByText('Toryo was updated to 9.9.9.').waitFor()
  await page.keyboard.press('c')
  await page.locator('dialog[open] input, dialog[open] textarea').first().fill('Half a thought')
  const hide = `Object.defineProperty(document, 'visibilityState', { get: () => 'hidden', configurable: true })
    document.dispatchEvent(new Event('visibilitychange'))`
  await page.evaluate('window.isOld = true')
  await page.evaluate(hide)
  expect(await page.evaluate('window.isOld')).toBe(true)
  await page.locator('dialog[open] input, dialog[open] textarea').first().fill('')
  await page.keyboard.press('Escape')
  await page.locator('dialog[open]').waitFor({ state: 'detached' })
  // A change that the hub has not answered yet would be lost with the page.
  let arrive = () => {}
  const held = new Promise<void>(resolve => (arrive = resolve))
  await page.route('**/api/task.move', async route => {
    await held
    await route.continue()
  })
  await page.locator('[data-task=tsk_updated_05] a').focus()
  await page.keyboard.press('4')
  await there(page, 'blocked', 'tsk_updated_05').waitFor()
  await page.evaluate(hide)
  expect(await page.evaluate('window.isOld')).toBe(true)
  const reloaded = page.waitForEvent('load')
  arrive()
  await reloaded
  expect((await stage.hub.api('task.show', { task_id: 'tsk_updated_05' })).status).toBe('blocked')
  // What it has now is what the hub has.
  await page.locator('[data-line=live]').waitFor()
  expect(await page.evaluate('window.isOld')).toBe(undefined)
  expect(await offer.count()).toBe(0)
})

/** Calls of this operation do not arrive, as when the connection is lost; the keys that they had. */
async function lost(page: Page, operation: string): Promise<(string | undefined)[]> {
  const keys: (string | undefined)[] = []
  await page.route(`**/api/${operation}`, route => {
    keys.push(route.request().headers()['idempotency-key'])
    return route.abort()
  })
  return keys
}

test('a move that is lost with the line is marked, and sent again with its key when the line is back', async () => {
  const { page, stage } = await onBoard('lost')
  const keys = await lost(page, 'task.move')
  await page.locator('[data-task=tsk_lost_05] a').focus()
  await page.keyboard.press('4')
  await page.context().setOffline(true)
  await page.locator('[data-line=cut]').waitFor()
  await page.clock.fastForward('01:00')
  await there(page, 'blocked', 'tsk_lost_05').getByText('sending').waitFor()
  expect(await page.getByText('was not moved').count()).toBe(0)
  await page.unroute('**/api/task.move')
  const sent = page.waitForRequest('**/api/task.move')
  await page.context().setOffline(false)
  await page.locator('[data-line=live]').waitFor()
  expect((await sent).headers()['idempotency-key']).toBe(keys[0])
  await until(async () => (await stage.hub.api('task.show', { task_id: 'tsk_lost_05' })).status === 'blocked')
  await there(page, 'blocked', 'tsk_lost_05').getByText('sending').waitFor({ state: 'detached' })
  const moves = (await stage.hub.api('event.list', { types: ['task.moved'], limit: 20 })).events
  expect(moves.filter(({ payload }) => (payload as { taskId: string }).taskId === 'tsk_lost_05')).toHaveLength(1)
})

test('what another moved while a move was lost stays, until one takes one’s own anyway', async () => {
  const { page, stage } = await onBoard('taken')
  await lost(page, 'task.move')
  await page.locator('[data-task=tsk_taken_05] a').focus()
  await page.keyboard.press('4')
  await page.context().setOffline(true)
  await page.locator('[data-line=cut]').waitFor()
  await stage.hub.api('task.move', { task_id: 'tsk_taken_05', status: 'in_progress' })
  await page.unroute('**/api/task.move')
  await page.clock.fastForward('01:00')
  await page.context().setOffline(false)
  const notice = page.getByRole('alert').filter({ hasText: 'Another person changed it' })
  await notice.waitFor()
  await there(page, 'in_progress', 'tsk_taken_05').waitFor()
  expect((await stage.hub.api('task.show', { task_id: 'tsk_taken_05' })).status).toBe('in_progress')
  await notice.getByRole('button', { name: 'Take mine anyway' }).click()
  await until(async () => (await stage.hub.api('task.show', { task_id: 'tsk_taken_05' })).status === 'blocked')
  await there(page, 'blocked', 'tsk_taken_05').waitFor()
})

test('what is never shown before it happened says how long ago it was asked', async () => {
  const { page, stage } = await shared.at('/needs')
  await stage.hub.api('project.add', { id: 'prj_b', name: 'b' })
  let answer = () => {}
  const wait = new Promise<void>(resolve => (answer = resolve))
  await page.route('**/api/phase.start', async route => {
    await wait
    await route.continue()
  })
  await go(page, '/phases?project=prj_b')
  await page.getByRole('button', { name: 'Begin phase 0' }).click()
  await page
    .locator('[data-asked]')
    .getByText(/asked [2-9] s ago/)
    .waitFor()
  answer()
  await page.locator('[data-asked]').waitFor({ state: 'detached' })
})

test('a refused move of what another moved meanwhile leaves that, and offers to take one’s own anyway', async () => {
  const { page, stage } = await onBoard('refused')
  let refuse = () => {}
  const moved = new Promise<void>(resolve => (refuse = resolve))
  // As when the hub has a reason of its own: only the answer is made up.
  await page.route('**/api/task.move', async route => {
    await moved
    const error = { code: 'TASK_CLOSED', message: 'The hub says no.', kind: 'conflict', retryable: false }
    await route.fulfill({ status: 409, json: { error } })
  })
  await page.locator('[data-task=tsk_refused_05] a').focus()
  await page.keyboard.press('4')
  await there(page, 'blocked', 'tsk_refused_05').getByText('sending').waitFor()
  await stage.hub.api('task.move', { task_id: 'tsk_refused_05', status: 'in_progress' })
  await there(page, 'in_progress', 'tsk_refused_05').waitFor()
  refuse()
  const notice = page.getByRole('alert').filter({ hasText: 'The hub says no.' })
  await notice.getByRole('button', { name: 'Take mine anyway' }).waitFor()
  await there(page, 'in_progress', 'tsk_refused_05').waitFor()
  await page.unroute('**/api/task.move')
  await notice.getByRole('button', { name: 'Take mine anyway' }).click()
  await until(async () => (await stage.hub.api('task.show', { task_id: 'tsk_refused_05' })).status === 'blocked')
})
