// Every view in both themes and languages, empty and full, wide and on a phone: nothing that axe finds, and no sideways scroll. The
// pictures are kept, to be looked at by people: .cache/shots, or the folder that TORYO_SHOTS names.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { ROOT } from '../../scripts/sources.js'
import { LOOKS } from './looks.ts'
import { atRest, axe, axeInOtherTheme, type Look, testPage } from './page.ts'
import { fillNeeds, openShop } from './scene.ts'

const FOLDER = process.env['TORYO_SHOTS'] ?? join(ROOT, '.cache', 'shots')
mkdirSync(FOLDER, { recursive: true })

const VIEWS: [name: string, path: string, act?: (page: Page) => Promise<void>][] = [
  ['needs', '/needs'],
  ['board', '/board'],
  ['review', '/needs/review%3Atsk_13'],
  ['needs-decision', '/needs/decision_replaced%3Atsk_01'],
  ['needs-crew', '/needs/crew_ended%3Agrp-1'],
  ['needs-phase', '/needs/phase_ended%3Aprj_shop%3Aphase0'],
  ['task', '/tasks/tsk_03'],
  [
    'task-sheet',
    '/board',
    async page => {
      await page.locator('[data-task] a').first().click()
      await page.locator('[data-task-detail]').waitFor()
    },
  ],
  ['task-review', '/tasks/tsk_13'],
  ['task-waits', '/tasks/tsk_05'],
  ['plan-waits', '/tasks/tsk_05', page => picked(page, 'w')],
  ['plan-parent', '/tasks/tsk_05', page => picked(page, 's')],
  [
    'plan-part',
    '/tasks/tsk_05',
    async page => {
      await planned(page)
      await page.keyboard.press('S')
      await page.locator('[data-task-detail] input:focus').waitFor()
    },
  ],
  ['new-task', '/board', page => opened(page, 'c')],
  ['help', '/needs', page => opened(page, '?')],
  ['palette', '/board', page => opened(page, 'Control+k')],
]

async function opened(page: Page, key: string): Promise<void> {
  await page.keyboard.press(key)
  await page.locator('dialog[open]').waitFor()
}

const planned = (page: Page) => page.locator('[data-task-detail] [data-plan]').waitFor()

/** Opens a list of tasks to link with. */
async function picked(page: Page, key: string): Promise<void> {
  await planned(page)
  await page.keyboard.press(key)
  await page.locator('dialog[open] [cmdk-input]').waitFor()
}

async function look(page: Page, name: string, theme: Look['theme']): Promise<void> {
  await page.screenshot({ path: join(FOLDER, `${name}.png`), animations: 'disabled' })
  const width = await page.evaluate('[document.documentElement.scrollWidth, innerWidth]')
  expect((width as number[])[0], `${name}: scrolls sideways`).toBeLessThanOrEqual((width as number[])[1] ?? 0)
  expect(await axe(page), name).toEqual([])
  expect(await axeInOtherTheme(page, theme), name).toEqual([])
}

test.each(LOOKS)('full, %o', { timeout: 600_000 }, async ({ theme, lang, width }) => {
  await using stage = await testPage()
  await openShop(stage.hub)
  await fillNeeds(stage.hub)
  const page = await stage.open('/needs', { theme, lang, width, height: width < 768 ? 844 : 900 })
  for (const [name, path, act] of VIEWS) {
    await page.goto(`${stage.hub.url}${path}`)
    await page.locator('[data-line=live]').waitFor()
    await page
      .locator(
        name === 'review'
          ? '[data-review]'
          : path.startsWith('/needs/')
            ? '[data-steps]'
            : path === '/needs'
              ? '[data-item]'
              : path.startsWith('/tasks/')
                ? '[data-task-detail]'
                : '[data-column]',
      )
      .first()
      .waitFor()
    await act?.(page)
    if (name.endsWith('review')) await page.locator('[data-review]').waitFor()
    await atRest(page)
    await look(page, `${name}-${theme}-${lang}-${width}`, theme)
  }
})

test.each(LOOKS)('empty, %o', { timeout: 600_000 }, async ({ theme, lang, width }) => {
  await using stage = await testPage()
  const size = { width, height: width < 768 ? 844 : 900 }
  const outside = await stage.open('/', { theme, lang, ...size, signedIn: false })
  await outside.locator('#login-link').waitFor()
  await look(outside, `login-${theme}-${lang}-${width}`, theme)
  const page = await stage.open('/needs', { theme, lang, ...size })
  await page.locator('h2').waitFor()
  await look(page, `needs-empty-${theme}-${lang}-${width}`, theme)
  await page.goto(`${stage.hub.url}/board`)
  await page.locator('h2').waitFor()
  await look(page, `no-project-${theme}-${lang}-${width}`, theme)
  await stage.hub.api('project.add', { name: 'shop' })
  await page.locator('ul button').first().waitFor()
  await look(page, `board-empty-${theme}-${lang}-${width}`, theme)
})
