import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { afterEach, expect, test } from 'vitest'
import { until } from '#test/until.ts'
import { identityOf, isRunning, lifeOf, ownMark, readMark } from './process-identity.ts'
import { bootId, findProcess, isAlive, isStopped, listProcesses, parsePs } from './processes.ts'

const started: ChildProcess[] = []

afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL')
})

function sleeper(): ChildProcess & { pid: number } {
  const child = spawn('/bin/sleep', ['1000'])
  started.push(child)
  return child as ChildProcess & { pid: number }
}

/** Its parent never takes note of its end. */
async function zombie(): Promise<number> {
  const parent = spawn('/bin/sh', ['-c', '/bin/sleep 1000 & echo $!; exec /bin/sleep 1000'])
  started.push(parent)
  const [line] = (await once(parent.stdout.setEncoding('utf8'), 'data')) as [string]
  const pid = Number(line)
  await until(() => readFileSync(`/proc/${parent.pid}/comm`, 'utf8') === 'sleep\n')
  process.kill(pid, 'SIGKILL')
  await until(() => findProcess(pid)?.zombie === true)
  return pid
}

test.runIf(process.platform === 'linux')('a zombie is not alive, whichever way it is asked for', async () => {
  const pid = await zombie()
  expect(() => process.kill(pid, 0)).not.toThrow()
  expect(isAlive(pid)).toBe(false)
  expect(isRunning(identityOf(pid))).toBe(false)
  expect(lifeOf({ ...ownMark(), ...identityOf(pid) })).toBe('dead')
  // Where the system gives no start time, only the pid is left.
  expect(lifeOf({ ...ownMark(), pid, start: '' })).toBe('dead')
  expect((await listProcesses()).get(pid)).toMatchObject({ zombie: true })
})

test('a process is alive until it has ended', async () => {
  const child = sleeper()
  const identity = identityOf(child.pid)
  expect([isAlive(child.pid), isRunning(identity), lifeOf({ ...ownMark(), ...identity })]).toEqual([
    true,
    true,
    'alive',
  ])
  child.kill('SIGKILL')
  await once(child, 'exit')
  expect([isAlive(child.pid), isRunning(identity), lifeOf({ ...ownMark(), ...identity })]).toEqual([
    false,
    false,
    'dead',
  ])
})

test.runIf(process.getuid?.() !== 0)("another user's process is alive", () => {
  expect(() => process.kill(1, 0)).toThrow('EPERM')
  expect(isAlive(1)).toBe(true)
})

test('an identity names no other process with its number', () => {
  const own = identityOf(process.pid)
  expect(isRunning(own)).toBe(true)
  for (const change of [{ start: '1' }, { start: '' }, { boot: 'another' }, { pid: 2 ** 22 + 1 }])
    expect(isRunning({ ...own, ...change })).toBe(false)
})

test('nothing is known of a process in another container or on another machine', () => {
  const own = ownMark()
  expect(lifeOf({ ...own, space: 'pid:[1]' })).toBe('unknown')
  expect(lifeOf({ ...own, boot: 'another', host: 'another' })).toBe('unknown')
  expect(lifeOf({ ...own, boot: 'another' })).toBe('dead')
})

test('a mark that was stored is read again, anything else is none', () => {
  const own = ownMark()
  expect(readMark(JSON.parse(JSON.stringify(own)))).toEqual(own)
  for (const wrong of [undefined, null, 'x', {}, { ...own, pid: 0 }, { ...own, pid: 1.5 }, { ...own, boot: 1 }])
    expect(readMark(wrong)).toBeUndefined()
})

test.runIf(process.platform === 'linux')('sees who is suspended', async () => {
  const child = sleeper()
  expect(isStopped(child.pid)).toBe(false)
  child.kill('SIGSTOP')
  await until(() => isStopped(child.pid))
  child.kill('SIGCONT')
  await until(() => !isStopped(child.pid))
  expect(isStopped(2 ** 22 + 1)).toBe(false)
})

test('reads what ps prints, zombies included', () => {
  const text = `    1     0     1      0 Ss   Mon Oct  5 09:00:00 2026
  412     1   412      0 S    Mon Oct  5 09:00:01 2026
  413   412   412      0 Z    Mon Oct  5 09:00:02 2026
`
  expect([...parsePs(text).values()].map(({ pid, parent, zombie: ended }) => [pid, parent, ended])).toEqual([
    [1, 0, false],
    [412, 1, false],
    [413, 412, true],
  ])
  expect(bootId()).not.toBe('')
})
