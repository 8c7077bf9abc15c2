// Takes the pictures of the README: of the demo in a real browser, and of its commands in a real terminal. Writes docs/images/.
import { spawn, spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright-core'
import { provideChromium } from './chromium.js'
import { film } from './film.js'

const ROOT = path.resolve(fileURLToPath(import.meta.url), '../..')
const IMAGES = path.join(ROOT, 'docs', 'images')
const SIZE = { width: 1360, height: 850 }
const LONG_MS = 180_000
/** Everything that moves has ended, but for what moves without end. */
const AT_REST = `Promise.allSettled(document.getAnimations()
  .filter(({ effect }) => Number.isFinite(effect?.getComputedTiming().endTime)).map(({ finished }) => finished))`

await main()
await film(path.join(IMAGES, 'first-change.svg'))
console.log('docs/images/first-change.svg')

async function main() {
  const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'toryo-shots-'))
  // Its own TMPDIR, so that another demo on this machine is left alone; and time enough that the demo does not answer its own question.
  const env = { ...process.env, TMPDIR: scratch, TORYO_DEMO_PATIENCE_MS: String(LONG_MS), TORYO_LANG: 'en' }
  const program = path.join(ROOT, 'bin', 'toryo.js')
  const hub = spawn(process.execPath, [program, 'up', '--demo', '--port', '0', '--no-open'], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  try {
    const db = await databaseIn(hub.stdout)
    const opened = spawnSync(process.execPath, [program, 'open', '--no-open', '--json', '--db', db], {
      env,
      encoding: 'utf8',
    })
    const browser = await chromium.launch({ executablePath: provideChromium(), args: ['--no-sandbox'] })
    try {
      await shoot(
        await browser.newPage({ viewport: SIZE, colorScheme: 'light', locale: 'en-US' }),
        linkIn(opened.stdout),
      )
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
  await page.getByText('src/price.js').first().waitFor()
  await take('review')
  await go('/crew/timeline')
  await take('crew')
  await go('/replay?span=hour')
  await page.locator('[data-task-then]').first().waitFor()
  for (let count = 0; count < 6; count++) await page.keyboard.press('Shift+ArrowLeft')
  await take('replay')
}

/** @param {import('node:stream').Readable} stream @returns {Promise<string>} */
async function databaseIn(stream) {
  let text = ''
  for await (const chunk of stream.setEncoding('utf8')) {
    text += chunk
    const found = /toryo open --db (\S+)/.exec(text)?.[1]
    if (found) {
      stream.resume()
      return found
    }
  }
  throw new Error(`The demo did not start:\n${text}`)
}

/** @param {string} text */
function linkIn(text) {
  const found = /https?:\/\/\S+#login=[\w-]+/.exec(text)?.[0]
  if (!found) throw new Error(`No link in: ${text}`)
  return found
}
