import { expect, test } from 'vitest'
import { zoneAt } from './card-drag.ts'

const box = { top: 100, left: 0, width: 200, height: 60 }
const at = (x: number, y: number, keys: object = {}, canOrder = true) =>
  zoneAt(box, { clientX: x, clientY: y, altKey: false, shiftKey: false, ...keys }, canOrder)

test('the left of a card orders, its right links, and Alt links anywhere', () => {
  expect([at(20, 105), at(20, 155)]).toEqual(['above', 'below'])
  expect([at(180, 105), at(180, 155)]).toEqual(['waits', 'parent'])
  expect([at(20, 105, { altKey: true }), at(20, 105, { altKey: true, shiftKey: true })]).toEqual(['waits', 'parent'])
})

test('a card of another column is not put in order here, but can be linked', () => {
  expect([at(20, 105, {}, false), at(180, 105, {}, false)]).toEqual(['over', 'waits'])
})
