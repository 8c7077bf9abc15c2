import { createStore } from '../hub/store.ts'

export const THEMES = ['system', 'light', 'dark'] as const
export type Theme = (typeof THEMES)[number]
const KEY = 'toryo.theme'

export const theme = createStore<Theme>(stored(localStorage.getItem(KEY)))

export function chooseTheme(next: Theme): void {
  localStorage.setItem(KEY, next)
  show(next)
}

/** Another window of this browser may choose, too. */
export function followTheme(): void {
  window.addEventListener('storage', ({ key, newValue }) => {
    if (key === KEY) show(stored(newValue))
  })
}

function show(next: Theme): void {
  theme.set(next)
  if (next === 'system') delete document.documentElement.dataset['theme']
  else document.documentElement.dataset['theme'] = next
}

function stored(value: string | null): Theme {
  return value === 'light' || value === 'dark' ? value : 'system'
}
