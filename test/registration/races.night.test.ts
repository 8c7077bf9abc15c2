// Another program writes the same file at the same time. At which moment it may be lost is counted, not hoped.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import type { Disk } from '#system/files.ts'
import { Home, quickDisk, thisHub } from './home.ts'

/** Before its step number `at`, `meanwhile` happens, once. */
function interruptedDisk(at: number, meanwhile: () => void): { disk: Disk; step: () => string | undefined } {
  let steps = 0
  let interrupted: string | undefined
  const disk = new Proxy(quickDisk, {
    get(target, name: keyof Disk) {
      const real = target[name] as (...args: unknown[]) => unknown
      return (...args: unknown[]) => {
        if (++steps === at) {
          interrupted = name
          meanwhile()
        }
        return real(...args)
      }
    },
  })
  return { disk, step: () => interrupted }
}

const TEXT = '{\n  "mine": 0,\n  "mcpServers": {}\n}\n'
const NEWER = '{\n  "mine": 1,\n  "mcpServers": {}\n}\n'

const writers: [name: string, write: (file: string) => void, lostAt: string[]][] = [
  ['into the file', file => fs.writeFileSync(file, NEWER), []],
  [
    // The one moment that no program can close without the other's help: Claude Code's own lock closes it.
    'a new file over it',
    file => {
      fs.writeFileSync(`${file}.other`, NEWER)
      fs.renameSync(`${file}.other`, file)
    },
    ['renameSync'],
  ],
]

test.each(writers)('one that writes %s between any two of our steps', async (_name, write, lostAt) => {
  const lost: string[] = []
  let steps = 0
  for (let done = false; !done; ) {
    using home = new Home()
    home.write(home.gemini, TEXT)
    const { disk, step } = interruptedDisk(++steps, () => write(home.gemini))
    const outcome = (await home.registrar(disk).add(thisHub, home.command)).find(({ file }) => file === home.gemini)
    done = step() === undefined
    const { mine, mcpServers } = JSON.parse(home.read(home.gemini))
    if (!done && mine !== 1) lost.push(step() as string)
    // The last writer wrote a whole file; our entry is in it, unless that writer came after us.
    expect(outcome?.state).toBe('added')
    const settled = home.ledger().entries.length === 1
    if (mcpServers['gwt-agent-bridge'] === undefined) expect(mine).toBe(1)
    expect(settled).toBe(true)
    await home.registrar().remove(() => true)
    expect(JSON.parse(home.read(home.gemini))).toEqual({
      mine: lost.length > 0 && mine === 0 ? 0 : done ? 0 : 1,
      mcpServers: {},
    })
  }
  expect(steps).toBeGreaterThan(40)
  expect(lost).toEqual(lostAt)
})

test('one that opened the file before our last step, and is slow to write into it', async () => {
  using home = new Home()
  home.write(home.gemini, TEXT)
  let opened = false
  const disk: Disk = {
    ...quickDisk,
    renameSync(from, to) {
      if (to === home.gemini) slowWriter(home.gemini)
      quickDisk.renameSync(from, to)
    },
  }
  await home.registrar(disk).add(thisHub, home.command)
  expect(JSON.parse(home.read(home.gemini))).toMatchObject({ mine: 1, mcpServers: { 'gwt-agent-bridge': {} } })

  function slowWriter(file: string): void {
    if (opened) return
    opened = true
    const fd = fs.openSync(file, 'w')
    // Far beyond the looks without a pause, far below their end.
    setTimeout(() => {
      fs.writeSync(fd, NEWER)
      fs.closeSync(fd)
    }, 700)
  }
})

test('one that opened the file before our last step, and writes into it in two halves', async () => {
  using home = new Home()
  home.write(home.gemini, TEXT)
  let fd: number | undefined
  const disk: Disk = {
    ...quickDisk,
    renameSync(from, to) {
      if (to === home.gemini && fd === undefined) {
        const open = fs.openSync(home.gemini, 'w')
        fd = open
        fs.writeSync(open, NEWER.slice(0, 20))
        // Looked at many times meanwhile, without a change.
        setTimeout(() => {
          fs.writeSync(open, NEWER.slice(20))
          fs.closeSync(open)
        }, 700)
      }
      quickDisk.renameSync(from, to)
    },
  }
  await home.registrar(disk).add(thisHub, home.command)
  expect(JSON.parse(home.read(home.gemini))).toMatchObject({ mine: 1, mcpServers: { 'gwt-agent-bridge': {} } })
})

test('a file that is half written when we look is looked at again', async () => {
  using home = new Home()
  home.write(home.gemini, TEXT.slice(0, 12))
  let closed = 0
  const disk: Disk = {
    ...quickDisk,
    closeSync(fd) {
      const file = fs.readlinkSync(`/proc/self/fd/${fd}`)
      quickDisk.closeSync(fd)
      if (file === home.gemini && ++closed === 1) fs.writeFileSync(home.gemini, TEXT)
    },
  }
  const outcomes = await home.registrar(disk).add(thisHub, home.command)
  expect(outcomes).toContainEqual(expect.objectContaining({ file: home.gemini, state: 'added' }))
  await home.registrar().remove(() => true)
  expect(home.read(home.gemini)).toBe(TEXT)
})

test('a file that an engine makes between any two of our steps is not replaced by ours', async () => {
  for (let steps = 1, done = false; !done; steps++) {
    using home = new Home()
    home.install('gemini')
    let made = false
    const { disk, step } = interruptedDisk(steps, () => {
      if (fs.existsSync(home.gemini)) return
      made = true
      home.write(home.gemini, NEWER)
    })
    const outcome = (await home.registrar(disk).add(thisHub, home.command)).find(({ file }) => file === home.gemini)
    done = step() === undefined
    expect(outcome?.state, step()).toBe('added')
    const { mine, mcpServers } = JSON.parse(home.read(home.gemini))
    expect(mine, step()).toBe(made ? 1 : undefined)
    expect(mcpServers).toHaveProperty('gwt-agent-bridge')
    await home.registrar().remove(() => true)
    if (made) expect(home.read(home.gemini)).toBe(NEWER)
    else expect(fs.existsSync(home.gemini)).toBe(false)
  }
})

test('a file that we made and that an engine writes into is not removed with our entry', async () => {
  const lost: string[] = []
  for (let steps = 1, done = false; !done; steps++) {
    using home = new Home()
    home.install('gemini')
    await home.registrar().add(thisHub, home.command)
    let wrote = false
    const { disk, step } = interruptedDisk(steps, () => {
      if (!fs.existsSync(home.gemini)) return
      wrote = true
      const now = JSON.parse(home.read(home.gemini))
      home.write(home.gemini, JSON.stringify({ mine: 1, ...now }, null, 2))
    })
    await home.registrar(disk).remove(() => true)
    done = step() === undefined
    if (!wrote) expect(fs.existsSync(home.gemini)).toBe(false)
    else if (!fs.existsSync(home.gemini)) lost.push(step() as string)
    else expect(JSON.parse(home.read(home.gemini))).toEqual({ mine: 1 })
  }
  // As above: at the one moment that no program can close.
  expect(lost).toEqual(['unlinkSync'])
})

/**
 * Writes a count, and the next one only when it finds its last in the file. A program may see what it wrote vanish for a
 * moment, while we put it back; what stays away is lost. Ends when asked, and reports.
 */
const WRITER = `
const fs = require('node:fs')
const [file, how] = process.argv.slice(1)
let count = 0, lost = 0, broken = 0, away = 0
process.on('message', () => { process.send({ count, lost, broken }); process.exit() })
const locked = work => {
  try { fs.mkdirSync(file + '.lock') } catch { return }
  try { work() } finally { fs.rmdirSync(file + '.lock') }
}
const write = () => {
  let value
  try { value = JSON.parse(fs.readFileSync(file, 'utf8')) } catch { broken++; return }
  if (value.count !== count && ++away < 3000) return
  if (value.count !== count) lost++
  away = 0
  value.count = ++count
  const text = JSON.stringify(value, null, 2)
  if (how === 'in place') return fs.writeFileSync(file, text)
  fs.writeFileSync(file + '.writer', text)
  fs.renameSync(file + '.writer', file)
}
setInterval(() => how === 'locked' ? locked(write) : write(), 3)
process.send('ready')
`

async function startWriter(file: string, how: string): Promise<ChildProcess> {
  const child = spawn(process.execPath, ['-e', WRITER, file, how], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  await once(child, 'message')
  return child
}

test.each([
  ['in place', 'gemini'],
  ['locked', 'claude'],
] as const)('T21: a program that rewrites its file every few milliseconds (%s) loses nothing', async (how, kind) => {
  using home = new Home()
  const file = home[kind]
  home.write(file, JSON.stringify({ count: 0, mcpServers: { x: {} } }, null, 2))
  const writer = await startWriter(file, how)
  const states: Record<string, number> = {}
  for (let round = 0; round < 120; round++) {
    const outcomes = [
      ...(await home.registrar().add(thisHub, home.command)),
      ...(await home.registrar().remove(() => true)),
    ]
    for (const { state, file: named } of outcomes) if (named === file) states[state] = (states[state] ?? 0) + 1
  }
  writer.send('end')
  const [told] = (await once(writer, 'message')) as [{ count: number; lost: number; broken: number }]
  expect(told).toMatchObject({ lost: 0, broken: 0 })
  expect(told.count).toBeGreaterThan(0)
  expect(states['added'] ?? 0).toBeGreaterThan(0)
  expect(JSON.parse(home.read(file))).toMatchObject({ count: told.count, mcpServers: { x: {} } })
  const names = fs.readdirSync(path.dirname(file))
  expect(names.filter(name => /\.tmp$|\.lock$/.test(name))).toEqual([])
})
