import { spawn } from 'node:child_process'
import { tmpdir } from 'node:os'
import { describe, expect, test } from 'vitest'
import { isRunning, markedProcesses, newMarker, scripted, until } from '#test/scripted.ts'
import { type Launched, launch } from './launch.ts'
import { stop } from './stop.ts'

/** Plays the steps, then hangs; settles when all steps were taken. */
async function playing(...steps: string[]): Promise<Launched & { marker: string }> {
  const options = scripted([...steps, 'say ready', 'hang'])
  const child = await launch(options)
  let output = ''
  child.stdout.on('data', (bytes: Buffer) => (output += bytes.toString()))
  await until(() => output.includes('"ready"'))
  return { ...child, marker: options.marker }
}

describe.runIf(process.platform === 'linux')('the ladder', () => {
  test('needs no force for one that ends when told', async () => {
    const child = await playing()
    expect(await stop(child.record)).toEqual({ how: 'terminated', found: 1, survivors: [] })
    expect(await child.exited).toEqual({ code: undefined, signal: 'SIGTERM' })
  })

  test('asks first, where there is a way to ask', async () => {
    const marker = newMarker()
    const child = await launch({ program: '/bin/cat', args: [], cwd: tmpdir(), env: {}, marker, keepStdin: true })
    expect(await stop(child.record, { ask: () => child.stdin?.end(), askMs: 60_000 })).toMatchObject({ how: 'asked' })
    expect(await child.exited).toEqual({ code: 0, signal: undefined })
  })

  test('goes on when asking did not help', async () => {
    const child = await playing()
    expect(await stop(child.record, { ask: () => {}, askMs: 50 })).toMatchObject({ how: 'terminated' })
  })

  test.each([
    ['ignores the signal to end', ['ignore-term'], 'killed'],
    ['left a child', ['leave fork'], 'terminated'],
    ['left a child in a session of its own', ['leave setsid'], 'terminated'],
    ['left children whose parents are gone', ['leave double-fork'], 'terminated'],
    ['left a stopped child', ['leave stopped'], 'terminated'],
    ['makes zombies', ['leave zombie'], 'terminated'],
    ['left a child that dropped the mark', ['leave no-mark'], 'terminated'],
    ['left orphans without a mark in a session of their own', ['leave bare'], 'terminated'],
    ['left a child that ignores signals', ['leave ignoring'], 'killed'],
    [
      'did all of that',
      ['ignore-term', ...['fork', 'setsid', 'double-fork', 'stopped', 'zombie', 'ignoring'].map(how => `leave ${how}`)],
      'killed',
    ],
  ] as const)('leaves nobody of one that %s', async (_name, steps, how) => {
    const sibling = await playing('leave setsid')
    const child = await playing(...steps)
    const before = markedProcesses(child.marker)

    const report = await stop(child.record, { graceMs: how === 'killed' ? 200 : 60_000, own: true })

    expect(report).toMatchObject({ how, survivors: [] })
    expect(report.found).toBeGreaterThanOrEqual(before.length)
    expect(markedProcesses(child.marker)).toEqual([])
    expect(before.filter(isRunning)).toEqual([])
    expect(markedProcesses(sibling.marker)).toHaveLength(2)
    await stop(sibling.record)
  })

  test('ends one that was itself stopped', async () => {
    const child = await playing()
    process.kill(child.record.pid, 'SIGSTOP')
    expect(await stop(child.record, { graceMs: 60_000 })).toMatchObject({ how: 'terminated' })
  })

  test('ends what a process left behind that has ended by itself', async () => {
    const options = scripted(['leave setsid', 'leave double-fork', 'leave no-mark', 'exit 0'])
    const child = await launch(options)
    child.stdout.resume()
    await child.exited
    expect(markedProcesses(options.marker).length).toBeGreaterThanOrEqual(3)
    const report = await stop(child.record, { own: true })
    expect(report).toMatchObject({ how: 'terminated', survivors: [] })
    expect(report.found).toBeGreaterThanOrEqual(4)
    expect(markedProcesses(options.marker)).toEqual([])
  })

  test('is faster than one that forks all the time, and than one that is never the same process for long', async () => {
    const marker = newMarker()
    const script = 'trap "" TERM; go() { sleep 0.02; (go) & }; go; while :; do sleep 1000 & sleep 0.02; done'
    const env = { PATH: '/usr/bin:/bin' }
    const child = await launch({ program: '/bin/bash', args: ['-c', script], cwd: tmpdir(), env, marker })
    child.stderr.resume()
    await until(() => markedProcesses(marker).length > 10)
    expect(await stop(child.record, { graceMs: 10, killMs: 60_000 })).toMatchObject({ how: 'killed', survivors: [] })
    expect(markedProcesses(marker)).toEqual([])
  })

  test('finds nothing to do for one that is gone', async () => {
    const child = await launch(scripted(['exit 0']))
    child.stdout.resume()
    await child.exited
    expect(await stop(child.record)).toEqual({ how: 'gone', found: 0, survivors: [] })
  })

  test('touches nobody for a record whose number belongs to somebody else', async () => {
    const stranger = spawn('/bin/sleep', ['1000'], { detached: true })
    const pid = stranger.pid as number
    const { findProcess, bootId } = await import('#system/processes.ts')
    const start = findProcess(pid)?.start ?? ''
    const truth = { boot: bootId(), pid, start, marker: newMarker() }
    for (const record of [truth, { ...truth, start: '1' }, { ...truth, boot: 'another boot' }]) {
      expect(await stop(record)).toEqual({ how: 'gone', found: 0, survivors: [] })
    }
    expect(isRunning(pid)).toBe(true)
    stranger.kill('SIGKILL')
  })
})
