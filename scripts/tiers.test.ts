import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { FAST_SQL, PROMISES, SLOW_SQL, STORES, slowByDay } from './tiers.js'

const byDay = [...new Set([...slowByDay([]).files, ...SLOW_SQL])]

test('each promise of the README, in its words, has slow files that run by day', () => {
  const readme = readFileSync('README.md', 'utf8')
  const section = readme.slice(readme.indexOf('## What is promised'), readme.indexOf('## Limits'))
  const words = [...section.matchAll(/^- \*\*(.+?)\*\*/gm)].map(([, sentence]) => sentence)
  expect(words.length).toBeGreaterThan(8)
  expect(Object.keys(PROMISES)).toEqual(expect.arrayContaining(words))
  for (const [promise, files] of Object.entries(PROMISES)) expect(files, promise).not.toEqual([])
})

test('each store has a file that runs on PostgreSQL by day', () => {
  const files = readdirSync('src/domains', { recursive: true, encoding: 'utf8' })
  const stores = files.filter(file => file.endsWith('store.ts')).map(file => file.slice(0, -'.ts'.length))
  expect(Object.keys(STORES).sort()).toEqual(stores.sort())
})

test('each file that a list names exists', () => {
  const plain = FAST_SQL.filter(name => !name.includes('*'))
  for (const file of [...plain, ...byDay]) expect(existsSync(file), file).toBe(true)
})

test('a file that runs on PostgreSQL by day asks for it', () => {
  const named = [...FAST_SQL.filter(name => !name.includes('*')), ...SLOW_SQL]
  expect(named.filter(file => !/\bdatabases\b/.test(readFileSync(file, 'utf8')))).toEqual([])
})

// What a program can see of the rule for `*.night.test.ts`; the rest is for the reader of a change (CONTRIBUTING.md). The other files
// by day cannot start a process at all.
test.each([
  ['starts a real agent program', /\bclis\.(?:ts|js)'|describeClis|provideCli/],
  ['opens another browser', /firefox|webkit/i],
  ['installs with npm', /(?:spawn|exec)\w*\(\s*'npm'/],
])('no slow file by day %s', (_, pattern) => {
  const files = slowByDay([]).files
  expect(files.filter(file => pattern.test(readFileSync(file, 'utf8')))).toEqual([])
})

test('a slow file that itself has changed, that imports what changed, or that lies beside it runs by day', () => {
  const own = 'src/domains/thread/radar.slow.test.ts'
  expect(slowByDay([]).files).not.toContain(own)
  expect(slowByDay([own]).files).toContain(own)
  expect(slowByDay(['src/domains/thread/radar.ts']).files).toContain(own)
  expect(slowByDay(['test/fixtures/scripted-engine.js', 'no/such.ts']).files).toEqual(slowByDay([]).files)
})

test('what most slow files import leaves them to the night, and says so', () => {
  const { files, left } = slowByDay(['test/processes.ts'])
  expect(files).toEqual(slowByDay([]).files)
  expect(left).toEqual([expect.stringMatching(/^test\/processes\.ts changed; the \d+ slow files .* run at night$/)])
})
