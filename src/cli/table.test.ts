import { beforeAll, expect, test } from 'vitest'
import { fakeIo } from '#test/fake-io.ts'
import { fit, table } from './table.ts'
import { cut, cutStart, loadWidths, widthOf } from './width.ts'

beforeAll(loadWidths)

type Row = { id: string; title: string; status: string }
const rows: Row[] = [
  { id: 'tsk_1', title: 'Write the README', status: 'todo' },
  { id: 'tsk_20', title: 'ログイン画面を作る', status: 'done' },
  { id: 'tsk_3', title: '👩‍💻 pair', status: 'blocked' },
]
const columns = [
  { title: 'ID', value: (row: Row) => row.id },
  { title: 'TITLE', value: (row: Row) => row.title, prose: true },
  { title: 'STATUS', value: (row: Row) => row.status },
]

test('lines up columns of Japanese, emoji and Latin text', () => {
  const lines = table(rows, columns, fakeIo()).split('\n')
  expect(lines).toEqual([
    'ID      TITLE               STATUS',
    'tsk_1   Write the README    todo',
    'tsk_20  ログイン画面を作る  done',
    'tsk_3   👩‍💻 pair             blocked',
  ])
  const starts = lines.map((line, index) =>
    widthOf(line.slice(0, line.lastIndexOf(['STATUS', 'todo', 'done', 'blocked'][index] as string))),
  )
  expect(new Set(starts).size).toBe(1)
})

test('cuts prose and never ids to fit the terminal', () => {
  const lines = table(rows, columns, fakeIo({ width: 30 })).split('\n')
  for (const line of lines) expect(widthOf(line)).toBeLessThanOrEqual(30)
  expect(lines[2]).toBe('tsk_20  ログイン画面…  done')
  expect(lines.join()).toContain('tsk_20')
})

test('cuts nothing when nobody looks at it in a terminal', () => {
  const long = { id: 'a', title: 'x'.repeat(500), status: 'todo' }
  expect(table([long], columns, fakeIo())).toContain('x'.repeat(500))
})

test('leaves out what is dispensable before it cuts prose to pieces', () => {
  const when = { title: 'WHEN', value: () => '5 minutes ago', optional: true }
  const where = { title: 'WHERE', value: () => 'here', optional: true }
  const wide = table(rows, [...columns, where, when], fakeIo({ width: 80 }))
  expect(wide).toContain('WHERE')
  expect(wide).toContain('WHEN')
  const narrow = table(rows, [...columns, where, when], fakeIo({ width: 45 }))
  expect(narrow).toContain('WHERE')
  expect(narrow).not.toContain('WHEN')
  expect(narrow).toContain('ログイン画面を作る')
  expect(table(rows, [...columns, where, when], fakeIo())).toContain('WHEN')
})

test('keeps what matters while it fits at all, and gives it up before the rest stands upright', () => {
  const who = { title: 'WHO', value: () => 'agt_0123456789', yields: true }
  const seen = (width: number) => table(rows, [...columns, who], fakeIo({ width })).split('\n')[0]
  expect(seen(43)).toBe('ID      TITLE       STATUS   WHO')
  expect(seen(42)).toBe('ID      TITLE               STATUS')
  expect(seen(24)).toBe('tsk_1')
})

test('takes the room from the widest prose first', () => {
  expect(fit([10, 60, 30], [false, true, true], 60)).toEqual([10, 23, 23])
  expect(fit([10, 60, 30], [false, true, false], 20)).toEqual([10, 10, 30])
  expect(fit([10, 60], [false, true], undefined)).toEqual([10, 60])
})

test('aligns the same with colours as without', () => {
  const coloured = columns.map(column => ({ ...column, colour: (text: string) => `\u001b[31m${text}\u001b[39m` }))
  const plain = table(rows, columns, fakeIo())
  // oxlint-disable-next-line no-control-regex
  expect(table(rows, coloured, fakeIo({ colours: true })).replaceAll(/\u001b\[\d+m/g, '')).toBe(plain)
})

test('keeps what an agent wrote on its own line and out of the terminal', () => {
  const row = { id: 'a', title: 'one\n\u001b[2Jtwo', status: 'todo' }
  expect(table([row], columns, fakeIo()).split('\n')[1]).toBe('a   one ⏎ ␛[2Jtwo  todo')
})

test('marks what is empty', () => {
  const sparse = [
    { title: 'A', value: () => null },
    { title: 'B', value: () => '' },
  ]
  expect(table([1], sparse, fakeIo())).toBe('A  B\n-  -')
})

test('cuts between characters, never inside one', () => {
  expect(cut('ログイン', 5)).toBe('ログ…')
  expect(cut('ログイン', 4)).toBe('ロ…')
  expect(cut('👩‍💻👩‍💻', 3)).toBe('👩‍💻…')
  expect(cut('abc', 3)).toBe('abc')
  expect(cut('abcd', 1)).toBe('…')
  expect(cut('abcd', 0)).toBe('')
})

test('puts the columns below each other where not even the ids fit, and hides nothing then', () => {
  const long = rows.map(row => ({ ...row, id: `${row.id}_${'0'.repeat(30)}` }))
  const when = { title: 'Updated', value: () => '5 minutes ago', optional: true }
  const empty = { title: 'NOTE', value: () => null }
  const lines = table(long.slice(0, 2), [...columns, when, empty], fakeIo({ width: 40 })).split('\n')
  expect(lines).toEqual([
    'tsk_1_000000000000000000000000000000',
    '  title    Write the README',
    '  status   todo',
    '  updated  5 minutes ago',
    'tsk_20_000000000000000000000000000000',
    '  title    ログイン画面を作る',
    '  status   done',
    '  updated  5 minutes ago',
  ])
})

test('cuts a path at its beginning', () => {
  const where = { title: 'Path', value: () => '/home/hana/.toryo/worktrees/shop/feature-login', path: true }
  const [header, row] = table(
    [rows[0] as Row],
    [columns[0] as (typeof columns)[0], where],
    fakeIo({ width: 30 }),
  ).split('\n')
  expect(header).toBe('ID     PATH')
  expect(row).toBe('tsk_1  …ees/shop/feature-login')
  expect(cutStart('ログイン', 5)).toBe('…イン')
  expect(cutStart('ログイン', 4)).toBe('…ン')
  expect(cutStart('abcd', 0)).toBe('')
})
