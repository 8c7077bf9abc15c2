// `npm test`: everything that must be true before a push. `npm test -- <name …>` runs only the tests so named.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import os from 'node:os'
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
process.exitCode = (await (names.length > 0 ? tests() : everything())) ? 0 : 1

async function everything() {
  const clis = realPrograms()
  const checks = beside()
  // A failed check does not hide a failed test.
  const tested = await tests()
  return [await clis(), await checks(), tested].every(Boolean)
}

/** The checks, in the time that the tests spend waiting for the programs that they start. What each says is shown at once. */
function beside() {
  const child = spawn(process.execPath, ['scripts/check.js'], {
    cwd: ROOT,
    env,
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  if (child.pid !== undefined) os.setPriority(child.pid, os.constants.priority.PRIORITY_BELOW_NORMAL)
  const ended = once(child, 'exit')
  return async () => {
    const [status] = await ended
    if (status !== 0)
      console.error('\nA check failed: what it says is above, among the tests. `npm run check` shows it again.')
    return status === 0
  }
}

/**
 * Two of the real agent programs; `npm run test:clis` tests them all. They are fetched and tested beside all else, since they
 * mostly wait. What was said is shown when they are waited for.
 */
function realPrograms() {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'toryo-clis-output-'))
  const file = path.join(folder, 'output')
  const output = fs.openSync(file, 'w')
  const child = spawn(process.execPath, ['scripts/test-clis.js', 'claude', 'gemini'], {
    cwd: ROOT,
    env,
    stdio: ['ignore', output, output],
  })
  fs.closeSync(output)
  const ended = once(child, 'exit')
  return async () => {
    const [status] = await ended
    process.stdout.write(fs.readFileSync(file))
    fs.rmSync(folder, { recursive: true, force: true })
    return status === 0
  }
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
