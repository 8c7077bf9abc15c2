import { spawn } from 'node:child_process'
import { chmodSync, openSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, expect, test } from 'vitest'
import { newMarker, scripted, temporaryFolder, until } from '#test/scripted.ts'
import { waitsIn } from '#test/waits-in.ts'
import { bundleFile } from '../../../scripts/bundle-file.js'
import { allowed } from './environment.ts'
import { launch, LaunchError } from './launch.ts'
import { stop } from './stop.ts'

const sleeper = (env: Record<string, string> = {}) => ({
  program: '/bin/sleep',
  args: ['1000'],
  cwd: tmpdir(),
  env,
  marker: newMarker(),
})

describe.runIf(process.platform === 'linux')('a launched program', () => {
  test('has descriptors 0, 1 and 2 and no other', async () => {
    const held = openSync('/dev/null', 'r')
    const child = await launch(sleeper())
    await until(() => waitsIn(child.record.pid, '/bin/sleep'))
    expect(readdirSync(`/proc/${child.record.pid}/fd`).toSorted()).toEqual(['0', '1', '2'])
    await stop(child.record)
    expect(held).toBeGreaterThan(2)
  })

  test.each(['5', '30', '5 and 30'])('gets none of what our parent left open: %s', async which => {
    const program = await bundleFile('test/fixtures/launch-sleep.ts')
    const redirections = which.split(' and ').map(fd => `${fd}</etc/passwd`)
    const parent = spawn('/bin/bash', [
      '-c',
      `exec ${redirections.join(' ')}; exec "$@"`,
      'x',
      process.execPath,
      program,
    ])
    const told = JSON.parse(await text(parent.stdout)) as { inherited: number[] }
    expect(told).toMatchObject({ descriptors: [0, 1, 2], env: ['A', 'TORYO_MARK'], later: [] })
    expect(told.inherited.includes(30)).toBe(which.includes('30'))
  })

  test('leads a session and a process group of its own', async () => {
    const child = await launch(sleeper())
    const { findProcess } = await import('#system/processes.ts')
    expect(findProcess(child.record.pid)).toMatchObject({ group: child.record.pid, session: child.record.pid })
    await stop(child.record)
  })

  test('sees the given environment, arguments, folder and umask, and nothing of ours', async () => {
    using folder = temporaryFolder()
    process.env.NODE_OPTIONS_OF_A_STRANGER = 'x'
    const env = {
      PATH: process.env.PATH ?? '',
      LANG: 'ja_JP.UTF-8',
      GREETING: 'こんにちは "quoted" $HOME\nsecond line',
    }
    const options = scripted(['env'], { cwd: folder.path, env, umask: 0o027 })
    const args = [...options.args, 'one two', '', "it's $(id) `id` \\ *", '--end']
    const child = await launch({ ...options, args })
    const seen = events(await text(child.stdout)).find(event => event.type === 'scripted')
    expect(seen).toEqual({
      type: 'scripted',
      argv: [process.execPath, ...args],
      env: { ...env, TORYO_MARK: options.marker },
      cwd: folder.path,
      umask: 0o027,
    })
    delete process.env.NODE_OPTIONS_OF_A_STRANGER
  })

  test('reads the end of its input at once when there is none, and all of it when there is', async () => {
    const cat = { ...sleeper(), program: '/bin/cat', args: [] }
    expect(await text((await launch(cat)).stdout)).toBe('')
    const long = 'ねこ🐈\n'.repeat(200_000)
    expect(await text((await launch({ ...cat, stdin: long })).stdout)).toBe(long)
  })

  test('may end without reading its input', async () => {
    const child = await launch({ ...sleeper(), program: '/bin/true', args: [], stdin: 'x'.repeat(10_000_000) })
    expect(await child.closed).toEqual({ code: 0, signal: undefined })
  })

  test('tells its exit code or signal once', async () => {
    const sh = (script: string) => launch({ ...sleeper(), program: '/bin/sh', args: ['-c', script] })
    expect(await (await sh('exit 7')).exited).toEqual({ code: 7, signal: undefined })
    expect(await (await sh('kill -9 $$')).exited).toEqual({ code: undefined, signal: 'SIGKILL' })
  })

  test('that dies before its first byte ends like any other', async () => {
    const child = await launch(scripted(['die SIGKILL'], { stdin: '', program: '/bin/false', args: [] }))
    expect(await child.closed).toEqual({ code: 1, signal: undefined })
  })
})

describe('nothing is started', () => {
  test.each([
    ['in a folder that is not there', { cwd: '/no/such/folder' }, 'no-folder'],
    ['in a file', { cwd: '/bin/sleep' }, 'no-folder'],
    ['in a relative folder', { cwd: '.' }, 'no-folder'],
    ['without a program', { program: '/no/such/program' }, 'no-program'],
    ['by a name that the shell would have to look for', { program: 'sleep' }, 'no-program'],
    ['from a folder', { program: '/bin' }, 'no-program'],
    ['with a NUL in an argument', { args: ['a\0b'] }, 'refused'],
    ['with more arguments than the system takes', { args: Array<string>(200).fill('x'.repeat(100_000)) }, 'refused'],
  ] as const)('%s', async (_name, changes, problem) => {
    const failure: unknown = await launch({ ...sleeper(), ...changes }).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(LaunchError)
    expect(failure).toMatchObject({ problem })
  })

  test('from a file that may not be executed', async () => {
    using folder = temporaryFolder()
    const program = join(folder.path, 'program')
    writeFileSync(program, '#!/bin/sh\n')
    chmodSync(program, 0o600)
    symlinkSync(program, join(folder.path, 'link'))
    for (const name of ['program', 'link']) {
      await expect(launch({ ...sleeper(), program: join(folder.path, name) })).rejects.toMatchObject({
        problem: 'not-executable',
      })
    }
  })
})

test('an allow-list lets through what it names, never what changes how programs load', () => {
  const source = {
    PATH: '/bin',
    LANG: 'C',
    LC_TIME: 'ja_JP',
    SECRET: 'x',
    NODE_OPTIONS: '--require x',
    LD_PRELOAD: 'x',
    DYLD_INSERT_LIBRARIES: 'x',
    GIT_DIR: 'x',
    BASH_ENV: 'x',
    ENV: 'x',
    PROMPT_COMMAND: 'x',
    'BASH_FUNC_ls%%': '() { id; }',
  }
  expect(allowed(source, ['PATH', 'LANG', 'LC_*'])).toEqual({ PATH: '/bin', LANG: 'C', LC_TIME: 'ja_JP' })
  expect(Object.keys(allowed(source, ['*']))).toEqual(['PATH', 'LANG', 'LC_TIME', 'SECRET'])
})

function events(output: string): Record<string, unknown>[] {
  return output
    .split('\n')
    .filter(line => line !== '')
    .map(line => JSON.parse(line) as Record<string, unknown>)
}
