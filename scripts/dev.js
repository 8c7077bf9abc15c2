// `npm run dev`: the hub in the foreground, built and started again whenever a source changes.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import path from 'node:path'
import { ensureReady } from './ensure.js'
import { ROOT, sourceHash } from './sources.js'

/** Editors write a file in several steps, and a checkout writes many files. */
const SETTLE_MS = 150

/** @type {import('node:child_process').ChildProcess | undefined} */
let hub
let stopping = false
/** @type {NodeJS.Timeout | undefined} */
let timer
/** @type {import('node:fs').FSWatcher[]} */
let watchers = []
/** One rebuild at a time. */
let work = Promise.resolve()

ensureReady()
let built = sourceHash()
start()
watch()

for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
  process.on(signal, () => {
    if (hub === undefined) process.exit(0)
    // npm passes on the Ctrl-C that the terminal sent to us already; the hub is to hear of it once.
    if (!stopping) hub.kill('SIGTERM')
    stopping = true
  })
}

/**
 * Each folder on its own: on Linux, Node 20 loses sight of a file that an editor replaces when it watches recursively. And
 * all again after each change: a folder may have been replaced too. What happens in between is seen by the hash.
 */
function watch() {
  for (const watcher of watchers) watcher.close()
  const folders = ['src', 'web', 'bin'].flatMap(name => foldersIn(path.join(ROOT, name)))
  watchers = folders.map(folder => fs.watch(folder, settle))
}

function settle() {
  clearTimeout(timer)
  timer = setTimeout(() => {
    watch()
    work = work.then(rebuild)
  }, SETTLE_MS)
}

/** @param {string} folder @returns {string[]} */
function foldersIn(folder) {
  const entries = fs.readdirSync(folder, { withFileTypes: true })
  const below = entries.filter(entry => entry.isDirectory() && !['node_modules', 'dist'].includes(entry.name))
  return [folder, ...below.flatMap(entry => foldersIn(path.join(folder, entry.name)))]
}

async function rebuild() {
  const hash = sourceHash()
  if (hash === built || stopping) return
  built = hash
  const { status } = spawnSync(process.execPath, [path.join(ROOT, 'scripts', 'build.js')], {
    cwd: ROOT,
    stdio: 'inherit',
  })
  if (status !== 0) return console.error('dev: the build failed; the hub that runs is the one from before')
  if (hub !== undefined) {
    const old = hub.removeAllListeners('exit')
    hub = undefined
    old.kill('SIGTERM')
    await once(old, 'exit')
  }
  if (!stopping) start()
}

function start() {
  const args = [path.join(ROOT, 'bin', 'toryo.js'), 'up', '--no-open', '--no-register', ...process.argv.slice(2)]
  // A group of its own: Ctrl-C reaches the hub through us alone.
  hub = spawn(process.execPath, args, { stdio: ['ignore', 'inherit', 'inherit'], detached: true })
  hub.on('exit', (code, signal) => {
    hub = undefined
    if (stopping) process.exit(code ?? 1)
    if (code !== 0) console.error(`dev: the hub ended (${signal ?? code}); it starts again when you save a file`)
  })
}
