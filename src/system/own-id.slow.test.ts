import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { ownId } from './own-id.ts'

function inFolder(work: (folder: string) => void): void {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'toryo-own-id-'))
  try {
    work(folder)
  } finally {
    fs.rmSync(folder, { recursive: true, force: true })
  }
}

test('a folder keeps its name when it is moved; a copy of it has another, the same each time', () => {
  inFolder(folder => {
    const [first, moved, copy] = ['first', 'moved', 'copy'].map(name => path.join(folder, name)) as [
      string,
      string,
      string,
    ]
    fs.mkdirSync(first)
    const id = (home: string) => ownId(path.join(home, 'id'), 16)
    const name = id(first)
    expect(name).toMatch(/^[0-9a-f]{32}$/)
    expect(id(first)).toBe(name)
    fs.cpSync(first, copy, { recursive: true })
    fs.renameSync(first, moved)
    expect(id(moved)).toBe(name)
    const other = id(copy)
    expect(other).toMatch(/^[0-9a-f]{32}$/)
    expect(other).not.toBe(name)
    expect(id(copy)).toBe(other)
    expect(fs.readdirSync(copy)).toEqual(['id'])
  })
})

test('a name of an earlier version, without a number, stays; what is no name is none', () => {
  inFolder(folder => {
    const file = path.join(folder, 'id')
    fs.writeFileSync(file, `${'ab'.repeat(16)}\n`)
    expect(ownId(file, 16)).toBe('ab'.repeat(16))
    fs.writeFileSync(file, 'ab')
    expect(ownId(file, 16)).toBeUndefined()
  })
})
