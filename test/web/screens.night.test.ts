// Every view in both themes and languages, empty and full, wide and on a phone: nothing that axe finds, and no sideways scroll. The
// pictures are kept, to be looked at by people (shots.ts).
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { test } from 'vitest'
import { scriptedConfig } from '../runner.ts'
import { LOOKS } from './looks.ts'
import { testPage } from './page.ts'
import { halfWay, remember } from './past.ts'
import { fillNeeds, openShop } from './scene.ts'
import { lookAt, lookIn, looksRight, type View } from './shots.ts'
import { userHome } from './user-home.ts'

// Every view in every look: some three hundred pictures, each looked through by axe.
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

const PHASES: View[] = [
  ['phases', '/phases?project=prj_yard', '[data-shown] details'],
  ['phases-result', '/phases?project=prj_yard&phase=phase0', '[data-shown=phase0] blockquote'],
  ['phases-prompt', '/phases/prompts/phase1?project=prj_yard', '[data-history] [data-version]'],
  ['phases-empty', '/phases?project=prj_docs', '[data-prompt] pre'],
  [
    'phases-advance',
    '/phases?project=prj_yard',
    async page => {
      await page.locator('[data-shown] details').first().waitFor()
      await page.keyboard.press('A')
      await page.locator('[data-missing]').waitFor()
    },
  ],
]

const SETTINGS: View[] = [
  ['settings-general', '/settings', page => page.locator('[data-settings=general] dl').last().waitFor()],
  ['settings-engines', '/settings/engines', '[data-engine]'],
  [
    'settings-registration',
    '/settings/registration',
    async page => {
      await page.locator('[data-registration] summary').first().click()
      await page.locator('[data-registration] pre').first().waitFor()
    },
  ],
  ['settings-runners', '/settings/runners', '[data-credential]'],
  ['settings-browsers', '/settings/browsers', '[data-browser]'],
  ['settings-doctor', '/settings/doctor', '[data-finding]'],
  [
    'settings-projects',
    '/settings/projects',
    page => page.locator('[data-project=prj_shop]').getByText('Sora').waitFor(),
  ],
  [
    'add-project',
    '/board',
    async page => {
      await page.locator('[data-column]').first().waitFor()
      await page.keyboard.press('C')
      await page.locator('[data-folder=code]').click()
      await page.locator('[data-folder=shop]').click()
      await page.locator('[data-untrusted]').waitFor()
    },
  ],
  [
    'add-agent',
    '/crew/agents?project=prj_shop',
    async page => {
      await page.locator('[data-agent=agt_ren]').waitFor()
      await page.getByRole('button', { name: /Add an agent…|エージェントを追加…/ }).click()
      await page.locator('dialog[open] option[value=scripted]').waitFor({ state: 'attached' })
    },
  ],
  ['agent-settings', '/agents/agt_ren', '[data-works-on=prj_shop]'],
]

/** `payments` is a topic, `second` a decision. */
function memoryViews({ payments, second }: { payments: number; second: number }): View[] {
  const at = (path: string) => `/memory${path}${path.includes('?') ? '&' : '?'}project=prj_shop`
  return [
    ['memory', at(''), '[data-topic]'],
    ['memory-search', at('?q=session'), '[data-hit]'],
    ['memory-nothing', at('?q=zzzz'), page => page.getByRole('status').filter({ hasText: 'zzzz' }).waitFor()],
    ['memory-topic', at(`/topics/${payments}`), `[data-detail=topic-${payments}] li`],
    ['memory-decision', at(`/decisions/${second}`), `[data-detail=decision-${second}] li`],
    ['memory-pick', '/memory', page => page.getByRole('button', { name: 'docs' }).waitFor()],
    ['memory-empty', '/memory?project=prj_docs', 'main h2'],
  ]
}

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
  using user = userHome()
  const engineEnv = { HOME: user.home, PATH: process.env['PATH'] }
  await using stage = await testPage({ config: scriptedConfig, engineEnv })
  const { hub } = stage
  await openShop(hub)
  await fillNeeds(hub)
  await hub.api('project.add', { id: 'prj_docs', name: 'docs' })
  await hub.api('token.add', { name: 'laptop' })
  await hub.api('runner.add', { name: 'attic' })
  const directory = join(hub.home, 'yard')
  mkdirSync(directory)
  await hub.api('project.add', { id: 'prj_yard', name: 'yard', directory })
  await halfWay(hub, 'prj_yard', directory)
  await lookAt(stage, [...VIEWS, ...memoryViews(await remember(hub)), ...PHASES, ...SETTINGS])
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
      ['terminals-empty', '/terminals', 'h2'],
    ])
  }
})
