import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { Command } from '../parts/command.ts'

const nothing = () => undefined
class Element {
  readonly tagName = ''
}
const page = Object.assign(new EventTarget(), { querySelector: () => null })
vi.stubGlobal('localStorage', { getItem: nothing, setItem: nothing, removeItem: nothing })
vi.stubGlobal('document', page)
vi.stubGlobal('HTMLElement', Element)
vi.stubGlobal('HTMLInputElement', class extends Element {})
// Other files share the worker.
afterAll(() => void vi.unstubAllGlobals())
const { chooseSingleKeys, listenToKeys } = await import('./keys.ts')

const ran: string[] = []
const command = (key: string): Command => ({ id: key, title: () => key, keys: [key], run: () => void ran.push(key) })
const KEYS = ['c', '!', 'g n', '3', 'ArrowDown', 'Enter', 'Escape', 'Shift+ArrowUp', 'mod+k', ' ']
let stop: () => void
beforeAll(() => void (stop = listenToKeys(() => KEYS.map(command))))
afterAll(() => stop())

type Held = { ctrlKey?: boolean; shiftKey?: boolean; isComposing?: boolean }

function pressed(keys: readonly string[], held: Held = {}): string[] {
  ran.length = 0
  for (const key of keys) page.dispatchEvent(Object.assign(new Event('keydown'), { key, ...held }))
  return [...ran]
}

test('keys and sequences of keys run their commands', () => {
  chooseSingleKeys(true)
  expect(pressed(['c', '!', 'g', 'n', '3', 'ArrowDown', 'Enter'])).toEqual(['c', '!', 'g n', '3', 'ArrowDown', 'Enter'])
  expect(pressed(['ArrowUp'], { shiftKey: true })).toEqual(['Shift+ArrowUp'])
  expect(pressed(['k'], { ctrlKey: true })).toEqual(['mod+k'])
  expect(pressed(['c', 'Enter'], { isComposing: true })).toEqual([])
})

test('with single keys off, letters and signs do nothing; arrows, Enter, Escape and Ctrl still work', () => {
  chooseSingleKeys(false)
  expect(pressed(['c', '!', 'g', 'n', '3'])).toEqual([])
  expect(pressed(['ArrowDown', 'Enter', 'Escape', ' '])).toEqual(['ArrowDown', 'Enter', 'Escape', ' '])
  expect(pressed(['ArrowUp'], { shiftKey: true })).toEqual(['Shift+ArrowUp'])
  expect(pressed(['k'], { ctrlKey: true })).toEqual(['mod+k'])
})
