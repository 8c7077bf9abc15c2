import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
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
    const silenceMs = 5000
    let heard = performance.now()
    const run = await supervise({
      launch: scripted([...talks, 'hang']),
      limits: { silenceMs },
      onOutput: () => (heard = performance.now()),
    })
    expect(await run.ended).toMatchObject({ cause: 'silence' })
    // Counted from the first of ten words it would be a second less.
    expect(performance.now() - heard).toBeGreaterThan(silenceMs - 100)
  })

  test('that ignores being told to end is ended all the same, with one end for all who ask', async () => {
    let said = ''
    const run = await supervise({
      launch: scripted(['ignore-term', 'say ready', 'hang']),
      stop: { graceMs: 100 },
      onOutput: bytes => (said += bytes.toString()),
    })
    await until(() => said.includes('"ready"'))
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
    const heard = [0, 0, 0]
    const runs = await Promise.all(
      ['lines', 'lines', 'zeros'].map(async (what, at) => {
        const launch = scripted([`flood ${what}`])
        const log = await CappedLog.create(join(folder.path, `${at}.log`), { cap })
        const onOutput = ({ length }: Buffer) => (heard[at] = (heard[at] ?? 0) + length)
        return { launch, run: await supervise({ launch, log, onOutput }) }
      }),
    )
    const before = process.memoryUsage().rss
    const busy = await longestTurn(until(() => heard.every(bytes => bytes > 20 * cap)))
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
    // Without turns and pauses it is seconds, and memory without end.
    expect(busy).toBeLessThan(500)
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

/** The most processor time that we took between two turns of the event loop, in ms. How busy the machine is does not count. */
async function longestTurn(during: Promise<unknown>): Promise<number> {
  let most = 0
  let ended = false
  const end = during.finally(() => (ended = true))
  while (!ended) {
    const before = process.cpuUsage()
    await sleep(5)
    const { user, system } = process.cpuUsage(before)
    most = Math.max(most, (user + system) / 1000)
  }
  await end
  return most
}
