// Runs vitest, and what failed once more, alone: on a crowded machine a real process can be starved beyond any patience. What
// passes only then is named at the end, because it is a fault to fix all the same. `TORYO_TEST_ONCE=1` allows no second try.
import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { inMemory } from './in-memory.js'
import { closeInherited } from './inherited.js'
import { ROOT } from './sources.js'

/** More than this is no bad luck. */
const MOST_AGAIN = 5

/**
 * For glibc: one arena, and what is freed goes back to the system. A worker holds 200 MB then, not 320 (each hash of a passkey
 * leaves 16 MB behind in one of the arenas), and starting a process, which copies the worker's page tables, takes half as long.
 */
const MALLOC = { MALLOC_ARENA_MAX: '1', MALLOC_MMAP_THRESHOLD_: '131072', MALLOC_TRIM_THRESHOLD_: '131072' }

/**
 * @param {string[]} options for vitest
 * @param {{ env: NodeJS.ProcessEnv, before?: string[] }} how `before`: the words in front of the command
 * @returns {Promise<boolean>} whether all passed, at last
 */
export async function runTests(options, { env, before = [] }) {
  closeInherited()
  // A short name: a socket's path has at most 107 bytes.
  const folder = fs.mkdtempSync(path.join(inMemory() ?? os.tmpdir(), 'toryo-'))
  // As the system's own: tests of several users start programs as another one.
  fs.chmodSync(folder, 0o755)
  try {
    const first = vitest(options, { env, before, report: path.join(folder, 'first') })
    if (first.passed) return true
    if (env['TORYO_TEST_ONCE'] || first.failed.length === 0 || first.failed.length > MOST_AGAIN) return false
    console.log(`\nOnce more, alone: ${first.failed.join(', ')}\n`)
    const alone = [...(await optionsAlone(options)), '--maxWorkers=1', ...first.failed]
    const second = vitest(alone, { env, before, report: path.join(folder, 'second') })
    if (second.passed) console.log(`\nFLAKY, passed only alone: ${first.failed.join(', ')}\n`)
    return second.passed
  } finally {
    fs.rmSync(folder, { recursive: true, force: true })
  }
}

/**
 * Without the names of files: an option that takes a value keeps the word behind it. Vitest itself says which one does.
 * @param {string[]} options
 * @returns {Promise<string[]>}
 */
export async function optionsAlone(options) {
  // Not at the top: what is not installed yet is installed before this is called.
  const { parseCLI } = await import('vitest/node')
  /** @param {string[]} words */
  const areOptions = words => parseCLI(['vitest', 'run', ...words], { allowUnknownOptions: true }).filter.length === 0
  return options.filter((word, at) => {
    if (word.startsWith('-')) return true
    const before = options[at - 1]
    return before?.startsWith('-') && areOptions([before, word])
  })
}

/**
 * @param {string[]} options
 * @param {{ env: NodeJS.ProcessEnv, before: string[], report: string }} how
 */
function vitest(options, { env, before, report }) {
  const reporters = ['--reporter=default', '--reporter=./scripts/failed-files.js']
  // With its value: a bare `--update` would take the name behind it for one.
  const update = env['UPDATE'] ? ['--update=all'] : []
  const vitest = [process.execPath, 'node_modules/vitest/vitest.mjs', 'run', ...reporters, ...update]
  const words = [...before, ...vitest, ...options]
  const [program = '', ...args] = words
  const { status } = spawnSync(program, args, {
    cwd: ROOT,
    // What tests write is gone with them: no need to wait for a disk.
    env: { ...MALLOC, ...env, TMPDIR: path.dirname(report), TORYO_TEST_REPORT: report },
    stdio: 'inherit',
  })
  return { passed: status === 0, failed: failedFiles(report) }
}

/**
 * None when vitest did not report any: it was ended, or something failed outside of any test.
 * @param {string} report
 * @returns {string[]}
 */
function failedFiles(report) {
  return fs.existsSync(report) ? JSON.parse(fs.readFileSync(report, 'utf8')) : []
}
