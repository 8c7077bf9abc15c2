import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { otherDatabase, rememberDatabase } from './last-database.ts'
import { locate } from './locate.ts'

function place() {
  const folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'toryo-last-')))
  onTestFinished(() => fs.rmSync(folder, { recursive: true, force: true }))
  const env = { HOME: folder, TORYO_HOME: folder }
  return { folder, at: (db?: string) => locate(db, { env, cwd: folder }) }
}

const TEAM = 'postgres://aoi:secret@db.example/toryo'

test('a hub on the database of the home after one elsewhere is noticed, with what to do', () => {
  const { at, folder } = place()
  expect(otherDatabase(at())).toBeUndefined()
  rememberDatabase(at(TEAM))
  expect(otherDatabase(at(TEAM))).toBeUndefined()
  const said = otherDatabase(at())
  for (const text of [said?.en, said?.ja]) {
    expect(text).toContain('postgres://aoi@db.example/toryo')
    expect(text).toContain('`toryo stop`')
    expect(text).toContain(path.join(folder, 'config.json'))
  }
  rememberDatabase(at())
  expect(otherDatabase(at())).toBeUndefined()
})

test('so is one on PostgreSQL after a file, but not a file that was named after another', () => {
  const { at, folder } = place()
  rememberDatabase(at())
  expect(otherDatabase(at(TEAM))?.en).toContain(`\`toryo export --db ${path.join(folder, 'toryo.db')} <file>\``)
  expect(otherDatabase(at('x.db'))).toBeUndefined()
  rememberDatabase(at('x.db'))
  expect(otherDatabase(at('y.db'))).toBeUndefined()
  expect(otherDatabase(at())?.en).toContain(path.join(folder, 'x.db'))
})

test('what is remembered is private and holds no password', () => {
  const { at, folder } = place()
  rememberDatabase(at(TEAM))
  const file = path.join(folder, 'last-database.json')
  expect(fs.readFileSync(file, 'utf8')).toBe('{"db":"postgres://aoi@db.example/toryo"}\n')
  expect(fs.statSync(file).mode & 0o777).toBe(0o600)
  for (const broken of ['', 'null', '{"db":7}', '[]']) {
    fs.writeFileSync(file, broken)
    expect(otherDatabase(at())).toBeUndefined()
  }
})
