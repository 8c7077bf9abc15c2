// `npm run test:clis`: the tests with the real agent programs. Fetches all of them, or those named, then runs the tests where no
// other network than the machine's own can be reached. `npm run test:clis -- claude terminal` runs one file for one program.
import { spawnSync } from 'node:child_process'
import { CLIS, provideCli } from './clis.js'
import { ensureReady } from './ensure.js'
import { runTests } from './run-tests.js'

const words = process.argv.slice(2)
const fetchOnly = words.includes('--fetch-only')
const named = words.filter(word => word in CLIS)
const rest = words.filter(word => !(word in CLIS) && word !== '--fetch-only')
const names = named.length > 0 ? named : Object.keys(CLIS)

const problems = /** @type {Record<string, string>} */ ({})
for (const name of names) await provideCli(name, say).catch(error => (problems[name] = error.message))
tellProblems()
if (!fetchOnly) {
  await run()
  // Once more, below the long output.
  tellProblems()
}

function tellProblems() {
  for (const [name, problem] of Object.entries(problems)) say(`${name}: NOT TESTED, ${problem}`)
}

async function run() {
  ensureReady()
  const before = namespace()
  const env = { ...process.env, TORYO_TEST_CLIS: names.join(','), TORYO_TEST_CLI_PROBLEMS: JSON.stringify(problems) }
  const passed = await runTests(['--config=test/clis/vitest.config.ts', ...rest], { env, before })
  process.exitCode = passed ? 0 : 1
}

/** What to put in front of a command so that it reaches loopback alone; nothing where the system does not allow it. */
function namespace() {
  const up = ['sh', '-c', 'PATH="$PATH:/usr/sbin:/sbin"; ip link set lo up && exec "$@"', 'sh']
  const user = process.getuid?.() === 0 ? [] : ['--user', '--map-current-user', '--keep-caps']
  const words = ['unshare', ...user, '--net', ...up]
  const [program = '', ...args] = words
  // It must also be able to talk to itself.
  const trial =
    "const s=require('net').createServer().listen(0,'127.0.0.1',()=>require('net').connect(s.address().port,'127.0.0.1',()=>process.exit(0)))"
  const told = spawnSync(program, [...args, process.execPath, '-e', trial], { encoding: 'utf8', timeout: 60_000 })
  if (told.status === 0) {
    say('The programs run in a network of their own that ends at this machine.')
    return words
  }
  const reason = told.error?.message ?? told.stderr.trim().split('\n')[0]
  say(`No network of their own here (${reason}): only their environment keeps the programs on this machine.`)
  return []
}

/** @param {string} line */
function say(line) {
  console.log(`test:clis: ${line}`)
}
