// Every view in both themes and languages, wide and on a phone, full and empty, and with a hub that fails: pictures to look at.
import fs from 'node:fs'
import path from 'node:path'

/** @typedef {import('playwright-core').Page} Page */
/** @typedef {{ theme: 'light' | 'dark', lang: 'en' | 'ja', width: number }} Look */
/** @typedef {[name: string, address: string, act?: (page: Page) => Promise<unknown>]} View */

/** A terminal has something to show. @param {Page} page */
const drawn = page => page.locator('.xterm-rows').getByText('bearer').first().waitFor()

/** @type {readonly View[]} */
const FULL = [
  ['needs', '/needs'],
  [
    'needs-question',
    '/needs',
    async page => {
      await page.locator('[data-item^="tab_waits"]').first().click()
      await drawn(page)
    },
  ],
  ['needs-failed', '/needs', page => page.locator('[data-item^="run_failed"]').first().click()],
  ['needs-review', '/needs/review%3Atsk_prices'],
  ['board', '/board'],
  ['task', '/tasks/tsk_prices'],
  ['task-waits', '/tasks/tsk_labels'],
  ['new-task', '/board', page => page.keyboard.press('c')],
  ['crew', '/crew'],
  ['timeline', '/crew/timeline'],
  ['agents', '/crew/agents'],
  ['agent', '/agents/agt_aoi'],
  ['roles', '/crew/roles'],
  ['run', '/crew', page => page.locator('a[href^="/runs/"]').first().click()],
  ['crew-stages', '/crew', page => page.locator('a[href^="/crews/"]').first().click()],
  ['run-crew', '/crew', page => page.keyboard.press('r')],
  ['terminals', '/terminals', page => drawn(page)],
  ['launch', '/terminals', page => page.keyboard.press('l')],
  ['changes', '/changes'],
  ['diff', '/changes', page => page.locator('a[href^="/changes/"]').first().click()],
  ['queue', '/queue'],
  ['review', '/tasks/tsk_prices/review'],
  ['phases', '/phases?project=prj_shop'],
  ['phases-advance', '/phases?project=prj_shop', page => page.keyboard.press('A')],
  ['phases-edit', '/phases?project=prj_shop', page => page.keyboard.press('e')],
  ['memory', '/memory?project=prj_shop'],
  ['memory-topic', '/memory/topics/2?project=prj_shop'],
  ['memory-decision', '/memory/decisions/4?project=prj_shop'],
  ['memory-found', '/memory?project=prj_shop&q=price'],
  ['memory-none', '/memory?project=prj_shop&q=zebra'],
  ['memory-decide', '/memory?project=prj_shop', page => page.keyboard.press('d')],
  ['activity', '/activity'],
  ['activity-event', '/activity', page => page.keyboard.press('Enter')],
  ['replay', '/replay?span=hour', page => page.keyboard.press('Shift+ArrowLeft')],
  ...['general', 'engines', 'registration', 'runners', 'doctor', 'browsers'].map(
    tab => /** @type {View} */ ([`settings-${tab}`, `/settings/${tab}`]),
  ),
  ['palette', '/board', page => page.keyboard.press('Control+k')],
  [
    'palette-found',
    '/board',
    async page => {
      await page.keyboard.press('Control+k')
      await page.locator('[cmdk-input]').waitFor()
      await page.keyboard.type('price', { delay: 30 })
    },
  ],
  ['help', '/board', page => page.keyboard.press('?')],
  ['missing', '/nowhere'],
]

/** @type {readonly View[]} */
const EMPTY = [
  ...[
    'needs',
    'board',
    'crew',
    'crew/timeline',
    'crew/agents',
    'crew/roles',
    'terminals',
    'changes',
    'queue',
    'phases',
  ],
  ...['memory', 'activity', 'replay', 'settings/runners'],
].map(place => /** @type {View} */ ([`empty-${place.replace('/', '-')}`, `/${place}`]))

const VIEWS = ['needs', 'board', 'crew', 'terminals', 'changes', 'queue', 'phases', 'memory', 'activity', 'settings']

/** @type {readonly Look[]} */
const LOOKS = /** @type {const} */ (['light', 'dark']).flatMap(theme =>
  /** @type {const} */ (['en', 'ja']).flatMap(lang => [1440, 390].map(width => ({ theme, lang, width }))),
)
/** @type {readonly Look[]} */
const FRAMES = [320, 768, 2560].map(width => ({ theme: 'light', lang: 'ja', width }))

export class Gallery {
  /**
   * @param {import('playwright-core').Browser} browser
   * @param {string} folder
   * @param {RegExp | undefined} only - by the name of the picture
   */
  constructor(browser, folder, only) {
    this.browser = browser
    this.folder = folder
    this.only = only
    fs.mkdirSync(folder, { recursive: true })
  }

  /** @param {Page} signedIn */
  async full(signedIn) {
    for (const look of LOOKS) await this.#views(signedIn, look, FULL)
    const frame = FULL.filter(([name]) => ['needs', 'board', 'timeline', 'phases', 'memory', 'activity'].includes(name))
    for (const look of FRAMES) await this.#views(signedIn, look, frame)
    for (const look of LOOKS) await this.#failing(signedIn, look)
  }

  /** @param {Page} signedIn */
  async empty(signedIn) {
    for (const look of LOOKS) {
      await this.#views(signedIn, look, EMPTY)
      await this.#views(undefined, look, [['login', new URL(signedIn.url()).origin]])
    }
  }

  /** @param {Page | undefined} signedIn @param {Look} look @param {readonly View[]} views */
  async #views(signedIn, look, views) {
    const wanted = views.filter(([name]) => this.#wants(name, look))
    if (wanted.length === 0) return
    const page = await this.#page(signedIn, look)
    for (const [name, address, act] of wanted) {
      await page.goto(signedIn ? `${new URL(signedIn.url()).origin}${address}` : address)
      if (signedIn) await page.locator('[data-line=live]').waitFor()
      await this.#rest(page)
      // What is not there in this scene is not pictured.
      await act?.(page).catch(() => console.log(`${name}: nothing to act on`))
      await this.#take(page, name, look)
    }
    await page.context().close()
  }

  /** A hub that refuses, and one that is away. @param {Page} signedIn @param {Look} look */
  async #failing(signedIn, look) {
    const names = VIEWS.filter(view => this.#wants(`failed-${view}`, look))
    if (names.length === 0) return
    const page = await this.#page(signedIn, look)
    const { origin } = new URL(signedIn.url())
    const refusal = {
      error: { code: 'BUSY', message: 'The database is busy. Try again.', kind: 'busy', retryable: true },
    }
    await page.route('**/api/*', route =>
      /hub\.status|inbox\.count|project\.list/.test(route.request().url())
        ? route.continue()
        : route.fulfill({ status: 503, json: refusal }),
    )
    for (const view of names) {
      await page.goto(`${origin}/${view}`)
      await this.#take(page, `failed-${view}`, look)
    }
    await page.unroute('**/api/*')
    await page.goto(`${origin}/board`)
    await page.locator('[data-line=live]').waitFor()
    await page.context().setOffline(true)
    await page.locator('[data-line=cut]').waitFor()
    await this.#take(page, 'cut-off', look)
    await page.context().close()
  }

  /** @param {string} name @param {Look} look */
  #wants(name, look) {
    return this.only?.test(fileOf(name, look)) ?? true
  }

  /** @param {Page | undefined} signedIn @param {Look} look */
  async #page(signedIn, { theme, lang, width }) {
    const context = await this.browser.newContext({
      viewport: { width, height: width < 768 ? 844 : width > 2000 ? 1300 : 900 },
      colorScheme: theme,
      locale: lang === 'ja' ? 'ja-JP' : 'en-US',
      hasTouch: width < 768,
      ...(signedIn && { storageState: await stateOf(signedIn) }),
    })
    const page = await context.newPage()
    page.setDefaultTimeout(30_000)
    return page
  }

  /** @param {Page} page @param {string} name @param {Look} look */
  async #take(page, name, look) {
    await this.#rest(page)
    const file = `${fileOf(name, look)}.png`
    await page.screenshot({ path: path.join(this.folder, file), animations: 'disabled' })
    console.log(file)
  }

  /** @param {Page} page */
  async #rest(page) {
    await page.waitForLoadState('networkidle').catch(() => undefined)
    await page.waitForTimeout(300)
  }
}

/** @param {Page} page */
async function stateOf(page) {
  const state = await page.context().storageState()
  // Those are the look's own.
  for (const origin of state.origins)
    origin.localStorage = origin.localStorage.filter(({ name }) => !/theme|lang/.test(name))
  return state
}

/** @param {string} name @param {Look} look */
const fileOf = (name, { theme, lang, width }) => `${name}-${theme}-${lang}-${width}`
