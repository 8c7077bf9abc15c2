import { readdirSync, readFileSync } from 'node:fs'
import { afterAll, expect, test, vi } from 'vitest'

/** The page's code reads `localStorage` and the like when it is loaded. */
const nothing = () => undefined
vi.stubGlobal('localStorage', { getItem: nothing, setItem: nothing })
vi.stubGlobal('document', { addEventListener: nothing, documentElement: { lang: 'en' }, visibilityState: 'hidden' })
vi.stubGlobal('window', { addEventListener: nothing, matchMedia: () => ({ matches: true }) })
// Other files share the worker.
afterAll(() => void vi.unstubAllGlobals())
const { IGNORED, TABLES } = await import('./live.ts')

test('every event of the contract is handled by a domain, or named as one that nothing shows', () => {
  const folder = 'src/contract'
  const sources = readdirSync(folder).map(name =>
    name.endsWith('.ts') ? readFileSync(`${folder}/${name}`, 'utf8') : '',
  )
  const types = sources.flatMap(text => [...text.matchAll(/eventType\(\s*'([^']+)'/g)].map(match => match[1] ?? ''))
  expect(types.length).toBeGreaterThan(80)
  const handled = new Set(TABLES.flatMap(table => Object.keys(table)))
  expect(types.filter(type => !handled.has(type) && !IGNORED.includes(type))).toEqual([])
  expect(IGNORED.filter(type => handled.has(type) || !types.includes(type))).toEqual([])
  expect([...handled].filter(type => !types.includes(type))).toEqual([])
})
