// A real browser at a real hub, for tests of the dashboard. Whatever breaks the page's policy, or throws in it, fails the test.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, chromium, type Page } from 'playwright-core'
import { expect } from 'vitest'
import { provideChromium } from '../../scripts/chromium.js'
import { DIST } from '../../scripts/sources.js'
import { type TestHub, type TestHubOptions, testHub } from '../hub.ts'
import { build } from '../processes.ts'

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
}

export class TestPage implements AsyncDisposable {
  readonly hub: TestHub
  readonly #browsers: { browser: Browser; folder: string }[] = []
  readonly #problems: string[] = []

  constructor(hub: TestHub) {
    this.hub = hub
  }

  /** A browser of its own, with nothing from before. */
  async open(path = '/', look: Look = {}): Promise<Page> {
    const { theme = 'light', lang = 'en', width = 1440, height = 900, signedIn = true, elsewhere, graphics } = look
    const folder = mkdtempSync(join(tmpdir(), 'toryo-browser-'))
    const browser = await chromium.launch({
      executablePath: provideChromium(),
      headless: true,
      args: [...FLAGS, ...(graphics ? GRAPHICS : NO_GRAPHICS)],
      env: { ...process.env, HOME: folder },
    })
    this.#browsers.push({ browser, folder })
    const context = await browser.newContext({
      viewport: { width, height },
      colorScheme: theme,
      locale: lang === 'ja' ? 'ja-JP' : 'en-US',
      hasTouch: width < 768,
    })
    await context.addInitScript({ content: graphics ? `${REPORT}\n${PASS_FOR_GRAPHICS}` : REPORT })
    const page = await context.newPage()
    page.setDefaultTimeout(60_000 * Number(process.env['TORYO_TEST_PATIENCE'] ?? 1))
    this.#watch(page, elsewhere === undefined ? this.hub.url : new URL(elsewhere).origin)
    await page.goto(elsewhere ?? (signedIn ? await this.link(path) : `${this.hub.url}${path}`))
    if (signedIn) await page.locator('[data-line=live]').waitFor()
    return page
  }

  /** An address that signs in. */
  async link(path = '/'): Promise<string> {
    const { url } = await this.hub.api('hub.login_link', {})
    return `${this.hub.url}${path}${new URL(url).hash}`
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const { browser, folder } of this.#browsers) {
      await browser.close()
      rmSync(folder, { recursive: true, force: true })
    }
    await this.hub[Symbol.asyncDispose]()
    expect(this.#problems).toEqual([])
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

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** What a person who cannot see or use a mouse would stumble over, with where. Run past the policy, which forbids eval. */
export async function axe(page: Page): Promise<string[]> {
  const session = await page.context().newCDPSession(page)
  await session.send('Page.setBypassCSP', { enabled: true })
  await session.send('Runtime.evaluate', { expression: AXE })
  const { result } = await session.send('Runtime.evaluate', {
    expression: `axe.run().then(({ violations }) => JSON.stringify(violations.flatMap(v => v.nodes.map(n =>
      v.id + ': ' + n.target.join(' ') + ' ' + (n.any[0]?.message ?? n.all[0]?.message ?? n.none[0]?.message ?? '')))))`,
    awaitPromise: true,
    returnByValue: true,
  })
  await session.detach()
  return JSON.parse(String(result.value ?? '["axe did not run"]')) as string[]
}
