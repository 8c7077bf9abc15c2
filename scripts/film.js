// Makes docs/images/first-change.svg: the README's commands in a real terminal, up to a merged change. Everything is real but the agent,
// which is scripted, and the pace. `npm run shots` runs it.
import { execFileSync, spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { spawn } from '@lydell/node-pty'
import xterm from '@xterm/headless'
import { ROOT } from './sources.js'

const SIZE = { cols: 92, rows: 31 }
const CELL = { width: 8.4, height: 18 }
const TITLE = 'Add a cart with a total, and a test'
const HANDLE = 'shop-1'
const PROGRAM = path.join(ROOT, 'bin', 'toryo.js')
const WAIT_MS = 60_000
const CART = 'export const total = prices => prices.reduce((sum, price) => sum + price, 0)'
const TEST = `import { total } from './cart.js'; console.assert(total([12, 30]) === 42)`
/** GitHub's dark theme, by the number of the colour. */
const COLOURS = ['#484f58', '#ff7b72', '#3fb950', '#d29922', '#58a6ff', '#bc8cff', '#39c5cf', '#b1bac4', '#6e7681']

/** @typedef {{ screen: string, ms: number }} Frame */

export async function film(/** @type {string} */ file) {
  const home = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'toryo-film-')))
  try {
    const env = furnish(home)
    const frames = await play(home, env)
    fs.writeFileSync(file, drawing(frames))
  } finally {
    // Nothing of our own environment, which may name another hub.
    spawnSync(process.execPath, [PROGRAM, 'stop'], { env: { HOME: home } })
    fs.rmSync(home, { recursive: true, force: true, maxRetries: 5 })
  }
}

/** @param {string} home @returns {Record<string, string>} */
function furnish(home) {
  const bin = path.join(home, 'bin')
  fs.mkdirSync(bin)
  const write = (/** @type {string} */ name, /** @type {string} */ text) =>
    fs.writeFileSync(path.join(bin, name), `#!/bin/sh\n${text}\n`, { mode: 0o755 })
  write('toryo', `exec '${process.execPath}' '${PROGRAM}' "$@"`)
  const engine = `exec '${process.execPath}' '${path.join(ROOT, 'test', 'fixtures', 'scripted-engine.js')}'`
  write('claude', `case "$*" in *--version*) echo '2.0.0 (Claude Code)';; *) ${engine};; esac`)
  const system = [path.dirname(process.execPath), '/usr/local/bin', '/usr/bin', '/bin']
  const env = {
    HOME: home,
    PATH: [bin, ...system].join(path.delimiter),
    LANG: 'C.UTF-8',
    TERM: 'xterm-256color',
    PS1: '\u001b[32m~/shop\u001b[0m $ ',
  }
  const shop = path.join(home, 'shop')
  fs.mkdirSync(shop)
  fs.writeFileSync(path.join(shop, 'package.json'), '{ "type": "module", "scripts": { "test": "node --test" } }\n')
  const git = (/** @type {string[]} */ ...args) => execFileSync('git', args, { cwd: shop, env, stdio: 'ignore' })
  git('config', '--global', 'user.name', 'Aoi')
  git('config', '--global', 'user.email', 'aoi@localhost')
  git('init', '-q', '-b', 'main')
  git('add', '.')
  git('commit', '-q', '-m', 'A shop')
  return env
}

/** @param {string} home @param {Record<string, string>} env */
async function play(home, env) {
  /** @type {Frame[]} */
  const frames = []
  const first = new Seat(path.join(home, 'shop'), env, frames)
  const second = new Seat(path.join(home, 'shop'), env, frames)
  try {
    await first.command('toryo init --yes', 2500)
    instruct(home, env)
    await first.command(`toryo task add "${TITLE}" --start`, 1500)
    await first.type('toryo up\r')
    await first.shows(/total of its prices/, 2500)
    await first.shows(new RegExp(`Needs you[\\s\\S]*${HANDLE}`), 4000)
    await second.command(`toryo task review ${HANDLE}`, 5000)
    await second.command(`toryo task review ${HANDLE} --accept`, 1500)
    const merged = () =>
      execFileSync(process.execPath, [PROGRAM, 'task', 'show', HANDLE, '--json'], { env, encoding: 'utf8' }).includes(
        '"merged"',
      )
    while (!merged()) await sleep(200)
    await second.command('git log --oneline --no-decorate', 5000)
  } finally {
    first.end()
    second.end()
  }
  return frames
}

/** What the agent says and does, off camera. @param {string} home @param {Record<string, string>} env */
function instruct(home, env) {
  const toryo = (/** @type {string[]} */ ...args) =>
    JSON.parse(execFileSync(process.execPath, [PROGRAM, ...args, '--json'], { env, encoding: 'utf8' }))
  const [agent] = toryo('agent', 'list').agents
  const [project] = toryo('project', 'list').projects
  const ids = JSON.stringify({ agent_id: agent.agent_id, project_id: project.project_id })
  const summary = 'cart.js adds up prices; cart.test.js covers it. Look at total() first.'
  const report = JSON.stringify({ session_token: '$SESSION', result: 'success', summary })
  const steps = [
    `call authenticate ${ids}`,
    'call get_my_task {"session_token":"$SESSION"}',
    `write cart.js ${CART}`,
    `write cart.test.js ${TEST}`,
    'say The cart has the total of its prices now. I run its test before I report.',
    'sleep 4000',
    `call report_completed ${report}`,
  ]
  const file = path.join(home, 'steps')
  fs.writeFileSync(file, steps.map(step => `!${step}`).join('\n'))
  toryo('agent', 'edit', 'Claude', '--system-prompt', `@${file}`)
}

/** A terminal, and the camera in front of it. */
class Seat {
  #frames
  #home
  #shell
  #screen = new xterm.Terminal({ ...SIZE, allowProposedApi: true })

  /** @param {string} cwd @param {Record<string, string>} env @param {Frame[]} frames */
  constructor(cwd, env, frames) {
    this.#frames = frames
    this.#home = String(env['HOME'])
    this.#shell = spawn('/bin/sh', ['-i'], { cwd, env, ...SIZE })
    this.#shell.onData(data => this.#screen.write(data))
  }

  /** @param {string} line @param {number} ms */
  async command(line, ms) {
    await this.type(line)
    const before = this.#prompts()
    this.#shell.write('\r')
    await this.#until(() => this.#prompts() > before)
    this.#take(ms)
  }

  /**
   * Paced by the clock, since it is a recording: a pause that is too short costs a frame some letters, and no step. The steps wait for
   * what the terminal shows.
   * @param {string} text
   */
  async type(text) {
    await this.#until(() => this.#prompts() > 0)
    for (let at = 0; at < text.length; at += 4) {
      this.#shell.write(text.slice(at, at + 4))
      await sleep(60)
      this.#take(90)
    }
    await sleep(200)
    this.#take(300)
  }

  /** @param {RegExp} pattern @param {number} ms */
  async shows(pattern, ms) {
    await this.#until(() => pattern.test(this.#text()))
    await sleep(300)
    this.#take(ms)
  }

  end() {
    this.#shell.kill('SIGKILL')
  }

  #prompts() {
    return this.#text().split('~/shop $').length - 1
  }

  #text() {
    const { active } = this.#screen.buffer
    const all = Array.from({ length: active.length }, (_, row) => active.getLine(row)?.translateToString(true) ?? '')
    return all.join('\n')
  }

  /** @param {number} ms */
  #take(ms) {
    this.#frames.push({
      screen: rowsOf(this.#screen)
        .replaceAll(this.#home, '~')
        .replace(/lgn_[\w-]+/, 'lgn_…'),
      ms,
    })
  }

  /** @param {() => boolean} isSo */
  async #until(isSo) {
    const started = Date.now()
    while (!isSo()) {
      if (Date.now() - started > WAIT_MS) throw new Error(`waited in vain at:\n${this.#text()}`)
      await sleep(50)
    }
  }
}

/** @param {import('@xterm/headless').Terminal} screen */
function rowsOf(screen) {
  const { active } = screen.buffer
  const rows = Array.from({ length: SIZE.rows }, (_, row) => rowOf(active.getLine(active.viewportY + row)))
  return rows
    .map((row, at) => (row === '' ? '' : `<text y="${(at + 1) * CELL.height}" xml:space="preserve">${row}</text>`))
    .join('')
}

/** @param {import('@xterm/headless').IBufferLine | undefined} line */
function rowOf(line) {
  /** @type {{ style: string, text: string }[]} */
  const runs = []
  for (let at = 0; line && at < SIZE.cols; at++) {
    const cell = line.getCell(at)
    if (!cell || cell.getWidth() === 0) continue
    const colour = cell.isFgPalette() ? COLOURS[cell.getFgColor() % 8] : undefined
    const fill = colour ?? (cell.isDim() ? COLOURS[8] : undefined)
    const style = `${fill ? ` fill="${fill}"` : ''}${cell.isBold() ? ' font-weight="bold"' : ''}`
    const last = runs.at(-1)
    if (last?.style === style) last.text += cell.getChars() || ' '
    else runs.push({ style, text: cell.getChars() || ' ' })
  }
  const last = runs.at(-1)
  if (last?.style === '') last.text = last.text.trimEnd()
  const full = runs.filter(({ text }) => text !== '')
  return full.map(({ style, text }) => (style ? `<tspan${style}>${escaped(text)}</tspan>` : escaped(text))).join('')
}

/** @param {string} text */
function escaped(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}

/** Each frame is shown for its time, in a circle. @param {Frame[]} taken */
function drawing(taken) {
  /** @type {Frame[]} */
  const frames = []
  for (const frame of taken) {
    const last = frames.at(-1)
    if (last?.screen === frame.screen) last.ms = Math.max(last.ms, frame.ms)
    else frames.push({ ...frame })
  }
  const whole = frames.reduce((sum, { ms }) => sum + ms, 0)
  const [width, height] = [SIZE.cols * CELL.width + 32, SIZE.rows * CELL.height + 60]
  let begun = 0
  const shown = frames.map(({ screen, ms }, at) => {
    const [from, to] = [(begun / whole) * 100, ((begun + ms) / whole) * 100]
    begun += ms
    const keys = `@keyframes f${at}{0%,100%{visibility:hidden}${from.toFixed(3)}%{visibility:visible}${to.toFixed(3)}%{visibility:hidden}}`
    return {
      style: `${keys}#f${at}{animation:f${at} ${whole}ms step-end infinite}`,
      body: `<g id="f${at}">${screen}</g>`,
    }
  })
  // Those who want no motion see the end of it.
  const still = `@media (prefers-reduced-motion:reduce){g g{animation:none!important;visibility:hidden}#f${frames.length - 1}{visibility:visible}}`
  const first = `#f0{visibility:visible}g g{visibility:hidden}`
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="toryo init, task add, up, review and a merged change in a terminal">
<style>${first}${shown.map(({ style }) => style).join('')}${still}</style>
<rect width="100%" height="100%" rx="10" fill="#0d1117"/>
<circle cx="22" cy="20" r="6" fill="#ff5f56"/><circle cx="42" cy="20" r="6" fill="#ffbd2e"/><circle cx="62" cy="20" r="6" fill="#27c93f"/>
<g transform="translate(16 34)" fill="#c9d1d9" font-family="ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace" font-size="14">
${shown.map(({ body }) => body).join('\n')}
</g>
</svg>
`
}
