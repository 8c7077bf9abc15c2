import { describe, expect, test } from 'vitest'
import type { MessageView } from '#contract/tabs.ts'
import { type Drawer, Contexts } from './contexts.ts'
import { addressesIn } from './links.ts'
import {
  brought,
  bytesOf,
  columnsOf,
  copied,
  idsIn,
  isTyping,
  layoutOf,
  lineCount,
  neighbour,
  pasteAsks,
  stopAsks,
  swapped,
  tilesOf,
  waitsFor,
  threadsOf,
} from './model.ts'

describe('which terminals are shown', () => {
  test('as many as there is room for, those that were chosen first', () => {
    const ids = ['a', 'b', 'c', 'd', 'e']
    expect(tilesOf(ids, [], '2')).toEqual(['a', 'b'])
    expect(tilesOf(ids, ['d'], '2')).toEqual(['d', 'a'])
    expect(tilesOf(ids, ['d', 'd', 'x'], '4')).toEqual(['d', 'x', 'a', 'b'])
    expect(tilesOf(ids, [], 'grid')).toEqual(ids)
    expect(tilesOf([], [], '1')).toEqual([])
  })

  test('the next terminal is the next in the list, round its ends', () => {
    const ids = ['a', 'b', 'c']
    expect(['a', 'b', 'c', 'x', undefined].map(id => neighbour(ids, id, 1))).toEqual(['b', 'c', 'a', 'a', 'a'])
    expect(['a', 'b', 'c'].map(id => neighbour(ids, id, -1))).toEqual(['c', 'a', 'b'])
    expect(neighbour([], 'a', 1)).toBeUndefined()
  })

  test('the layout that was chosen, else the one that fits', () => {
    expect([0, 1, 2, 3, 4, 5].map(n => layoutOf(null, n))).toEqual(['1', '1', '2', '4', '4', 'grid'])
    expect(layoutOf('2', 9)).toBe('2')
    expect(layoutOf('nonsense', 1)).toBe('1')
    expect([columnsOf('1', 1), columnsOf('4', 4), columnsOf('4', 1), columnsOf('grid', 20)]).toEqual([1, 2, 1, 4])
  })

  test('another comes into free room, else into the place of the one in focus', () => {
    expect(brought(['a', 'b'], 'b', 0, '2')).toEqual(['a', 'b'])
    expect(brought(['a'], 'b', 0, '2')).toEqual(['a', 'b'])
    expect(brought(['a', 'b'], 'c', 1, '2')).toEqual(['a', 'c'])
    expect(brought(['a', 'b'], 'c', -1, '2')).toEqual(['c', 'b'])
    expect(brought(['a'], 'c', 5, '1')).toEqual(['c'])
  })

  test('a tile changes places with its neighbour, and stays at the ends', () => {
    expect(swapped(['a', 'b', 'c'], 0, 1)).toEqual(['b', 'a', 'c'])
    expect(swapped(['a', 'b', 'c'], 2, -2)).toEqual(['c', 'b', 'a'])
    expect(swapped(['a', 'b', 'c'], 2, 1)).toEqual(['a', 'b', 'c'])
    expect(swapped(['a', 'b', 'c'], 0, -1)).toEqual(['a', 'b', 'c'])
  })

  test('an address names ids and nothing else', () => {
    expect(idsIn('tab_1,tab_2')).toEqual(['tab_1', 'tab_2'])
    expect(idsIn('tab_1,,"><b>,../x')).toEqual(['tab_1'])
    expect(idsIn(null)).toEqual([])
  })
})

test('a paste is asked about when its line breaks would be Enter keys', () => {
  expect(pasteAsks('one', false)).toBe(false)
  expect(pasteAsks('one\n', false)).toBe(false)
  expect(pasteAsks('one\ntwo', false)).toBe(true)
  expect(pasteAsks('one\rtwo', false)).toBe(true)
  expect(pasteAsks('one\ntwo', true)).toBe(false)
  expect(lineCount('a\r\nb\nc')).toBe(3)
})

test('what is copied has no blanks at the ends of lines', () => {
  expect(copied('one   \n  two\t\n\nthree')).toBe('one\n  two\n\nthree')
})

test('stopping asks when work would be lost', () => {
  expect((['starting', 'running', 'idle', 'waiting'] as const).filter(stopAsks)).toEqual(['starting', 'running'])
})

test('the keys of a phone are those of a terminal', () => {
  expect(bytesOf('↑', false)).toBe('\u001b[A')
  expect(bytesOf('↓', true)).toBe('\u001bOB')
  expect(bytesOf('^C', false)).toBe('\u0003')
  expect(bytesOf('y', false)).toBe('y')
})

test('a queued message says what it waits for', () => {
  expect(waitsFor({ state: 'queued' }, { status: 'waiting' })).toBe('asks')
  expect(waitsFor({ state: 'queued' }, { status: 'idle' })).toBeUndefined()
  expect(waitsFor({ state: 'queued' }, undefined)).toBeUndefined()
  expect(waitsFor({ state: 'delivered' }, { status: 'waiting' })).toBeUndefined()
})

test('addresses are found without what ends the sentence, and only of the web', () => {
  const text = 'see (https://example.com/a?b=c). Or http://127.0.0.1:3000、次。 javascript:alert(1) file:///etc'
  expect(addressesIn(text).map(({ address }) => address)).toEqual([
    'https://example.com/a?b=c',
    'http://127.0.0.1:3000',
  ])
  expect(text.slice(addressesIn(text)[1]?.at)).toMatch(/^http:\/\/127/)
})

describe('graphics contexts', () => {
  const drawers = (n: number) => {
    const log: string[] = []
    const made = Array.from({ length: n }, (_, index) => {
      const drawer: Drawer & { lose: () => void } = {
        lose: () => {},
        start: async lost => {
          drawer.lose = lost
          log.push(`start ${index}`)
          return { dispose: () => log.push(`end ${index}`) }
        },
      }
      return drawer
    })
    return { made, log }
  }

  test('there are never more than allowed, and a free one goes to the next', async () => {
    const contexts = new Contexts(2)
    const { made, log } = drawers(3)
    const [one, two, three] = made as [Drawer, Drawer, Drawer]
    expect(await Promise.all(made.map(drawer => contexts.take(drawer)))).toEqual([true, true, false])
    contexts.give(one)
    expect(await contexts.take(three)).toBe(true)
    expect(log).toEqual(['start 0', 'start 1', 'end 0', 'start 2'])
    expect(await contexts.take(two)).toBe(true)
    expect(contexts.size).toBe(2)
  })

  test('the one that somebody types in has one, and the one that was used longest ago makes room', async () => {
    const contexts = new Contexts(2)
    const { made, log } = drawers(3)
    const [one, two, three] = made as [Drawer, Drawer, Drawer]
    await contexts.take(one)
    await contexts.take(two)
    // Somebody went back to the first: the second is older now.
    expect(await contexts.take(one, true)).toBe(true)
    expect(await contexts.take(three, true)).toBe(true)
    expect(log).toEqual(['start 0', 'start 1', 'end 1', 'start 2'])
    expect(contexts.size).toBe(2)
    expect(await contexts.take(two)).toBe(false)
  })

  test('a hub that is away when the drawing is to be loaded is no machine without graphics', async () => {
    const contexts = new Contexts(2)
    const away = new TypeError('Failed to fetch dynamically imported module: /assets/webgl.js')
    expect(await contexts.take({ start: () => Promise.reject(away) })).toBe(false)
    const { made } = drawers(1)
    expect(await contexts.take(made[0] as Drawer)).toBe(true)
  })

  test('one loss takes that one away, leaves the others, and it can ask again', async () => {
    const contexts = new Contexts(2)
    const { made, log } = drawers(2)
    const [one, two] = made as [Drawer & { lose: () => void }, Drawer]
    await contexts.take(one)
    await contexts.take(two)
    one.lose()
    expect([contexts.size, log.at(-1)]).toEqual([1, 'end 0'])
    expect(await contexts.take(one)).toBe(true)
  })

  test('one that was hidden while it was loaded is put away at once', async () => {
    const contexts = new Contexts(1)
    const { made, log } = drawers(1)
    const [one] = made as [Drawer]
    const taking = contexts.take(one)
    contexts.give(one)
    expect(await taking).toBe(false)
    expect(log).toEqual(['start 0', 'end 0'])
  })

  test('a machine without graphics is asked once', async () => {
    const contexts = new Contexts(8)
    let asked = 0
    const none = (): Drawer => ({ start: () => Promise.reject(new Error(`none ${++asked}`)) })
    expect([await contexts.take(none()), await contexts.take(none())]).toEqual([false, false])
    expect(asked).toBe(1)
  })
})

test('keys for the program are typing; modifiers alone and the keys of the page are not', () => {
  const key = (key: string, held: object = {}) =>
    isTyping({ key, ctrlKey: false, shiftKey: false, metaKey: false, ...held })
  expect(['a', 'Enter', 'ArrowUp', 'Process', 'Unidentified'].map(one => key(one))).not.toContain(false)
  expect(key('c', { ctrlKey: true })).toBe(true)
  expect(['Shift', 'Control', 'Alt', 'CapsLock'].map(one => key(one))).not.toContain(true)
  expect(['C', 'F', 'V'].map(one => key(one, { ctrlKey: true, shiftKey: true }))).not.toContain(true)
  expect(key('\\', { ctrlKey: true })).toBe(false)
  expect(key('c', { metaKey: true })).toBe(false)
})

test('the messages of a tab are told apart by whom it talks with, the liveliest first', () => {
  const message = (from: string, to: string, sent_at: string) => ({ from, to, sent_at }) as MessageView
  const threads = threadsOf(
    [
      message('operator', 'tab_a', '4'),
      message('tab_b', 'tab_a', '3'),
      message('tab_a', 'tab_b', '5'),
      message('tab_a', 'operator', '1'),
    ],
    'tab_a',
  )
  expect(threads.map(({ other, messages }) => [other, ...messages.map(({ sent_at }) => sent_at)])).toEqual([
    ['tab_b', '3', '5'],
    ['operator', '1', '4'],
  ])
})
