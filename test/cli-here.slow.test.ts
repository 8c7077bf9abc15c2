// Less to type: a command given in the folder of a project is about that project, and several tasks are added at once.
import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { Toryo } from './toryo.ts'

test('in the folder of a project no project is named, and everywhere else one can be', async () => {
  await using toryo = new Toryo()
  const shop = path.join(toryo.folder, 'shop')
  const below = path.join(shop, 'src')
  fs.mkdirSync(below, { recursive: true })
  await toryo.json('project', 'add', 'shop', '--dir', shop)
  await toryo.json('project', 'add', 'mill')
  await toryo.json('agent', 'add', 'Aoi', '--engine', 'claude')
  await toryo.json('project', 'assign', 'shop', 'Aoi')
  await toryo.json('task', 'add', 'Grind', '--project', 'mill')

  const nowhere = await toryo.here(['task', 'add', 'Log in'])
  expect(nowhere).toMatchObject({ code: 2, err: expect.stringContaining('belongs to no project') })
  const added = await toryo.here(['task', 'add', 'Log in', 'Pay', '-'], { cwd: below, stdin: '- Ship it\n' })
  expect(added.out).toBe('Added "Log in" (shop-1).\nAdded "Pay" (shop-2).\nAdded "Ship it" (shop-3).\n')
  const titles = async (...more: string[]) => {
    const { out } = await toryo.here(['task', 'list', '--json', ...more], { cwd: shop })
    return (JSON.parse(out) as { tasks: { title: string }[] }).tasks.map(({ title }) => title)
  }
  expect((await titles()).sort()).toEqual(['Log in', 'Pay', 'Ship it'])
  expect(await titles('--project', 'all')).toContain('Grind')
  expect((await toryo.here(['project', 'show'], { cwd: below })).out).toContain(fs.realpathSync(shop))
  expect(await toryo.here(['project', 'show'])).toMatchObject({ code: 2, err: expect.stringContaining('toryo init') })
  expect(await toryo.here(['project', 'setup'], { cwd: shop })).toMatchObject({ code: 0 })
  expect((await toryo.here(['project', 'edit', '--description', 'Sells'], { cwd: shop })).code).toBe(0)
  expect(await toryo.json('project', 'show', 'shop')).toMatchObject({ description: 'Sells' })

  const started = await toryo.here(['task', 'start', 'ship', '--agent', 'Aoi'], { cwd: shop })
  expect(started.out).toContain('shop-3 Ship it is in progress; Aoi is started for it')
  expect(started.err).toContain('`toryo up`')
  expect(await toryo.json('task', 'show', 'shop-3')).toMatchObject({ status: 'in_progress' })
  // What is finished is not begun again without a word.
  await toryo.json('task', 'move', 'shop-2', 'done')
  const finished = await toryo.here(['task', 'start', 'shop-2', '--agent', 'Aoi'], { cwd: shop })
  expect(finished).toMatchObject({ code: 1, err: expect.stringContaining('`toryo task start shop-2 --again`') })
  expect(await toryo.json('task', 'show', 'shop-2')).toMatchObject({ status: 'done', assignee_id: null })
  await toryo.json('task', 'delete', 'shop-2')
  const gone = await toryo.here(['task', 'start', 'shop-2', '--agent', 'Aoi'], { cwd: shop })
  expect(gone).toMatchObject({ code: 1, err: expect.stringMatching(/deleted .*`toryo\s+task\s+restore\s+shop-2`/s) })
  await toryo.json('task', 'restore', 'shop-2')
  expect((await toryo.here(['task', 'start', 'shop-2', '--agent', 'Aoi', '--again'], { cwd: shop })).out).toContain(
    'Aoi',
  )
  expect(await toryo.json('task', 'show', 'shop-2')).toMatchObject({ status: 'in_progress' })
  const now = await toryo.here(['task', 'add', 'Now', '--assignee', 'Aoi', '--start', '--json'], { cwd: shop })
  expect(JSON.parse(now.out)).toMatchObject({ status: 'in_progress', handle: 'shop-4' })

  const typo = await toryo.here(['agent', 'add', 'Ken', '--engine', 'cluade'])
  expect(typo).toMatchObject({ code: 2, err: expect.stringContaining('Did you mean claude?') })
  expect((await toryo.here(['agent', 'list'])).out).toMatch(/Aoi +claude .*enabled/)
})
