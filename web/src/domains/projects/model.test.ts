import { expect, test } from 'vitest'
import { type Card, lanesOf, nameOfFolder, partsOf, type Wish } from './model.ts'
import { queryOf } from './query.ts'

const card = (id: string, given: object = {}): Card =>
  ({
    ...{ task_id: id, handle: `shop-${id}`, title: id, project_id: 'shop', status: 'todo', stage: 'planned' },
    ...{ priority: 'medium', assignee_id: null, labels: [], rank: null, waits_for: 0, run: null, updated_at: '' },
    ...given,
  }) as Card
const wish = (given: Partial<Wish> = {}): Wish => ({
  filter: { project: null, assignee: null, text: '' },
  ...{ query: queryOf(''), group: 'status', nameOf: (id: string) => id },
  ...given,
})
const shape = (lanes: ReturnType<typeof lanesOf>) =>
  lanes.map(({ key, cards }) => [key, ...cards.map(one => one.task_id)])

test('a column that has not changed stays the very same', () => {
  const [a, b] = [card('1'), card('2', { status: 'blocked' })]
  const before = lanesOf([a, b], wish())
  const after = lanesOf([card('1', { title: 'new' }), b], wish(), before)
  const lane = (lanes: typeof before, key: string) => lanes.find(one => one.key === key)
  expect(lane(after, 'todo')).not.toBe(lane(before, 'todo'))
  for (const key of ['backlog', 'blocked', 'done']) expect(lane(after, key)).toBe(lane(before, key))
})

test('what is reported is in review until it is merged, and is not closed meanwhile', () => {
  const stages = ['checking', 'review', 'queued', 'merged', 'done'] as const
  const cards = stages.map((stage, at) => card(String(at), { status: 'done', stage, assignee_id: 'aoi' }))
  const lanes = shape(lanesOf(cards, wish()))
  expect(lanes.map(([key]) => key)).toEqual([
    ...['backlog', 'todo', 'in_progress', 'blocked', 'review', 'done', 'cancelled'],
  ])
  expect(lanes.filter(lane => lane.length > 1)).toEqual([
    ['review', '0', '1', '2'],
    ['done', '3', '4'],
  ])
  expect(shape(lanesOf(cards, wish({ group: 'assignee' })))).toEqual([['none'], ['aoi', '0', '1', '2']])
})

test('grouped by assignee, nobody comes first, and what is closed is left out', () => {
  const cards = [
    card('1', { assignee_id: 'zoe' }),
    card('2', { assignee_id: 'aoi' }),
    card('3', { assignee_id: 'aoi', status: 'in_progress' }),
    card('4', { assignee_id: 'aoi', status: 'done' }),
    card('5'),
  ]
  expect(shape(lanesOf(cards, wish({ group: 'assignee' })))).toEqual([
    ['none', '5'],
    ['aoi', '3', '2'],
    ['zoe', '1'],
  ])
})

test('grouped by priority, every priority has its column', () => {
  expect(shape(lanesOf([card('1', { priority: 'urgent' })], wish({ group: 'priority' }))).map(([key]) => key)).toEqual(
    expect.arrayContaining(['urgent', 'high', 'medium', 'low']),
  )
})

test('of sub-tasks it is counted how many are closed', () => {
  const cards = [card('1'), card('2', { parent_id: '1', status: 'done' }), card('3', { parent_id: '1' })]
  expect([...partsOf(cards)]).toEqual([['1', '1/2']])
})

test.each([
  ['/home/aoi/shop', 'shop'],
  ['/home/aoi/店 2/', '店 2'],
  ['/', ''],
])('a project in %s is called %j', (path, name) => expect(nameOfFolder(path)).toBe(name))
