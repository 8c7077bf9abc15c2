import fs, { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ConfigFile } from '#kernel/config.ts'
import { quietLog } from '#test/database.ts'
import { editConfig, showConfig } from './config-edit.ts'

let home: string
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'toryo-config-'))
})
afterEach(() => rmSync(home, { recursive: true }))

test('what an editor wrote into the file at the very moment of an edit is put back', async () => {
  const file = join(home, 'config.json')
  writeFileSync(file, '{ "limits": { "runs": 3 } }\n')
  const config = new ConfigFile(file, quietLog())
  const theirs = '{ "name": "Ren" }\n'
  let isLate = true
  // An editor that has the file open, and writes into it when it has just been replaced.
  const renameSync: typeof fs.renameSync = (from, to) => {
    const open = isLate ? fs.openSync(to, 'r+') : undefined
    fs.renameSync(from, to)
    if (open === undefined) return
    isLate = false
    fs.ftruncateSync(open)
    fs.writeSync(open, theirs, 0)
    fs.closeSync(open)
  }
  const wish = { path: 'limits.runs', value: 5, base_hash: showConfig(config, 'en').hash }
  await expect(editConfig(config, wish, { ...fs, renameSync })).rejects.toMatchObject({ code: 'CONFIG_CHANGED' })
  expect(readFileSync(file, 'utf8')).toBe(theirs)
  expect(fs.readdirSync(home)).toEqual(['config.json'])
})
