// `toryo up` as a person sees it: a live view in a terminal of 80 × 24, and a line for each change in a pipe.
import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import type { HostTerminals } from '#kernel/terminals/host-terminals.ts'
import { ROOT } from '../scripts/sources.js'
import { until } from './bridge/world.ts'
import { scriptedConfig, working } from './runner.ts'
import { isRunning } from './scripted.ts'
import { TerminalShop, TestViewer } from './terminals.ts'
import { Toryo } from './toryo.ts'

const PATIENT = { timeout: 900_000 }
const PROGRAM = path.join(ROOT, 'bin', 'toryo.js')
const QUESTION = 'call report_completed {"session_token":"$SESSION","result":"blocked","summary":"Cookie or bearer?"}'

/** A home with one agent at each of these scripts, whose tasks are to be done. */
async function withAgents(toryo: Toryo, agents: Record<string, readonly string[]>): Promise<void> {
  fs.mkdirSync(toryo.home, { recursive: true, mode: 0o700 })
  fs.writeFileSync(path.join(toryo.home, 'config.json'), JSON.stringify(scriptedConfig))
  for (const [name, steps] of Object.entries(agents)) {
    const directory = path.join(toryo.folder, name)
    fs.mkdirSync(directory)
    await toryo.json('project', 'add', name, '--id', `prj_${name}`, '--dir', directory)
    const prompt = steps.map(step => `!${step}`).join('\n')
    const agent = ['--id', `agt_${name}`, '--engine', 'scripted', '--system-prompt', prompt]
    await toryo.json('agent', 'add', name, ...agent)
    await toryo.json('project', 'assign', `prj_${name}`, `agt_${name}`)
    const task = ['--project', `prj_${name}`, '--assignee', `agt_${name}`, '--status', 'in_progress']
    await toryo.json('task', 'add', `Work of ${name}`, ...task)
  }
  await toryo.run(['stop'])
}

test('in a pipe each start, end and question is one line', PATIENT, async () => {
  await using toryo = new Toryo()
  await withAgents(toryo, {
    amy: working('amy'),
    bob: [...working('bob').slice(0, -1), QUESTION],
    cat: ['exit 3'],
  })
  const up = toryo.start('up', '--port', '0')
  await up.output(/listens on/)
  await until(() => /✓ amy/.test(up.seen.err) && /\? bob-1/.test(up.seen.err) && /✗ cat/.test(up.seen.err))
  const { err } = up.seen
  expect(err).toContain('✓ amy on amy-1 Work of amy: done: done\n')
  expect(err).toContain('? bob-1 Work of bob [asks]: Cookie or bearer? (toryo task answer bob-1 "…")\n')
  expect(err).toMatch(/✗ cat on cat-1 Work of cat: .*exit code 3.*; try 2 of 6 in \d+s?.*\n/)
  expect(err).toMatch(/toryo run logs exec_\w+/)
  expect(err).not.toContain('\u001b')
  expect(err.match(/✓ amy/g)).toHaveLength(1)
  up.child.kill('SIGINT')
  expect(await up.ended).toBe(0)
})

/** A shell in a terminal of 80 × 24, with the home of this Toryo. */
class Seat implements AsyncDisposable {
  readonly #shop = new TerminalShop()
  #host!: HostTerminals
  #id = ''
  person!: TestViewer

  static async of(toryo: Toryo): Promise<Seat> {
    const seat = new Seat()
    seat.#host = await seat.#shop.hub()
    const { PATH = '' } = process.env
    const env = { PATH, HOME: toryo.folder, TORYO_HOME: toryo.home, LANG: 'C.UTF-8', TERM: 'xterm', PS1: '$ ' }
    const shell = seat.#shop.terminal('', { program: '/bin/sh', args: ['-i'], env })
    seat.#id = shell.id
    await seat.#host.open(shell)
    seat.person = await TestViewer.at(seat.#host, shell.id)
    await until(() => /[$#] /.test(seat.person.text))
    return seat
  }

  async screen(): Promise<string> {
    return (await this.#host.screen(this.#id)).lines.map(line => line.trimEnd()).join('\n')
  }

  async shows(pattern: RegExp): Promise<string> {
    let screen = ''
    await until(async () => pattern.test((screen = await this.screen()))).catch(cause => {
      throw new Error(`the screen never matched ${pattern}:\n${screen}`, { cause })
    })
    return screen
  }

  up(): void {
    const words = [process.execPath, PROGRAM, 'up', '--port', '0', '--no-open', '--no-register']
    this.person.type(`clear; ${words.map(word => `'${word}'`).join(' ')}; echo "code=$?"\r`)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#shop[Symbol.asyncDispose]()
  }
}

test('a terminal shows who works and what waits; Ctrl-C says what would end, and twice ends it', PATIENT, async () => {
  await using toryo = new Toryo()
  await withAgents(toryo, {
    amy: [...working('amy').slice(0, 2), 'say Looking at the roof', 'hang'],
    bob: [...working('bob').slice(0, -1), QUESTION],
  })
  await using seat = await Seat.of(toryo)
  seat.up()
  const screen = await seat.shows(/Looking at the roof[\s\S]*toryo task answer bob-1/)
  expect(screen).toMatch(
    /Working \(\d\)\n[\s\S]* {2}amy \(scripted\) {2}amy-1 Work of amy +\d+s\n {4}Looking at the roof/,
  )
  expect(screen).toMatch(
    /Needs you \(1\)\n {2}\? bob-1 Work of bob: Cookie or bearer\?\n {4}→ toryo task answer bob-1 "…"/,
  )
  expect(seat.person.text).toContain('\u0007')

  await toryo.json('task', 'answer', 'bob-1', 'Cookie')
  seat.person.type('\u0003')
  expect(await seat.shows(/This would end: .*amy \(amy-1\)/)).toMatch(/b: leave it running/)
  // Any other key goes on.
  seat.person.type('x')
  await seat.shows(/Working \(\d\)/)
  seat.person.type('\u0003')
  await seat.shows(/This would end/)
  seat.person.type('\u0003')
  expect(await seat.shows(/code=0/)).toContain('Stopped.')
  expect(await toryo.json('task', 'show', 'amy-1')).toMatchObject({ executions: [{ status: 'error' }] })
})

test('what is left in the background goes on with its agents, and is shown again', PATIENT, async () => {
  await using toryo = new Toryo()
  await withAgents(toryo, {
    amy: [...working('amy').slice(0, 2), 'wait go.txt', ...working('amy').slice(2)],
  })
  await using seat = await Seat.of(toryo)
  seat.up()
  await seat.shows(/Working \(1\)/)
  seat.person.type('\u0003')
  await seat.shows(/b: leave it running/)
  seat.person.type('b')
  await seat.shows(/The hub goes on in the background[\s\S]*code=0/)
  const { pid, instances } = await toryo.json<{ pid: number; instances: number }>('status')
  expect(instances).toBe(1)

  seat.up()
  const again = await seat.shows(/runs already[\s\S]*Working \(1\)/)
  expect(again).toContain('Ctrl-C ends the view')
  seat.person.type('\u0003')
  await seat.shows(/The hub goes on; `toryo stop` ends it\.\n[\s\S]*code=0/)
  expect(isRunning(pid)).toBe(true)

  const { workspace } = await toryo.json<{ workspace: { path?: string } | null }>('task', 'show', 'amy-1')
  fs.writeFileSync(path.join(workspace?.path ?? path.join(toryo.folder, 'amy'), 'go.txt'), '')
  await until(async () => (await toryo.json('task', 'show', 'amy-1'))['status'] === 'done')
  expect(await toryo.run(['stop'])).toMatchObject({ code: 0 })
})

test('a hub ends with the view that was killed', PATIENT, async () => {
  await using toryo = new Toryo()
  await using seat = await Seat.of(toryo)
  seat.up()
  await seat.shows(/No agent is working/)
  const { pid } = await toryo.json<{ pid: number }>('status')
  const view = Number(/^PPid:\s*(\d+)/m.exec(fs.readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1])
  process.kill(view, 'SIGKILL')
  await until(() => !isRunning(pid))
})
