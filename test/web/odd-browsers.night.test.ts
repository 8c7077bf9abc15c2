// Browsers that keep nothing, several tabs of one browser, machines that slept, addresses that are none.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { until } from '../until.ts'
import { testPage } from './page.ts'
import { openShop } from './scene.ts'

const BLOCKED = `for (const name of ['localStorage', 'sessionStorage'])
  Object.defineProperty(window, name, { get() { throw new DOMException('Access is denied for this document.', 'SecurityError') } })`
const FULL = `Storage.prototype.setItem = () => { throw new DOMException('The quota has been exceeded.', 'QuotaExceededError') }`

test.each([
  ['blocks its storage', BLOCKED],
  ['has no room left in its storage', FULL],
])('in a browser that %s the page signs in, keeps drafts while it is open, and changes its look', async (_, first) => {
  await using stage = await testPage()
  await openShop(stage.hub)
  const page = await stage.open('/board', { first })
  await page.locator('[data-task=tsk_05]').waitFor()
  const field = page.locator('dialog[open] input').first()
  await page.keyboard.press('c')
  await field.fill('Draft that nothing keeps')
  await page.keyboard.press('Escape')
  await page.locator('dialog[open]').waitFor({ state: 'detached' })
  await page.keyboard.press('c')
  expect(await field.inputValue()).toBe('Draft that nothing keeps')
  await page.keyboard.press('Enter')
  await page.locator('[data-column] [data-task]', { hasText: 'Draft that nothing keeps' }).waitFor()
  await page.keyboard.press('Control+b')
  await page.keyboard.press('g')
  await page.keyboard.press('s')
  await page.getByRole('combobox', { name: 'Theme' }).selectOption('dark')
  await until(() => page.evaluate(`document.documentElement.dataset.theme === 'dark'`))
})

test('a browser that takes no cookies is told so, instead of asked for another link', async () => {
  await using stage = await testPage()
  const first = `Object.defineProperty(navigator, 'cookieEnabled', { get: () => false })`
  const page = await stage.open('/', { first, signedIn: false })
  await page.goto(await stage.link('/'))
  await page.getByRole('alert').getByText('cookies').waitFor()
})

test('tabs of one browser sign in and out together, and a late refusal signs nobody out', async () => {
  await using stage = await testPage()
  await openShop(stage.hub)
  const one = await stage.open('/board')
  await one.locator('[data-task=tsk_05]').waitFor()
  const two = await stage.another(one.context())
  await two.goto(`${stage.hub.url}/needs`)
  await two.locator('[data-line=live]').waitFor()
  await two.keyboard.press('Control+k')
  await two.locator('dialog[open] input').fill('sign this browser out')
  await two.getByRole('option', { name: 'Sign this browser out' }).click()
  for (const page of [one, two]) await page.getByRole('heading', { name: 'Sign in' }).waitFor()

  // One tab signs in: the other does not ask for a link of its own.
  await two.goto(await stage.link('/board'))
  await two.locator('[data-line=live]').waitFor()
  await one.locator('[data-line=live]').waitFor()
  await until(async () => (await one.getByRole('heading', { name: 'Sign in' }).count()) === 0)

  // The first tab asked with the credential of before; the answer comes after the other has a new one.
  let answer = () => {}
  const held = new Promise<void>(resolve => (answer = resolve))
  await one.route('**/api/task.cards', async route => {
    await held
    await route.fulfill({ status: 401, contentType: 'application/json', body: '{}' })
  })
  const asked = one.waitForRequest('**/api/task.cards')
  await one.reload()
  await asked
  await two.goto(await stage.link('/needs'))
  await two.locator('[data-line=live]').waitFor()
  const refused = one.waitForResponse(response => response.status() === 401)
  answer()
  await refused
  await one.unrouteAll({ behavior: 'wait' })
  await two.reload()
  await two.locator('[data-line=live]').waitFor()
  expect(await two.getByRole('heading', { name: 'Sign in' }).count()).toBe(0)
})

test('addresses that no browser can read open a page that says so', async () => {
  await using stage = await testPage()
  await openShop(stage.hub)
  const page = await stage.open('/board')
  for (const path of [
    '/tasks/%zz',
    '/changes/%E0%A4%A',
    '/needs/%zz',
    '/runs/%zz',
    '/crews/%zz',
    '/agents/%zz',
    '/tasks/%zz/review',
    '/memory/topics/%zz',
    '/tabs/%zz/messages',
    '/phases?project=%zz',
  ]) {
    await page.goto(`${stage.hub.url}${path}`)
    await page.getByRole('navigation').first().waitFor()
  }
})

const READ = `[...document.querySelectorAll('[data-markdown] *')].map(({ localName, href }) => [localName, href])`

test('Markdown of an agent is drawn, and nothing in it is more than text and links', async () => {
  await using stage = await testPage()
  await openShop(stage.hub)
  const description = [
    '## Plan',
    '- [x] **keep** `total()`',
    '- [ ] see [the design](https://design.example/cart)',
    '<img src=x onerror=alert(1)> [x](javascript:alert(2)) ![y](https://evil.example/p.png) \u202Egnp',
  ].join('\n')
  await stage.hub.api('task.edit', { task_id: 'tsk_05', description })
  const page = await stage.open('/tasks/tsk_05')
  page.on('dialog', () => expect.unreachable('a script of the text ran'))
  const sheet = page.locator('[data-task-page]')
  await sheet.getByRole('listitem').filter({ hasText: 'keep total()' }).waitFor()
  await sheet.getByRole('link', { name: 'the design' }).waitFor()
  await sheet.getByText('(design.example)').waitFor()
  await sheet.getByText('<img src=x onerror=alert(1)>').waitFor()
  await sheet.getByText('[x](javascript:alert(2))').waitFor()
  await sheet.getByText('U+202E').waitFor()
  const drawn = (await page.evaluate(READ)) as [string, string | undefined][]
  expect([...new Set(drawn.map(([name]) => name))].sort()).toEqual(['a', 'code', 'span', 'strong'])
  expect(drawn.flatMap(([, href]) => href ?? [])).toEqual(['https://design.example/cart', 'https://evil.example/p.png'])
})

/** In Cairo clocks are set forward at midnight: 24 April 2026 begins at 1 o'clock. The days after it begin at midnight again. */
test('a page that is open over midnight counts the new day, also in the week when clocks change', async () => {
  await using stage = await testPage()
  await openShop(stage.hub)
  const page = await stage.open('/', { zone: 'Africa/Cairo' })
  // What the first document asks for is of the real day, and may come late.
  await page.goto('about:blank')
  const spans: { from: string; to: string; starts: string[] }[] = []
  const listed: string[] = []
  page.on('request', request => {
    if (request.url().endsWith('/api/stats.daily')) spans.push(request.postDataJSON() as (typeof spans)[number])
    if (request.url().endsWith('/api/event.list')) listed.push((request.postDataJSON() as { from: string }).from)
  })
  // The clock goes on from there: far enough from midnight for a machine that does much else.
  await page.clock.install({ time: new Date('2026-04-25T23:30:00+03:00') })
  await page.goto(`${stage.hub.url}/activity?days=today`)
  await page.locator('[data-line=live]').waitFor()
  await until(() => spans.length >= 2)
  expect(new Set(spans.map(({ to }) => to))).toEqual(new Set(['2026-04-25T21:00:00.000Z']))
  await until(() => listed.includes('2026-04-24T21:00:00.000Z'))
  await page.clock.fastForward('31:00')
  await until(() =>
    spans.some(({ from, to }) => from === '2026-04-25T21:00:00.000Z' && to === '2026-04-26T21:00:00.000Z'),
  )
  // What is listed is of the new day, too.
  await until(() => listed.includes('2026-04-25T21:00:00.000Z'))
  await page.getByRole('combobox', { name: 'Days' }).selectOption('7')
  await until(() => spans.some(({ starts, to }) => starts.length === 7 && to === '2026-04-26T21:00:00.000Z'))
  const time = { timeZone: 'Africa/Cairo', timeStyle: 'short' } as const
  for (const start of new Set(spans.flatMap(({ starts }) => starts)))
    expect(new Date(start).toLocaleTimeString('en-GB', time), start).toBe(
      start.startsWith('2026-04-23T22') ? '01:00' : '00:00',
    )
})

test('after eight hours of sleep the page says so at once, and then has what happened meanwhile', async () => {
  await using stage = await testPage()
  await openShop(stage.hub)
  const page = await stage.open('/board')
  await page.locator('[data-task=tsk_05]').waitFor()
  const seen: string[] = []
  await page.exposeFunction('said', (text: string) => void seen.push(text))
  await page.evaluate(`new MutationObserver(() => said(document.querySelector('[data-line]').dataset.line))
    .observe(document.querySelector('header'), { subtree: true, attributes: true, attributeFilter: ['data-line'] })`)
  const hours = 8 * 3_600_000
  await page.evaluate(
    `{ const now = Date.now; Date.now = () => now() + ${hours}; document.dispatchEvent(new Event('visibilitychange')) }`,
  )
  await until(() => seen.includes('cut') && seen.at(-1) === 'live')
  await stage.hub.api('task.move', { task_id: 'tsk_05', status: 'blocked' })
  await page.locator('[data-column=blocked] [data-task=tsk_05]').waitFor()
})

/** What a page of another port on this machine does to a hub that the browser is signed in to: the cookie goes along. */
const NEIGHBOUR = `<!doctype html><title>neighbour</title><body><script>
window.attack = async hub => {
  const found = {}
  const body = JSON.stringify({ name: 'Stolen' })
  const send = async (name, init) => {
    try {
      const response = await fetch(hub + '/api/project.add', { method: 'POST', credentials: 'include', body, ...init })
      found[name] = response.type === 'opaque' ? 'opaque' : response.status
    } catch (error) { found[name] = 'refused' }
  }
  await send('json', { headers: { 'content-type': 'application/json' } })
  await send('text', { mode: 'no-cors', headers: { 'content-type': 'text/plain' } })
  await send('form', { mode: 'no-cors', body: new URLSearchParams({ name: 'Stolen' }) })
  found.beacon = navigator.sendBeacon(hub + '/api/project.add', new Blob([body], { type: 'text/plain' }))
  found.socket = await new Promise(resolve => {
    const socket = new WebSocket(hub.replace('http', 'ws') + '/events', 'toryo-events.1')
    socket.onopen = () => resolve('open')
    socket.onerror = () => resolve('refused')
  })
  const frame = document.createElement('iframe')
  frame.src = hub + '/needs'
  await new Promise(resolve => { frame.onload = resolve; document.body.append(frame) })
  // A page that was let in could not be read either, but the refusal is a page of the browser.
  try { found.frame = frame.contentDocument === null ? 'refused' : 'empty' } catch { found.frame = 'refused' }
  return found
}
</script>`

test('a page of another port gets nowhere: no call, no socket, no frame, and no Origin but our own', async () => {
  await using stage = await testPage()
  const { hub } = stage
  const page = await stage.open('/needs')
  const server = createServer((_, response) => response.setHeader('content-type', 'text/html').end(NEIGHBOUR))
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  try {
    // In the same browser: its cookies are those of 127.0.0.1, whatever the port.
    const evil = await page.context().newPage()
    const asked: string[] = []
    evil.on('request', request => {
      if (request.url().startsWith(hub.url)) asked.push(new URL(request.url()).pathname)
    })
    const framed: number[] = []
    evil.on('response', response => {
      if (response.url() === `${hub.url}/needs`) framed.push(response.status())
    })
    await evil.goto(`http://127.0.0.1:${port}/`)
    const found = await evil.evaluate(`attack(${JSON.stringify(hub.url)})`)
    expect(found).toEqual({
      ...{ json: 'refused', text: 'opaque', form: 'opaque', beacon: true, socket: 'refused', frame: 'refused' },
    })
    expect(asked.filter(path => path === '/api/project.add').length).toBeGreaterThan(2)
    // Not even the page without its data stands in the frame.
    expect(framed).toEqual([403])
    expect(asked.filter(path => path.startsWith('/assets/'))).toEqual([])
    expect(await hub.api('project.list', {})).toEqual({ projects: [] })
    // Half of the credential, from a script of our own origin: the cookie goes along, the page's token does not.
    const half = await page.evaluate(`fetch('/api/project.list', { method: 'POST', body: '{}',
      headers: { 'content-type': 'application/json' } }).then(({ status }) => status)`)
    expect(half).toBe(401)
  } finally {
    server.close()
  }
  await page.locator('[data-line=live]').waitFor()
})
