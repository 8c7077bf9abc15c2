// Makes a clone ready to run: its dependencies installed, its programs built. Imports nothing from npm, since on a fresh clone
// there is nothing yet, and costs some milliseconds when all is there.
import '../bin/node-version.cjs'
import { spawnSync } from 'node:child_process'
import crypto from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { ROOT, STAMP, sourceHash } from './sources.js'

const MODULES = path.join(ROOT, 'node_modules')
/** Holds the hash of the lock file that node_modules was installed from. */
const MARK = path.join(MODULES, '.toryo-lock')

/** Ends the process with a sentence when something is missing and cannot be made. */
export function ensureReady() {
  ensureInstalled()
  ensureBuilt()
}

export function ensureInstalled() {
  const text = fs.readFileSync(path.join(ROOT, 'package-lock.json'))
  const hash = crypto.createHash('sha256').update(text).digest('hex')
  if (read(MARK) === hash) return
  const lock = JSON.parse(text.toString())
  if (!installedFrom(lock)) install(lock)
  fs.writeFileSync(MARK, hash)
}

function ensureBuilt() {
  if (builtFrom() === sourceHash()) return
  say('Building …')
  run(process.execPath, [path.join(ROOT, 'scripts', 'build.js')], 'The build failed; the errors are above.')
}

/** Whether a person ran `npm ci`: npm keeps its own note of what it put there. @param {Lock} lock */
function installedFrom(lock) {
  const note = read(path.join(MODULES, '.package-lock.json'))
  if (note === undefined) return false
  const installed = /** @type {Lock} */ (JSON.parse(note)).packages
  const wanted = Object.entries(lock.packages).filter(
    ([where, about]) => where.includes('node_modules/') && !about.link,
  )
  return wanted.every(([where, about]) => {
    const found = installed[where]
    if (found === undefined) return about.optional === true || about.devOptional === true || about.peer === true
    return found.version === about.version && found.integrity === about.integrity
  })
}

/** @typedef {{ version?: string, integrity?: string, link?: boolean, optional?: boolean, devOptional?: boolean, peer?: boolean }} Package */
/** @typedef {{ packages: Record<string, Package> }} Lock */

/** @param {Lock} lock */
function install(lock) {
  if (fs.lstatSync(MODULES, { throwIfNoEntry: false })?.isSymbolicLink()) {
    // npm would empty the folder behind the link, which is not ours.
    fail(`node_modules is a link to ${fs.realpathSync(MODULES)}, which was installed from another package-lock.json.`)
  }
  const count = Object.keys(lock.packages).filter(where => where.includes('node_modules/')).length
  const why = fs.existsSync(MODULES) ? 'The dependencies have changed' : 'First run'
  say(
    `${why}: npm installs up to ${count} packages into node_modules (libraries, the TypeScript compiler, test tools).`,
  )
  say('That takes about half a minute and prints nothing meanwhile. No install script is run; none is needed.')
  // The tools are wanted whatever NODE_ENV says, and none of them needs its install script.
  const args = ['ci', '--include=dev', '--include=optional', '--ignore-scripts', '--no-audit', '--no-fund']
  // The npm that runs us, when one does: the first npm on PATH may belong to another Node.
  const npm = process.env['npm_execpath']
  const failure = 'npm could not install the dependencies; its reason is above.'
  if (npm?.endsWith('npm-cli.js')) run(process.execPath, [npm, ...args], failure)
  else run(process.platform === 'win32' ? 'npm.cmd' : 'npm', args, failure)
}

function builtFrom() {
  try {
    return JSON.parse(read(STAMP) ?? '{}').hash
  } catch {
    // Cut short: build again.
    return undefined
  }
}

/** Its progress goes to stderr, so that stdout stays the program's own. @param {string} command @param {string[]} args @param {string} failure */
function run(command, args, failure) {
  const { status, error } = spawnSync(command, args, {
    cwd: ROOT,
    stdio: ['ignore', 2, 2],
    shell: command.endsWith('.cmd'),
  })
  if (error) fail(`${command} could not be started: ${error.message}`)
  if (status !== 0) fail(failure)
}

/** @param {string} line */
function say(line) {
  process.stderr.write(`${line}\n`)
}

/** @param {string} sentence @returns {never} */
function fail(sentence) {
  say(sentence)
  process.exit(1)
}

/** @param {string} file */
function read(file) {
  try {
    return fs.readFileSync(file, 'utf8')
  } catch {
    // Not there is an answer too.
    return undefined
  }
}
