// Ended at any step of the disk: every config file is as it was or as it should be, and the next one puts everything right.
import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import type { Disk } from '#system/files.ts'
import { deadHub, Home, quickDisk, thisHub, waitersDisk } from './home.ts'

class Ended extends Error {}

/** Ends before its step number `last`; then nothing reaches the disk any more, as after a kill. Torn: half of a write does. */
function mortalDisk(last: number, torn: boolean): { disk: Disk; survived: () => boolean } {
  let steps = 0
  let ended = false
  const disk = new Proxy(quickDisk, {
    get(_, name: string) {
      const real = quickDisk[name as keyof Disk] as (...args: unknown[]) => unknown
      if (typeof real !== 'function') return real
      return (...args: unknown[]) => {
        if (ended) throw new Ended()
        if (++steps < last) return real(...args)
        ended = true
        if (torn && name === 'writeSync') {
          const bytes = args[1] as Buffer
          real(args[0], bytes.subarray(0, Math.floor(bytes.length / 2)), 0)
        }
        throw new Ended()
      }
    },
  })
  return { disk, survived: () => !ended }
}

const texts = {
  claude: '{\n  "棟梁": 1,\n  "mcpServers": {\n    "x": {}\n  }\n}\n',
  codex: 'a = 9223372036854775807 # keep\n',
}

function prepared(): Home {
  const home = new Home()
  home.write(home.claude, texts.claude, 0o600)
  home.write(home.codex, texts.codex)
  home.install('gemini') // Its file is made and removed.
  return home
}

async function registeredTexts(): Promise<Record<'claude' | 'codex' | 'gemini', string>> {
  using home = prepared()
  await home.registrar().add(deadHub, home.command)
  return { claude: home.read(home.claude), codex: home.read(home.codex), gemini: home.read(home.gemini) }
}

function checkWhole(home: Home, after: Record<'claude' | 'codex' | 'gemini', string>): void {
  for (const kind of ['claude', 'codex'] as const) expect([texts[kind], after[kind]]).toContain(home.read(home[kind]))
  if (fs.existsSync(home.gemini)) expect(home.read(home.gemini)).toBe(after.gemini)
}

/** No draft, no lock, neither with the user nor with us. */
function checkClean(home: Home): void {
  const names = fs.readdirSync(home.folder, { recursive: true, encoding: 'utf8' })
  expect(names.filter(name => /\.tmp$|\.claude\.json\.lock/.test(name))).toEqual([])
}

/** A killed process counts as dead to the others. */
const victim = deadHub.kind === 'hub' ? deadHub.process : undefined

/** A lock folder that could not be recorded in time is taken over when it is ten seconds old, as the engine itself does. */
function ageEngineLock(home: Home): void {
  const lock = `${home.claude}.lock`
  if (fs.existsSync(lock)) fs.utimesSync(lock, new Date(Date.now() - 20_000), new Date(Date.now() - 20_000))
}

test.each([false, true])('T19: while it registers (torn writes: %s)', async torn => {
  const after = await registeredTexts()
  let steps = 0
  for (let survived = false; !survived; ) {
    using home = prepared()
    const before = home.picture()
    const mortal = mortalDisk(++steps, torn)
    await home
      .registrar(mortal.disk, victim)
      .add(deadHub, home.command)
      .catch(() => {})
    survived = mortal.survived()
    checkWhole(home, after)
    ageEngineLock(home)

    const outcomes = await home.registrar().add(thisHub, home.command)
    expect(
      outcomes.slice(0, 3).map(({ state }) => /added|repaired/.test(state)),
      `step ${steps}`,
    ).toEqual([true, true, true])
    checkClean(home)
    expect([home.read(home.claude), home.read(home.codex), home.read(home.gemini)]).toEqual(Object.values(after))
    await home.registrar().remove(() => true)
    expect(home.picture(), `step ${steps}`).toEqual(before)
    expect(home.ledger()).toEqual({ entries: [] })
  }
  expect(steps).toBeGreaterThan(100)
})

test('T19: while it unregisters', async () => {
  const after = await registeredTexts()
  let steps = 0
  for (let survived = false; !survived; ) {
    using home = prepared()
    const before = home.picture()
    await home.registrar().add(deadHub, home.command)
    const mortal = mortalDisk(++steps, true)
    await home
      .registrar(mortal.disk, victim)
      .remove(() => true)
      .catch(() => {})
    survived = mortal.survived()
    checkWhole(home, after)
    ageEngineLock(home)
    // A bridge that finds no hub clears away what is left.
    await home.registrar().remove(() => true, true)
    checkClean(home)
    expect(home.picture(), `step ${steps}`).toEqual(before)
    expect(home.ledger()).toEqual({ entries: [] })
  }
  expect(steps).toBeGreaterThan(80)
})

test('while somebody who was ended holds the edit lock, the next one takes it over; a live one is waited for', async () => {
  using home = prepared()
  const folder = path.join(home.toryo, 'registrations.lock')
  const { takeEditLock } = await import('#registration/lock.ts')
  const { ownMark } = await import('#system/process-identity.ts')
  expect(victim && (await takeEditLock(fs, folder, victim))).toBeDefined()
  const live = await takeEditLock(fs, folder, ownMark())
  expect(live).toBeDefined()
  let turn = 'first'
  const { disk, seen } = waitersDisk()
  const waiting = takeEditLock(disk, folder, ownMark()).then(lock => {
    turn = 'second'
    return lock
  })
  await seen
  expect(turn).toBe('first')
  live?.release()
  ;(await waiting)?.release()
  expect(turn).toBe('second')
  expect(fs.readdirSync(folder).sort()).toEqual(['3', '3.free'])
})

test('a holder in another container, of whom nothing can be known, is given up after a minute', async () => {
  using home = prepared()
  const folder = path.join(home.toryo, 'registrations.lock')
  const { takeEditLock } = await import('#registration/lock.ts')
  const { ownMark } = await import('#system/process-identity.ts')
  expect(await takeEditLock(fs, folder, { ...ownMark(), space: 'pid:[1]' })).toBeDefined()
  const { disk, seen } = waitersDisk()
  const waiting = takeEditLock(disk, folder, ownMark())
  await seen
  expect(fs.readdirSync(folder)).toEqual(['1'])
  fs.utimesSync(path.join(folder, '1'), new Date(Date.now() - 61_000), new Date(Date.now() - 61_000))
  const lock = await waiting
  expect(lock).toBeDefined()
  lock?.release()
})

test('many that want the edit lock at once have it one after the other', async () => {
  using home = prepared()
  const folder = path.join(home.toryo, 'registrations.lock')
  const { takeEditLock } = await import('#registration/lock.ts')
  const { ownMark } = await import('#system/process-identity.ts')
  let inside = 0
  const turns = Array.from({ length: 20 }, async () => {
    const lock = await takeEditLock(fs, folder, ownMark())
    expect(++inside).toBe(1)
    await new Promise(resolve => setTimeout(resolve, 1))
    inside--
    lock?.release()
    return lock !== undefined
  })
  expect(await Promise.all(turns)).toEqual(turns.map(() => true))
})
