// `npm run test:fast`: all tests that need neither a process nor PostgreSQL, in under a minute. `npm run test:fast -- <name …>`
// runs only the files so named.
import { ensureReady } from './ensure.js'
import { runTests } from './run-tests.js'

ensureReady()
const env = { ...process.env, TORYO_TEST_TIER: 'fast', TORYO_TEST_ONCE: '1' }
process.exitCode = (await runTests(process.argv.slice(2), { env })) ? 0 : 1
