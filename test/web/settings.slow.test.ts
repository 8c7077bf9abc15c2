// What a person does at Settings.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { until } from '../until.ts'
import { testPage } from './page.ts'
import { openShop } from './scene.ts'
import { lookAt } from './shots.ts'

const SLOW = { timeout: 600_000 }

/** A home with the config file of one engine. */
function userHome() {
  const home = mkdtempSync(join(tmpdir(), 'toryo-settings-'))
  mkdirSync(join(home, '.codex'))
  writeFileSync(join(home, '.codex', 'config.toml'), 'model = "best"\n')
  return { home, [Symbol.dispose]: () => rmSync(home, { recursive: true, force: true }) }
}

test('theme, language and single keys are chosen, and stay', SLOW, async () => {
  await using stage = await testPage()
  const page = await stage.open('/needs')
  await page.keyboard.press('g')
  await page.keyboard.press('s')
  await page.locator('[data-settings=general]').waitFor()
  await page.getByRole('combobox', { name: 'Theme' }).selectOption('dark')
  await page.getByRole('combobox', { name: 'Language' }).selectOption('ja')
  await page.getByRole('heading', { name: '全般' }).waitFor()
  await page.getByRole('checkbox', { name: '1 文字のショートカット' }).uncheck()
  await page.reload()
  await page.getByRole('heading', { name: '全般' }).waitFor()
  expect(await page.evaluate('document.documentElement.dataset.theme')).toBe('dark')
  await page.keyboard.press('?')
  await page.getByRole('checkbox', { name: '1 文字のショートカット' }).check()
  await page.keyboard.press('?')
  await page.locator('dialog[open]').waitFor()
})

test('a token is revoked, and another browser is signed out, after one question each', SLOW, async () => {
  await using stage = await testPage()
  const { hub } = stage
  await hub.api('token.add', { name: 'laptop' })
  await hub.api('runner.add', { name: 'attic' })
  const page = await stage.open('/settings/runners')
  const token = page.locator('[data-credential=laptop]')
  await token.getByRole('button', { name: 'Revoke' }).click()
  await token.getByRole('button', { name: 'No' }).click()
  expect((await hub.api('token.list', {})).tokens).toMatchObject([{ name: 'laptop', revoked_at: null }])
  await token.getByRole('button', { name: 'Revoke' }).click()
  await token.getByRole('button', { name: 'Yes' }).click()
  await token.getByText('revoked').waitFor()
  expect((await hub.api('token.list', {})).tokens[0]?.revoked_at).not.toBeNull()

  const other = await stage.open('/board')
  await page.goto(`${hub.url}/settings/browsers`)
  await page.locator('[data-browser=this]').waitFor()
  const row = page.locator('[data-browser=other]')
  await row.getByRole('button', { name: 'Sign out' }).click()
  await row.getByRole('button', { name: 'Yes' }).click()
  await other.locator('#login-link').waitFor()
  await row.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Sign out everywhere' }).click()
  await page.getByRole('button', { name: 'Yes' }).click()
  await page.locator('#login-link').waitFor()
})

test('the exact change of a config file is shown and nothing is written; a paused engine goes on', SLOW, async () => {
  using user = userHome()
  await using stage = await testPage({ engineEnv: { HOME: user.home, PATH: process.env['PATH'] } })
  const { hub } = stage
  await openShop(hub)
  const page = await stage.open('/settings/registration')
  const file = page.locator('[data-registration=codex]')
  await file.getByText('not entered').waitFor()
  await file.getByText('What would be written').click()
  await file.locator('pre', { hasText: '+ [mcp_servers.gwt-agent-bridge]' }).waitFor()
  const { files } = await hub.api('registration.list', {})
  expect(files.find(({ engine }) => engine === 'codex')).toMatchObject({ state: 'added', warning: false })

  await page.goto(`${hub.url}/settings/engines`)
  const codex = page.locator('[data-engine=codex]')
  await codex.getByText('paused until').waitFor()
  await codex.getByRole('button', { name: 'Resume now' }).click()
  await codex.getByText('paused until').waitFor({ state: 'detached' })
  await until(async () => (await hub.api('hub.status', {})).pauses.length === 0)
})

test('looks as it should, in both themes and languages, wide and on a phone', SLOW, async () => {
  using user = userHome()
  await using stage = await testPage({ engineEnv: { HOME: user.home, PATH: process.env['PATH'] } })
  await openShop(stage.hub)
  await stage.hub.api('token.add', { name: 'laptop' })
  await stage.hub.api('runner.add', { name: 'attic' })
  await lookAt(stage, [
    ['settings-general', '/settings', page => page.locator('[data-settings] dl').last().waitFor()],
    ['settings-engines', '/settings/engines', page => page.locator('[data-engine]').first().waitFor()],
    [
      'settings-registration',
      '/settings/registration',
      async page => {
        await page.locator('[data-registration] summary').first().click()
        await page.locator('[data-registration] pre').first().waitFor()
      },
    ],
    ['settings-runners', '/settings/runners', page => page.locator('[data-credential]').first().waitFor()],
    ['settings-browsers', '/settings/browsers', page => page.locator('[data-browser]').first().waitFor()],
    ['settings-doctor', '/settings/doctor', page => page.locator('[data-finding]').first().waitFor()],
  ])
})
