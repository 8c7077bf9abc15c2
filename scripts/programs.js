// The programs of others that tests need, found or installed, and what runs beside the tests.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import os from 'node:os'
import path from 'node:path'
import { provideChromium } from './chromium.js'
import { providePostgres } from './postgres.js'
import { ROOT } from './sources.js'

/** The environment of the tests. Ends the process with a sentence when a program is not to be had. @returns {NodeJS.ProcessEnv} */
export function withPrograms() {
  try {
    const postgres = providePostgres(line => console.log(line))
    const shown = path.relative(ROOT, postgres)
    console.log(`PostgreSQL for the tests: ${shown.startsWith('..') ? postgres : shown}`)
    return { ...process.env, TORYO_TEST_PG_BIN: postgres, TORYO_CHROMIUM: provideChromium(line => console.log(line)) }
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    return process.exit(1)
  }
}

/**
 * `npm run check` in the time that the tests spend waiting for the programs that they start. What each check says is shown at once.
 * @param {string[]} words
 * @param {NodeJS.ProcessEnv} env
 */
export function checksBeside(words, env) {
  const child = spawn(process.execPath, ['scripts/check.js', ...words], {
    cwd: ROOT,
    env,
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  if (child.pid !== undefined) os.setPriority(child.pid, os.constants.priority.PRIORITY_BELOW_NORMAL)
  const ended = once(child, 'exit')
  return async () => {
    const [status] = await ended
    const again = ['npm run check', ...(words.length > 0 ? ['--', ...words] : [])].join(' ')
    if (status !== 0)
      console.error(`\nA check failed: what it says is above, among the tests. \`${again}\` shows it again.`)
    return status === 0
  }
}
