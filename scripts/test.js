// `npm test`: everything that must be true before a push. `npm test -- <name …>` runs only the tests so named.
import { spawn, spawnSync } from 'node:child_process'
import path from 'node:path'
import { provideChromium } from './chromium.js'
import { ensureReady } from './ensure.js'
import { providePostgres } from './postgres.js'
import { runTests } from './run-tests.js'
import { ROOT } from './sources.js'

ensureReady()
const names = process.argv.slice(2)
const env = { ...process.env, TORYO_TEST_PG_BIN: postgres(), TORYO_CHROMIUM: chromium() }
const tests = () => runTests(names, { env })
/** Two of the real agent programs; `npm run test:clis` tests them all. They are fetched while the others are tested. */
const clis = ['scripts/test-clis.js', 'claude', 'gemini']
if (names.length === 0) spawn(process.execPath, [...clis, '--fetch-only'], { cwd: ROOT, stdio: 'ignore' }).unref()
const steps = names.length > 0 ? [tests] : [() => run(['scripts/check.js']), tests, () => run(clis)]
// A failed check does not hide a failed test.
const failed = steps.filter(step => !step())
process.exitCode = failed.length > 0 ? 1 : 0

/** @param {string[]} step */
function run(step) {
  return spawnSync(process.execPath, step, { cwd: ROOT, env, stdio: 'inherit' }).status === 0
}

function chromium() {
  try {
    return provideChromium(line => console.log(line))
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    return process.exit(1)
  }
}

function postgres() {
  try {
    const bin = providePostgres(line => console.log(line))
    console.log(
      `PostgreSQL for the tests: ${path.relative(ROOT, bin).startsWith('..') ? bin : path.relative(ROOT, bin)}`,
    )
    return bin
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    return process.exit(1)
  }
}
