import { expect, test } from 'vitest'
import { Sqlite, sqliteCode } from './sqlite-port.ts'

function table(): Sqlite {
  const sqlite = new Sqlite(':memory:')
  sqlite.exec('CREATE TABLE t (a, b)')
  return sqlite
}

test.each([
  ['a Date', new Date(0), 'cannot store a Date'],
  ['NaN', Number.NaN, 'NaN is not a number'],
  ['an infinity', Number.POSITIVE_INFINITY, 'Infinity is not a number'],
  ['text with NUL', 'a\0b', 'NUL in text'],
  ['a boolean', true, 'cannot store boolean'],
  ['undefined', undefined, 'cannot store undefined'],
  ['an object', { a: 1 }, 'cannot store object'],
])('refuses %s, which the library would store as something else', (_, value, message) => {
  const sqlite = table()
  expect(() => sqlite.run('INSERT INTO t VALUES (?, ?)', ['x', value])).toThrow(message)
  expect(sqlite.all('SELECT * FROM t')).toEqual([])
})

test('refuses too few and too many values', () => {
  const sqlite = table()
  for (const values of [[], [1], [1, 2, 3]])
    expect(() => sqlite.run('INSERT INTO t VALUES (?, ?)', values)).toThrow(`takes 2 values, got ${values.length}`)
})

test('does not count question marks that are text, names or comments', () => {
  const sqlite = table()
  const sql = `SELECT '?''?' AS "a?", ? AS b -- ?\n/* ? */`
  expect(sqlite.get(sql, ['x'])).toEqual({ 'a?': "?'?", b: 'x' })
})

test('keeps text, whole numbers, bytes and null as they are', () => {
  const sqlite = table()
  for (const value of ['棟梁 🏠', Number.MAX_SAFE_INTEGER, 1.5, null]) {
    sqlite.exec('DELETE FROM t')
    sqlite.run('INSERT INTO t VALUES (?, ?)', [value, new Uint8Array([1, 2])])
    expect(sqlite.get('SELECT a, b FROM t')).toEqual({ a: value, b: new Uint8Array([1, 2]) })
  }
})

test('names the error of the library', () => {
  const sqlite = table()
  sqlite.exec('CREATE UNIQUE INDEX u ON t (a)')
  sqlite.run('INSERT INTO t VALUES (?, ?)', [1, 1])
  let code: string | undefined
  try {
    sqlite.run('INSERT INTO t VALUES (?, ?)', [1, 2])
  } catch (error) {
    code = sqliteCode(error)
  }
  expect(code).toMatch(/^SQLITE_CONSTRAINT/)
  expect(sqliteCode(new Error('another'))).toBeUndefined()
})

test('more statements than it remembers still work', () => {
  const sqlite = table()
  for (let index = 0; index < 1_100; index++)
    expect(sqlite.get(`SELECT ? + ${index} AS n`, [1])).toEqual({ n: index + 1 })
})

test('what a statement gives after a change of the schema has the new names', () => {
  const sqlite = table()
  sqlite.run('INSERT INTO t VALUES (?, ?)', [1, 2])
  expect(sqlite.all('SELECT * FROM t')).toEqual([{ a: 1, b: 2 }])
  for (const [change, row] of [
    ['ALTER TABLE t RENAME COLUMN b TO c', { a: 1, c: 2 }],
    ['ALTER TABLE t ADD COLUMN d', { a: 1, c: 2, d: null }],
    ['ALTER TABLE t DROP COLUMN a', { c: 2, d: null }],
  ] as const) {
    sqlite.run(change)
    expect(sqlite.all('SELECT * FROM t')).toEqual([row])
  }
})
