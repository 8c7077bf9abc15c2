import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '#test/scripted.ts'
import { pruneLogs } from './prune-logs.ts'

function fill(folder: string, sizes: Record<string, number>): void {
  for (const [at, [name, size]] of Object.entries(sizes).entries()) {
    const file = path.join(folder, name)
    fs.mkdirSync(path.dirname(file), { recursive: true })
    fs.writeFileSync(file, Buffer.alloc(size))
    fs.utimesSync(file, at, at)
  }
}

const left = (folder: string) => fs.readdirSync(folder, { recursive: true, encoding: 'utf8' }).toSorted()

test('the oldest logs go until the rest fits, with the folders that are empty then; what is written to stays', async () => {
  using folder = temporaryFolder()
  fill(folder.path, {
    'living/terminal.log': 60,
    'oldest/terminal.log': 50,
    'beside/terminal.log': 50,
    'beside/settings.json': 500,
    'old.log': 40,
    'new/terminal.log': 30,
    'newest.log': 20,
  })
  await pruneLogs(folder.path, { most: 100, isOpen: name => name.startsWith('living') })
  const kept = ['beside', 'beside/settings.json', 'living', 'living/terminal.log', 'new', 'new/terminal.log']
  expect(left(folder.path)).toEqual([...kept, 'newest.log', 'old.log'].toSorted())
})

test('nothing goes while there is room, and a folder that is not there is none', async () => {
  using folder = temporaryFolder()
  fill(folder.path, { 'a.log': 50, 'b.log': 50 })
  await pruneLogs(folder.path, { most: 100, isOpen: () => false })
  expect(left(folder.path)).toEqual(['a.log', 'b.log'])
  await pruneLogs(path.join(folder.path, 'nowhere'), { most: 0, isOpen: () => false })
})
