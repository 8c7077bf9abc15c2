// `npm test`: the checks, and the tests that run by day, in five minutes. `npm test -- <name …>` runs only the test files so named,
// in full. `npm run test:night` has what is left.
import { ensureReady } from './ensure.js'
import { checksBeside, withPrograms } from './programs.js'
import { runTests } from './run-tests.js'
import { slowByDay } from './tiers.js'

ensureReady()
const names = process.argv.slice(2)
const env = withPrograms()
process.exitCode = (await (names.length > 0 ? runTests(names, { env }) : byDay())) ? 0 : 1

async function byDay() {
  const { files, left } = slowByDay()
  for (const sentence of left) console.log(sentence)
  const checks = checksBeside([], env)
  // A failed check does not hide a failed test.
  const tested = await runTests([], { env: { ...env, TORYO_TEST_TIER: 'day', TORYO_TEST_SLOW: JSON.stringify(files) } })
  return [await checks(), tested].every(Boolean)
}
