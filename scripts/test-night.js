// `npm run test:night`: what `npm test` leaves out. All slow files, the matrices, both databases in full, two of the real agent
// programs (`npm run test:clis` has them all), and the lint with types over everything.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { ensureReady } from './ensure.js'
import { checksBeside, withPrograms } from './programs.js'
import { runTests } from './run-tests.js'
import { ROOT } from './sources.js'

ensureReady()
const env = withPrograms()
const clis = realPrograms()
const lint = checksBeside(['lint', '--all'], env)
const tested = await runTests(process.argv.slice(2), { env: { ...env, TORYO_TEST_TIER: 'night' } })
process.exitCode = [await clis(), await lint(), tested].every(Boolean) ? 0 : 1

/**
 * They are fetched and tested beside all else, since they mostly wait. What was said is shown when they are waited for.
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
