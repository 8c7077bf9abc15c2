import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { describe, expect, test } from 'vitest'
import { isRunning, markedProcesses, newMarker, scripted, until } from '#test/scripted.ts'
import { bundleFile } from '../../../scripts/bundle-file.js'
import { launch } from './launch.ts'
import { reclaim } from './reclaim.ts'
import { isStill, plannedRecord, type ProcessRecord } from './record.ts'
import { stop } from './stop.ts'
import { bootId, findProcess } from '#system/processes.ts'

const KINDS = ['silent', 'writer', 'ignoring', 'double-fork', 'stopped'] as const

describe.runIf(process.platform === 'linux')('after a crash', () => {
  test('every process of ours is found again by its record and ended, whatever it does', async () => {
    const program = await bundleFile('test/fixtures/launch-many.ts')
    const parent = spawn(process.execPath, [program, ...KINDS], { stdio: ['ignore', 'pipe', 'inherit'] })
    const [line] = (await once(createInterface({ input: parent.stdout }), 'line')) as [string]
    const records = JSON.parse(line) as ProcessRecord[]
    expect(records.map(isStill)).toEqual(KINDS.map(() => true))
    const bystander = await launch(scripted(['hang']))

    parent.kill('SIGKILL')
    await once(parent, 'exit')

    const reclaimed = await reclaim(records, { graceMs: 300 })
    const ran = Object.fromEntries(KINDS.map((kind, at) => [kind, reclaimed[at]?.ran]))
    // The writer may have died of the broken pipe before we looked.
    expect(ran).toMatchObject({ silent: true, ignoring: true, 'double-fork': true, stopped: true })
    expect(reclaimed.flatMap(({ stopped }) => stopped.survivors)).toEqual([])
    expect(records.flatMap(({ marker }) => markedProcesses(marker))).toEqual([])
    expect(records.filter(isStill)).toEqual([])
    expect(isStill(bystander.record)).toBe(true)
    await stop(bystander.record)
  })

  test('a second look finds nothing', async () => {
    const child = await launch(scripted(['hang']))
    const [first] = await reclaim([child.record])
    expect(first).toMatchObject({ ran: true, stopped: { how: 'terminated' } })
    const [second] = await reclaim([child.record])
    expect(second).toEqual({ ran: false, stopped: { how: 'gone', found: 0, survivors: [] } })
  })

  test('descendants are ended also when the process itself is gone', async () => {
    const options = scripted(['leave double-fork', 'exit 0'])
    const child = await launch(options)
    child.stdout.resume()
    await child.exited
    expect(await reclaim([child.record])).toMatchObject([{ ran: false, stopped: { how: 'terminated', survivors: [] } }])
    expect(markedProcesses(options.marker)).toEqual([])
  })
})

describe.runIf(process.platform === 'linux')('a record made before the launch', () => {
  test('finds whatever was started with its mark', async () => {
    const options = scripted(['leave double-fork', 'hang'])
    const planned = plannedRecord(options.marker)
    await launch(options)
    await until(() => markedProcesses(options.marker).length >= 3)
    expect(isStill(planned)).toBe(false)
    expect(await reclaim([planned])).toMatchObject([{ ran: false, stopped: { how: 'terminated', survivors: [] } }])
    expect(markedProcesses(options.marker)).toEqual([])
  })

  test('finds nobody when nothing was started, whatever is believed of it', async () => {
    expect(await stop(plannedRecord(newMarker()), { own: true })).toEqual({ how: 'gone', found: 0, survivors: [] })
  })
})

describe.runIf(process.platform === 'linux')('a record', () => {
  test('names the process until it ends, also stored as JSON', async () => {
    const child = await launch(scripted(['hang']))
    const stored = JSON.parse(JSON.stringify(child.record)) as ProcessRecord
    await until(() => isStill(stored))
    process.kill(stored.pid, 'SIGKILL')
    await child.exited
    expect(isStill(stored)).toBe(false)
  })

  test('does not name a zombie', async () => {
    const zombie = spawn('/bin/sh', ['-c', '/bin/true & exec sleep 1000'])
    const child = () => spawnSync('ps', ['-o', 'pid=,stat=', '--ppid', String(zombie.pid)], { encoding: 'utf8' }).stdout
    await until(() => child().includes('Z'))
    const pid = Number.parseInt(child(), 10)
    expect(isStill({ boot: bootId(), pid, start: findProcess(pid)?.start ?? '', marker: 'x' })).toBe(false)
    zombie.kill('SIGKILL')
  })

  test('does not name another process with the same number, start or mark', async () => {
    const child = await launch(scripted(['hang']))
    const { record } = child
    for (const change of [{ boot: 'another' }, { start: '1' }, { start: '' }, { marker: newMarker() }, { pid: 1 }]) {
      expect(isStill({ ...record, ...change })).toBe(false)
    }
    await stop(record)
  })

  // Needs a process namespace, in which the next number can be chosen.
  test.runIf(spawnSync('unshare', ['-pf', '--mount-proc', 'true']).status === 0)(
    'does not name a stranger that was given the number again',
    async () => {
      const program = await bundleFile('test/fixtures/reused-pid.ts')
      const inside = spawn('unshare', ['-pf', '--mount-proc', process.execPath, program])
      const told = JSON.parse(await text(inside.stdout)) as Record<string, unknown>
      expect(told).toEqual({ before: true, sameNumber: true, after: false, how: 'gone', strangerLives: true })
    },
  )

  test('of a number that nobody has names nobody', () => {
    expect(isRunning(4_000_000)).toBe(false)
    expect(isStill({ boot: bootId(), pid: 4_000_000, start: '1', marker: 'x' })).toBe(false)
  })
})
