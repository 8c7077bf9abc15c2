import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { claim, releaseClaim } from './claim.ts'
import {
  createFile,
  type Disk,
  draftFor,
  makeFolders,
  makePrivateFolder,
  openNoFollow,
  removeDrafts,
  replaceFile,
  writeNew,
} from './files.ts'
import { ownMark } from './process-identity.ts'

let folder: string
let file: string

beforeEach(() => {
  folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'toryo-files-')))
  file = path.join(folder, 'a.json')
})

afterEach(() => {
  process.umask(0o022)
  fs.rmSync(folder, { recursive: true })
})

class Killed extends Error {}

/** A disk whose user is killed before its nth step; after that nothing of theirs happens any more. */
function killedBefore(step: number): { disk: Disk; steps: string[] } {
  const steps: string[] = []
  const disk = new Proxy(fs, {
    get: (target, name: keyof Disk) => {
      const real = target[name] as (...args: unknown[]) => unknown
      return (...args: unknown[]) => {
        if (steps.length >= step) throw new Killed(name)
        steps.push(name)
        return real.apply(target, args)
      }
    },
  })
  return { disk, steps }
}

const modeOf = (name: string) => fs.statSync(name).mode & 0o7777

describe.each([
  ['writeNew', (disk: Disk, name: string, text: string) => writeNew(disk, name, text)],
  ['createFile', (disk: Disk, name: string, text: string) => createFile(disk, name, text)],
  ['replaceFile', (disk: Disk, name: string, text: string) => replaceFile(disk, name, text)],
])('%s', (_name, write) => {
  test.each([0o000, 0o022, 0o077, 0o777])('makes a file for its owner alone under umask %o', mask => {
    process.umask(mask)
    write(fs, file, 'text')
    process.umask(0o022)
    expect([modeOf(file), fs.readFileSync(file, 'utf8')]).toEqual([0o600, 'text'])
    expect(fs.readdirSync(folder)).toEqual(['a.json'])
  })

  test('never writes through a link', () => {
    const other = path.join(folder, 'other')
    fs.writeFileSync(other, 'theirs')
    fs.symlinkSync(other, file)
    try {
      write(fs, file, 'ours')
    } catch (cause) {
      expect((cause as NodeJS.ErrnoException).code).toBe('EEXIST')
    }
    expect(fs.readFileSync(other, 'utf8')).toBe('theirs')
  })
})

test('a crash before any step of a replacement leaves the old file or the new one, whole', () => {
  const all = killedBefore(Number.POSITIVE_INFINITY)
  fs.writeFileSync(file, 'old')
  replaceFile(all.disk, file, 'new')
  const renamed = all.steps.indexOf('renameSync')
  expect(renamed).toBeGreaterThan(all.steps.indexOf('fsyncSync'))
  expect(all.steps.lastIndexOf('fsyncSync')).toBeGreaterThan(renamed)
  for (const at of all.steps.keys()) {
    fs.writeFileSync(file, 'old')
    expect(() => replaceFile(killedBefore(at).disk, file, 'new')).toThrow(Killed)
    expect(fs.readFileSync(file, 'utf8')).toBe(at <= renamed ? 'old' : 'new')
  }
})

test('what crashed writers left is removed, and nothing else', () => {
  fs.writeFileSync(draftFor(file), 'half')
  fs.writeFileSync(file, 'whole')
  fs.writeFileSync(path.join(folder, 'b.json.1234.tmp'), 'of another file')
  removeDrafts(fs, file, 60_000)
  expect(fs.readdirSync(folder)).toHaveLength(3)
  removeDrafts(fs, file)
  expect(fs.readdirSync(folder).sort()).toEqual(['a.json', 'b.json.1234.tmp'])
})

test('a replacement that fails leaves no draft', () => {
  fs.mkdirSync(file)
  expect(() => replaceFile(fs, file, 'x')).toThrow(/EISDIR|ENOTEMPTY|EEXIST/)
  expect(fs.readdirSync(folder)).toEqual(['a.json'])
})

test('one of several makes the file; the others leave it as it is', () => {
  expect([createFile(fs, file, 'first'), createFile(fs, file, 'second')]).toEqual([true, false])
  expect(fs.readFileSync(file, 'utf8')).toBe('first')
})

test('does not sync what nobody needs after a loss of power', () => {
  const { disk, steps } = killedBefore(Number.POSITIVE_INFINITY)
  replaceFile(disk, file, 'x', { sync: false })
  expect(steps).not.toContain('fsyncSync')
})

test('reads no link, and does not wait for the writer of a pipe', () => {
  fs.symlinkSync('/dev/null', file)
  expect(() => openNoFollow(fs, file)).toThrow('ELOOP')
  const pipe = path.join(folder, 'pipe')
  spawnSync('/bin/sh', ['-c', 'mkfifo "$1"', 'sh', pipe])
  const fd = openNoFollow(fs, pipe)
  expect(fs.fstatSync(fd).isFIFO()).toBe(true)
  fs.closeSync(fd)
})

test('a private folder is made for its owner alone; a link to one is refused', () => {
  process.umask(0)
  const made = path.join(folder, 'a', 'b')
  makePrivateFolder(made)
  expect([modeOf(made), modeOf(path.dirname(made))]).toEqual([0o700, 0o700])
  fs.symlinkSync(made, path.join(folder, 'link'))
  expect(() => makePrivateFolder(path.join(folder, 'link'))).toThrow('is not a folder')
})

describe('a claim', () => {
  test('is held by the process that made it until it lets go', () => {
    expect([claim(file), claim(file)]).toEqual([true, false])
    releaseClaim(file)
    expect([fs.existsSync(file), claim(file)]).toEqual([false, true])
  })

  test.each([
    ['whose process has ended', () => JSON.stringify({ ...ownMark(), pid: 2 ** 22 + 1, start: '1' })],
    ['that says nothing', () => 'half a'],
  ])('%s goes to the next', (_name, text) => {
    fs.writeFileSync(file, text())
    expect(claim(file)).toBe(true)
    expect(fs.readFileSync(file, 'utf8')).toBe(JSON.stringify(ownMark()))
    expect(fs.readdirSync(folder)).toEqual(['a.json'])
  })

  test("of another container's process is left alone", () => {
    fs.writeFileSync(file, JSON.stringify({ ...ownMark(), space: 'pid:[1]' }))
    expect(claim(file)).toBe(false)
    releaseClaim(file)
    expect(fs.existsSync(file)).toBe(true)
  })
})

test('two processes that make the same folders at once both have them', () => {
  const parent = path.join(folder, 'share')
  const make = fs.mkdirSync
  // The other process is a step ahead.
  const made = vi.spyOn(fs, 'mkdirSync').mockImplementation((at, options) => {
    const result = make(at, options)
    if (at === parent) make(path.join(parent, 'toryo'))
    return result
  })
  try {
    makeFolders(path.join(parent, 'toryo'))
  } finally {
    made.mockRestore()
  }
  expect(fs.readdirSync(parent)).toEqual(['toryo'])
})
