// Runs vitest, and what failed once more, alone: on a crowded machine a real process can be starved beyond any patience. What
// passes only then is named at the end, because it is a fault to fix all the same. `TORYO_TEST_ONCE=1` allows no second try.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { inMemory } from './in-memory.js'
import { closeInherited } from './inherited.js'
import { ROOT } from './sources.js'

/** More than this is no bad luck. */
const MOST_AGAIN = 5

/** With less than this nothing that a test writes can be relied on, and what fails says nothing about the code. */
const LEAST_ROOM_BYTES = 64 * 1024 ** 2
const LOOK_MS = 1_000

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
  // A short name: a socket's path has at most 107 bytes. Where TMPDIR says, if anywhere.
  const folder = fs.mkdtempSync(path.join((env['TMPDIR'] ? undefined : inMemory()) ?? os.tmpdir(), 'toryo-'))
  // As the system's own: tests of several users start programs as another one.
  fs.chmodSync(folder, 0o755)
  try {
    const first = await vitest(options, { env, before, report: path.join(folder, 'first') })
    if (first.passed) return true
    if (first.broken) return false
    if (env['TORYO_TEST_ONCE'] || first.failed.length === 0 || first.failed.length > MOST_AGAIN) return false
    console.log(`\nOnce more, alone: ${first.failed.join(', ')}\n`)
    const alone = [...(await optionsAlone(options)), '--maxWorkers=1', ...first.failed]
    const second = await vitest(alone, { env, before, report: path.join(folder, 'second') })
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
async function vitest(options, { env, before, report }) {
  const reporters = ['--reporter=default', '--reporter=./scripts/failed-files.js']
  // With its value: a bare `--update` would take the name behind it for one.
  const update = env['UPDATE'] ? ['--update=all'] : []
  const vitest = [process.execPath, 'node_modules/vitest/vitest.mjs', 'run', ...reporters, ...update]
  const words = [...before, ...vitest, ...options]
  const [program = '', ...args] = words
  const folder = path.dirname(report)
  const child = spawn(program, args, {
    cwd: ROOT,
    // What tests write is gone with them: no need to wait for a disk.
    env: { ...MALLOC, ...env, TMPDIR: folder, TORYO_TEST_REPORT: report },
    stdio: 'inherit',
  })
  let broken = false
  const watch = setInterval(() => {
    const trouble = troubleWith(folder)
    if (trouble === undefined || broken) return
    broken = true
    console.error(`\nThe tests were ended: ${trouble}\n`)
    child.kill('SIGKILL')
  }, LOOK_MS)
  const [status] = await once(child, 'exit')
  clearInterval(watch)
  return { passed: status === 0 && !broken, broken, failed: failedFiles(report) }
}

/** Why nothing that runs in the folder can be believed. @param {string} folder @returns {string | undefined} */
export function troubleWith(folder) {
  try {
    const { bavail, bsize } = fs.statfsSync(folder)
    if (bavail * bsize >= LEAST_ROOM_BYTES) return undefined
    return `less than ${LEAST_ROOM_BYTES / 1024 ** 2} MB are free where ${folder} is. Free some, or name another folder in TMPDIR.`
  } catch (error) {
    return `their folder ${folder} is gone (${error instanceof Error ? error.message : String(error)}). Start them again.`
  }
}

/**
 * None when vitest did not report any: it was ended, or something failed outside of any test.
 * @param {string} report
 * @returns {string[]}
 */
function failedFiles(report) {
  return fs.existsSync(report) ? JSON.parse(fs.readFileSync(report, 'utf8')) : []
}
