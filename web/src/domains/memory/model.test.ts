import fc from 'fast-check'
import { expect, test } from 'vitest'
import { marked, nearestTopic, pathTo, type Topic, treeOf, withoutTitle, wordsIn } from './model.ts'
import { BadLine, recordsIn } from './records.ts'

const topic = (id: number, parent: number | null, decisions = 0): Topic => ({
  ...{ id, project_id: 1, title: `t${id}`, description: null, parent_topic_id: parent, created_at: '' },
  ...{ logs: 0, decisions },
})
const topics = [topic(1, null, 1), topic(2, 1), topic(3, 2, 2), topic(4, null), topic(5, 1)]

test('topics stand below their parents, each with how many are undecided in it and below', () => {
  expect(treeOf(topics, new Set()).map(({ topic, level, open }) => [topic.id, level, open])).toEqual([
    [1, 0, 2],
    [2, 1, 1],
    [3, 2, 0],
    [5, 1, 1],
    [4, 0, 1],
  ])
})

test('a folded topic hides what is below it; one whose parent is not here stands at the top', () => {
  expect(treeOf(topics, new Set([1])).map(({ topic }) => topic.id)).toEqual([1, 4])
  expect(treeOf([topic(7, 99)], new Set())).toMatchObject([{ level: 0, hasChildren: false }])
})

test('the path leads from the top to a topic', () => {
  expect(pathTo(topics, 3).map(({ id }) => id)).toEqual([1, 2, 3])
  expect(pathTo(topics, 99)).toEqual([])
})

test('marks are put on what was searched, and no sign of the text is lost', () => {
  expect(marked('HttpOnly の セッション', 'セッション httponly')).toEqual([
    { text: 'HttpOnly', isHit: true },
    { text: ' の ', isHit: false },
    { text: 'セッション', isHit: true },
  ])
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), (text, query) => {
      expect(
        marked(text, query)
          .map(part => part.text)
          .join(''),
      ).toBe(text)
    }),
  )
})

test('what was searched in vain leads to the topic that is most like it, or to none', () => {
  const named = (id: number, title: string) => ({ ...topic(id, null), title })
  const all = [named(1, 'Architecture'), named(2, '決済とセッション'), named(3, 'Deployment')]
  expect(nearestTopic(all, 'deploiment')?.id).toBe(3)
  expect(nearestTopic(all, 'セッションの期限')?.id).toBe(2)
  expect(nearestTopic(all, 'zebra')).toBeUndefined()
  expect(nearestTopic([], 'anything')).toBeUndefined()
  expect(wordsIn('  決済　cookie  cookie ')).toEqual(['決済', 'cookie'])
})

test('a file of records is read whole, and a line that is none is named', () => {
  const decision = { type: 'decision', id: 3, topic_id: 1, decision: 'A', reason: 'B' }
  const lines = [decision, { type: 'topic', id: 1, title: 'T', parent_topic_id: null }]
  const text = `${lines.map(line => JSON.stringify(line)).join('\n')}\n`
  expect(recordsIn(text).map(({ type }) => type)).toEqual(['decision', 'topic'])
  for (const [bad, line] of [
    [`${text}not json`, 3],
    ['{"type":"other"}', 1],
    ['null', 1],
    ['', 1],
  ] as const)
    expect(() => recordsIn(bad)).toThrow(new BadLine(line))
})

test('what is found does not say its title twice', () => {
  expect(withoutTitle('Prices are integers Sums are exact.', 'Prices are integers')).toBe('Sums are exact.')
  expect(withoutTitle('…of the prices', 'Prices')).toBe('…of the prices')
  expect(withoutTitle('Prices', 'Prices')).toBe('Prices')
})
