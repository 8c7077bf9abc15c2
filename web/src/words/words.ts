// Which language the page speaks. English is there from the start; the other one is loaded when it is chosen.
import { en, type Words } from './en.ts'
import { local } from '../hub/kept.ts'

const KEY = 'toryo.lang'
export type Lang = 'en' | 'ja'

let words: Words = en
const listeners = new Set<() => void>()

export function currentWords(): Words {
  return words
}

export function onWords(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

export async function loadWords(): Promise<void> {
  await show(document.documentElement.lang === 'ja' ? 'ja' : 'en')
  // Another window of this browser may choose, too.
  window.addEventListener('storage', ({ key, newValue }) => {
    if (key === KEY && (newValue === 'en' || newValue === 'ja')) void show(newValue)
  })
}

export async function chooseLanguage(lang: Lang): Promise<void> {
  local.setItem(KEY, lang)
  await show(lang)
}

async function show(lang: Lang): Promise<void> {
  words = lang === 'ja' ? (await import('./ja.ts')).ja : en
  document.documentElement.lang = lang
  for (const listener of listeners) listener()
}
