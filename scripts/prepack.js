// npm runs this before it packs or publishes: a package holds one clean build and nothing older.
import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { ensureInstalled } from './ensure.js'
import { ROOT } from './sources.js'

// Not built yet: that follows, clean and once.
ensureInstalled()
// To stderr: `npm pack --json` keeps stdout for itself.
const { status } = spawnSync(process.execPath, [path.join(ROOT, 'scripts', 'build.js'), '--clean'], {
  cwd: ROOT,
  stdio: ['ignore', 2, 2],
})
process.exitCode = status ?? 1
