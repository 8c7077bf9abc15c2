// `npm run check`: everything about the code that a machine can judge without running it. The output of what passes is not shown.
// `npm run check -- lint format` has only those that are named; with `--all` the lint asks the types of every file, which costs more
// than all other checks together, and not only of those that have changed.
import { spawn } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { ensureReady } from './ensure.js'
import { ROOT } from './sources.js'
import { changedFiles } from './tiers.js'

/** @typedef {{ name: string, command: string[], env?: Record<string, string>, needs?: string[], fix?: string }} Check */

/** The slowest first, so that the others fill the time beside them. @type {Check[]} */
const CHECKS = [
  ...lint(),
  // All projects in one process. What has not changed since the last time (.cache/*.tsbuildinfo) is not checked again.
  { name: 'types', command: ['tsc', '--build', '.', 'src/contract', 'web'] },
  {
    name: 'dead code',
    command: ['knip', '--no-progress', '--cache', '--cache-location', '.cache/knip'],
    needs: ['src/hub/main.ts', 'src/cli/main.ts', 'src/bridge/main.ts'],
  },
  // Without its install script: that would build dist/ again, which others may be using.
  {
    name: 'package',
    command: ['publint', 'run', '--strict', '--pack', 'npm'],
    env: { npm_config_ignore_scripts: 'true' },
  },
  { name: 'format', command: ['biome', 'format', '.'], fix: 'npm run format' },
  { name: 'imports', command: ['scripts/check-deps.js'] },
  { name: 'duplicates', command: ['scripts/check-duplicates.js'] },
  { name: 'generated', command: ['scripts/gen.js', '--check'], needs: ['scripts/gen.js'], fix: 'npm run gen' },
]

ensureReady()
const started = Date.now()
const named = process.argv.slice(2).filter(word => !word.startsWith('--'))
const asked = CHECKS.filter(({ name }) => named.length === 0 || named.includes(name))
const waiting = [...asked]
let failures = 0
await Promise.all(Array.from({ length: Math.max(2, os.availableParallelism()) }, work))
console.log(failures === 0 ? `All checks pass (${seconds(started)})` : `${failures} of ${asked.length} checks failed`)
process.exitCode = failures === 0 ? 0 : 1

/** @returns {Check[]} */
function lint() {
  const all = { name: 'lint', command: ['oxlint', '--deny-warnings'] }
  if (process.argv.includes('--all')) return [{ ...all, command: [...all.command, '--type-aware'] }]
  const changed = changedFiles().filter(file => /\.[cm]?[jt]sx?$/.test(file))
  const withTypes = { name: 'lint with types', command: [...all.command, '--type-aware', ...changed] }
  return changed.length > 0 ? [withTypes, all] : [all]
}

async function work() {
  for (let check = waiting.shift(); check !== undefined; check = waiting.shift()) await judge(check)
}

/** @param {Check} check */
async function judge(check) {
  const missing = check.needs?.filter(file => !fs.existsSync(path.join(ROOT, file))) ?? []
  if (missing.length > 0) return console.log(`- ${check.name}: not checked while there is no ${missing.join(', ')}`)
  const began = Date.now()
  const { code, output } = await run(check)
  if (code === 0) return console.log(`✓ ${check.name} (${seconds(began)})`)
  failures += 1
  console.log(`✗ ${check.name}${check.fix ? ` (fix: ${check.fix})` : ''}\n${output.trimEnd().replace(/^/gm, '    ')}`)
}

/** @param {Check} check @returns {Promise<{ code: number, output: string }>} */
function run({ command: [program = '', ...args], env }) {
  const script = program.endsWith('.js')
  const file = script ? process.execPath : path.join(ROOT, 'node_modules', '.bin', program)
  return new Promise(resolve => {
    const child = spawn(file, script ? [program, ...args] : args, {
      cwd: ROOT,
      env: { ...process.env, ...env, ...(process.stdout.isTTY ? { FORCE_COLOR: '1' } : {}) },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', text => (output += text))
    child.on('error', error => resolve({ code: 1, output: error.message }))
    child.on('close', code => resolve({ code: code ?? 1, output }))
  })
}

/** @param {number} since */
function seconds(since) {
  return `${((Date.now() - since) / 1000).toFixed(1)} s`
}
