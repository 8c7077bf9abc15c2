// Every view in both themes and languages, empty and full, wide and on a phone: nothing that axe finds, and no sideways scroll. The
// pictures are kept, to be looked at by people (shots.ts).
import type { Page } from 'playwright-core'
import { test } from 'vitest'
import { LOOKS } from './looks.ts'
import { testPage } from './page.ts'
import { fillNeeds, openShop } from './scene.ts'
import { lookAt, lookIn, looksRight, type View } from './shots.ts'

const SLOW = { timeout: 900_000 }

const VIEWS: View[] = [
  ['needs', '/needs', '[data-item]'],
  ['board', '/board', '[data-column]'],
  ['review', '/needs/review%3Atsk_13', '[data-review]'],
  ['needs-decision', '/needs/decision_replaced%3Atsk_01', '[data-steps]'],
  ['needs-crew', '/needs/crew_ended%3Agrp-1', '[data-steps]'],
  ['needs-phase', '/needs/phase_ended%3Aprj_shop%3Aphase0', '[data-steps]'],
  ['task', '/tasks/tsk_03', '[data-task-detail=tsk_03]'],
  [
    'task-sheet',
    '/board',
    async page => {
      await page.locator('[data-task] a').first().click()
      await page.locator('[data-task-detail]').waitFor()
    },
  ],
  ['task-review', '/tasks/tsk_13', '[data-review]'],
  ['task-waits', '/tasks/tsk_05', '[data-task-detail=tsk_05]'],
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
  ['board-empty', '/board?project=prj_docs', 'ul button'],
]

async function opened(page: Page, key: string): Promise<void> {
  await page.keyboard.press(key)
  await page.locator('dialog[open]').waitFor()
}

const planned = (page: Page) => page.locator('[data-task-detail=tsk_05] [data-plan]').waitFor()

/** Opens a list of tasks to link with. */
async function picked(page: Page, key: string): Promise<void> {
  await planned(page)
  await page.keyboard.press(key)
  await page.locator('dialog[open] [cmdk-input]').waitFor()
}

test('full, in every look', SLOW, async () => {
  await using stage = await testPage()
  await openShop(stage.hub)
  await fillNeeds(stage.hub)
  await stage.hub.api('project.add', { id: 'prj_docs', name: 'docs' })
  await lookAt(stage, VIEWS)
})

test('before anybody is signed in, and empty, in every look', SLOW, async () => {
  await using stage = await testPage()
  for (const look of LOOKS) {
    const page = await stage.open('/', { ...look, signedIn: false })
    await page.locator('#login-link').waitFor()
    await looksRight(page, look, 'login')
    await page.locator('#login-link').fill(await stage.link())
    await page.keyboard.press('Enter')
    await page.locator('[data-line=live]').waitFor()
    await lookIn(page, look, [
      ['needs-empty', '/needs', 'h2'],
      ['no-project', '/board', 'h2'],
    ])
  }
})
