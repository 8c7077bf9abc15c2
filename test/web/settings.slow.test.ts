// What a person does at Settings.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { until } from '../until.ts'
import { go, sharedPage, testPage } from './page.ts'
import { openShop } from './scene.ts'

/** A home with the config file of one engine. */
function userHome() {
  const home = mkdtempSync(join(tmpdir(), 'toryo-settings-'))
  mkdirSync(join(home, '.codex'))
  writeFileSync(join(home, '.codex', 'config.toml'), 'model = "best"\n')
  return { home, [Symbol.dispose]: () => rmSync(home, { recursive: true, force: true }) }
}

const shared = sharedPage(openShop)

test('theme, language and single keys are chosen, and stay', async () => {
  const { stage } = await shared.at('/needs')
  const page = await stage.open('/needs')
  await page.keyboard.press('g')
  await page.keyboard.press('s')
  await page.locator('[data-settings=general]').waitFor()
  await page.getByRole('combobox', { name: 'Theme' }).selectOption('dark')
  // The design's sizes: 4 px each, rows of 32, a navigation of 208.
  const box = async (what: string) =>
    Math.round((await page.locator(what).first().boundingBox())?.[what === 'nav' ? 'width' : 'height'] ?? 0)
  expect([await box('nav'), await box('main select')]).toEqual([208, 32])
  await page.getByRole('combobox', { name: 'Density' }).selectOption('compact')
  expect([await box('nav'), await box('main select')]).toEqual([182, 28])
  await page.getByRole('combobox', { name: 'Language' }).selectOption('ja')
  await page.getByRole('heading', { name: '全般' }).waitFor()
  await page.getByRole('checkbox', { name: '1 文字のショートカット' }).uncheck()
  await page.reload()
  await page.getByRole('heading', { name: '全般' }).waitFor()
  expect(await page.evaluate('document.documentElement.dataset.theme')).toBe('dark')
  expect(await box('main select')).toBe(28)
  await page.keyboard.press('?')
  await page.getByRole('checkbox', { name: '1 文字のショートカット' }).check()
  await page.keyboard.press('?')
  await page.locator('dialog[open]').waitFor()
})

test('a token is revoked, and another browser is signed out, after one question each', async () => {
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
  await go(page, '/settings/browsers')
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

test('an entry is put in and taken out exactly as it was shown; a paused engine goes on', async () => {
  using user = userHome()
  await using stage = await testPage({ engineEnv: { HOME: user.home, PATH: process.env['PATH'] } })
  const { hub } = stage
  await openShop(hub)
  const page = await stage.open('/settings/registration')
  const row = page.locator('[data-registration=codex]')
  const config = () => readFileSync(join(user.home, '.codex', 'config.toml'), 'utf8')
  await row.getByText('not entered').waitFor()
  await row.getByText('What would be written').click()
  await row.locator('pre', { hasText: '+ [mcp_servers.gwt-agent-bridge]' }).waitFor()
  expect(config()).toBe('model = "best"\n')
  // Another program was faster: what was shown is not what would be written.
  writeFileSync(join(user.home, '.codex', 'config.toml'), 'model = "better"\n\n')
  await row.getByRole('button', { name: 'Enter' }).click()
  await page.getByText('has changed since the lines were shown').waitFor()
  expect(config()).toBe('model = "better"\n\n')
  await row.locator('pre', { hasText: 'model = "better"' }).waitFor()
  await row.getByRole('button', { name: 'Enter' }).click()
  await row.getByText('entered', { exact: true }).waitFor()
  expect(config()).toContain('[mcp_servers.gwt-agent-bridge]')
  await row.getByText('What taking it out changes').click()
  await row.getByRole('button', { name: 'Take out' }).click()
  await row.getByText('not entered').waitFor()
  expect(config()).toBe('model = "better"\n\n')

  await go(page, '/settings/engines')
  const codex = page.locator('[data-engine=codex]')
  await codex.getByText('paused until').waitFor()
  await codex.getByRole('button', { name: 'Resume now' }).click()
  await codex.getByText('paused until').waitFor({ state: 'detached' })
  await until(async () => (await hub.api('hub.status', {})).pauses.length === 0)
})

test('a limit is set from the page, another program changes the file meanwhile, and both values are shown', async () => {
  const { page, hub } = await shared.at('/needs')
  const file = join(hub.target.home, 'config.json')
  writeFileSync(file, '{\n  // small machine\n  "limits": { "runs": 3 }\n}\n')
  await go(page, '/settings')
  const runs = page.locator('[data-setting="limits.runs"]')
  await runs.getByText('config.json, line 3').waitFor()
  await page.locator('[data-setting="limits.tabs"]').getByText('in force: 8').waitFor()
  await runs.getByRole('textbox').fill('5')
  await runs.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Runs at once: saved').waitFor()
  expect(readFileSync(file, 'utf8')).toBe('{\n  // small machine\n  "limits": { "runs": 5 }\n}\n')
  await runs.getByRole('textbox').fill('0')
  await runs.getByRole('textbox').press('Enter')
  await page.getByText('limits.runs cannot have this value').waitFor()

  await runs.getByRole('textbox').fill('9')
  writeFileSync(file, '{\n  "limits": { "runs": 7 }\n}\n')
  const clash = runs.locator('[data-clash]')
  await clash.getByText('It says now: 7').waitFor()
  await clash.getByText('You wanted: 9').waitFor()
  expect(readFileSync(file, 'utf8')).toContain('"runs": 7')
  await clash.getByRole('button', { name: 'Write mine' }).click()
  await clash.waitFor({ state: 'detached' })
  expect(readFileSync(file, 'utf8')).toBe('{\n  "limits": { "runs": 9 }\n}\n')
  await page.reload()
  await runs.getByText('config.json, line 2').waitFor()
  await runs.getByRole('button', { name: 'Back to 8' }).click()
  await runs.getByText('in force: 8').waitFor()
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ limits: {} })
  expect((await hub.api('config.show', {})).settings.find(({ path }) => path === 'limits.runs')?.value).toBe(8)
})

test('the doctor names a mistake with its place; fixed and looked at again it is gone, and the report is copied', async () => {
  const { page, stage } = await shared.at('/needs')
  const folder = join(stage.hub.home, '.toryo')
  mkdirSync(folder)
  writeFileSync(join(folder, 'config.json'), '{\n  "limits": {\n    "tabs": "many"\n  }\n}')
  await go(page, '/settings/doctor')
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  const mistake = page.locator('[data-finding=warn]', { hasText: '.toryo/config.json:3: limits.tabs:' })
  await mistake.waitFor()
  writeFileSync(join(folder, 'config.json'), '{ "limits": { "tabs": 2 } }')
  await page.getByRole('button', { name: 'Look again' }).click()
  await mistake.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Copy report' }).click()
  await page.getByRole('button', { name: 'Copied' }).waitFor()
  const report = (await page.evaluate('navigator.clipboard.readText()')) as string
  expect(report).toContain((await stage.hub.api('hub.status', {})).version)
  expect(report).not.toContain('limits.tabs')
  expect(report).not.toContain(stage.hub.token)
})

test('a Runner and a token are made from the page; each token is shown once', async () => {
  const { page, hub } = await shared.at('/settings/runners')
  await page.getByRole('textbox', { name: 'Add a Runner: Name' }).fill('attic')
  await page.getByRole('button', { name: 'Add a Runner' }).click()
  const made = page.locator('[data-made=attic]')
  const token = (await made.locator('code').textContent()) ?? ''
  expect(token).toMatch(/^rnr_/)
  await made.getByRole('button', { name: 'I have copied it' }).click()
  await page.locator('[data-credential=attic]').waitFor()
  expect(await page.content()).not.toContain(token)
  await page.getByRole('textbox', { name: 'Add a Runner: Name' }).fill('attic')
  await page.getByRole('button', { name: 'Add a Runner' }).click()
  await page.getByRole('alert').filter({ hasText: 'attic' }).waitFor()
  await page.getByRole('textbox', { name: 'Create a token: Name' }).fill('laptop')
  await page.getByRole('textbox', { name: 'Create a token: Name' }).press('Enter')
  const laptop = (await page.locator('[data-made=laptop] code').textContent()) ?? ''
  const response = await fetch(`${hub.url}/api/hub.whoami`, {
    method: 'POST',
    headers: { authorization: `Bearer ${laptop}`, 'content-type': 'application/json' },
    body: '{}',
  })
  expect(await response.json()).toMatchObject({ token: 'laptop' })
})
