// The page for people who see it large, in their own colours, without motion, or not at all; and for those who use no mouse.
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { DIST } from '../../scripts/sources.js'
import { build } from '../processes.ts'
import { inShop, put, reached, report } from '../thread.ts'
import { until } from '../until.ts'
import { atRest, axe, go, sharedPage, TestPage } from './page.ts'
import { fillNeeds, openAnother, openShop } from './scene.ts'

// Every view in several sizes.
const SLOW = { timeout: 240_000 }

const shared = sharedPage(async hub => {
  await openShop(hub)
  await fillNeeds(hub)
  await openAnother(hub, 'said')
})

/** With what is there when it is drawn. */
const VIEWS: [path: string, sign: string][] = [
  ['/needs/blocked%3Atsk_03', '[data-steps]'],
  ['/needs/review%3Atsk_13', '[data-review]'],
  ['/board', '[data-task]'],
  ['/tasks/tsk_03', '[data-task-detail] h2'],
  ['/crew', '[data-lately], [data-sample]'],
  ['/crew/timeline', '[data-timeline]'],
  ['/crew/agents', 'main a[href^="/agents/"]'],
  ['/terminals', 'main h2'],
  ['/changes', 'main h2'],
  ['/queue', 'main h2'],
  ['/phases?project=prj_shop', 'main h2, main h3'],
  ['/memory?project=prj_shop', 'main [data-search]'],
  ['/activity', 'main time'],
  ['/replay?span=hour', 'main input[type=range]'],
  ['/settings', 'main h2'],
]

/** Buttons, links and fields that end outside of the window and of whatever scrolls around them. */
const CUT_OFF = `[...document.querySelectorAll('button, a, input, select, textarea')].filter(one => {
  const box = one.getBoundingClientRect()
  if (box.width < 2 || box.height < 2 || !one.checkVisibility({ visibilityProperty: true, opacityProperty: true })) return false
  for (let up = one.parentElement; up; up = up.parentElement)
    if (['auto', 'scroll'].includes(getComputedStyle(up).overflowX) && up.scrollWidth > up.clientWidth && up.tagName !== 'HTML') return false
  return box.right > innerWidth + 1 || box.left < -1
}).map(one => one.outerHTML.slice(0, 160))`

test('a window of 320 px, and one of 1440 px at 200 %, show every view without sideways scrolling', SLOW, async () => {
  const { stage } = await shared.at('/needs')
  const page = await stage.open('/needs', { width: 320, height: 640 })
  for (const size of [
    { width: 320, height: 640 },
    { width: 720, height: 450 },
  ]) {
    await page.setViewportSize(size)
    for (const [path, sign] of VIEWS) {
      const name = `${path} at ${size.width} px`
      await go(page, path)
      await page.locator(sign).first().waitFor()
      await atRest(page)
      const [wide, room] = await page.evaluate<[number, number]>('[document.documentElement.scrollWidth, innerWidth]')
      expect(wide, `${name} scrolls sideways`).toBeLessThanOrEqual(room)
      expect(await page.evaluate<string[]>(CUT_OFF), `${name} cuts off`).toEqual([])
    }
  }
})

test('in colours of the person’s own, what is chosen, focused or floats is seen', SLOW, async () => {
  const { page } = await shared.at('/needs')
  await page.emulateMedia({ forcedColors: 'active' })
  await page.locator('[data-item][aria-current]').waitFor()
  const style = (selector: string, name: string) =>
    page.evaluate<string>(`getComputedStyle(document.querySelector(${JSON.stringify(selector)})).${name}`)
  const outline = (selector: string) => style(selector, 'outlineStyle')
  expect(await outline('[data-item][aria-current]')).toBe('solid')
  expect(await outline('[data-item]:not([aria-current])')).toBe('none')
  expect(await outline('nav [aria-current=page]')).toBe('solid')
  await page.keyboard.press('j')
  await until(async () => (await outline('[data-item][aria-current]')) === 'double')
  expect(await axe(page)).toEqual([])

  await page.keyboard.press('?')
  await page.locator('dialog[open]').waitFor()
  expect(await style('dialog[open]', 'borderTopWidth')).toBe('1px')
  // Drawings are left alone by the browser: they take the same colours from the page.
  await go(page, '/crew/timeline')
  await page.locator('[data-bar] rect').first().waitFor()
  const [bar, text] = await page.evaluate<[string, string]>(`[
    getComputedStyle(document.querySelector('[data-bar] rect[class*=fill-matsu]')).fill,
    getComputedStyle(document.body).color]`)
  expect(bar).toBe(text)
})

/** Every animation and transition that begins from now on. */
const WATCH = `window.moved = []
for (const type of ['animationstart', 'transitionrun'])
  document.addEventListener(type, event => moved.push(event.animationName ?? event.propertyName), true)`

test.each([
  { reducedMotion: 'reduce', moves: false, item: 'engine_paused:codex' },
  { reducedMotion: 'no-preference', moves: true, item: 'crew_ended:grp-1' },
] as const)(
  'what opens, moves and leaves is animated unless the person wants none: $reducedMotion',
  SLOW,
  async wish => {
    const { page } = await shared.at('/needs')
    await page.emulateMedia({ reducedMotion: wish.reducedMotion })
    await page.evaluate(WATCH)
    const item = page.locator(`[data-item="${wish.item}"]`)
    await item.click()
    await page.locator('[data-steps] button').first().waitFor()
    await page.keyboard.press('e')
    await item.waitFor({ state: 'detached' })
    await page.keyboard.press('?')
    await page.locator('dialog[open]').waitFor()
    await page.keyboard.press('Escape')
    await page.keyboard.press('g')
    await page.keyboard.press('b')
    await page.locator('[data-task=tsk_05] a').focus()
    await page.keyboard.press('Enter')
    await page.locator('dialog[open] h2').waitFor()
    await atRest(page)
    const moved = await page.evaluate<string[]>('moved')
    if (wish.moves) expect(moved).toEqual(expect.arrayContaining(['fold-out', 'fold-in', 'slide-in']))
    else expect(moved).toEqual([])
  },
)

test('others’ moves are said politely and with who made them; questions and failures at once', SLOW, async () => {
  const { page, stage } = await shared.at('/needs')
  await page.goto(`${stage.hub.url}/board?project=prj_said`)
  await page.locator('[data-line=live]').waitFor()
  await page.locator('[data-task=tsk_said_01]').waitFor()
  const said = page.locator('[data-said][role=status][aria-live=polite]')
  const urgent = page.locator('[data-said-now][role=alert][aria-live=assertive]')
  expect([await said.textContent(), await urgent.textContent()]).toEqual(['', ''])
  const { passkey } = await stage.hub.api('agent.rotate', { agent_id: 'agt_aoi' })
  const aoi = await stage.hub.connect()
  const session_token = await aoi.signIn('agt_aoi', passkey, 'prj_said')
  await aoi.call('get_my_task', { session_token })
  await aoi.call('update_task_status', {
    session_token,
    task_id: 'tsk_said_01',
    status: 'blocked',
    reason: 'Which port?',
  })
  await until(
    async () => (await said.textContent()) === 'Health endpoint for the load balancer moved to Blocked, by Aoi',
  )
  await until(async () => (await urgent.textContent()) === 'Aoi asks')
})

test('a day’s work needs no mouse: plan, start, watch, answer, review, merge, look back', SLOW, async () => {
  build()
  await inShop({ page: join(DIST, 'web') }, async shop => {
    await using stage = new TestPage(shop.hub)
    const { hub, path, repo } = shop
    const page = await stage.open('/board')
    const press = async (...keys: string[]) => {
      for (const key of keys) await page.keyboard.press(key)
    }

    // Plan: Tab goes on to who does it.
    await press('c')
    await seesFocus(page, 'dialog[open] input')
    await page.keyboard.type('Receipts')
    await press('Enter')
    await page.getByText('Receipts').first().waitFor()
    const { tasks } = await hub.api('task.list', { project_id: 'prj_shop' })
    const task_id = tasks.find(({ title }) => title === 'Receipts')?.task_id ?? ''

    // Start: chosen on the board, given to an agent, moved.
    await page.locator(`[data-task=${task_id}]`).waitFor()
    await press('ArrowDown')
    await seesFocus(page, '[data-task] a')
    await until(async () => {
      await press('ArrowDown')
      return page.evaluate<boolean>(`document.activeElement.closest('[data-task="${task_id}"]') !== null`)
    })
    await press('2')
    await until(async () => (await hub.api('task.show', { task_id })).status === 'todo')
    await seesFocus(page, `[data-task="${task_id}"] a`)

    // Watch.
    await press('g', 'c')
    await page.locator('[data-crew-body]').waitFor()

    // Answer.
    await hub.api('task.move', { task_id, status: 'blocked' })
    await press('!')
    await page.locator(`[data-item="blocked:${task_id}"]`).waitFor()
    await press('j')
    await seesFocus(page, '[data-item]')
    await press('Enter')
    await seesFocus(page, '[data-answer]')
    await page.keyboard.type('Yen.')
    await press('Control+Enter')
    await until(async () => (await hub.api('task.show', { task_id })).status === 'todo')

    // Review and merge.
    put(path, 'src/cart.ts', 'export const cart = []\n')
    await report(shop, { summary: 'A cart' })
    await reached(hub, 'review')
    await page.locator('[data-review]').getByText('A cart').first().waitFor()
    await press('j')
    await seesFocus(page, '[data-item]')
    await press('a')
    await reached(hub, 'merged')
    expect(repo.git('show', 'HEAD:src/cart.ts')).toContain('cart')

    // Look back.
    await press('g', 'a')
    await page.locator('main time').first().waitFor()
    await press('j')
    await seesFocus(page, 'main :is(a, button, [tabindex])')
    await press('g', 'r')
    await page.locator('main input[type=range]').waitFor()
    await press('Home')
    await until(async () => page.url().includes('at='))
  })
})

/** What has the focus matches, and shows it: by an outline of its own, or of the card around it. */
async function seesFocus(page: Page, selector: string): Promise<void> {
  await until(() =>
    page.evaluate<boolean>(`(() => {
      const one = document.activeElement
      if (!one?.matches(${JSON.stringify(selector)})) return false
      for (let up = one; up && up !== document.body; up = up.parentElement) {
        const { outlineStyle, outlineWidth } = getComputedStyle(up)
        if (outlineStyle !== 'none' && parseFloat(outlineWidth) >= 1) return true
      }
      return false
    })()`),
  )
}
