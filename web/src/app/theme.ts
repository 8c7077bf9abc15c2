import { createStore } from '../hub/store.ts'
import { local } from '../hub/kept.ts'

export const THEMES = ['system', 'light', 'dark'] as const
export type Theme = (typeof THEMES)[number]
const KEY = 'toryo.theme'

export const DENSITIES = ['roomy', 'compact'] as const
export type Density = (typeof DENSITIES)[number]
const DENSITY_KEY = 'toryo.density'

export const theme = createStore<Theme>(stored(local.getItem(KEY)))

export const density = createStore<Density>(densityIn(local.getItem(DENSITY_KEY)))

export function chooseTheme(next: Theme): void {
  local.setItem(KEY, next)
  show(next)
}

export function chooseDensity(next: Density): void {
  local.setItem(DENSITY_KEY, next)
  space(next)
}

/** Another window of this browser may choose, too. */
export function followTheme(): void {
  window.addEventListener('storage', ({ key, newValue }) => {
    if (key === KEY) show(stored(newValue))
    if (key === DENSITY_KEY) space(densityIn(newValue))
  })
}

function show(next: Theme): void {
  theme.set(next)
  if (next === 'system') delete document.documentElement.dataset['theme']
  else document.documentElement.dataset['theme'] = next
}

function space(next: Density): void {
  density.set(next)
  document.documentElement.dataset['density'] = next
}

function densityIn(value: string | null): Density {
  return value === 'compact' ? 'compact' : 'roomy'
}

function stored(value: string | null): Theme {
  return value === 'light' || value === 'dark' ? value : 'system'
}
