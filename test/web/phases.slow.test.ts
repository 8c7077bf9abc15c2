// What a person does at Phases.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { go, sharedPage } from './page.ts'
import { halfWay, PROMPT } from './past.ts'
import { openShop } from './scene.ts'

/** Each test has a project of its own; two of them are half way. */
const shared = sharedPage(async hub => {
  await openShop(hub)
  for (const id of ['prj_edit', 'prj_read']) {
    const directory = join(hub.home, id)
    mkdirSync(directory)
    await hub.api('project.add', { id, name: id, directory })
    await halfWay(hub, id, directory)
  }
})

test('begins with phase 0, goes on with what is missing said first, and tries a failed one again', async () => {
  const project_id = 'prj_shop'
  const { page, hub } = await shared.at('/needs')
  for (const language of ['en', 'ja'] as const)
    await hub.api('phase.prompt.edit', { phase: 'phase0', language, content: PROMPT, project_id })
  await go(page, '/phases?project=prj_shop')
  await page.locator('[data-purposes]').getByText('What is to be built, for whom').waitFor()
  await page.getByRole('button', { name: 'Begin phase 0' }).click()
  await page.locator('[data-phase=phase0]', { hasText: 'in progress' }).waitFor()

  await page.keyboard.press('A')
  const dialog = page.locator('dialog[open]')
  await dialog.locator('[data-missing]', { hasText: 'docs/plan.md' }).waitFor()
  await dialog.getByRole('textbox').fill('Half of it')
  await dialog.getByRole('button', { name: 'Advance' }).click()
  await page.locator('[data-phase=phase1]', { hasText: 'in progress' }).waitFor()
  expect((await hub.api('phase.status', { project_id })).phases[0]).toMatchObject({
    ...{ outcome: 'partial', summary: 'Half of it' },
  })

  await hub.api('phase.advance', { project_id, status: 'failed' })
  await page.locator('[data-phase=phase1]', { hasText: 'failed' }).waitFor()
  await page.getByRole('button', { name: 'Try again' }).waitFor()
  await page.keyboard.press('R')
  await page.locator('[data-phase=phase1]', { hasText: 'in progress' }).waitFor()
})

test('an edit that another overtook is refused with both texts, then saved; versions are compared', async () => {
  const project_id = 'prj_edit'
  const { page, hub } = await shared.at(`/phases?project=${project_id}`)
  await page.locator('[data-prompt] pre', { hasText: 'Risky ones first' }).waitFor()
  await page.keyboard.press('e')
  const text = page.getByRole('textbox', { name: 'Your text' })
  await text.fill('# Mine')
  await hub.api('phase.prompt.edit', { phase: 'phase1', language: 'en', content: '# Theirs', project_id })
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('alert').filter({ hasText: 'Nothing was saved' }).waitFor()
  await page.locator('[data-theirs] pre', { hasText: '# Theirs' }).waitFor()
  expect(await text.inputValue()).toBe('# Mine')
  await page.getByRole('button', { name: 'Save mine after version' }).click()
  await page.locator('[data-prompt] pre', { hasText: '# Mine' }).waitFor()
  const { prompts } = await hub.api('phase.prompt.history', { phase: 'phase1', language: 'en', project_id })
  expect(prompts[0]?.title).toBe('Mine')

  const before = prompts[1]?.version
  await page.getByRole('combobox', { name: 'Compare with' }).selectOption(String(before))
  await page.locator('[data-diff]', { hasText: '- # Theirs' }).filter({ hasText: '+ # Mine' }).waitFor()
})

test('a prompt has an address of its own, with its versions, what changed, and its places marked', async () => {
  const project_id = 'prj_read'
  const { page, stage, hub } = await shared.at('/needs')
  const content = '# Plan for {{project}}\n\nRisky ones last.'
  const { version } = await hub.api('phase.prompt.edit', { phase: 'phase1', language: 'en', content, project_id })
  const { prompts } = await hub.api('phase.prompt.history', { phase: 'phase1', language: 'en', project_id })
  const before = prompts[1]?.version ?? 0
  await go(page, `/phases?project=${project_id}`)
  await page.getByRole('link', { name: 'Open on a page of its own' }).click()
  await page.locator('[data-place]', { hasText: '{{project}}' }).waitFor()
  await page.locator('[data-notes]').getByText('Nothing is filled in for {{project}}').waitFor()
  expect(new URL(page.url()).pathname).toBe('/phases/prompts/phase1')
  await page
    .locator(`[data-history] [data-version="${before}"]`)
    .getByRole('link', { name: /^Version/ })
    .click()
  await page.locator('[data-prompt] pre', { hasText: 'Risky ones first' }).waitFor()
  expect(new URL(page.url()).searchParams.get('version')).toBe(String(before))

  const other = await stage.open(`/phases/prompts/phase1?project=${project_id}&version=${version}&with=${before}`)
  await other
    .locator('[data-diff]', { hasText: '- Risky ones first.' })
    .filter({ hasText: '+ Risky ones last.' })
    .waitFor()
  await page.goBack()
  await page.locator('[data-prompt] pre', { hasText: 'Risky ones last' }).waitFor()
  await page.keyboard.press('e')
  await page.getByRole('textbox', { name: 'Your text' }).fill('For {{aoi}}')
  await page.locator('[data-notes]').getByText('Nothing is filled in for {{aoi}}').waitFor()
  await page.getByText('Preview').click()
  await page.locator('pre [data-place]', { hasText: '{{aoi}}' }).waitFor()
})
