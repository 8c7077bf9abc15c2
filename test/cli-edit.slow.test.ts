// What was entered can be changed and found again, by the names that people use.
import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { Toryo } from './toryo.ts'

test('a task is labelled, edited, found and shown by its handle', async () => {
  await using toryo = new Toryo()
  await toryo.json('project', 'add', 'Shop')
  await toryo.json('agent', 'add', 'Ken', '--engine', 'claude')
  await toryo.json('project', 'assign', 'shop', 'Ken')
  const added = await toryo.here(['task', 'add', 'Log in', '--project', 'shop', '--label', 'Bug', '--label', 'login'])
  expect(added.out).toBe('Added "Log in" (shop-1).\n')
  await toryo.json('task', 'add', 'ログイン画面', '--project', 'shop')
  const edited = await toryo.json(
    ...['task', 'edit', 'shop-1', '--title', 'Sign in', '--priority', 'high', '--assignee', 'Ken'],
    ...['--label', 'later', '--unlabel', 'LOGIN', '--branch', 'feature/in', '--description', 'With a passkey'],
  )
  expect(edited).toMatchObject({ handle: 'shop-1', title: 'Sign in', priority: 'high', labels: ['Bug', 'later'] })
  expect(await toryo.json('task', 'edit', 'shop-1', '--assignee', 'none', '--branch', '')).toMatchObject({
    ...{ assignee_id: null, branch: null, title: 'Sign in' },
  })
  const nothing = await toryo.here(['task', 'edit', 'shop-1'])
  expect(nothing).toMatchObject({ code: 2, err: expect.stringContaining('--title') })
  const found = await toryo.here(['task', 'list', '--search', 'PASSKEY', '--label', 'bug', '--stage', 'planned'])
  expect(found.out).toMatch(
    /^ID +TITLE +STATUS +STAGE +PRIORITY +LABELS +ASSIGNEE +UPDATED\nshop-1 +Sign in .*Bug, later/,
  )
  expect((await toryo.here(['task', 'list', '--search', 'nothing'])).err).toBe('No tasks match.\n')
  expect(await toryo.json('task', 'list', '--agent', 'Ken')).toEqual({ tasks: [] })
  expect((await toryo.here(['task', 'show', 'shop-1'])).out).toMatch(/^Sign in \(shop-1\)\n/)
  expect((await toryo.here(['task', 'show', 'shop-9'])).err).toContain('shop-9')
  expect((await toryo.here(['project', 'list'])).out).toMatch(/^KEY +NAME .*\nshop +Shop /)
  expect((await toryo.here(['project', 'edit', 'shop', '--key', 'store'])).out).toBe('Changed Shop (store).\n')
  expect(await toryo.json('task', 'move', 'store-2', 'done')).toMatchObject({ handle: 'store-2', status: 'done' })
  const agent = await toryo.here([
    'agent',
    'edit',
    'Ken',
    '--engine',
    'nonesuch',
    '--name',
    'Aoi',
    '--role',
    'reviewer',
  ])
  expect(agent.out).toMatch(/^Changed Aoi \(agt_/)
  expect(agent.err).toContain('nonesuch')
  expect(await toryo.json('agent', 'edit', 'Aoi', '--system-prompt', 'Be kind.')).toMatchObject({
    ...{ engine: 'nonesuch', role: 'reviewer', system_prompt: 'Be kind.' },
  })
  expect(await toryo.here(['agent', 'edit', 'Aoi'])).toMatchObject({ code: 2 })
})

test('a person has the name of the configuration, else of git, and is told where it comes from', async () => {
  await using toryo = new Toryo()
  const env = { HOME: toryo.folder, GIT_CONFIG_GLOBAL: path.join(toryo.folder, 'gitconfig') }
  fs.writeFileSync(env.GIT_CONFIG_GLOBAL, '[user]\n\tname = 蒼井\n')
  const who = await toryo.here(['whoami', '--json'], { env })
  expect(JSON.parse(who.out)).toMatchObject({ caller: 'operator:蒼井', may: 'everything', name_from: 'git' })
  fs.writeFileSync(path.join(toryo.home, 'config.json'), '{ "name": "Aoi" }')
  expect((await toryo.here(['whoami'], { env })).out).toMatch(
    /^ *name +Aoi\n *taken from +"name" in config\.json\n *in events +operator:Aoi\n *hub +http.*\n *database +.*\n *you may +do everything/,
  )
})
