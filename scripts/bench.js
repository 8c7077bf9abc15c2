// `npm run bench [-- name …]`: runs the benchmarks so named, or all, one after another: they must not disturb each other.
import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { ensureReady } from './ensure.js'
import { ROOT } from './sources.js'

ensureReady()
// Only now: esbuild may just have been installed.
const { bundleFile } = await import('./bundle-file.js')

const folder = path.join(ROOT, 'bench')
const all = fs.existsSync(folder)
  ? fs.readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(name => name.endsWith('.bench.ts'))
  : []
// Names come first; from the first option on, the words are the benchmark's own.
const words = process.argv.slice(2)
const firstOption = words.findIndex(word => word.startsWith('--'))
const asked = firstOption === -1 ? words : words.slice(0, firstOption)
const options = firstOption === -1 ? [] : words.slice(firstOption)
/** A folder's name stands for all in it. */
const named = (/** @type {string} */ word) => {
  const name = word.replace(/^(\.\/)?bench\//, '').replace(/(\.bench)?(\.ts)?$/, '')
  return all.filter(file => file === `${name}.bench.ts` || file.startsWith(`${name}/`))
}
const unknown = asked.filter(word => named(word).length === 0)
const names = asked.flatMap(named)
if (unknown.length > 0 || all.length === 0) {
  console.error(`No benchmark ${unknown.join(', ') || 'at all'} in bench/; there are: ${all.join(', ') || 'none'}`)
  process.exit(2)
}

for (const name of names.length > 0 ? names : all.sort()) {
  console.log(`\n# ${name}`)
  const program = await bundleFile(path.join('bench', name))
  const { status } = spawnSync(process.execPath, ['--enable-source-maps', '--expose-gc', program, ...options], {
    cwd: ROOT,
    stdio: 'inherit',
  })
  fs.rmSync(program, { force: true })
  if (status !== 0) process.exitCode = 1
}
