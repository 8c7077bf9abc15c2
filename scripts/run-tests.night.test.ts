// The second try of a failed test file, with real vitest in a small tree of its own.
import { spawnSync } from 'node:child_process'
import {
  appendFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { optionsAlone, troubleWith } from './run-tests.js'

let root: string

beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), 'toryo-run-tests-'))
  for (const name of ['scripts', 'package.json']) cpSync(name, path.join(root, name), { recursive: true })
  symlinkSync(path.resolve('node_modules'), path.join(root, 'node_modules'))
  // One thread for all its files: who runs them makes no difference to what is tried again.
  write(
    'vitest.config.ts',
    "export default { test: { include: ['*.test.ts'], pool: 'threads', maxWorkers: 1, isolate: false } }",
  )
  write(
    'go.js',
    "import { runTests } from './scripts/run-tests.js'\nprocess.exitCode = (await runTests(process.argv.slice(2), { env: process.env })) ? 0 : 1",
  )
  passing('good')
})

afterEach(() => {
  rmSync(root, { recursive: true })
})

test('a file that fails among the others and passes alone is named, and is no failure', () => {
  unlucky('unlucky')
  // The second try has the same options: without the pattern, it would run this one, too.
  appended('unlucky', "test('fails, but is not asked for', () => expect(1).toBe(2))")
  const { status, output } = go({}, '-t', 'passes')
  expect(output).toContain('Once more, alone: unlucky.test.ts')
  expect(output).toContain('FLAKY, passed only alone: unlucky.test.ts')
  expect(status).toBe(0)
})

test('a file that fails alone too is a failure', () => {
  unlucky('unlucky')
  failing('bad')
  const { status, output } = go()
  expect(output).toMatch(/Once more, alone: (bad\.test\.ts, unlucky|unlucky\.test\.ts, bad)\.test\.ts/)
  expect(output).not.toContain('FLAKY')
  expect(status).toBe(1)
})

test('there is no second try for six files, nor where none is wanted', () => {
  unlucky('unlucky')
  const once = go({ TORYO_TEST_ONCE: '1' })
  expect(once.output).not.toContain('Once more')
  expect(once.status).toBe(1)
  for (let n = 0; n < 6; n++) failing(`bad-${n}`)
  const many = go()
  expect(many.output).not.toContain('Once more')
  expect(many.status).toBe(1)
})

test('there is no second try for what fails outside of any test', () => {
  write('loose.test.ts', `${IMPORT}\ntest('leaves a rejection', () => void Promise.reject(new Error('loose')))`)
  unlucky('unlucky')
  const { status, output } = go()
  expect(output).not.toContain('Once more')
  expect(status).toBe(1)
})

test('a run whose folder is gone ends at once, with a sentence and no second try', () => {
  write('gone.test.ts', waiting("fs.rmSync(process.env.TMPDIR ?? '', { recursive: true })"))
  const { status, output } = go()
  expect(output).toMatch(/The tests were ended: their folder \S+ is gone/)
  expect(output).not.toContain('Once more')
  expect(status).toBe(1)
})

test('so does a run that has filled the disk', () => {
  const disk = path.join(root, 'disk')
  mkdirSync(disk)
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=80m', 'tmpfs', disk]).status !== 0) {
    console.warn('NOT TESTED HERE: a disk of a few megabytes needs the right to mount one')
    return
  }
  try {
    write('full.test.ts', waiting("fs.writeFileSync(process.env.TMPDIR + '/all', Buffer.alloc(20 * 2 ** 20))"))
    const { status, output } = go({ TMPDIR: disk })
    expect(output).toMatch(/The tests were ended: less than 64 MB are free where \S+ is\./)
    expect(status).toBe(1)
  } finally {
    spawnSync('umount', [disk])
  }
})

test('there is nothing wrong with a folder that is there and has room', () => {
  expect(troubleWith(root)).toBeUndefined()
})

test('after twenty failed files no more are run', () => {
  for (let n = 0; n < 30; n++) failing(`bad-${n}`)
  const { status, output } = go()
  expect(output).toContain('20 files have failed: no more are run.')
  expect(output).toMatch(/Test Files .*\b2\d failed.*\(31\)/)
  expect(status).toBe(1)
})

test('UPDATE=1 accepts what has changed, in the files that are named', () => {
  const shows = (text: string) =>
    write('shown.test.ts', `${IMPORT}\ntest('shows', () => expect('${text}').toMatchSnapshot())`)
  const kept = () => readFileSync(path.join(root, '__snapshots__', 'shown.test.ts.snap'), 'utf8')
  shows('before')
  expect(go({}, 'shown').status).toBe(0)
  shows('after')
  expect(go({}, 'shown').status).toBe(1)
  expect(kept()).toContain('before')
  expect(go({ UPDATE: '1' }, 'shown').status).toBe(0)
  expect(kept()).toContain('after')
})

const IMPORT = "import { expect, test } from 'vitest'\nimport fs from 'node:fs'"

function passing(name: string): void {
  write(`${name}.test.ts`, `${IMPORT}\ntest('passes', () => {})`)
}

function failing(name: string): void {
  write(`${name}.test.ts`, `${IMPORT}\ntest('fails', () => expect(1).toBe(2))`)
}

/** Does something and never ends: the run is to be ended from outside, long before the limit. */
function waiting(does: string): string {
  const limit = 'timeout: 600_000' // Longer than any run: a limit that is reached would look like the end that is wanted.
  return `${IMPORT}\ntest('waits', { ${limit} }, () => new Promise(() => ${does}))`
}

/** Fails the first time only. */
function unlucky(name: string): void {
  write(
    `${name}.test.ts`,
    `${IMPORT}
    test('passes the second time', () => {
      const before = fs.existsSync('seen')
      fs.writeFileSync('seen', '')
      expect(before).toBe(true)
    })`,
  )
}

function appended(name: string, text: string): void {
  appendFileSync(path.join(root, `${name}.test.ts`), `\n${text}`)
}

function go(more: Record<string, string> = {}, ...names: string[]): { status: number | null; output: string } {
  const { PATH = '' } = process.env
  const options = { cwd: root, encoding: 'utf8', env: { PATH, HOME: root, NO_COLOR: '1', ...more } } as const
  const { status, stdout, stderr } = spawnSync(process.execPath, ['go.js', ...names], options)
  return { status, output: stdout + stderr }
}

function write(name: string, text: string): void {
  writeFileSync(path.join(root, name), text)
}

test.each([
  ['names of files are left out', ['cart', '--bail=1', 'pay'], ['--bail=1']],
  ['a value of its own word stays', ['-t', 'adds a cart', 'cart'], ['-t', 'adds a cart']],
  ['a value that is also a name stays', ['-t', 'cart', 'cart'], ['-t', 'cart']],
  ['of each option', ['--project', 'fast', '--bail', '1', 'cart'], ['--project', 'fast', '--bail', '1']],
  ['an option that takes no value has none', ['--coverage', 'cart'], ['--coverage']],
  ['a value behind a sign of equality is complete', ['-t=adds', 'cart'], ['-t=adds']],
])('the second try keeps the options of the first: %s', async (_, given, kept) => {
  expect(await optionsAlone(given)).toEqual(kept)
})
