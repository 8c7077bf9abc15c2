import { spawn } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { isAlive } from '#system/processes.ts'
import { bundlePrograms, kill, until, World } from '#test/bridge/world.ts'
import { locate } from './locate.ts'
import { ownMark } from '#system/process-identity.ts'
import { ensureHub, findHub } from './start-hub.ts'
import { prepareTarget } from './trusted-path.ts'

let programs = ''
beforeAll(async () => {
  programs = await bundlePrograms()
})
afterAll(() => fs.rmSync(programs, { recursive: true, force: true }))

type Started = { pid: number; ppid: number; argv: string[]; env: string[] }

test.each([1, 2, 3])('eight at once end on one hub, and one starts it while the others wait (round %i)', async () => {
  await using world = new World(programs)
  const clients = Array.from({ length: 8 }, () => world.bridge())
  await Promise.all(clients.map(client => client.handshake()))
  expect(new Set(world.records<Started>('connected').map(({ pid }) => pid))).toEqual(new Set([world.hub().pid]))
  expect(world.records('started').length).toBeLessThan(8)
})

test('eight that cannot see each other also end on one hub: those that lose the lock go to the winner', async () => {
  await using world = new World(programs, { startDelayMs: 500 })
  const clients = Array.from({ length: 8 }, (_, k) =>
    world.bridge(undefined, { TORYO_HOME: `${world.folder}/home${k}` }),
  )
  await Promise.all(clients.map(client => client.handshake()))
  expect(new Set(world.records<Started>('connected').map(({ pid }) => pid))).toEqual(new Set([world.hub().pid]))
  expect(world.records('started').length).toBeGreaterThan(1)
  const losers = world.records<Started>('started').filter(({ pid }) => pid !== world.hub().pid)
  await until(() => losers.every(({ pid }) => !isAlive(pid)))
})

test('a hub is tied to its starter by nothing: no parent, session, group, descriptor, and no ticket', async () => {
  await using world = new World(programs)
  const mark = path.join(world.folder, 'mark')
  const leak = fs.openSync(mark, 'w')
  // Descriptors that some clients leave open for their children: one low, one beyond a gap.
  const stdio = Array.from({ length: 41 }, (_, fd) =>
    fd === 3 || fd === 40 ? leak : fd < 2 ? 'pipe' : 'ignore',
  ) as 'pipe'[]
  const env = { ...world.env, TORYO_TICKET: 'ticket', TORYO_MARK: 'mark', NODE_OPTIONS: '--no-warnings' }
  const bridge = spawn(process.execPath, [world.bridgeProgram, '--db', world.db], { env, stdio, detached: true })
  fs.closeSync(leak)
  const hub = await until(() => fs.existsSync(world.target.statePath) && world.hub())
  // The shell that reports how the hub ended is released once the hub is up.
  const parent = await until(() => {
    const { ppid } = statOf(hub.pid)
    return !fs.readFileSync(`/proc/${ppid}/cmdline`, 'latin1').includes('hub=$!') && ppid
  })
  expect(parent).not.toBe(bridge.pid)
  expect(statOf(hub.pid)).not.toMatchObject({ session: statOf(bridge.pid ?? 0).session })
  expect(statOf(hub.pid)).not.toMatchObject({ group: statOf(bridge.pid ?? 0).group })
  const open = linksOf(hub.pid)
  expect([...open.values()]).not.toContain(mark)
  expect(open.get(0)).toBe('/dev/null')
  const log = path.join(world.target.logDirectory, `start-${world.target.hash.slice(0, 16)}.log`)
  expect([open.get(1), open.get(2)]).toEqual([log, log])
  // Pipes and sockets have names of their own.
  const shared = [...linksOf(bridge.pid).values()].filter(name => name.includes(':['))
  expect([...open.values()].filter(name => shared.includes(name) && !name.startsWith('anon_inode'))).toEqual([])
  const [started] = world.records<Started>('started')
  // Its starter's marks are passed on, so that the hub does not take them for those of its callers.
  const names = started?.env.filter(name => /^TORYO_|^NODE_/.test(name))
  expect(names).toEqual(['TORYO_HOME', 'TORYO_STARTED_BELOW'])
  process.kill(-(bridge.pid ?? 0), 'SIGKILL')
  await until(() => !isAlive(bridge.pid ?? 0))
  expect({ running: isAlive(hub.pid), said: fs.readFileSync(log, 'utf8') }).toEqual({ running: true, said: '' })
})

test('what is left of a start is one log, for the hub that won', async () => {
  await using world = new World(programs)
  await world.bridge().handshake()
  await until(() => fs.readdirSync(world.target.logDirectory).length === 1)
  expect(fs.readdirSync(world.target.logDirectory)).toEqual([`start-${world.target.hash.slice(0, 16)}.log`])
})

test('a hub that ends while it starts is started again', async () => {
  await using world = new World(programs, { startDelayMs: 100_000 })
  const client = world.bridge()
  const first = await until(() => world.records<Started>('started')[0])
  world.script({})
  kill(first.pid)
  await client.handshake()
  expect(world.records('started')).toHaveLength(2)
})

const claimOf = ({ target }: World) => path.join(target.logDirectory, `start-${target.hash.slice(0, 16)}.claim`)

test.each([
  ['a process that has ended', { ...ownMark(), pid: 999_999_999 }],
  ['a process whose number another has by now', { ...ownMark(), start: '1' }],
  ['an earlier version', process.pid],
])('the claim of %s holds nobody up', async (_name, claim) => {
  await using world = new World(programs)
  prepareTarget(world.target)
  fs.writeFileSync(claimOf(world), JSON.stringify(claim))
  await world.bridge().handshake()
})

test('a claim holds as long as its process, however old it is, and no second hub is started beside it', async () => {
  await using world = new World(programs)
  prepareTarget(world.target)
  const starter = world.spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], 'ignore')
  const mark = await until(() => markOf(starter.pid ?? 0))
  fs.writeFileSync(claimOf(world), JSON.stringify(mark))
  const longAgo = new Date(Date.now() - 3_600_000)
  fs.utimesSync(claimOf(world), longAgo, longAgo)
  const waits: string[] = []
  const stop = new AbortController()
  const onProgress = (what: string) => void (waits.push(what) === 5 && stop.abort())
  const waiting = ensureHub(world.target, { program: world.hubProgram, onProgress, signal: stop.signal })
  await expect(waiting).rejects.toThrow(/abort/)
  expect(new Set(waits)).toEqual(new Set(['waiting']))
  expect(world.records('started')).toEqual([])
  const client = world.bridge()
  starter.kill('SIGKILL')
  await client.handshake()
  expect(world.records('started')).toHaveLength(1)
})

test.runIf(process.platform === 'linux')('the claim of a suspended process holds nobody up', async () => {
  await using world = new World(programs)
  prepareTarget(world.target)
  const starter = world.spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], 'ignore')
  fs.writeFileSync(claimOf(world), JSON.stringify(await until(() => markOf(starter.pid ?? 0))))
  starter.kill('SIGSTOP')
  await world.bridge().handshake()
})

/** As the process would name itself. */
function markOf(pid: number) {
  const stat = fs.readFileSync(`/proc/${pid}/stat`, 'latin1')
  return { ...ownMark(), pid, start: stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] }
}

test('the password of a PostgreSQL URL is in no command line', async () => {
  await using world = new World(programs)
  const url = 'postgres://ann:p%40ss@127.0.0.1/toryo'
  await world.bridge(['--db', url]).handshake()
  const [started] = world.records<Started>('started')
  expect(started?.argv).toEqual(['--db', 'postgres://ann@127.0.0.1/toryo', '--background'])
  expect(started?.env).toContain('PGPASSWORD')
  expect(fs.existsSync(locate(url, { env: world.env }).statePath)).toBe(true)
})

test('finds, starts nothing; ensures, tells its progress; and can be told to stop', async () => {
  await using world = new World(programs)
  expect(await findHub(world.target)).toBeUndefined()
  const missing = ensureHub(world.target, { program: path.join(world.folder, 'none.js') })
  await expect(missing).rejects.toThrow(/^The hub's program .*none.js is missing/)
  const stop = new AbortController()
  const progress: string[] = []
  // This program never writes a state.
  const program = path.join(world.folder, 'idle.js')
  fs.writeFileSync(program, 'setTimeout(() => {}, 5000)')
  const onProgress = (what: string) => {
    progress.push(what)
    if (progress.length === 3) stop.abort()
  }
  await expect(ensureHub(world.target, { program, onProgress, signal: stop.signal })).rejects.toThrow(/abort/)
  expect(progress).toEqual(['starting', 'waiting', 'waiting'])
  expect(fs.readdirSync(world.target.logDirectory).filter(name => name.endsWith('.claim'))).toEqual([])
})

function statOf(pid: number): { ppid: number; group: number; session: number } {
  const [, ppid, group, session] =
    fs.readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ')[1]?.split(' ').map(Number) ?? []
  return { ppid: ppid ?? 0, group: group ?? 0, session: session ?? 0 }
}

function linksOf(pid: number | undefined): Map<number, string> {
  const links = new Map<number, string>()
  for (const fd of fs.readdirSync(`/proc/${pid}/fd`)) {
    try {
      links.set(Number(fd), fs.readlinkSync(`/proc/${pid}/fd/${fd}`))
    } catch {
      // Closed meanwhile.
    }
  }
  return links
}
