import { execFile } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { KNOWN_ENGINES } from '#contract/known-engines.gen.ts'
import { temporaryFolder } from '#test/scripted.ts'
import { CLIS } from './clis.js'

const execute = promisify(execFile)
const PROGRAM = fileURLToPath(new URL('./test-clis.js', import.meta.url))
const VERSION = CLIS['gemini']?.version as string

/** In npm's place: notes that it was called, takes its time, and installs a program that prints this version, or fails. */
const NPM = (version: string | undefined) => `
import fs from 'node:fs'
fs.appendFileSync(process.env.CALLS, process.argv.slice(2).join(' ') + '\\n')
await new Promise(resolve => setTimeout(resolve, 300))
${version === undefined ? "console.error('npm error code ENOTFOUND\\nnpm error request to https://registry.example/x failed'); process.exit(1)" : ''}
fs.mkdirSync('node_modules/.bin', { recursive: true })
fs.writeFileSync('node_modules/.bin/gemini', '#!/bin/sh\\necho ${version}\\n', { mode: 0o755 })
`

function shop(version: string | undefined) {
  const folder = temporaryFolder()
  const npm = path.join(folder.path, 'npm-cli.js')
  fs.writeFileSync(npm, NPM(version))
  fs.writeFileSync(path.join(folder.path, 'package.json'), '{"type":"module"}')
  const calls = path.join(folder.path, 'calls')
  const cache = path.join(folder.path, 'clis')
  const env = { PATH: process.env['PATH'], TORYO_TEST_CACHE: folder.path, npm_execpath: npm, CALLS: calls }
  return {
    cache,
    place: path.join(cache, `gemini@${VERSION}-${process.platform}-${process.arch}`),
    fetch: async () => (await execute(process.execPath, [PROGRAM, 'gemini', '--fetch-only'], { env })).stdout,
    calls: () => fs.readFileSync(calls, 'utf8').trim().split('\n'),
    [Symbol.dispose]: () => folder[Symbol.dispose](),
  }
}

test('several processes that want a program fetch it once, at its version, without install scripts', async () => {
  using here = shop(VERSION)
  await Promise.all([here.fetch(), here.fetch(), here.fetch()])
  expect(here.calls()).toEqual([expect.stringContaining(`@google/gemini-cli@${VERSION}`)])
  expect(here.calls()[0]).toContain('--ignore-scripts')
  expect(fs.readdirSync(here.cache)).toEqual([path.basename(here.place)])
  expect(fs.realpathSync(path.join(here.place, 'bin', 'gemini'))).toContain(here.place)
})

test('one that cannot be fetched leaves nothing, and one line says so without anybody’s address', async () => {
  using here = shop(undefined)
  const said = (await here.fetch()).trim().split('\n')
  expect(said.at(-1)).toBe('test:clis: gemini: NOT TESTED, npm could not fetch it: request to <registry> failed')
  expect(fs.readdirSync(here.cache)).toEqual([])
})

test('a program of another version is not taken', async () => {
  using here = shop('0.0.1')
  expect(await here.fetch()).toContain('gemini: NOT TESTED, nothing in its package runs here')
  expect(fs.readdirSync(here.cache)).toEqual([])
})

test('what one that was killed has left is cleared away', async () => {
  using here = shop(VERSION)
  fs.mkdirSync(`${here.place}.new-abcdef`, { recursive: true })
  // A number that no process has.
  fs.writeFileSync(`${here.place}.lock`, '4194999 x')
  await here.fetch()
  expect(fs.readdirSync(here.cache)).toEqual([path.basename(here.place)])
})

test('the programs under test are installed from the packages that the engines name', () => {
  for (const [name, { package: tested }] of Object.entries(CLIS))
    expect(KNOWN_ENGINES.find(({ id }) => id === name)?.install, name).toEqual({ npm: tested })
})
