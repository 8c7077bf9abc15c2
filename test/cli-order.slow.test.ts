// The order of tasks, as people enter and see it.
import { expect, test } from 'vitest'
import { Toryo } from './toryo.ts'

test('tasks are put in order, drawn as a tree in 80 columns, and taken out of it again', async () => {
  await using toryo = new Toryo()
  await toryo.here(['project', 'add', 'shop', '--id', 'shop'])
  await toryo.here(['agent', 'add', 'Ken', '--id', 'ken', '--engine', 'claude'])
  await toryo.here(['project', 'assign', 'shop', 'ken'])
  const add = (title: string, ...more: string[]) => toryo.json('task', 'add', title, '--project', 'shop', ...more)
  await add('Checkout', '--id', 'checkout')
  const cart = await add('カートの画面を作る', '--parent', 'Checkout', '--assignee', 'ken')
  await add('Save it', '--id', 'save', '--parent', 'カートの画面を作る')
  const long = '決済の画面を、とても長い題名のまま八十桁の端末に表示しても崩れないように作る'
  expect(
    await add(long, '--id', 'pay', '--parent', 'checkout', '--after', 'カートの画面を作る', '--after', 'save'),
  ).toMatchObject({
    stage: 'waiting',
    parent_id: 'checkout',
    depends_on: expect.arrayContaining([cart['task_id'], 'save']),
  })
  const drawn = await toryo.here(['task', 'tree', '--project', 'shop'], { env: { COLUMNS: '80' } })
  const lines = drawn.out.trimEnd().split('\n')
  expect(lines.map(line => line.trimEnd())).toEqual([
    expect.stringMatching(/^TASK +STAGE +ASSIGNEE +WAITS FOR$/),
    expect.stringMatching(/^shop-1 {2}Checkout +planned +- +-$/),
    expect.stringMatching(/^├─ shop-2 {2}カートの画面を作る +planned +Ken +-$/),
    expect.stringMatching(/^│ {2}└─ shop-3 {2}Save it +planned +- +-$/),
    expect.stringMatching(/^└─ shop-4 {2}決済の画面を.*waiting +- +shop-2, shop-3$/),
  ])
  expect(await toryo.json('task', 'tree', 'checkout')).toMatchObject({ tasks: [{ level: 1 }, {}, { level: 3 }, {}] })
  const shown = await toryo.here(['task', 'show', 'pay'], { env: { TORYO_LANG: 'ja' } })
  expect(shown.out).toMatch(/親タスク +shop-1 {2}Checkout \(計画\)/)
  expect(shown.out).toContain('shop-2 (計画)、shop-3 (計画) を待っています。')

  const circle = await toryo.here(['task', 'link', 'save', '--after', 'pay'])
  expect(circle).toMatchObject({ code: 1, err: expect.stringContaining('shop-3 → shop-4 → ') })
  expect((await toryo.here(['task', 'link', 'save'])).err).toContain('Give --after <task> or --parent.')
  const parent = await toryo.here(['task', 'move', 'checkout', 'done'])
  expect(parent.err).toContain('shop-1 has open sub-tasks: shop-2, shop-4.')
  expect(await toryo.json('task', 'move', 'checkout', 'done', '--force')).toMatchObject({ status: 'done' })
  expect(await toryo.json('task', 'unlink', 'pay', '--after', 'save', '--parent')).toMatchObject({
    depends_on: [cart['task_id']],
  })
  expect(await toryo.json('task', 'link', 'pay', '--after', 'save')).toMatchObject({ stage: 'waiting' })
  const none = await toryo.here(['task', 'tree', '--project', 'shop', '--all'])
  expect(none.out).toContain('shop-1  Checkout')
})

test('an agent that plans is registered as one, and shown as one', async () => {
  await using toryo = new Toryo()
  const lead = await toryo.json('agent', 'add', 'Lead', '--id', 'lead', '--engine', 'claude', '--plans')
  expect(lead).toMatchObject({ toolsets: ['planning'] })
  const more = await toryo.json('agent', 'add', 'More', '--engine', 'claude', '--plans', '--toolsets', 'tabs,planning')
  expect(more).toMatchObject({ toolsets: ['planning', 'tabs'] })
  expect((await toryo.here(['agent', 'show', 'lead'])).out).toMatch(/toolsets +planning\n/)
})
