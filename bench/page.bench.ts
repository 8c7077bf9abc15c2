// Whether the dashboard keeps up, in a real browser: a board of 5,000 tasks, one move, events at fifty a second, and a timeline of
// 200 runs that is zoomed.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Browser, chromium, type Page } from 'playwright-core'
import { provideChromium } from '../scripts/chromium.js'
import { Place } from './programs.ts'
import { atMost, figure, median, percentile, report } from './report.ts'

const TASKS = 5000
const MOVES = 20
const EVENTS = 500
const EVERY_MS = 20
const RUNS = 200
/** At once. */
const WAVE = 20
const ZOOMS = 40
/** A task that is longer keeps the browser from answering a person at once; it is what browsers themselves call long. */
const LONG_MS = 50

await using place = new Place()
const config = {
  limits: { runs: WAVE },
  engines: { nothing: { headless: ['true'] } },
  roles: [{ id: 'worker', engine: 'nothing', model: 'default' }],
}
writeFileSync(join(place.home, 'config.json'), JSON.stringify(config), { mode: 0o600 })
const hub = await place.startHub()
const { project_id } = await hub.api('project.add', { id: 'prj_shop', name: 'shop' })
for (let n = 0; n < TASKS; n++) {
  const status = (['backlog', 'todo', 'in_progress', 'blocked'] as const)[n % 4]
  await hub.api('task.add', { id: `t${n}`, project_id, title: `Task ${n}`, status })
}
const browser = await chromium.launch({ executablePath: provideChromium(), args: ['--no-sandbox', '--disable-gpu'] })
try {
  const { page, painted } = await openBoard(browser)
  const elements = Number(await page.evaluate('document.querySelectorAll("*").length'))
  const moves: number[] = []
  for (let n = 0; n < MOVES; n++) moves.push(await timeMove(page, n % 2 === 0 ? '2' : '4'))
  const delays = await timeEvents(page)
  await makeRuns()
  const [still, zoomed] = await timeZooms(page)
  report(`page: a board of ${TASKS} tasks in Chromium`, [
    figure('from the address to the first card', painted, ' ms'),
    // About forty cards are seen, and some wait around them; each has eight.
    atMost('elements of the page', elements, 1000, ''),
    atMost('one move, from the key to the card gone from its column, p50', median(moves), 16, ' ms'),
    figure(`events at ${1000 / EVERY_MS} a second, from the call to the screen, p50`, median(delays), ' ms'),
    atMost('the same, p95', percentile(delays, 0.95), 200, ' ms'),
    figure('the longest task of the same page while nothing happens (0: none was long)', still.longest, ' ms'),
    figure(`${RUNS} runs on the timeline, from a zoom to its frame, p50`, median(zoomed.frames), ' ms'),
    // Others' work on the same cores makes any task long; it makes those of a page that does nothing as long.
    atMost(
      `its longest task while it is zoomed ${ZOOMS} times`,
      zoomed.longest,
      Math.max(LONG_MS, 2 * still.longest),
      ' ms',
    ),
  ])
} finally {
  await browser.close()
}

async function openBoard(browser: Browser): Promise<{ page: Page; painted: number }> {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
  const { url } = await hub.api('hub.login_link', {})
  await page.goto(url)
  await page.locator('[data-line=live]').waitFor()
  const before = performance.now()
  await page.goto(new URL('/board', url).href)
  await page.locator('[data-task]').first().waitFor()
  const painted = performance.now() - before
  await page.locator('[data-line=live]').waitFor()
  return { page, painted }
}

/** The first card of the backlog, measured in the page itself, so that the way to the browser does not count. */
async function timeMove(page: Page, key: string): Promise<number> {
  return Number(
    await page.evaluate(`new Promise(resolve => {
      const link = document.querySelector('[data-column=backlog] [data-task] a')
      const id = link.closest('[data-task]').dataset.task
      link.focus()
      const gone = () => !document.querySelector('[data-column=backlog] [data-task="' + id + '"]')
      const observer = new MutationObserver(() => {
        if (!gone()) return
        observer.disconnect()
        resolve(performance.now() - before)
      })
      observer.observe(document.body, { subtree: true, childList: true })
      const before = performance.now()
      link.dispatchEvent(new KeyboardEvent('keydown', { key: '${key}', bubbles: true }))
    })`),
  )
}

/** Each event is a new title of a card that is seen, and says when it was called for. */
async function timeEvents(page: Page): Promise<number[]> {
  const seen = (await page.evaluate(`[...document.querySelectorAll('[data-column=in_progress] [data-task]')]
    .slice(0, 5).map(card => card.dataset.task)`)) as string[]
  await page.evaluate(`{
    window.delays = []
    const known = new Set()
    new MutationObserver(() => {
      for (const [stamp] of document.querySelector('[data-column=in_progress]').textContent.matchAll(/1\\d{12}(?=ms)/g)) {
        if (known.has(stamp)) continue
        known.add(stamp)
        delays.push(Date.now() - Number(stamp))
      }
    }).observe(document.body, { subtree: true, childList: true, characterData: true })
  }`)
  const calls: Promise<unknown>[] = []
  for (let n = 0; n < EVENTS; n++) {
    calls.push(hub.api('task.edit', { task_id: seen[n % seen.length] ?? '', title: `called at ${Date.now()}ms` }))
    await new Promise(resolve => setTimeout(resolve, EVERY_MS))
  }
  await Promise.all(calls)
  return (await page.evaluate('delays')) as number[]
}

async function makeRuns(): Promise<void> {
  for (let made = 0; made < RUNS; made += WAVE) {
    const tasks = Array.from({ length: WAVE }, (_, n) => ({ role: 'worker', prompt: `Run ${made + n}` }))
    await hub.api('crew.run', { mode: 'concurrent', stages: [{ tasks }], directory: place.home })
    while ((await hub.api('work.list', { ended: 0 })).work.length > 0) await new Promise(r => setTimeout(r, 50))
  }
}

type Zooms = { longest: number; frames: number[] }

/** The timeline, left alone and then zoomed in and out by its keys, with the longest task of each. */
async function timeZooms(page: Page): Promise<[Zooms, Zooms]> {
  await page.goto(new URL('/crew/timeline', page.url()).href)
  await page.locator('[data-timeline] svg[role=group]').waitFor()
  await page.locator('[data-line=live]').waitFor()
  const bars = Number(await page.evaluate(`document.querySelectorAll('[data-timeline] [data-bar]').length`))
  if (bars < RUNS) throw new Error(`the timeline shows ${bars} of ${RUNS} runs`)
  const measure = async (keys: string) =>
    (await page.evaluate(`(async () => {
      const tasks = []
      const observer = new PerformanceObserver(list => tasks.push(...list.getEntries().map(entry => entry.duration)))
      observer.observe({ type: 'longtask' })
      const frames = []
      for (let n = 0; n < ${ZOOMS}; n++) {
        const before = performance.now()
        const key = ${keys}
        if (key) document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }))
        await new Promise(requestAnimationFrame)
        await new Promise(resolve => setTimeout(resolve))
        frames.push(performance.now() - before)
      }
      tasks.push(...observer.takeRecords().map(entry => entry.duration))
      observer.disconnect()
      // The browser reports only tasks of 50 ms and more.
      return { longest: Math.max(0, ...tasks), frames }
    })()`)) as Zooms
  const still = await measure('undefined')
  const before = await page.locator('[data-timeline] svg[role=group]').innerHTML()
  const zoomed = await measure(`n % 8 < 4 ? '+' : '-'`)
  await page.keyboard.press('+')
  await page.waitForFunction(
    `document.querySelector('[data-timeline] svg[role=group]').innerHTML !== ${JSON.stringify(before)}`,
  )
  return [still, zoomed]
}
