// The README's commands, as written, in a fresh home: from an empty folder to a merged change, and out again. Only the agent is scripted.
import { execFile } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { spawn } from '@lydell/node-pty'
import { expect, test } from 'vitest'
import { DIST, ROOT } from '../scripts/sources.js'
import { type Block, blocksIn } from './languages.ts'
import { HEAVY, build } from './processes.ts'
import { until } from './until.ts'

/** What cannot run here, by its first line; each with the reason that the README itself gives. */
const SKIPPED: Record<string, RegExp> = {
  'npm start -- --demo': /^skip: test\/demo\.night\.test\.ts runs the demo/,
  'npm install -g "./$(npm pack --silent)"': /^skip: installs globally; test\/pack\.night\.test\.ts installs/,
  'npx ./toryo-0.1.0.tgz up --demo': /^skip: test\/pack\.night\.test\.ts starts the demo/,
  'npm uninstall -g toryo': /^skip: it would uninstall/,
  'npm start': /^skip: the first is `toryo up` of this clone, the second runs this very test/,
}
const IN_TERMINAL = 'run: in a terminal, until shop-1 waits for a review'
const UNTIL_MERGED = 'run: until shop-1 is merged'
const MARKS = new Set(['run', IN_TERMINAL, UNTIL_MERGED])
/** All that a clean machine needs. `claude` and `toryo` are ours. */
const PROGRAMS = ['git', 'npm', 'sh', 'env', 'rm', 'stty', 'uname']

const shellIn = (page: string) =>
  blocksIn(fs.readFileSync(path.join(ROOT, page), 'utf8')).filter(({ language }) => language === 'sh')
const codeOf = ({ text }: Block) => text.split('\n').map(line => line.replace(/\s+# .*$/, ''))

test.each(['README.md', 'README.ja.md'])('every command of %s is run by this test, or says why not', page => {
  const blocks = shellIn(page)
  expect(blocks.length).toBeGreaterThan(8)
  for (const block of blocks) {
    const [first = ''] = codeOf(block)
    const reason = SKIPPED[first]
    if (reason) expect({ first, mark: block.mark }).toEqual({ first, mark: expect.stringMatching(reason) })
    else expect({ first, isRun: MARKS.has(block.mark ?? '') }).toEqual({ first, isRun: true })
  }
  expect(blocks.map(codeOf)).toEqual(shellIn('README.md').map(codeOf))
})

test('the commands of the README lead from an empty folder to a merged change, and out again', HEAVY, async () => {
  build()
  await using machine = new CleanMachine()
  const blocks = shellIn('README.md').filter(({ mark }) => mark?.startsWith('run'))
  const stage = async () => {
    const { out } = await machine.shell('toryo task show shop-1 --json')
    return (JSON.parse(out) as { stage: string }).stage
  }
  const leaving = blocks.findIndex(({ text }) => text.startsWith('toryo stop'))
  expect(leaving).toBeGreaterThan(0)
  for (const block of blocks.slice(0, leaving)) {
    if (block.mark === IN_TERMINAL) machine.terminal(block.text)
    else await machine.works(block.text)
    if (block.mark === IN_TERMINAL) await until(async () => (await stage()) === 'review')
    if (block.mark === UNTIL_MERGED) await until(async () => (await stage()) === 'merged')
  }
  await until(() => /shop-1/.test(machine.screen))
  const { out: log } = await machine.works('git log --format=%s')
  expect(log.split('\n').slice(0, 3)).toEqual([
    'Merge shop-1: Add a cart with a total, and a test',
    'shop-1: Add a cart with a total, and a test',
    'A shop',
  ])
  expect((await machine.works('git status --porcelain')).out).toBe('')
  expect(fs.readdirSync(path.join(machine.cwd, 'docs', 'notes'))).toHaveLength(1)
  const { out: shown } = await machine.works('toryo task show shop-1 --json')
  expect(JSON.parse(shown)).toMatchObject({
    evidence: [
      { check: 'test', outcome: 'passed', ran_in: 'clean_checkout' },
      { check: 'test', outcome: 'passed', ran_in: 'workspace' },
    ],
  })
  expect(fs.readFileSync(path.join(machine.home, '.claude.json'), 'utf8')).toContain('gwt-agent-bridge')

  for (const block of blocks.slice(leaving)) await machine.works(block.text)
  expect(await machine.ended).toBe(0)
  expect(fs.readdirSync(machine.home).filter(name => /toryo|gwt|claude/.test(name))).toEqual([])
  expect((await machine.works('git for-each-ref --format="%(refname)"')).out).toMatch(/^refs\/heads\/\w+\n$/)
  expect((await machine.works('git worktree list')).out.trim().split('\n')).toHaveLength(1)
})

/** A home, a path, and an agent program that writes a note in the place of the work. */
class CleanMachine implements AsyncDisposable {
  readonly home = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'toryo-readme-')))
  readonly #env: Record<string, string>
  cwd = this.home
  screen = ''
  ended: Promise<number> | undefined
  #kill = () => {}

  constructor() {
    const bin = path.join(this.home, 'bin')
    fs.mkdirSync(bin)
    for (const name of PROGRAMS) fs.symlinkSync(programOf(name), path.join(bin, name))
    fs.symlinkSync(process.execPath, path.join(bin, 'node'))
    const write = (name: string, lines: string) =>
      fs.writeFileSync(path.join(bin, name), `#!/bin/sh\n${lines}\n`, { mode: 0o755 })
    write('toryo', `exec node '${path.join(ROOT, 'bin', 'toryo.js')}' "$@"`)
    const engine = `exec node '${path.join(DIST, 'demo-engine.js')}' --pace 0`
    write('claude', `case "$*" in *--version*) echo '2.0.0 (Claude Code)';; *) ${engine};; esac`)
    this.#env = { HOME: this.home, PATH: bin, LANG: 'C.UTF-8', TERM: 'xterm', TMPDIR: os.tmpdir() }
  }

  /** As a person would paste it; stays where it went. */
  shell(text: string): Promise<{ code: number; out: string; err: string }> {
    const place = path.join(this.home, 'place')
    return new Promise(resolve => {
      const options = { cwd: this.cwd, env: this.#env }
      const child = execFile('/bin/sh', ['-e', '-c', `${text}\npwd > '${place}'`], options, (_, out, err) => {
        if (child.exitCode === 0) this.cwd = fs.readFileSync(place, 'utf8').trimEnd()
        resolve({ code: child.exitCode ?? 128, out, err })
      })
      child.stdin?.end()
    })
  }

  async works(text: string): Promise<{ out: string }> {
    const ran = await this.shell(text)
    expect({ text, ...ran }).toMatchObject({ text, code: 0 })
    return ran
  }

  terminal(text: string): void {
    const seat = spawn('/bin/sh', ['-e', '-c', text], { cwd: this.cwd, env: this.#env, cols: 80, rows: 24 })
    seat.onData(data => (this.screen += data))
    this.ended = new Promise(resolve => seat.onExit(({ exitCode }) => resolve(exitCode)))
    this.#kill = () => seat.kill('SIGKILL')
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.shell('toryo stop')
    this.#kill()
    fs.rmSync(this.home, { recursive: true, force: true, maxRetries: 5 })
  }
}

function programOf(name: string): string {
  const folders = (process.env['PATH'] ?? '').split(path.delimiter)
  const folder = folders.find(one => fs.existsSync(path.join(one, name)))
  if (folder === undefined) throw new Error(`${name} is not on the path`)
  return path.join(folder, name)
}
