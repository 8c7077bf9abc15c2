import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { markedProcesses, scripted, temporaryFolder, until } from '#test/scripted.ts'
import { CappedLog } from './capped-log.ts'
import { supervise } from './supervise.ts'

describe.runIf(process.platform === 'linux')('a supervised program', () => {
  test('is told of with all it said, after which nothing of it runs', async () => {
    using folder = temporaryFolder()
    const file = join(folder.path, 'run.log')
    const launch = scripted(['say こんにちは', 'stderr oops', 'leave setsid', 'leave double-fork', 'exit 3'])
    const heard = { stdout: '', stderr: '' }
    const run = await supervise({
      launch,
      log: await CappedLog.create(file),
      onOutput: (bytes, from) => (heard[from] += bytes.toString()),
    })
    const ending = await run.ended
    expect(ending).toMatchObject({ cause: 'itself', code: 3, cleanup: { how: 'terminated', survivors: [] } })
    expect(heard.stdout).toContain('こんにちは')
    expect(heard.stderr).toBe('oops\n')
    expect(ending.outputBytes).toBe(statSync(file).size)
    expect(markedProcesses(launch.marker)).toEqual([])
  })

  test('keeps half a line and what was said just before the end', async () => {
    let heard = ''
    const run = await supervise({
      launch: scripted(['half {"type":', 'die SIGKILL']),
      onOutput: bytes => (heard += bytes.toString()),
    })
    expect(await run.ended).toMatchObject({ cause: 'itself', code: undefined, signal: 'SIGKILL' })
    expect(heard.endsWith('{"type":')).toBe(true)
  })

  test('is ended when it has run too long', async () => {
    const run = await supervise({ launch: scripted(['hang']), limits: { totalMs: 100, silenceMs: 60_000 } })
    expect(await run.ended).toMatchObject({ cause: 'time-limit', signal: 'SIGTERM', cleanup: { how: 'terminated' } })
  })

  test('is ended when it has said nothing for too long, not before', async () => {
    const talks = Array.from({ length: 10 }, () => ['say still here', 'sleep 100']).flat()
    const started = performance.now()
    const run = await supervise({ launch: scripted([...talks, 'hang']), limits: { silenceMs: 5000 } })
    expect(await run.ended).toMatchObject({ cause: 'silence' })
    // The last word comes after nine pauses.
    expect(performance.now() - started).toBeGreaterThan(5800)
  })

  test('that ignores being told to end is ended all the same, with one end for all who ask', async () => {
    const run = await supervise({ launch: scripted(['ignore-term', 'say ready', 'hang']), stop: { graceMs: 100 } })
    await sleep(500)
    const [first, second, third] = await Promise.all([run.stop(), run.stop({ graceMs: 60_000 }), run.ended])
    expect(first).toMatchObject({ cause: 'stopped', signal: 'SIGKILL', cleanup: { how: 'killed' } })
    expect(second).toBe(first)
    expect(third).toBe(first)
    expect(await run.stop()).toBe(first)
  })

  test('is ended when its output cannot be used', async () => {
    const error = new Error('no')
    const run = await supervise({
      launch: scripted(['say x', 'hang']),
      onOutput: () => {
        throw error
      },
    })
    expect(await run.ended).toMatchObject({ cause: 'output-refused', error })
  })

  test('takes input as it comes, and its death does not hurt who writes', async () => {
    const run = await supervise({
      launch: scripted([], { program: '/bin/cat', args: [], stdin: 'w', keepStdin: true }),
    })
    run.stdin?.write('x')
    process.kill(run.record.pid, 'SIGKILL')
    await run.ended
    for (let at = 0; at < 10; at++) run.stdin?.write('y'.repeat(100_000))
    await sleep(50)
  })

  test('cannot drown us: three floods at once', async () => {
    using folder = temporaryFolder()
    const cap = 4 * 1024 * 1024
    const idle = await delays(1000)
    const runs = await Promise.all(
      ['lines', 'lines', 'zeros'].map(async (what, at) => {
        const launch = scripted([`flood ${what}`])
        const log = await CappedLog.create(join(folder.path, `${at}.log`), { cap })
        return { launch, run: await supervise({ launch, log, onOutput: () => {} }) }
      }),
    )
    const before = process.memoryUsage().rss
    const flooded = await delays(5000)
    const after = process.memoryUsage().rss
    const endings = await Promise.all(runs.map(({ run }) => run.stop({ graceMs: 5000 })))

    for (const [at, { outputBytes, cleanup }] of endings.entries()) {
      expect(outputBytes).toBeGreaterThan(cap)
      expect(cleanup.survivors).toEqual([])
      const file = join(folder.path, `${at}.log`)
      expect(statSync(file).size).toBeLessThanOrEqual(cap)
      expect(readFileSync(file, 'latin1')).toMatch(/\n\[\d+ bytes dropped\]\n/)
    }
    expect(runs.flatMap(({ launch }) => markedProcesses(launch.marker))).toEqual([])
    // Generous: the machine has other work. Without turns and pauses it is seconds, and memory without end.
    expect(flooded).toBeLessThan(Math.max(500, idle * 20))
    expect(after - before).toBeLessThan(256 * 1024 * 1024)
  })

  test('that writes faster than the log is made to wait', async () => {
    using folder = temporaryFolder()
    const log = await CappedLog.create(join(folder.path, 'x.log'))
    let full = 0
    const run = await supervise({ launch: scripted(['flood lines']), log, onOutput: () => (full += log.full ? 1 : 0) })
    await until(() => log.size > 20 * 1024 * 1024)
    await run.stop()
    // Full now and then is fine; it must never go on growing while full.
    expect(full).toBeLessThan(1000)
  })
})

/** The 99th percentile of how late the event loop was, in ms. */
async function delays(ms: number): Promise<number> {
  const histogram = monitorEventLoopDelay({ resolution: 5 })
  histogram.enable()
  await sleep(ms)
  histogram.disable()
  return histogram.percentile(99) / 1e6
}
