// What a person reads while a fresh clone makes itself ready.
import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'

const root = path.resolve(import.meta.dirname, '..')

/** A clone with a lock file of two packages, and an npm that only makes the folder. */
function clone(): { folder: string; ensure: () => { status: number | null; stderr: string; stdout: string } } {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'toryo-ensure-'))
  for (const file of ['scripts/ensure.js', 'scripts/sources.js', 'bin/node-version.cjs', 'package.json']) {
    fs.mkdirSync(path.dirname(path.join(folder, file)), { recursive: true })
    fs.copyFileSync(path.join(root, file), path.join(folder, file))
  }
  const packages = { '': {}, 'node_modules/a': { version: '1.0.0' }, 'node_modules/b': { version: '1.0.0' } }
  fs.writeFileSync(path.join(folder, 'package-lock.json'), JSON.stringify({ packages }))
  const npm = path.join(folder, 'npm-cli.js')
  fs.writeFileSync(
    npm,
    "import fs from 'node:fs'\nfs.mkdirSync('node_modules', { recursive: true })\nconsole.error(process.argv.slice(2).join(' '))\n",
  )
  fs.writeFileSync(
    path.join(folder, 'try.mjs'),
    "const { ensureInstalled } = await import('./scripts/ensure.js'); ensureInstalled()",
  )
  const env = { PATH: process.env['PATH'] ?? '', npm_execpath: npm }
  return {
    folder,
    ensure: () => spawnSync(process.execPath, ['try.mjs'], { cwd: folder, env, encoding: 'utf8' }),
  }
}

test('a fresh clone says what is installed, how long that takes, and that no install script is run', () => {
  const { folder, ensure } = clone()
  try {
    const first = ensure()
    expect(first).toMatchObject({ status: 0, stdout: '' })
    expect(first.stderr).toMatch(/^First run: npm installs up to 2 packages into node_modules \(.+\)\.$/m)
    expect(first.stderr).toMatch(
      /^That takes about half a minute and prints nothing meanwhile\. No install script is run/m,
    )
    expect(first.stderr).toContain('ci --include=dev --include=optional --ignore-scripts')
    // What is there is not said again.
    expect(ensure()).toMatchObject({ status: 0, stdout: '', stderr: '' })
    fs.appendFileSync(path.join(folder, 'package-lock.json'), '\n')
    fs.rmSync(path.join(folder, 'node_modules', '.toryo-lock'))
    expect(ensure().stderr).toMatch(/^The dependencies have changed: npm installs up to 2 packages/m)
  } finally {
    fs.rmSync(folder, { recursive: true, force: true })
  }
})
