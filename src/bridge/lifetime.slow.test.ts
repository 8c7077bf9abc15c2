import type { ChildProcess } from 'node:child_process'
import fs from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { isAlive } from '#system/processes.ts'
import { bundlePrograms, kill, until, World } from '#test/bridge/world.ts'

let programs = ''
beforeAll(async () => {
  programs = await bundlePrograms()
})
afterAll(() => fs.rmSync(programs, { recursive: true, force: true }))

/** A parent that starts a bridge, prints its pid, and keeps the bridge's stdin open through a second child. */
const PARENT = `
const { spawn } = require('node:child_process')
const bridge = spawn(process.execPath, process.argv.slice(1), { stdio: ['pipe', 'ignore', 'ignore'] })
// The pipe's other end lives on in this one: only the parent's death ends the bridge.
const keeper = spawn('sleep', ['300'], { stdio: [bridge.stdin, 'ignore', 'ignore'], detached: true })
console.log(bridge.pid, keeper.pid)
setInterval(() => {}, 1000)`

async function pidsOf(parent: ChildProcess): Promise<[number, number]> {
  let text = ''
  parent.stdout?.on('data', (chunk: Buffer) => (text += chunk.toString()))
  await until(() => text.includes('\n'))
  const [bridge = 0, keeper = 0] = text.split(' ').map(Number)
  return [bridge, keeper]
}

test('50 bridges end soon: those whose parents are killed, and those whose input ends', async () => {
  await using world = new World(programs)
  await world.bridge().handshake()
  const parents = Array.from({ length: 25 }, () =>
    world.spawn(process.execPath, ['-e', PARENT, world.bridgeProgram, '--db', world.db]),
  )
  const clients = Array.from({ length: 25 }, () => world.bridge())
  const pids = await Promise.all(parents.map(pidsOf))
  await until(() => world.records('connected').length === 51)

  for (const parent of parents) parent.kill('SIGKILL')
  for (const client of clients) client.child.stdin.end()
  const exits = await Promise.all(clients.map(client => client.exit))
  await until(() => pids.every(([bridge]) => !isAlive(bridge)))
  for (const [, keeper] of pids) kill(keeper)
  expect(exits.every(({ code }) => code === 0)).toBe(true)
  expect(isAlive(world.hub().pid)).toBe(true)
})

const ends: [name: string, end: (child: ChildProcess) => void][] = [
  ['its input ends', child => child.stdin?.end()],
  ['its input breaks', child => child.stdin?.destroy()],
  ['it gets SIGTERM', child => child.kill('SIGTERM')],
  ['it gets SIGHUP', child => child.kill('SIGHUP')],
  ['it gets SIGINT', child => child.kill('SIGINT')],
]

test.each(ends)('ends when %s, with a call in flight', async (_name, end) => {
  await using world = new World(programs)
  const client = world.bridge()
  await client.handshake()
  client.post('tools/call', { name: 'never' })
  await until(() => world.records().length === 3)
  end(client.child)
  expect(await client.exit).toEqual({ code: 0, signal: null })
})

test('ends when its input ends while a hub is being started, or the hub is gone', async () => {
  await using world = new World(programs, { startDelayMs: 60_000 })
  const client = world.bridge()
  await until(() => world.records('started').length === 1)
  client.child.stdin.end()
  expect((await client.exit).code).toBe(0)
})

test('ends when nobody reads its output', async () => {
  await using world = new World(programs)
  const client = world.bridge()
  await client.handshake()
  client.child.stdout.destroy()
  client.post('tools/call', { name: 'big', arguments: { chars: 100_000 } })
  client.post('ping')
  expect((await client.exit).code).toBe(0)
})

test('what the hub has answered still goes out after the input ended', async () => {
  await using world = new World(programs)
  const client = world.bridge()
  await client.handshake()
  client.child.stdout.pause()
  const id = client.post('tools/call', { name: 'big', arguments: { chars: 100_000 } })
  client.post('ping', {}, 'last')
  await until(() => world.records().length === 4)
  await until(async () => (await cpuOf(client.child.pid)) === (await cpuOf(client.child.pid, 300)))
  client.child.stdin.end()
  client.child.stdout.resume()
  expect((await client.answerTo(id)).result?.['text']).toHaveLength(100_000)
})

test('requests that are piped in and followed by the end of input are answered before it goes', async () => {
  await using world = new World(programs)
  await world.bridge().handshake()
  const client = world.bridge()
  const handshake = client.post('initialize', { protocolVersion: '2025-06-18', capabilities: {} })
  client.notify('notifications/initialized')
  const ping = client.post('ping')
  client.child.stdin.end()
  expect((await client.answerTo(handshake)).result).toBeDefined()
  expect((await client.answerTo(ping)).result).toBeDefined()
  expect((await client.exit).code).toBe(0)
})

test('an idle bridge costs next to no processor time, with a hub and without', async () => {
  await using world = new World(programs)
  const client = world.bridge()
  await client.handshake()
  const before = await cpuOf(client.child.pid)
  const during = await cpuOf(client.child.pid, 3000)
  process.kill(world.hub().pid, 'SIGTERM')
  const after = await cpuOf(client.child.pid, 3000)
  // In hundredths of a second.
  expect(during - before).toBeLessThan(15)
  expect(after - during).toBeLessThan(30)
})

async function cpuOf(pid: number | undefined, afterMs = 0): Promise<number> {
  await new Promise(resolve => setTimeout(resolve, afterMs))
  const fields = fs.readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ')[1]?.split(' ') ?? []
  return Number(fields[11]) + Number(fields[12])
}
