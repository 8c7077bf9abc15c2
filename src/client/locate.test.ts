import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { locate, postgresPassword, toryoHome } from './locate.ts'

let folder = ''
beforeAll(() => {
  folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'toryo-locate-')))
})
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }))

const at = (db?: string) => locate(db, { env: { HOME: folder }, cwd: folder })

test('the default database is in ~/.toryo, and TORYO_HOME moves that', () => {
  expect(at()).toMatchObject({
    kind: 'sqlite',
    db: `${folder}/.toryo/toryo.db`,
    statePath: `${folder}/.toryo/toryo.db.hub.json`,
    lockPath: `${folder}/.toryo/toryo.db.lock`,
    logDirectory: `${folder}/.toryo/logs`,
  })
  expect(toryoHome({ HOME: folder, TORYO_HOME: '~/other' })).toBe(`${folder}/other`)
  expect(toryoHome({ HOME: folder, TORYO_HOME: 'here' }, folder)).toBe(`${folder}/here`)
})

test('"db" of config.json names the database, TORYO_DB comes before it and --db before both', () => {
  const home = path.join(folder, 'configured')
  const env = { HOME: folder, TORYO_HOME: home }
  const configure = (text: string) => fs.writeFileSync(path.join(home, 'config.json'), text)
  fs.mkdirSync(home)
  configure('\uFEFF{ // ours\n "name": "a // b, }", /* "db": "no" */ "db": "postgres://aoi:secret@db.example/toryo", }')
  expect(locate(undefined, { env })).toMatchObject({ kind: 'postgres', shownDb: 'postgres://aoi@db.example/toryo' })
  expect(locate(undefined, { env: { ...env, TORYO_DB: '/x/env.db' }, cwd: '/' }).db).toBe('/x/env.db')
  expect(locate('/x/flag.db', { env: { ...env, TORYO_DB: '/x/env.db' } }).db).toBe('/x/flag.db')
  // A file is beside the configuration, wherever the command is given.
  configure('{ "db": "team.db" }')
  expect(locate(undefined, { env, cwd: '/' }).db).toBe(path.join(home, 'team.db'))
  configure('{ "db": "~/own.db" }')
  expect(locate(undefined, { env, cwd: '/' }).db).toBe(path.join(folder, 'own.db'))
  for (const broken of [
    '{ "db": 7 }',
    '{ "db": "" }',
    '{ "db": "x" ',
    '["db"]',
    '{ "limits": { "db": "x" } }',
    'null "db"',
  ]) {
    configure(broken)
    expect(locate(undefined, { env }).db).toBe(path.join(home, 'toryo.db'))
  }
})

const names: [given: string, file: string][] = [
  ['x.db', 'x.db'],
  ['./a/../x.db', 'x.db'],
  ['~/x.db', 'x.db'],
  ['$HOME/a b/x.db', 'a b/x.db'],
  // oxlint-disable-next-line no-template-curly-in-string
  ['${HOME}/棟梁/x.db', '棟梁/x.db'],
  ['~x.db', '~x.db'],
  ['$HOMEX/x.db', '$HOMEX/x.db'],
  ['postgres.db', 'postgres.db'],
]

test.each(names)('%s is one absolute file', (given, file) => {
  expect(at(given).db).toBe(path.join(folder, file))
})

test('links on the way to the folder give no second name, so no second hub', () => {
  fs.mkdirSync(`${folder}/real/data`, { recursive: true })
  fs.symlinkSync(`${folder}/real`, `${folder}/link`)
  expect(at('link/data/x.db')).toEqual(at('real/data/x.db'))
  expect(at('link/not/yet/there/x.db').db).toBe(`${folder}/real/not/yet/there/x.db`)
})

test('nothing is made by looking', () => {
  const before = fs.readdirSync(folder)
  at('new/x.db')
  expect(fs.readdirSync(folder)).toEqual(before)
})

const refused: [name: string, db: string][] = [
  ['an empty name', ' '],
  ['a NUL', 'a\0b'],
  ['another kind of URL', 'mysql://h/d'],
  ['a folder', '.'],
  ['a name that ends like a folder', 'x/'],
  ['a PostgreSQL URL that is none', 'postgres://u:secret@h:port/d'],
]

test.each(refused)('refuses %s', (_name, db) => {
  expect(() => at(db)).toThrow(/^Cannot use the database/)
  expect(() => at(db)).not.toThrow(/secret/)
})

test('PostgreSQL: the password is neither shown nor part of the hash, all else that names the database is', () => {
  const one = at('postgres://ann:p%40ss@db.example:5432/toryo?options=-csearch_path%3Da')
  expect(one).toMatchObject({
    kind: 'postgres',
    db: 'postgres://ann:p%40ss@db.example:5432/toryo?options=-csearch_path%3Da',
    shownDb: 'postgres://ann@db.example/toryo?options=-csearch_path%3Da',
    directory: path.join(folder, '.toryo/hubs', one.hash),
    statePath: path.join(folder, '.toryo/hubs', one.hash, 'hub.json'),
    lockPath: path.join(folder, '.toryo/hubs', one.hash, 'lock'),
  })
  expect(postgresPassword(one)).toBe('p@ss')
  expect(at(one.shownDb).hash).toBe(one.hash)
  expect(at('postgresql://ann:other@db.example/toryo?options=-csearch_path%3Da').hash).toBe(one.hash)
  expect(at('postgres://ann@db.example/toryo?options=-csearch_path%3Db').hash).not.toBe(one.hash)
  const asked = at('postgres:///toryo?host=/run/postgresql&password=secret')
  expect([asked.shownDb, postgresPassword(asked)]).toEqual(['postgres:///toryo?host=%2Frun%2Fpostgresql', 'secret'])
})

test('TORYO_DB is the database where none is named, and an empty one is none', () => {
  const env = { HOME: '/home/kei', TORYO_DB: '~/team.db' }
  expect(locate(undefined, { env, cwd: '/' }).db).toMatch(/kei\/team\.db$/)
  expect(locate('/other.db', { env, cwd: '/' }).db).toBe('/other.db')
  expect(locate(undefined, { env: { ...env, TORYO_DB: '' }, cwd: '/' }).db).toMatch(/\.toryo\/toryo\.db$/)
})

test.each([
  'postgres://u:sec/secret@h/db',
  'postgres://u:12/secret@h/db',
  'postgres://u:a#secret@h/db',
  'postgres://u:a?secret@h/db',
  'postgres://u:a@secret@h:x/db',
  'postgres://u:secret@h:99999/db',
  'postgres://h/db#password=secret',
  'mysql://u:secret@h/db',
  'postgres:/u:secret@h/db',
  'postgresql:u:secret@h/db',
])('a password is not shown either where %s is not understood', db => {
  const shown = () => {
    try {
      return at(db).shownDb
    } catch (error) {
      return (error as Error).message
    }
  }
  expect(shown()).not.toContain('secret')
})
