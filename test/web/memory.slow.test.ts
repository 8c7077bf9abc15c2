// What a person does at Memory.
import { expect, test } from 'vitest'
import { go, sharedPage } from './page.ts'
import { remember } from './past.ts'
import { openShop } from './scene.ts'

const shared = sharedPage(async hub => {
  await openShop(hub)
  await hub.api('project.add', { id: 'prj_docs', name: 'docs' })
  await hub.api('project.add', { id: 'prj_yard', name: 'yard' })
  return remember(hub)
})

test('a topic, an entry and a decision are added by keys, and stand in the tree', async () => {
  const { page, hub } = await shared.at('/memory?project=prj_yard')
  await page.getByRole('heading', { name: 'Nothing is remembered yet.' }).waitFor()
  await page.keyboard.press('t')
  await page.getByRole('textbox', { name: 'Title' }).fill('Architecture')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Architecture' }).waitFor()
  await page.locator('[data-topic]', { hasText: 'undecided' }).waitFor()
  await page.getByRole('textbox', { name: 'Title' }).waitFor({ state: 'detached' })

  await page.keyboard.press('n')
  await page.getByRole('textbox', { name: 'What was said' }).fill('A queue or a table?')
  await page.keyboard.press('Control+Enter')
  await page.getByText('A queue or a table?').waitFor()
  await page.getByRole('textbox', { name: 'What was said' }).waitFor({ state: 'detached' })

  await page.keyboard.press('d')
  await page.getByRole('textbox', { name: 'What was decided' }).fill('A table')
  await page.getByRole('textbox', { name: 'Why' }).fill('It survives a crash.')
  await page.keyboard.press('Control+Enter')
  await page.locator('[data-detail^=decision]').waitFor()
  await page.locator('[data-topic]', { hasText: 'undecided' }).waitFor({ state: 'detached' })
  const { decisions } = await hub.api('memory.decision.list', { project_id: 'prj_yard' })
  expect(decisions).toMatchObject([{ decision: 'A table', reason: 'It survives a crash.' }])
})

test('what is found nowhere shows its words and the nearest topic; kinds narrow a search', async () => {
  const { page, made } = await shared.at('/memory?project=prj_shop&q=deploiment%20xyzzy')
  const { second } = made
  const nothing = page.getByRole('status').filter({ hasText: 'Nothing found.' })
  await nothing.getByText('deploiment', { exact: true }).waitFor()
  await nothing.getByText('xyzzy', { exact: true }).waitFor()
  await nothing.getByRole('link', { name: 'Deployment' }).click()
  await page.getByRole('heading', { name: 'Deployment' }).waitFor()
  await page.locator('[data-search]').fill('session')
  await page.locator(`[data-hit=decision-${second}]`).waitFor()
  await page.getByRole('checkbox', { name: 'decisions' }).uncheck()
  await page.locator(`[data-hit=decision-${second}]`).waitFor({ state: 'detached' })
  expect(page.url()).toContain('kinds=topic')
})

test('a memory is exported to a file, and imported into another project', async () => {
  const { page, hub } = await shared.at('/memory?project=prj_shop')
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export' }).click(),
  ])
  await go(page, '/memory?project=prj_docs')
  const field = page.locator('input[type=file]')
  await field.setInputFiles({
    name: 'bad.jsonl',
    mimeType: 'application/jsonl',
    buffer: Buffer.from('{"type":"topic"'),
  })
  await page.getByText('Line 1 is not a record.').waitFor()
  await field.setInputFiles(await download.path())
  await page.getByText('records added').waitFor()
  await page.locator('[data-topic]', { hasText: '決済とセッション' }).waitFor()
  const { decisions } = await hub.api('memory.decision.list', { project_id: 'prj_docs' })
  expect(decisions.map(({ decision }) => decision).sort()).toEqual([
    'One process',
    'Sessions are bearer tokens',
    'Sessions are cookies, HttpOnly',
  ])
})

test('search finds while one types; a decision shows its chain and its tasks, and is replaced', async () => {
  const { page, hub, made } = await shared.at('/memory?project=prj_shop')
  const { first, second } = made
  await page.locator('[data-topic]').first().waitFor()
  await page.keyboard.press('/')
  await page.keyboard.type('cookies HttpOnly')
  await page.locator(`[data-hit=decision-${second}]`).click()
  await page.locator(`[data-detail=decision-${second}]`).waitFor()
  const detail = page.locator('[data-detail]')
  await detail.getByRole('link', { name: `#${first}` }).waitFor()
  await detail.getByRole('link', { name: 'Login page' }).waitFor()
  const { told_to } = await hub.api('memory.decision.show', { decision_id: second })
  await detail.locator(`[data-told="${told_to.length}"]`).waitFor()
  // The address has what is searched and what is open.
  await page.reload()
  await page.locator(`[data-hit=decision-${second}] mark`).first().waitFor()

  await page.locator('[data-detail]').waitFor()
  await page.getByRole('button', { name: 'Replace' }).waitFor()
  await page.keyboard.press('S')
  await page.getByRole('textbox', { name: 'What was decided' }).fill('Sessions are signed cookies')
  await page.getByRole('textbox', { name: 'Why' }).fill('Forged ones were seen.')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('heading', { name: 'Sessions are signed cookies' }).waitFor()
  expect((await hub.api('memory.decision.show', { decision_id: first })).chain.map(one => one.decision)).toEqual([
    'Sessions are bearer tokens',
    'Sessions are cookies, HttpOnly',
    'Sessions are signed cookies',
  ])
  // What has been replaced cannot be replaced again here.
  await go(page, `/memory/decisions/${second}?project=prj_shop`)
  await page.getByText('replaced', { exact: true }).waitFor()
  expect(await page.getByRole('button', { name: 'Replace' }).isDisabled()).toBe(true)
  // What others write appears automatically.
  await hub.api('memory.topic.add', { project_id: 'prj_shop', title: 'Written by an agent' })
  await page.locator('[data-topic]', { hasText: 'Written by an agent' }).waitFor()
})
