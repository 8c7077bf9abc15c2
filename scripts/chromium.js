// Finds a Chromium for the tests of the dashboard, or installs Debian's. Knows nothing of tests.
//
// The shell without windows comes first: the same engine, without what a browser has around its pages. In processor time a page in
// a context of its own takes 0.9 s there and 2.0 s in the whole browser.
import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'

const NAMES = [
  ...['chromium-headless-shell', 'chrome-headless-shell', 'chromium', 'chromium-browser'],
  ...['google-chrome', 'google-chrome-stable', 'chrome'],
]
const PLACES = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
]
/** With signs for Japanese: without them its texts are boxes. */
const PACKAGES = ['chromium-headless-shell', 'fonts-noto-cjk']

/**
 * The program: what TORYO_CHROMIUM names, else the machine's, else Debian's. Throws with a sentence when there is none to be had.
 * @param {(line: string) => void} [say]
 */
export function provideChromium(say = () => {}) {
  const named = process.env['TORYO_CHROMIUM']
  if (named) {
    if (!runs(named)) throw new Error(`TORYO_CHROMIUM=${named} is not a browser that runs.`)
    return named
  }
  return findChromium() ?? install(say)
}

function findChromium() {
  const folders = (process.env['PATH'] ?? '').split(path.delimiter).filter(Boolean)
  const programs = [...NAMES.flatMap(name => folders.map(folder => path.join(folder, name))), ...PLACES]
  return programs.find(program => fs.existsSync(program) && runs(program))
}

/** @param {string} program */
function runs(program) {
  return spawnSync(program, ['--version'], { stdio: 'ignore', timeout: 60_000 }).status === 0
}

/** @param {(line: string) => void} say */
function install(say) {
  const how = `Install Chromium or Chrome (on Debian: apt-get install ${PACKAGES.join(' ')}), or name it in TORYO_CHROMIUM.`
  const mayInstall = process.getuid?.() === 0 && fs.existsSync('/usr/bin/apt-get')
  if (!mayInstall)
    throw new Error(`The dashboard is tested in a real browser, and there is none on this machine. ${how}`)
  say(`No Chromium on this machine: installing ${PACKAGES.join(' and ')} …`)
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const aptGet = (/** @type {string[]} */ ...args) =>
    spawnSync('apt-get', args, { env, stdio: ['ignore', 'ignore', 'inherit'] }).status === 0
  const isThere = aptGet('update') && aptGet('install', '-y', '--no-install-recommends', ...PACKAGES)
  const found = isThere ? findChromium() : undefined
  if (found === undefined) throw new Error(`Chromium could not be installed. ${how}`)
  return found
}
