import { expect, test } from 'vitest'
import { graphOf } from './plan-model.ts'

const cards = (links: Record<string, string[]>) =>
  new Map(Object.entries(links).map(([task_id, depends_on]) => [task_id, { task_id, depends_on }]))
const columns = (links: Record<string, string[]>, id: string) =>
  graphOf(cards(links), id).nodes.map(({ id: one, column }) => `${column}:${one}`)

test('what comes first stands left, what waits stands right', () => {
  const links = { a: [], b: ['a'], me: ['b', 'a'], c: ['me'], far: ['c'], other: [] }
  expect(columns(links, 'me')).toEqual(['0:a', '1:b', '2:me', '3:c', '4:far'])
  expect(graphOf(cards(links), 'me').edges).toEqual([
    ['a', 'b'],
    ['b', 'me'],
    ['a', 'me'],
    ['me', 'c'],
    ['c', 'far'],
  ])
})

test('a task without links is alone', () => {
  expect(graphOf(cards({ me: [], b: [] }), 'me')).toEqual({
    nodes: [{ id: 'me', column: 0, row: 0 }],
    edges: [],
    columns: 1,
    rows: 1,
  })
})

test('rows that go in a circle end all the same', () => {
  expect(columns({ me: ['a'], a: ['b'], b: ['me'] }, 'me').sort()).toEqual(expect.arrayContaining(['0:b']))
})

test('of many that wait only as many are drawn as fit', () => {
  const many = Object.fromEntries(Array.from({ length: 40 }, (_, n) => [`t${n}`, ['me']]))
  const { nodes, rows } = graphOf(cards({ me: [], ...many }), 'me')
  expect(nodes).toHaveLength(7)
  expect(rows).toBe(6)
})
