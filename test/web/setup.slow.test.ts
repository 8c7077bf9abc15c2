// A day's work begins on the page: a project, an agent and its first task, without a command line.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { scriptedConfig } from '../runner.ts'
import { until } from '../until.ts'
import { axe, sharedPage, testPage } from './page.ts'
import { openShop } from './scene.ts'
import { SHOTS } from './shots.ts'
import { userHome } from './user-home.ts'

const shared = sharedPage(async hub => {
  await openShop(hub)
  await hub.api('project.add', { id: 'prj_yard', name: 'yard' })
})

test('a project, its first agent and its first task are added on the page', async () => {
  using user = userHome()
  const scripts = { test: 'node --test', lint: 'node lint.js', build: 'node build.js' }
  writeFileSync(join(user.shop, 'package.json'), JSON.stringify({ scripts, devDependencies: { a: '1' } }))
  await using stage = await testPage({
    config: scriptedConfig,
    engineEnv: { HOME: user.home, PATH: process.env['PATH'] },
  })
  const { hub } = stage
  const page = await stage.open('/needs')
  await page.getByRole('main').getByRole('button', { name: 'Add a project…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add a project' })
  await dialog.locator(`[data-folders="${user.home}"]`).waitFor()
  expect(await dialog.locator('[data-folder]').evaluateAll(all => all.map(one => one.textContent))).toEqual(['code'])
  // Where one begins to look is no choice: every folder of that person would belong to the project.
  const submit = dialog.getByRole('button', { name: 'Add the project' })
  const named = dialog.getByRole('textbox', { name: 'Name' })
  expect(await named.inputValue()).toBe('')
  await named.fill('mine')
  expect(await submit.isDisabled()).toBe(true)
  await dialog.getByRole('textbox', { name: 'Folder' }).press('Enter')
  await dialog.getByText('Every folder below it would belong to this project').waitFor()
  expect(await submit.isDisabled()).toBe(true)
  await named.fill('')
  await dialog.getByRole('checkbox', { name: 'Show hidden folders' }).check()
  await dialog.locator('[data-folder=".cache"]').waitFor()
  await dialog.locator('[data-folder=code]').click()
  await dialog.locator('[data-folder=notes]').click()
  await dialog.locator(`[data-folders="${join(user.home, 'code', 'notes')}"]`).waitFor()
  await dialog.getByText('This is not a git repository').waitFor()
  await dialog.getByText('brings no configuration for agents').waitFor()
  expect(await dialog.locator('[data-found-checks]').count()).toBe(0)

  await dialog.getByRole('textbox', { name: 'Folder' }).fill(join(user.home, 'nowhere'))
  await page.keyboard.press('Enter')
  await dialog.getByRole('alert').getByText('not found').waitFor()
  await dialog.getByRole('textbox', { name: 'Folder' }).fill(user.shop)
  await page.keyboard.press('Enter')
  await dialog.getByText('This is a git repository').waitFor()
  await dialog.locator('[data-untrusted]').getByText('.mcp.json').waitFor()
  await named.fill('shop')
  const found = dialog.locator('[data-found-checks]')
  await found.getByText('npm run lint').waitFor()
  await found.getByText('Settings, Projects shows how to have them installed').waitFor()
  await found.getByRole('checkbox', { name: 'lint' }).uncheck()
  await dialog.getByRole('checkbox', { name: 'I have looked at these files' }).check()
  await dialog.getByRole('button', { name: 'Add the project' }).click()

  const agent = page.getByRole('dialog', { name: 'Add an agent' })
  await agent.getByRole('textbox', { name: 'Name' }).fill('Aoi')
  await agent.getByRole('combobox', { name: 'Engine' }).selectOption('scripted')
  await agent.getByRole('textbox', { name: 'Role' }).fill('carpenter')
  await agent.getByRole('textbox', { name: 'System prompt' }).fill('Measure twice.')
  await agent.getByRole('button', { name: 'Add the agent' }).click()
  const passkey = await agent.locator('[data-made=Aoi] code').textContent()
  const { projects } = await hub.api('project.list', {})
  expect(projects).toMatchObject([{ name: 'shop', working_directory: user.shop, workspace: 'task' }])
  const project_id = projects[0]?.project_id ?? ''
  const { checks } = await hub.api('project.check.list', { project_id })
  expect(checks).toMatchObject([{ name: 'test', command: ['npm', 'test'], required: true, source: 'operator' }])
  expect((await hub.api('trust.look', { directory: user.shop })).unknown).toEqual([])
  const { agents } = await hub.api('agent.list', {})
  expect(agents).toMatchObject([{ name: 'Aoi', engine: 'scripted', role: 'carpenter' }])
  const agent_id = agents[0]?.agent_id ?? ''
  expect(await hub.api('agent.show', { agent_id })).toMatchObject({
    ...{ system_prompt: 'Measure twice.', project_ids: [project_id] },
  })
  const connection = await hub.connect()
  expect(await connection.signIn(agent_id, passkey ?? '', project_id)).not.toBe('')

  await agent.getByRole('button', { name: 'Write its first task' }).click()
  const task = page.getByRole('dialog', { name: 'New task' })
  await task.getByRole('textbox', { name: 'Title' }).fill('Build the roof')
  await task.getByRole('button', { name: /^Create and start/ }).click()
  await page.locator('[data-column=in_progress]').getByText('Build the roof').waitFor()
  expect((await hub.api('task.list', {})).tasks).toMatchObject([
    { assignee_id: agent_id, status: 'in_progress', project_id },
  ])

  // One that waits is started from its sheet, and one that nobody works on from Needs you.
  const waits = await hub.api('task.add', { project_id, title: 'Paint the door' })
  await page.locator(`[data-task=${waits.task_id}] a`).click()
  await page.locator('[data-task-detail]').getByRole('button', { name: 'Start' }).click()
  const taskOf = async ({ task_id }: { task_id: string }) => hub.api('task.show', { task_id })
  await until(async () => (await taskOf(waits)).status === 'in_progress')
  expect((await taskOf(waits)).assignee_id).toBe(agent_id)
  await page.keyboard.press('Escape')
  const nobodys = await hub.api('task.add', { project_id, title: 'Sweep the floor', status: 'in_progress' })
  await page.keyboard.press('!')
  await page.locator(`[data-item="no_agent:${nobodys.task_id}"]`).click()
  await page.locator('[data-steps]').getByRole('button', { name: 'Start' }).click()
  await page.locator(`[data-item="no_agent:${nobodys.task_id}"]`).waitFor({ state: 'detached' })
  expect((await taskOf(nobodys)).assignee_id).toBe(agent_id)

  // The folder is taken now, and says by whom.
  await page.keyboard.press('C')
  await dialog.getByRole('textbox', { name: 'Folder' }).fill(user.shop)
  await page.keyboard.press('Enter')
  await dialog.getByText('shop has this folder already.').waitFor()
  expect(await dialog.getByRole('button', { name: 'Add the project' }).isDisabled()).toBe(true)
})

test('files that are not trusted, or change while they are looked at, stay untrusted', async () => {
  using user = userHome()
  await using stage = await testPage({ engineEnv: { HOME: user.home } })
  const page = await stage.open('/board')
  const add = async (name: string) => {
    await page.keyboard.press('C')
    const dialog = page.getByRole('dialog', { name: 'Add a project' })
    await dialog.locator('[data-folder=code]').waitFor()
    await dialog.getByRole('textbox', { name: 'Folder' }).fill(user.shop)
    await page.keyboard.press('Enter')
    await dialog.locator('[data-untrusted]').waitFor()
    await dialog.getByRole('textbox', { name: 'Name' }).fill(name)
    return dialog
  }
  const first = await add('careful')
  await first.getByRole('checkbox', { name: 'I have looked at these files' }).check()
  writeFileSync(join(user.shop, '.mcp.json'), '{"mcpServers":{"other":{"command":"other"}}}')
  await first.getByRole('button', { name: 'Add the project' }).click()
  await page.getByText('they are not trusted yet').waitFor()
  expect((await stage.hub.api('trust.look', { directory: user.shop })).unknown).toEqual(['.mcp.json'])
  expect((await stage.hub.api('project.list', {})).projects).toMatchObject([{ name: 'careful' }])
})

test('an agent is changed, put on another project, disabled, enabled and given another passkey', async () => {
  const { page, hub } = await shared.at('/crew/agents')
  await page.locator('[data-agent=agt_ren] a').click()
  const agent = () => hub.api('agent.show', { agent_id: 'agt_ren' })
  const article = page.locator('[data-agent-page=agt_ren]')
  await article.getByRole('button', { name: 'Edit' }).click()
  await article.getByRole('textbox', { name: 'Name' }).fill('Ren 2')
  await article.getByRole('combobox', { name: 'Engine' }).selectOption('claude')
  await article.getByRole('textbox', { name: 'System prompt' }).fill('Test first.')
  // Another person changes what this one does not, and the page hears of it before it saves.
  const heard = page.waitForResponse(response => response.url().endsWith('/api/agent.show'))
  await hub.api('agent.edit', { agent_id: 'agt_ren', role: 'roofer' })
  await heard
  await article.getByText('roofer').waitFor()
  await article.getByRole('button', { name: 'Save' }).click()
  await article.getByRole('heading', { name: 'Ren 2' }).waitFor()
  expect(await agent()).toMatchObject({
    ...{ name: 'Ren 2', engine: 'claude', role: 'roofer', system_prompt: 'Test first.' },
  })

  await article.getByRole('combobox', { name: 'Add to a project…' }).selectOption('prj_yard')
  const yard = article.locator('[data-works-on=prj_yard]')
  await yard.getByRole('button', { name: 'Take out of yard' }).click()
  expect((await agent()).project_ids).toContain('prj_yard')
  await yard.getByRole('button', { name: 'Yes' }).click()
  await yard.waitFor({ state: 'detached' })
  expect((await agent()).project_ids).toEqual(['prj_shop'])

  await article.getByRole('button', { name: 'Disable' }).click()
  await article.getByRole('button', { name: 'Yes' }).click()
  await article.getByRole('button', { name: 'Enable' }).waitFor()
  expect((await agent()).status).toBe('disabled')
  await article.getByRole('button', { name: 'Enable' }).click()
  await until(async () => (await agent()).status === 'active')

  await article.getByRole('button', { name: 'New passkey' }).click()
  await article.getByRole('button', { name: 'Yes' }).click()
  const passkey = (await article.locator('[data-passkey] code').textContent()) ?? ''
  const connection = await hub.connect()
  expect(await connection.signIn('agt_ren', passkey, 'prj_shop')).not.toBe('')
})

test('checks are added, changed, allowed and removed in the settings, of what the folder names', async () => {
  using user = userHome()
  const scripts = { test: 'node --test', lint: 'node lint.js', build: 'node build.js' }
  writeFileSync(join(user.shop, 'package.json'), JSON.stringify({ scripts, devDependencies: { a: '1' } }))
  mkdirSync(join(user.shop, '.toryo'))
  const named = { checks: { style: { command: ['sh', 'style.sh'] } } }
  writeFileSync(join(user.shop, '.toryo', 'config.json'), JSON.stringify(named))
  await using stage = await testPage({ engineEnv: { HOME: user.home } })
  const { hub } = stage
  const { project_id } = await hub.api('project.add', { id: 'prj_hut', name: 'hut', directory: user.shop })
  const stored = async () => {
    const { checks } = await hub.api('project.check.list', { project_id })
    return checks.map(({ name, command, required, minutes, trusted }) => {
      const said = [`${minutes} min`, ...(required ? ['required'] : []), ...(trusted ? [] : ['not allowed'])]
      return `${name}: ${command.join(' ')}, ${said.join(', ')}`
    })
  }
  const page = await stage.open('/settings/projects')
  const checks = page.locator('[data-checks=prj_hut]')
  await checks.locator('[data-check=style]').getByText('not allowed yet').waitFor()
  await checks.getByText('Add a check…').click()
  await checks.getByRole('button', { name: 'Add test' }).click()
  const row = checks.locator('[data-check=test]')
  await row.getByText('npm test').waitFor()
  expect(await stored()).toEqual([
    'test: npm test, 10 min, required',
    'style: sh style.sh, 10 min, required, not allowed',
  ])
  expect(await axe(page)).toEqual([])
  await page.screenshot({ path: join(SHOTS, 'project-checks.png') })

  await row.getByRole('button', { name: 'Change' }).click()
  const form = row.getByRole('form', { name: 'Change check test' })
  await form.getByRole('combobox', { name: 'Command' }).selectOption('npm run build')
  await form.getByRole('checkbox', { name: 'Reported work must pass it' }).uncheck()
  await form.getByRole('textbox', { name: 'Minutes' }).fill('25')
  await form.getByRole('button', { name: 'Save' }).click()
  await row.getByText('shown only · at most 25 min').waitFor()
  expect((await stored())[0]).toBe('test: npm run build, 25 min')
  // Another door changes it, and the page shows that.
  await hub.api('project.check.edit', { project_id, name: 'test', minutes: 7 })
  await row.getByText('at most 7 min').waitFor()

  // What is allowed is what was shown, and it is asked about.
  const style = checks.locator('[data-check=style]')
  await style.getByRole('button', { name: 'Allow' }).click()
  await style.getByText('It runs on this machine, with your rights.').waitFor()
  expect((await stored())[1]).toContain('not allowed')
  await style.getByRole('button', { name: 'Yes' }).click()
  await style.getByRole('button', { name: 'Change' }).waitFor()
  expect((await stored())[1]).toBe('style: sh style.sh, 10 min, required')
  await row.getByRole('button', { name: 'Remove' }).click()
  await row.getByRole('button', { name: 'Yes' }).click()
  await row.waitFor({ state: 'detached' })
  expect(await stored()).toEqual(['style: sh style.sh, 10 min, required'])

  // How a worktree is made ready is said where no file says it: it would be written over.
  expect(await checks.locator('[data-needs-setup]').count()).toBe(0)
  rmSync(join(user.shop, '.toryo'), { recursive: true })
  await page.reload()
  await checks.locator('[data-needs-setup]').getByText('"setup":["npm","install"]').waitFor()
  await checks.getByText('Add a check…').click()
  // The folder names another command by the time that it is added.
  writeFileSync(join(user.shop, 'package.json'), '{}')
  await checks.getByRole('button', { name: 'Add lint' }).click()
  await page.getByText('The hub does not find ["npm","run","lint"] in the folder').waitFor()
  expect(await stored()).toHaveLength(1)
})

test('a project is archived and activated in the settings', async () => {
  const { page, stage } = await shared.at('/settings/projects')
  const row = page.locator('[data-project=prj_shop]')
  await row.getByRole('link', { name: 'Sora' }).waitFor()
  await row.getByRole('button', { name: 'Archive' }).click()
  await row.getByRole('button', { name: 'Yes' }).click()
  await row.getByText('archived', { exact: true }).waitFor()
  expect((await stage.hub.api('project.show', { project_id: 'prj_shop' })).status).toBe('archived')
  expect(await page.getByRole('combobox', { name: 'Project' }).locator('option').allTextContents()).toEqual([
    'All projects',
    'yard',
  ])
  await row.getByRole('button', { name: 'Activate' }).click()
  await row.getByRole('button', { name: 'Archive' }).waitFor()
  expect((await stage.hub.api('project.show', { project_id: 'prj_shop' })).status).toBe('active')
})
