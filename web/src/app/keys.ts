// Keys to commands. None fires while a field has the focus or a composition is open.
import type { Command } from '../parts/command.ts'
import { createStore } from '../hub/store.ts'
import { local } from '../hub/kept.ts'

const KEY = 'toryo.single-keys'
const SEQUENCE_MS = 1200

/** Some type by voice, or hit keys by accident: single keys can be switched off (WCAG 2.1.4). */
export const singleKeys = createStore(local.getItem(KEY) !== 'off')

export function chooseSingleKeys(on: boolean): void {
  local.setItem(KEY, on ? 'on' : 'off')
  singleKeys.set(on)
}

export function listenToKeys(commands: () => readonly Command[]): () => void {
  let before = ''
  let at = 0
  const onKey = (event: KeyboardEvent) => {
    const pressed = nameOf(event)
    if (pressed === undefined || event.isComposing || event.defaultPrevented) return
    // Space and Enter press the button or follow the link that has the focus.
    const isPress = pressed === ' ' || pressed === 'Enter'
    if (isPress && event.target instanceof HTMLElement && event.target.closest('button, a, summary')) return
    const isPlain = !pressed.startsWith('mod+')
    if (isPlain && isTyping(event.target)) return
    if (isSign(pressed) && !singleKeys.get()) return
    const sequence = before !== '' && event.timeStamp - at < SEQUENCE_MS ? `${before} ${pressed}` : pressed
    const all = isPlain && isModalOpen() ? commands().filter(({ inDialog }) => inDialog) : commands()
    const find = (keys: string) => all.findLast(command => command.keys?.includes(keys))
    const found = find(sequence) ?? find(pressed)
    before = found ? '' : pressed
    at = event.timeStamp
    if (!found) return
    event.preventDefault()
    found.run()
  }
  document.addEventListener('keydown', onKey)
  return () => document.removeEventListener('keydown', onKey)
}

/** What a person says or types: letters, digits, signs. Arrows, Enter and Escape are nobody's words, and always work. */
export const isSign = (pressed: string): boolean => [...pressed].length === 1 && pressed !== ' '

function nameOf({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): string | undefined {
  if (altKey || ['Shift', 'Control', 'Meta', 'Alt', 'Tab'].includes(key)) return undefined
  if (ctrlKey || metaKey) return `mod+${key.toLowerCase()}`
  // Letters and signs are others with it; arrows and the like are not.
  return shiftKey && key.length > 1 ? `Shift+${key}` : key
}

function isTyping(target: EventTarget | null): boolean {
  // A box to tick takes no letters.
  if (target instanceof HTMLInputElement && ['checkbox', 'radio'].includes(target.type)) return false
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName))
  )
}

function isModalOpen(): boolean {
  return document.querySelector('dialog:modal') !== null
}
