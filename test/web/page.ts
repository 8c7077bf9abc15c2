// A real browser at a real hub, for tests of the dashboard. Whatever breaks the page's policy, or throws in it, fails the test.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, type BrowserContext, chromium, type Page, type Request } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import { provideChromium } from '../../scripts/chromium.js'
import { DIST } from '../../scripts/sources.js'
import { type TestHub, type TestHubOptions, testHub } from '../hub.ts'
import { build } from '../processes.ts'
import { until } from '../until.ts'

const FLAGS = [
  ...['--no-sandbox', '--no-first-run', '--disable-background-networking'],
  ...['--disable-component-update', '--disable-sync'],
]

const REPORT = `addEventListener('securitypolicyviolation', event => console.error(
  'POLICY', event.violatedDirective, event.blockedURI, event.sourceFile + ':' + event.lineNumber))`

const NO_GRAPHICS = ['--disable-gpu']
const GRAPHICS = ['--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader']
/** Machines that run tests have no graphics processor. The browser's emulation passes for one. */
const PASS_FOR_GRAPHICS = `{
  const { getContext } = HTMLCanvasElement.prototype
  HTMLCanvasElement.prototype.getContext = function (kind, wishes) {
    return getContext.call(this, kind, { ...wishes, failIfMajorPerformanceCaveat: false })
  }
  const { getParameter } = WebGL2RenderingContext.prototype
  WebGL2RenderingContext.prototype.getParameter = function (name) {
    const value = getParameter.call(this, name)
    return typeof value === 'string' ? value.replace(/swiftshader/gi, 'graphics') : value
  }
}`

export type Look = {
  theme?: 'light' | 'dark'
  lang?: 'en' | 'ja'
  width?: number
  height?: number
  signedIn?: boolean
  elsewhere?: string
  /** Draws with WebGL. */
  graphics?: boolean
  /** Where its clock is: a name such as Europe/Berlin. */
  zone?: string
  /** Its time is moved by the test: `page.clock`. */
  clock?: boolean
  /** Run in each document before the page's own scripts. */
  first?: string
}

/** One of each kind for all tests of this worker: starting a browser costs as much processor time as most tests here. */
const browsers = new Map<boolean, Promise<Browser>>()

function browserOf(graphics: boolean): Promise<Browser> {
  const known = browsers.get(graphics)
  if (known) return known
  const folder = mkdtempSync(join(tmpdir(), 'toryo-browser-'))
  const started = chromium.launch({
    executablePath: provideChromium(),
    headless: true,
    args: [...FLAGS, ...(graphics ? GRAPHICS : NO_GRAPHICS)],
    env: { ...process.env, HOME: folder },
    handleSIGTERM: false,
  })
  // vitest ends a worker so, and half a second later for good: too little to close a browser in peace. At the exit of this
  // process the library kills it; whatever else ends us, it goes when its pipe closes.
  process.once('SIGTERM', () => process.exit())
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  browsers.set(graphics, started)
  return started
}

export class TestPage implements AsyncDisposable {
  readonly hub: TestHub
  readonly #contexts: BrowserContext[] = []
  readonly #problems: string[] = []

  constructor(hub: TestHub) {
    this.hub = hub
  }

  /** A page with nothing from before: cookies, storage and cache are its own, as in another browser. */
  async open(path = '/', look: Look = {}): Promise<Page> {
    const {
      theme = 'light',
      lang = 'en',
      width = 1440,
      height = 900,
      signedIn = true,
      elsewhere,
      graphics,
      zone,
      clock = false,
      first = '',
    } = look
    const browser = await browserOf(graphics === true)
    const context = await browser.newContext({
      viewport: { width, height },
      colorScheme: theme,
      locale: lang === 'ja' ? 'ja-JP' : 'en-US',
      hasTouch: width < 768,
      ...(zone !== undefined && { timezoneId: zone }),
    })
    this.#contexts.push(context)
    await context.addInitScript({ content: [REPORT, graphics ? PASS_FOR_GRAPHICS : '', first].join('\n') })
    const page = await this.another(context, elsewhere === undefined ? this.hub.url : new URL(elsewhere).origin)
    if (clock) await page.clock.install()
    await page.goto(elsewhere ?? (signedIn ? await this.link(path) : `${this.hub.url}${path}`))
    if (signedIn) await page.locator('[data-line=live]').waitFor()
    return page
  }

  /** Another tab of the same browser: cookies and storage are the same. */
  async another(context: BrowserContext, origin = this.hub.url): Promise<Page> {
    const page = await context.newPage()
    page.setDefaultTimeout(60_000 * Number(process.env['TORYO_TEST_PATIENCE'] ?? 1))
    this.#watch(page, origin)
    return page
  }

  /** An address that signs in. */
  async link(path = '/'): Promise<string> {
    const { url } = await this.hub.api('hub.login_link', {})
    return `${this.hub.url}${path}${new URL(url).hash}`
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.leave()
    await this.hub[Symbol.asyncDispose]()
    this.check()
  }

  /** Closes all browsers but those of these pages. */
  async leave(...kept: (Page | undefined)[]): Promise<void> {
    const left = this.#contexts.filter(context => !kept.some(page => page?.context() === context))
    for (const context of left) {
      this.#contexts.splice(this.#contexts.indexOf(context), 1)
      await context.close()
    }
  }

  /** What broke the policy, or was thrown, until now. */
  check(): void {
    expect(this.#problems.splice(0)).toEqual([])
  }

  #watch(page: Page, origin: string): void {
    page.on('pageerror', error => this.#problems.push(`${error.name}: ${error.message} ${error.stack ?? ''}`))
    page.on('console', message => {
      const text = message.text()
      if (/POLICY|Content Security Policy|Trusted/.test(text)) this.#problems.push(text)
    })
    page.on('request', request => {
      if (!request.url().startsWith(origin) && !request.url().startsWith('data:'))
        this.#problems.push(`the page asked for ${request.url()}`)
    })
  }
}

export async function testPage(options: TestHubOptions = {}): Promise<TestPage> {
  build()
  return new TestPage(await testHub({ page: join(DIST, 'web'), ...options }))
}

/**
 * One hub, one scene and one signed-in page for tests that do not disturb each other: those cost more than most of what a person
 * does in a test. Each begins with `at`, where it wants to be; what breaks the policy fails the test that did it. A test that needs
 * another window, or changes what the browser keeps (theme, language), opens a page of its own at the same hub: `stage.open`.
 */
export function sharedPage<T>(scene: (hub: TestHub) => Promise<T>, options: TestHubOptions = {}, look: Look = {}) {
  let stage: TestPage | undefined
  let page: Page | undefined
  let second: Page | undefined
  let made: T
  beforeAll(async () => {
    stage = await testPage(options)
    made = await scene(stage.hub)
    page = await stage.open('/needs', look)
  })
  afterEach(async () => {
    await stage?.leave(page, second)
    stage?.check()
  })
  afterAll(() => stage?.[Symbol.asyncDispose]())
  return {
    async at(path: string) {
      if (stage === undefined || page === undefined) throw new Error('the shared page did not open')
      await asNew(page)
      await go(page, path)
      return { page, stage, hub: stage.hub, made }
    },
    /** The page of another browser: cookies and storage are its own. */
    async other(path: string): Promise<Page> {
      if (stage === undefined) throw new Error('the shared page did not open')
      if (second === undefined) return (second = await stage.open(path, look))
      await asNew(second)
      await go(second, path)
      return second
    },
  }
}

/** Takes away what the test before put between page and hub, its drafts, and what the page still says about it. */
async function asNew(page: Page): Promise<void> {
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await page.context().setOffline(false)
  await page.emulateMedia({ reducedMotion: null, forcedColors: null })
  await page.locator('[data-line=live]').waitFor()
  await page.evaluate(`sessionStorage.clear()
    document.querySelectorAll(':is([role=alert], [role=status]) button[aria-label=Close]')
    .forEach(button => button.click())`)
}

/**
 * What the page shows at this address, without loading it again: a load costs as much processor time as looking at it does. Where a
 * test is about opening an address or about what outlives a reload, it uses `page.goto`. As after a load, nothing stands over the
 * page and nothing has the focus.
 */
export async function go(page: Page, path: string): Promise<void> {
  const open = page.locator('dialog[open]')
  while ((await open.count()) > 0) {
    const before = await open.count()
    await page.keyboard.press('Escape')
    await until(async () => (await open.count()) < before)
  }
  // Not over the board, wherever one came from (over-board.ts).
  await page.evaluate(`document.activeElement?.blur()
    history.pushState({ overBoard: false }, '', ${JSON.stringify(path)})`)
}

/** From now on: once the page has asked for everything that it shows, and has drawn the answers. */
export function whenQuiet(page: Page): () => Promise<void> {
  const asked = new Set<Request>()
  page.on('request', request => void asked.add(request))
  page.on('requestfinished', request => void asked.delete(request))
  page.on('requestfailed', request => void asked.delete(request))
  return async () => {
    for (let calm = 0; calm < 2; ) {
      await atRest(page)
      calm = asked.size === 0 ? calm + 1 : 0
    }
  }
}

/** Once everything that moves has ended, but for what moves without end. Two frames, in which what a key has begun begins to move. */
export async function atRest(page: Page): Promise<void> {
  await page.evaluate(`new Promise(resolve => requestAnimationFrame(() => requestAnimationFrame(resolve))).then(() =>
    Promise.allSettled(document.getAnimations()
      .filter(({ effect }) => Number.isFinite(effect?.getComputedTiming().endTime)).map(({ finished }) => finished))).then(() => {})`)
}

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** What a person who cannot see or use a mouse would stumble over, with where. Run past the policy, which forbids eval. */
export async function axe(page: Page, rules?: readonly string[]): Promise<string[]> {
  const session = await page.context().newCDPSession(page)
  await session.send('Page.setBypassCSP', { enabled: true })
  // It is half a megabyte to read: once for each document.
  const known = await session.send('Runtime.evaluate', { expression: 'typeof axe', returnByValue: true })
  if (known.result.value === 'undefined') await session.send('Runtime.evaluate', { expression: AXE })
  const options = JSON.stringify({ resultTypes: ['violations'], ...(rules !== undefined && { runOnly: rules }) })
  const { result } = await session.send('Runtime.evaluate', {
    expression: `axe.run(document, ${options}).then(({ violations }) => JSON.stringify(violations.flatMap(v => v.nodes.map(n =>
      v.id + ': ' + n.target.join(' ') + ' ' + (n.any[0]?.message ?? n.all[0]?.message ?? n.none[0]?.message ?? '')))))`,
    awaitPromise: true,
    returnByValue: true,
  })
  await session.detach()
  return JSON.parse(String(result.value ?? '["axe did not run"]')) as string[]
}

/**
 * The same in the other theme. Nothing but colours is another one there, so that nothing else is looked at: with the four looks
 * that tests open, every theme is seen with every language and width.
 */
export async function axeInOtherTheme(page: Page, theme: Look['theme']): Promise<string[]> {
  const other = theme === 'dark' ? 'light' : 'dark'
  await page.evaluate(`document.documentElement.dataset.theme = '${other}'`)
  const found = await axe(page, ['color-contrast'])
  await page.evaluate('delete document.documentElement.dataset.theme')
  return found.map(one => `${other}: ${one}`)
}
