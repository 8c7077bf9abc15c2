// What a newcomer types: names in place of ids, engines that are not there, and what the doctor says of it all.
import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { createClient } from '#client/api.ts'
import { build } from './processes.ts'
import { git } from './tabs.ts'
import { Toryo } from './toryo.ts'

test('an engine that only a Runner elsewhere has can be given to an agent, also one that reads like a slip', async () => {
  await using toryo = new Toryo()
  const { token } = await toryo.json<{ token: string }>('runner', 'token', 'box')
  const add = (name: string, engine: string) => toryo.here(['agent', 'add', name, '--engine', engine])
  expect(await add('Aoi', 'claud')).toMatchObject({ code: 2, err: expect.stringContaining('Did you mean claude?') })
  const { url } = await toryo.json<{ url: string }>('status')
  const runner = createClient({ url, token, lang: 'en' })
  await runner.call('runner.hold', { engines: ['onlybox', 'claud'], instances: [] })
  expect(await add('Aoi', 'claud')).toMatchObject({ code: 0, err: '' })
  expect(await add('Ken', 'onlybox')).toMatchObject({ code: 0, err: '' })
  expect(await toryo.here(['agent', 'edit', 'Ken', '--engine', 'claud'])).toMatchObject({ code: 0, err: '' })
  // Its Runner is gone: what it had is no slip, but nothing starts it.
  await toryo.here(['runner', 'revoke', 'box'])
  expect(await add('Emi', 'onlybox')).toMatchObject({
    code: 0,
    err: expect.stringContaining('finds no program for onlybox'),
  })
})

test('projects, agents, tasks and tabs go by their names, and the doctor sees what is missing', async () => {
  build()
  await using toryo = new Toryo()
  const repository = path.join(toryo.folder, 'repo')
  for (const folder of [repository, toryo.home]) fs.mkdirSync(folder, { mode: 0o700 })
  const engines = { shell: { terminal: ['sh'] }, mine: { headless: ['sh', '-c', 'cat'] } }
  fs.writeFileSync(path.join(toryo.home, 'config.json'), JSON.stringify({ engines }), { mode: 0o600 })
  git(repository, 'init', '-q', '-b', 'main')
  git(repository, 'commit', '-q', '--allow-empty', '-m', 'first')

  await toryo.json('project', 'add', 'shop', '--dir', repository)
  const known = await toryo.here(['agent', 'add', 'Aoi', '--engine', 'mine'])
  expect(known).toMatchObject({ code: 0, err: '' })
  const unknown = await toryo.here(['agent', 'add', 'Ken', '--engine', 'nonsense'])
  expect(unknown).toMatchObject({ code: 0, err: expect.stringContaining('finds no program for nonsense') })
  await toryo.json('project', 'assign', 'shop', 'Aoi')
  await toryo.json('task', 'add', 'Log in', '--project', 'shop', '--assignee', 'Aoi')
  expect(await toryo.json('task', 'move', 'Log in', 'done')).toMatchObject({ status: 'done' })
  expect(await toryo.here(['tab', 'list', '--project', 'shed'])).toMatchObject({
    code: 1,
    err: 'toryo: Project shed not found. Use `toryo project list` to list them.\n',
  })

  const { tab_id: tab } = await toryo.json<{ tab_id: string }>('tab', 'launch', 'shell', 'fix', '--project', 'shop')
  expect(await toryo.json('tab', 'show', 'fix')).toMatchObject({ tab_id: tab })
  expect(await toryo.json('tab', 'show', tab.slice(-8))).toMatchObject({ tab_id: tab })
  expect(await toryo.json('tab', 'stop', 'fix')).toMatchObject({ tab_id: tab, status: 'exited' })

  const { engines: found } = await toryo.json<{ engines: { engine: string; program: string | null }[] }>(
    'engine',
    'list',
  )
  expect(found.find(({ engine }) => engine === 'mine')?.program).toMatch(/\/sh$/)
  type Report = { findings: { check: string; level: string; message: string }[] }
  const { findings } = await toryo.json<Report>('doctor')
  const of = (check: string) => findings.find(finding => finding.check === check)
  expect(of('agents.nonsense')).toMatchObject({ level: 'warn', message: expect.stringContaining('Ken') })
  expect(of('agents.mine')).toBeUndefined()
  expect(of('terminals')).toMatchObject({ level: 'ok' })
  expect(of('worktrees')).toMatchObject({ level: 'ok', message: '1 worktree, 0 in the trash.' })
})
