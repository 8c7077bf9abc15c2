// `toryo up` as a person sees it: a live view in a terminal of 80 × 24, and a line for each change in a pipe.
import fs from 'node:fs'
import path from 'node:path'
import { spawn as spawnPty } from '@lydell/node-pty'
import { expect, test } from 'vitest'
import { hubLog, locate } from '#client/locate.ts'
import { HostFiles } from '#kernel/terminals/host-files.ts'
import type { HostTerminals } from '#kernel/terminals/host-terminals.ts'
import { ROOT } from '../scripts/sources.js'
import { until } from './bridge/world.ts'
import { scriptedConfig, working } from './runner.ts'
import { isRunning } from './scripted.ts'
import { git } from './tabs.ts'
import { TerminalShop, TestViewer } from './terminals.ts'
import { Toryo } from './toryo.ts'

// Hubs and Runners are started and stopped as processes, several in one test.
const PATIENT = { timeout: 240_000 }
const PROGRAM = path.join(ROOT, 'bin', 'toryo.js')
const QUESTION = 'call report_completed {"session_token":"$SESSION","result":"blocked","summary":"Cookie or bearer?"}'

/** A home whose agents are scripted. */
function scripted(): Toryo {
  const toryo = new Toryo()
  fs.mkdirSync(toryo.home, { recursive: true, mode: 0o700 })
  fs.writeFileSync(path.join(toryo.home, 'config.json'), JSON.stringify(scriptedConfig))
  return toryo
}

/** One agent at each of these scripts, whose tasks are to be done: by the hub that runs, or that the first command starts. */
async function addAgents(toryo: Toryo, agents: Record<string, readonly string[]>): Promise<void> {
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
}

test('in a pipe each start, end and question is one line', PATIENT, async () => {
  await using toryo = scripted()
  // Before it starts; elsewhere they come while it runs.
  await addAgents(toryo, {
    amy: working('amy'),
    bob: [...working('bob').slice(0, -1), QUESTION],
    cat: ['exit 3'],
  })
  await toryo.here(['stop'])
  const up = toryo.start('up', '--port', '0')
  await up.output(/listens on/)
  await until(() => /✓ amy/.test(up.seen.err) && /\? bob-1/.test(up.seen.err) && /✗ cat/.test(up.seen.err))
  const { err } = up.seen
  expect(err).toContain('✓ amy on amy-1 Work of amy: reported: done\n')
  expect(err).toContain('? bob-1 Work of bob [asks]: Cookie or bearer? (toryo task answer bob-1 "…")\n')
  expect(err).toMatch(/✗ cat on cat-1 Work of cat: .*exit code 3.*; try 2 of 6 in \d+s?.*\n/)
  expect(err).toMatch(/toryo run logs exec_\w+/)
  expect(err).not.toContain('✗ bob')
  expect(err).not.toContain('\u001b')
  expect(err.match(/✓ amy/g)).toHaveLength(1)
  up.child.kill('SIGINT')
  expect(await up.ended).toBe(0)
})

test('a hub without a terminal, as under nohup, stays when a window closes; Ctrl-C ends it', PATIENT, async () => {
  await using toryo = new Toryo()
  const up = toryo.start('up', '--port', '0')
  await up.output(/listens on/)
  up.child.kill('SIGHUP')
  const log = () => fs.readFileSync(hubLog(locate(toryo.db, { env: toryo.env(), cwd: toryo.folder })), 'utf8')
  await Promise.race([up.ended, until(() => log().includes('a terminal hung up'))])
  expect(up.child.exitCode).toBeNull()
  expect((await toryo.json<{ pid: number }>('status')).pid).toBe(up.child.pid)
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
  await using toryo = scripted()
  await using seat = await Seat.of(toryo)
  seat.up()
  await seat.shows(/No agent is working/)
  await addAgents(toryo, {
    amy: [...working('amy').slice(0, 2), 'say Looking at the roof', 'hang'],
    bob: [...working('bob').slice(0, -1), QUESTION],
  })
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

test(
  'the demo shows its agents in the terminal without a page, and Ctrl-C ends and deletes it at once',
  PATIENT,
  async () => {
    await using toryo = new Toryo()
    await using seat = await Seat.of(toryo)
    const env = `TMPDIR='${toryo.folder}' TORYO_DEMO_PACE=0 TORYO_DEMO_PATIENCE_MS=Infinity`
    seat.person.type(`clear; ${env} '${process.execPath}' '${PROGRAM}' up --demo --no-open; echo "code=$?"\r`)
    // As it can be run here, where `toryo` is not installed.
    const screen = await seat.shows(/Needs you \(\d+\)[\s\S]*→ node \S+toryo\.js /)
    expect(screen).toContain('Ctrl-C ends the demo and deletes it')
    expect(seat.person.text).toMatch(/▸ \w+ works on shop-\d+ /)
    const demos = () => fs.readdirSync(toryo.folder).filter(name => name.startsWith('toryo-demo-'))
    expect(demos()).toHaveLength(1)
    // Agents are at work, and it asks nothing.
    seat.person.type('\u0003')
    expect(await seat.shows(/code=\d+/)).toMatch(
      /The demo has ended and is deleted\.\s+Next, with your own agents: `node \S+ init` [\s\S]*code=0/,
    )
    expect(seat.person.text).not.toContain('This would end')
    expect(demos()).toEqual([])
  },
)

test('what is left in the background goes on with its agents, and is shown again', PATIENT, async () => {
  await using toryo = scripted()
  await using seat = await Seat.of(toryo)
  seat.up()
  await seat.shows(/No agent is working/)
  await addAgents(toryo, {
    amy: [...working('amy').slice(0, 2), 'wait go.txt', ...working('amy').slice(2)],
  })
  await seat.shows(/Working \(1\)/)
  seat.person.type('\u0003')
  await seat.shows(/b: leave it running/)
  seat.person.type('b')
  await seat.shows(/The hub goes on in the background[\s\S]*code=0/)
  const { pid, instances } = await toryo.json<{ pid: number; instances: number }>('status')
  expect(instances).toBe(1)
  expect((await toryo.here(['status'])).out).toContain('in the background')

  seat.up()
  const again = await seat.shows(/runs already[\s\S]*Working \(1\)/)
  expect(again).toContain('Ctrl-C ends the view')
  seat.person.type('\u0003')
  await seat.shows(/The hub goes on; `toryo stop` ends it\.\n[\s\S]*code=0/)
  expect(isRunning(pid)).toBe(true)

  const { workspace } = await toryo.json<{ workspace: { path?: string } | null }>('task', 'show', 'amy-1')
  fs.writeFileSync(path.join(workspace?.path ?? path.join(toryo.folder, 'amy'), 'go.txt'), '')
  await until(async () => (await toryo.json('task', 'show', 'amy-1'))['status'] === 'done')
  expect(await toryo.here(['stop'])).toMatchObject({ code: 0 })
})

test('a hub ends with the view that was killed', PATIENT, async () => {
  await using toryo = new Toryo()
  await using seat = await Seat.of(toryo)
  seat.up()
  await seat.shows(/No agent is working/)
  const { pid } = await toryo.json<{ pid: number }>('status')
  process.kill(await viewOf(toryo), 'SIGKILL')
  await until(() => !isRunning(pid))
})

test(
  'keys that are typed do not disturb the view, and the terminal is as before when it has ended',
  PATIENT,
  async () => {
    await using toryo = scripted()
    await using seat = await Seat.of(toryo)
    const modes = async (name: string): Promise<string> => {
      const file = path.join(toryo.folder, name)
      seat.person.type(`stty -a > ${file}; echo "read $?"\r`)
      await until(() => fs.existsSync(file) && fs.readFileSync(file, 'utf8') !== '')
      return fs.readFileSync(file, 'utf8')
    }
    const before = await modes('before')
    seat.up()
    await seat.shows(/No agent is working/)
    await addAgents(toryo, { amy: [...working('amy').slice(0, 2), 'say Looking at the roof', 'hang'] })
    await seat.shows(/Looking at the roof/)
    seat.person.type('\r\rqqq\r\u001b[A')
    // Drawn again: its clock has moved on.
    const time = /Work of amy +(.*)/.exec(await seat.screen())?.[1]
    const screen = await seat.shows(new RegExp(String.raw`Work of amy +(?!${time}$)`, 'm'))
    expect(screen.match(/Working \(1\)/g)).toHaveLength(1)
    expect(screen).not.toContain('qqq')

    // Suspended, the shell has its terminal back; continued, the view is there again.
    seat.person.type('\u001a')
    await seat.shows(/Stopped|Suspended/)
    expect(await modes('suspended')).toBe(before)
    seat.person.type('clear; fg; echo "code=$?"\r')
    await seat.shows(/Working \(1\)[\s\S]*Looking at the roof/)
    seat.person.type('zzz\r')
    seat.person.type('\u0003')
    expect(await seat.shows(/This would end/)).not.toContain('zzz')
    seat.person.type('\u0003')
    await seat.shows(/code=0/)
    expect(await modes('after')).toBe(before)

    seat.up()
    await seat.shows(/Working \(1\)/)
    process.kill(await viewOf(toryo), 'SIGTERM')
    await seat.shows(/code=0/)
    expect(await modes('terminated')).toBe(before)
  },
)

/** The process that shows the hub of this Toryo. */
async function viewOf(toryo: Toryo): Promise<number> {
  const { pid } = await toryo.json<{ pid: number }>('status')
  return Number(/^PPid:\s*(\d+)/m.exec(fs.readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1])
}

type Window = { seen(): string; type(keys: string): void; close(): void; ended: Promise<number> }

/** `toryo up` alone in a window of a person's own, which can be closed. */
function inWindow(toryo: Toryo): Window {
  const { PATH = '' } = process.env
  const env = { PATH, HOME: toryo.folder, TORYO_HOME: toryo.home, LANG: 'C.UTF-8', TERM: 'xterm' }
  const args = [PROGRAM, 'up', '--port', '0', '--no-open', '--no-register']
  const window = spawnPty(process.execPath, args, { cols: 80, rows: 24, env, cwd: toryo.folder })
  let seen = ''
  window.onData(text => (seen += text))
  const ended = new Promise<number>(resolve => window.onExit(({ exitCode }) => resolve(exitCode)))
  // Not kill(), which would only send the signal: the terminal itself goes away.
  const close = () => (window as unknown as { destroy(): void }).destroy()
  return { seen: () => seen, type: keys => window.write(keys), close, ended }
}

test('closing the window leaves agents at work in the background, and ends a hub without work', PATIENT, async () => {
  await using toryo = scripted()
  const window = inWindow(toryo)
  await until(() => window.seen().includes('No agent is working'))
  await addAgents(toryo, {
    amy: [...working('amy').slice(0, 2), 'wait go.txt', ...working('amy').slice(2)],
  })
  await until(() => window.seen().includes('Working (1)'))
  const view = await viewOf(toryo)
  window.close()
  await until(() => !isRunning(view))
  const { pid, instances } = await toryo.json<{ pid: number; instances: number }>('status')
  expect(instances).toBe(1)
  const { workspace } = await toryo.json<{ workspace: { path?: string } | null }>('task', 'show', 'amy-1')
  fs.writeFileSync(path.join(workspace?.path ?? path.join(toryo.folder, 'amy'), 'go.txt'), '')
  await until(async () => (await toryo.json('task', 'show', 'amy-1'))['status'] === 'done')
  expect(isRunning(pid)).toBe(true)
  expect(await toryo.here(['stop'])).toMatchObject({ code: 0 })

  const idle = inWindow(toryo)
  await until(() => idle.seen().includes('No agent is working'))
  const hub = await toryo.json<{ pid: number }>('status')
  idle.close()
  await until(() => !isRunning(hub.pid))
})

test('a view of a hub that stops says so and ends', PATIENT, async () => {
  await using toryo = new Toryo()
  const hub = toryo.start('up', '--port', '0')
  await hub.output(/listens on/)
  const window = inWindow(toryo)
  await until(() => /runs already[\s\S]*No agent is working/.test(window.seen()))
  hub.child.kill('SIGINT')
  expect(await hub.ended).toBe(0)
  expect(await window.ended).toBe(0)
  expect(window.seen()).toMatch(/The hub \(process \d+\) has stopped\. Start it again with `toryo up`\./)
})

test('a stop that waits for terminals says so, and the second Ctrl-C ends at once', PATIENT, async () => {
  await using toryo = new Toryo()
  fs.mkdirSync(toryo.home, { mode: 0o700 })
  const engines = { sleeper: { terminal: ['/bin/sh', '-c', 'sleep 1000'] } }
  fs.writeFileSync(path.join(toryo.home, 'config.json'), JSON.stringify({ engines }))
  const repository = path.join(toryo.folder, 'shop')
  fs.mkdirSync(repository)
  git(repository, 'init', '-q', '-b', 'main')
  git(repository, 'commit', '-q', '--allow-empty', '-m', 'first')
  const window = inWindow(toryo)
  await until(() => window.seen().includes('No agent is working'))
  await toryo.json('project', 'add', 'shop', '--dir', repository)
  await toryo.json('tab', 'launch', 'sleeper', 'feature/login', '--project', 'shop')
  await until(() => window.seen().includes('Working (1)'))
  const { hash } = locate(toryo.db, { env: toryo.env(), cwd: toryo.folder })
  const host = new HostFiles(path.join(toryo.home, 'pty', hash.slice(0, 16))).state()?.record.pid ?? 0
  process.kill(host, 'SIGSTOP')
  window.type('\u0003')
  await until(() => window.seen().includes('This would end: tab feature/login'))
  window.type('\u0003')
  await until(() => /waiting for the programs in tabs to end\. Press Ctrl-C again/.test(window.seen()))
  window.type('\u0003')
  expect(await window.ended).toBe(130)
  expect(window.seen()).toContain('Ended at once')
  await until(() => !isRunning(host))
})
