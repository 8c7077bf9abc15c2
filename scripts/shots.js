// Takes the pictures of the README: of the demo in a real browser, and of its commands in a real terminal. Writes docs/images/.
// With TORYO_SHOTS=<folder>, takes every view in every look instead, to be looked at: build output. TORYO_SHOTS_ONLY=<pattern> takes some.
import { spawn, spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright-core'
import { provideChromium } from './chromium.js'
import { film } from './film.js'
import { Gallery } from './gallery.js'

const ROOT = path.resolve(fileURLToPath(import.meta.url), '../..')
const IMAGES = path.join(ROOT, 'docs', 'images')
const SIZE = { width: 1360, height: 850 }
const LONG_MS = 180_000
/** Everything that moves has ended, but for what moves without end. */
const AT_REST = `Promise.allSettled(document.getAnimations()
  .filter(({ effect }) => Number.isFinite(effect?.getComputedTiming().endTime)).map(({ finished }) => finished))`

const FOLDER = process.env['TORYO_SHOTS']
const ONLY = process.env['TORYO_SHOTS_ONLY']

if (FOLDER === undefined) {
  await atHub(['--demo'], shoot)
  await film(path.join(IMAGES, 'first-change.svg'))
  console.log('docs/images/first-change.svg')
} else {
  const only = ONLY === undefined ? undefined : new RegExp(ONLY)
  const galleryAt = (/** @type {import('playwright-core').Page} */ page) =>
    new Gallery(/** @type {import('playwright-core').Browser} */ (page.context().browser()), path.resolve(FOLDER), only)
  await atHub(['--demo'], async (page, link) => {
    page.setDefaultTimeout(LONG_MS)
    await page.goto(link)
    await page.locator('[data-item^="tab_waits"]').waitFor()
    await page.locator('[data-item="review:tsk_prices"]').waitFor()
    await galleryAt(page).full(page)
  })
  await atHub([], async (page, link) => {
    await page.goto(link)
    await page.locator('[data-line=live]').waitFor()
    await galleryAt(page).empty(page)
  })
}

/**
 * @param {readonly string[]} options
 * @param {(page: import('playwright-core').Page, link: string) => Promise<void>} work
 */
async function atHub(options, work) {
  const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'toryo-shots-'))
  // Its own TMPDIR, so that another demo on this machine is left alone; and time enough that the demo does not answer its own question.
  const env = {
    ...{ ...process.env, TMPDIR: scratch, TORYO_HOME: path.join(scratch, 'home'), TORYO_LANG: 'en' },
    TORYO_DEMO_PATIENCE_MS: String(FOLDER === undefined ? LONG_MS : 10 * LONG_MS),
  }
  const program = path.join(ROOT, 'bin', 'toryo.js')
  const hub = spawn(process.execPath, [program, 'up', ...options, '--port', '0', '--no-open'], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  try {
    const at = await databaseIn(hub.stdout)
    const opened = spawnSync(process.execPath, [program, 'open', '--no-open', '--json', ...at], {
      env,
      encoding: 'utf8',
    })
    const browser = await chromium.launch({ executablePath: provideChromium(), args: ['--no-sandbox'] })
    try {
      const page = await browser.newPage({ viewport: SIZE, colorScheme: 'light', locale: 'en-US' })
      await work(page, linkIn(opened.stdout))
    } finally {
      await browser.close()
    }
  } finally {
    hub.kill('SIGINT')
    await new Promise(resolve => hub.once('exit', resolve))
    fs.rmSync(scratch, { recursive: true, force: true })
  }
}

/**
 * @param {import('playwright-core').Page} page
 * @param {string} link
 */
async function shoot(page, link) {
  fs.mkdirSync(IMAGES, { recursive: true })
  page.setDefaultTimeout(LONG_MS)
  const origin = new URL(link).origin
  const take = async (/** @type {string} */ name) => {
    await page.evaluate(AT_REST)
    await page.screenshot({ path: path.join(IMAGES, `${name}.png`) })
    console.log(`docs/images/${name}.png`)
  }
  const go = async (/** @type {string} */ address) => {
    await page.goto(`${origin}${address}`)
    await page.locator('[data-line=live]').waitFor()
  }
  await page.goto(link)
  await page.locator('[data-item^="tab_waits"]').click()
  await page.locator('.xterm-rows').getByText('bearer').first().waitFor()
  await take('needs-you')
  await go('/board')
  await page.locator('[data-column=in_progress] [data-task]').first().waitFor()
  await take('board')
  await go('/terminals')
  await page.locator('.xterm-rows').getByText('bearer').first().waitFor()
  await take('terminals')
  await go('/tasks/tsk_prices/review')
  await page.getByRole('button', { name: 'Accept' }).waitFor()
  await take('review')
  await go('/crew/timeline')
  await page.locator('[data-timeline] [data-bar]').nth(4).waitFor()
  await take('crew')
  await go('/replay?span=hour')
  await page.locator('[data-task-then]').first().waitFor()
  for (let count = 0; count < 6; count++) await page.keyboard.press('Shift+ArrowLeft')
  await take('replay')
}

/**
 * How `toryo open` finds the hub.
 * @param {import('node:stream').Readable} stream
 * @returns {Promise<string[]>}
 */
async function databaseIn(stream) {
  let text = ''
  for await (const chunk of stream.setEncoding('utf8')) {
    text += chunk
    const found = /toryo open(?: (--db) (\S+))?[^\S\n]*\n/.exec(text)
    if (found) {
      stream.resume()
      return found.slice(1).filter(part => part !== undefined)
    }
  }
  throw new Error(`The hub did not start:\n${text}`)
}

/** @param {string} text */
function linkIn(text) {
  const found = /https?:\/\/\S+#login=[\w-]+/.exec(text)?.[0]
  if (!found) throw new Error(`No link in: ${text}`)
  return found
}
