import { expect, test } from 'vitest'
import { matches, queryOf } from './query.ts'

const card = (given: object) =>
  ({
    ...{ task_id: 't', title: 'Split the cart', handle: 'shop-5', status: 'in_progress', stage: 'working' },
    ...{ priority: 'high', labels: ['ui', 'two words'], assignee_id: 'agt_aoi', run: null, waits_for: 0 },
    ...given,
  }) as Parameters<typeof matches>[0]
const names: Record<string, string> = { agt_aoi: 'Aoi' }
const finds = (text: string, given: object = {}, fresh?: ReadonlySet<string>) =>
  matches(card(given), queryOf(text), id => names[id] ?? id, fresh)

test.each([
  ['cart', true],
  ['CART shop-5', true],
  ['cart basket', false],
  ['assignee:aoi', true],
  ['assignee:agt_aoi', true],
  ['assignee:ren', false],
  ['-assignee:ren cart', true],
  ['assignee:none', false],
  ['status:in_progress', true],
  ['status:inprog', true],
  ['status:todo', false],
  ['priority:high label:ui', true],
  ['label:"two words"', true],
  ['label:two', false],
  ['stage:review', false],
  ['is:waiting', false],
  ['"the cart"', true],
  ['"the shop"', false],
  ['-cart', false],
  ['http://split', false],
])('%s finds the card or not: %s', (text, found) => expect(finds(text)).toBe(found))

test('what is new, waits, works or is a part can be asked for', () => {
  expect(finds('is:new', {}, new Set(['t']))).toBe(true)
  expect(finds('is:new')).toBe(false)
  expect(finds('is:waiting', { waits_for: 2 })).toBe(true)
  expect(finds('is:part', { parent_id: 'p' })).toBe(true)
  expect(finds('is:working', { run: {} })).toBe(true)
  expect(finds('assignee:nobody', { assignee_id: null })).toBe(true)
})

test.each(['', '  ', 'assignee:', '-assignee:', '"', '-'])('%j is still being typed, and leaves nothing out', text =>
  expect(finds(text)).toBe(true),
)
