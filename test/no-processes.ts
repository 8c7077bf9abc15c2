// Loaded before every test file that is not named `*.slow.test.ts`. Starting a process there is refused, and the test fails even
// when the code under test handles the refusal.
import childProcess from 'node:child_process'
import { syncBuiltinESMExports } from 'node:module'
import { afterEach } from 'vitest'

const refused: string[] = []

const ways = ['exec', 'execFile', 'execFileSync', 'execSync', 'fork', 'spawn', 'spawnSync'].map(way => {
  const refuse = (program: unknown) => {
    const sentence = `${way}(${String(program)}): only a file named *.slow.test.ts may start a process.`
    refused.push(sentence)
    throw new Error(sentence)
  }
  return [way, refuse]
})
Object.assign(childProcess, Object.fromEntries(ways))
syncBuiltinESMExports()

afterEach(() => {
  if (refused.length > 0) throw new Error(refused.splice(0).join('\n'))
})
