import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import type { HubError } from '#contract/errors.ts'
import { locate, type Target } from './locate.ts'
import { type HubState, isHubUrl, readState, removeState, writeState } from './state-file.ts'
import { checkWritable, prepareTarget } from './trusted-path.ts'

let folder = ''
let target: Target
beforeEach(() => {
  folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'toryo-state-')))
  target = locate('data/deep/x.db', { env: { HOME: folder }, cwd: folder })
  prepareTarget(target)
})
afterEach(() => fs.rmSync(folder, { recursive: true, force: true }))

const state: HubState = {
  pid: 42,
  url: 'http://127.0.0.1:4747',
  token: 'hub_0123456789abcdef',
  version: '0.1.0',
  startedAt: '2026-11-16T00:00:00.000Z',
}

test('folders are made for the user alone, and so is the file', () => {
  for (const made of ['data', 'data/deep', '.toryo', '.toryo/logs'])
    expect(fs.statSync(path.join(folder, made)).mode & 0o777).toBe(0o700)
  writeState(target, state)
  expect(fs.statSync(target.statePath).mode & 0o777).toBe(0o600)
  expect(readState(target)).toEqual(state)
  expect(fs.readdirSync(target.directory)).toEqual(['x.db.hub.json'])
})

test('a missing file, or one that no hub wrote, is no state', () => {
  expect(readState(target)).toBeUndefined()
  const { token: _, ...tokenless } = state
  for (const text of [
    '',
    '{"pid":',
    'null',
    '[]',
    JSON.stringify(tokenless),
    JSON.stringify({ ...state, pid: '42' }),
    JSON.stringify({ ...state, token: 'with\nline break…' }),
    JSON.stringify({ ...state, url: 'http://hub.example' }),
    JSON.stringify({ ...state, url: 'file:///x' }),
  ]) {
    fs.writeFileSync(target.statePath, text, { mode: 0o600 })
    expect(readState(target)).toBeUndefined()
  }
})

test('only its own hub removes the file', () => {
  writeState(target, { ...state, pid: 43, token: 'hub_of_a_later_hub_00' })
  removeState(target, state)
  expect(readState(target)?.pid).toBe(43)
  writeState(target, state)
  removeState(target, state)
  expect(fs.existsSync(target.statePath)).toBe(false)
  removeState(target, state)
})

test('a token goes in clear text to this machine only', () => {
  const fine = ['http://127.0.0.1:1', 'http://localhost:1', 'http://[::1]:1', 'https://hub.example']
  expect(fine.filter(url => !isHubUrl(url))).toEqual([])
  const wrong = ['http://127.0.0.1.evil.example', 'http://10.0.0.1', 'http://localhost.evil', 'ws://127.0.0.1', 'x']
  expect(wrong.filter(url => isHubUrl(url))).toEqual([])
})

const isRoot = process.getuid?.() === 0

/** Each lays a trap; the victim is a file that must stay as it is. */
const traps: [name: string, lay: (victim: string) => void, says: RegExp][] = [
  ['a folder for all to write', () => fs.chmodSync(target.directory, 0o777), /others may write to it.*chmod o-w/],
  ['a state file that is a link', victim => link(victim, target.statePath), /symbolic link/],
  ['a state file that is a link to nowhere', () => link('/nowhere', target.statePath), /symbolic link/],
  ['a folder that is a link', () => moveAndLink(target.directory), /symbolic link; name the real path instead/],
  ['a state file that is a pipe', () => pipe(target.statePath), /not a regular file/],
  ['a state file that is a folder', () => folderAt(target.statePath), /not a regular file/],
  ...(isRoot
    ? ([
        ['a folder of somebody else', () => fs.chownSync(target.directory, 65534, 65534), /belongs to user 65534/],
        ['a state file of somebody else', () => fs.chownSync(target.statePath, 65534, 65534), /belongs to user 65534/],
        ['a folder for a group to write', () => shareWithGroup(target.directory), /others may write to it.*chmod g-w/],
      ] satisfies [string, () => void, RegExp][])
    : []),
]

test.each(traps)('neither reads nor writes through %s', (_name, lay, says) => {
  const victim = path.join(folder, 'victim')
  fs.writeFileSync(victim, JSON.stringify(state), { mode: 0o600 })
  writeState(target, state)
  lay(victim)
  expect(() => readState(target)).toThrow(says)
  expect(() => writeState(target, state)).toThrow(says)
  expect(() => prepareTarget(target)).toThrow(says)
  expect(fs.readFileSync(victim, 'utf8')).toBe(JSON.stringify(state))
})

test('a state file that others can read is not believed, but replaced', () => {
  writeState(target, state)
  fs.chmodSync(target.statePath, 0o640)
  expect(() => readState(target)).toThrow(/others can read it.*chmod 600/)
  writeState(target, state)
  expect(readState(target)).toEqual(state)
})

test('a database that is a link, or of somebody else, is not opened', () => {
  fs.writeFileSync(path.join(folder, 'victim'), '')
  fs.symlinkSync(path.join(folder, 'victim'), target.db)
  expect(() => prepareTarget(target)).toThrow(/symbolic link/)
})

test('a folder where nobody can replace what is ours will do, however many may write there', () => {
  fs.chmodSync(target.directory, 0o1777)
  prepareTarget(target)
  writeState(target, state)
  expect(readState(target)).toEqual(state)
})

test('a folder that cannot be made is named with its reason', () => {
  fs.writeFileSync(path.join(folder, 'file'), '')
  const inFile = locate('file/x.db', { env: { HOME: folder }, cwd: folder })
  expect(() => prepareTarget(inFile)).toThrow(/^Cannot use .*file.*Choose another place/)
})

test('PostgreSQL: every folder between the home and the state is checked', () => {
  const postgres = locate('postgres://h/d', { env: { HOME: folder }, cwd: folder })
  prepareTarget(postgres)
  fs.chmodSync(path.join(folder, '.toryo/hubs'), 0o777)
  expect(() => prepareTarget(postgres)).toThrow(/others may write/)
})

function link(to: string, file: string): void {
  fs.rmSync(file, { force: true })
  fs.symlinkSync(to, file)
}

function moveAndLink(directory: string): void {
  fs.renameSync(directory, `${directory}-real`)
  fs.symlinkSync(`${directory}-real`, directory)
}

function pipe(file: string): void {
  fs.rmSync(file)
  spawnSync('/bin/sh', ['-c', 'mkfifo "$1"', 'sh', file])
}

function folderAt(file: string): void {
  fs.rmSync(file)
  fs.mkdirSync(file)
}

function shareWithGroup(directory: string): void {
  fs.chownSync(directory, process.getuid?.() ?? 0, 12345)
  fs.chmodSync(directory, 0o770)
}

test.each([
  ['EROFS', 'its file system is read-only', '読み取り専用'],
  ['EACCES', 'you may not write there', '権限がありません'],
  ['EPERM', 'you may not write there', '権限がありません'],
  ['ENOSPC', 'the disk is full', '空きがありません'],
])('a home that refuses with %s is a sentence, not words of the operating system', (code, en, ja) => {
  const home = fs.mkdtempSync(path.join(os.tmpdir(), 'toryo-read-only-'))
  onTestFinished(() => fs.rmSync(home, { recursive: true, force: true }))
  const target = locate(undefined, { env: { HOME: home, TORYO_HOME: home } })
  fs.mkdirSync(target.logDirectory, { mode: 0o700 })
  checkWritable(target)
  const refused = vi.spyOn(fs, 'accessSync').mockImplementation(() => {
    throw Object.assign(new Error(`${code}: whatever, access '${home}'`), { code })
  })
  onTestFinished(() => refused.mockRestore())
  try {
    checkWritable(target)
    expect.unreachable()
  } catch (problem) {
    const { text } = problem as HubError
    expect(text.en).toBe(`Cannot use ${home}: ${en}. Choose another place with --db or TORYO_HOME.`)
    expect(text.ja).toContain(ja)
  }
})
