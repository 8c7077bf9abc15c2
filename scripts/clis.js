// Fetches the real agent programs for the tests, each at one fixed version, into a cache folder. Knows nothing of tests.
import { spawn, spawnSync } from 'node:child_process'
import crypto from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { ROOT } from './sources.js'

/**
 * `programs`: where the program itself may lie after an install without scripts, the best first. Some packages bring it in a
 * part of their own for each platform, and only their install script would put it in its place.
 * @typedef {{ package: string, version: string, megabytes: number, programs: string[] }} Cli
 */

const PLATFORM = `${process.platform}-${process.arch}`

/** @type {Record<string, Cli>} */
export const CLIS = {
  claude: {
    package: '@anthropic-ai/claude-code',
    version: '2.1.325',
    megabytes: 350,
    programs: ['', '-musl'].map(kind => `@anthropic-ai/claude-code-${PLATFORM}${kind}/claude`),
  },
  codex: { package: '@openai/codex', version: '0.166.0', megabytes: 436, programs: ['.bin/codex'] },
  gemini: { package: '@google/gemini-cli', version: '0.61.0', megabytes: 100, programs: ['.bin/gemini'] },
  opencode: {
    package: 'opencode-ai',
    version: '1.18.33',
    megabytes: 354,
    programs: ['', '-baseline', '-musl', '-baseline-musl'].map(kind => `opencode-${PLATFORM}${kind}/bin/opencode`),
  },
}

/** The longest wait for the network. */
const LONGEST_MS = 4 * 60_000
const TELL_MS = 10_000

/** Where they are kept; TORYO_TEST_CACHE names another place, which several clones may share. */
export function cacheFolder() {
  return path.join(process.env['TORYO_TEST_CACHE'] || path.join(ROOT, '.cache'), 'clis')
}

/**
 * The folder to put in front of PATH, once it is there. Undefined: not fetched yet.
 * @param {string} name
 */
export function findCli(name) {
  const bin = path.join(placeOf(name), 'bin')
  return fs.existsSync(path.join(bin, name)) ? bin : undefined
}

/**
 * Fetches it unless it is there. Answers the folder for PATH, or throws with one sentence that says why not.
 * @param {string} name
 * @param {(line: string) => void} [say]
 * @returns {Promise<string>}
 */
export async function provideCli(name, say = () => {}) {
  const found = findCli(name)
  if (found !== undefined) return found
  if (process.platform === 'win32') throw new Error('these tests are not made for Windows')
  fs.mkdirSync(cacheFolder(), { recursive: true })
  const release = await lock(`${placeOf(name)}.lock`, () => say(`${name}: another process is fetching it; waiting …`))
  try {
    return findCli(name) ?? (await fetchCli(name, say))
  } finally {
    release()
  }
}

/** @param {string} name */
function placeOf(name) {
  return path.join(cacheFolder(), `${name}@${cli(name).version}-${PLATFORM}`)
}

/** @param {string} name */
function cli(name) {
  const found = CLIS[name]
  if (!found) throw new Error(`${name} is none of ${Object.keys(CLIS).join(', ')}`)
  return found
}

/** @param {string} name @param {(line: string) => void} say */
async function fetchCli(name, say) {
  const { megabytes } = cli(name)
  const { bavail, bsize } = fs.statfsSync(cacheFolder())
  const free = Math.floor((bavail * bsize) / 1e6)
  // npm keeps the packed form, too.
  if (free < megabytes * 2) throw new Error(`it needs ${megabytes * 2} MB on disk and ${free} MB are free`)

  const place = placeOf(name)
  for (const left of fs.readdirSync(cacheFolder()).filter(entry => entry.startsWith(`${path.basename(place)}.new`)))
    fs.rmSync(path.join(cacheFolder(), left), { recursive: true, force: true })
  const draft = fs.mkdtempSync(`${place}.new-`)
  try {
    const began = Date.now()
    say(`${name}: fetching ${cli(name).package}@${cli(name).version} (${megabytes} MB) …`)
    await install(name, draft, say)
    choose(name, draft)
    fs.rmSync(place, { recursive: true, force: true })
    fs.renameSync(draft, place)
    say(`${name}: fetched in ${Math.round((Date.now() - began) / 1000)} s`)
    return path.join(place, 'bin')
  } finally {
    fs.rmSync(draft, { recursive: true, force: true })
  }
}

/** @param {string} name @param {string} folder @param {(line: string) => void} say */
async function install(name, folder, say) {
  fs.writeFileSync(path.join(folder, 'package.json'), '{ "private": true }\n')
  const flags = [
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--no-package-lock',
    '--loglevel=error',
    '--fetch-retries=1',
  ]
  const words = ['install', ...flags, `${cli(name).package}@${cli(name).version}`]
  // The npm that runs us, when one does: the first npm on PATH may belong to another Node.
  const own = process.env['npm_execpath']
  const [program, args] = own?.endsWith('npm-cli.js') ? [process.execPath, [own, ...words]] : ['npm', words]
  const child = spawn(program, args, { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] })
  let complaint = ''
  child.stderr.setEncoding('utf8').on('data', text => (complaint = (complaint + text).slice(-4000)))
  const ended = new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', code => resolve(code))
  })
  const progress = setInterval(() => say(`${name}: … ${megabytesIn(folder)} MB`), TELL_MS)
  let late = false
  const limit = setTimeout(() => {
    late = true
    child.kill('SIGKILL')
  }, LONGEST_MS)
  try {
    const code = await ended
    if (late) throw new Error(`npm had not fetched it after ${LONGEST_MS / 60_000} minutes`)
    if (code !== 0) throw new Error(`npm could not fetch it: ${firstComplaint(complaint)}`)
  } finally {
    clearInterval(progress)
    clearTimeout(limit)
  }
}

/** Links the first program that runs here, and is of that version, as `bin/<name>`. @param {string} name @param {string} folder */
function choose(name, folder) {
  const { version, programs } = cli(name)
  const home = fs.mkdtempSync(path.join(os.tmpdir(), 'toryo-version-'))
  try {
    for (const program of programs.map(place => path.join(folder, 'node_modules', place))) {
      if (!fs.existsSync(program)) continue
      const env = { HOME: home, TMPDIR: home, PATH: `${path.dirname(process.execPath)}:/usr/bin:/bin` }
      const told = spawnSync(program, ['--version'], { env, cwd: home, encoding: 'utf8', timeout: 120_000 })
      if (!told.stdout?.includes(version)) continue
      fs.mkdirSync(path.join(folder, 'bin'))
      fs.symlinkSync(path.relative(path.join(folder, 'bin'), program), path.join(folder, 'bin', name))
      return
    }
  } finally {
    fs.rmSync(home, { recursive: true, force: true })
  }
  throw new Error(`nothing in its package runs here (${PLATFORM})`)
}

/** npm says much; what went wrong stands in one of its first lines. @param {string} complaint */
function firstComplaint(complaint) {
  const lines = complaint.split('\n').map(line => line.replace(/^npm (error|ERR!) ?/, '').trim())
  const telling = lines.filter(line => line !== '' && !/^(code|errno|type|syscall|A complete log|network$)/.test(line))
  // Addresses are of no use to the reader, and the machine's own business.
  return (telling[0] ?? 'it did not say why').replace(/https?:\/\/\S+/g, '<registry>').slice(0, 200)
}

/** @param {string} folder @returns {number} */
function megabytesIn(folder) {
  let bytes = 0
  for (const entry of fs.readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isFile()) bytes += sizeOf(path.join(entry.parentPath, entry.name))
  }
  return Math.round(bytes / 1e6)
}

/** @param {string} file */
function sizeOf(file) {
  // npm moves things about while we look.
  return fs.statSync(file, { throwIfNoEntry: false })?.size ?? 0
}

/**
 * One at a time. A lock whose owner has died is taken over; should two take it over at once, both fetch into folders of their
 * own and one of them is kept, so nothing worse happens than a second download.
 * @param {string} file @param {() => void} onWait
 */
async function lock(file, onWait) {
  const mine = `${process.pid} ${crypto.randomUUID()}`
  for (let waited = false; ; ) {
    try {
      fs.writeFileSync(file, mine, { flag: 'wx' })
      return () => {
        if (read(file) === mine) fs.rmSync(file, { force: true })
      }
    } catch (error) {
      if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EEXIST') throw error
    }
    const owner = read(file)
    if (owner !== undefined && owner !== '' && !isAlive(Number.parseInt(owner, 10))) fs.rmSync(file, { force: true })
    else {
      if (!waited) onWait()
      waited = true
      await pause(300)
    }
  }
}

/** @param {string} file */
function read(file) {
  try {
    return fs.readFileSync(file, 'utf8')
  } catch {
    return undefined // Released just now.
  }
}

/** One that has ended and was not collected runs nothing: some containers never collect. @param {number} pid */
function isAlive(pid) {
  try {
    process.kill(pid, 0)
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EPERM') return false
  }
  return !/\) [ZX] [^)]*$/.test(read(`/proc/${pid}/stat`) ?? '')
}
