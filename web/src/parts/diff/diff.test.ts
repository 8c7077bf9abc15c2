import { expect, test } from 'vitest'
import { notesOf } from './notes.ts'
import { lookOf, parseDiff } from './parse.ts'
import { changesIn, find, itemAt, layOut, pickedIn, step, withoutBlanks } from './rows.ts'
import { shownFile } from './shown-file.ts'
import { marksOf, piecesOf } from './word-marks.ts'
import { diffWords } from './words.ts'

const DIFF = `diff --git a/src/a.ts b/src/a.ts
index 1..2 100644
--- a/src/a.ts
+++ b/src/a.ts
@@ -10,4 +10,5 @@ export function total() {
 keep
-const sum = 0
+let sum = 0n
+let more = 1
 keep
 last
diff --git a/gone b/gone
deleted file mode 100644
--- a/gone
+++ /dev/null
@@ -1 +0,0 @@
-x
`

test('a hunk begins with what is hidden above it, and changes are found one after the other', () => {
  const files = parseDiff(DIFF)
  const laid = layOut(files, 'unified', new Set())
  expect(laid.rows[0]?.[0]).toEqual({ kind: 'gap', hidden: 9, heading: 'export function total() {' })
  expect(changesIn(laid)).toEqual([
    { file: 0, row: 2 },
    { file: 1, row: 0 },
  ])
  const changes = changesIn(laid)
  expect(step(changes, undefined, 1)).toEqual({ file: 0, row: 2 })
  expect(step(changes, { file: 0, row: 2 }, 1)).toEqual({ file: 1, row: 0 })
  expect(step(changes, { file: 0, row: 2 }, -1)).toEqual({ file: 1, row: 0 })
  expect(find(laid, 'SUM')).toHaveLength(2)
  expect(layOut(files, 'unified', new Set(['src/a.ts'])).items).toHaveLength(3)
})

test('rows come in blocks of 25, and each row knows its block', () => {
  const lines = Array.from({ length: 60 }, (_, index) => `+${index}`).join('\n')
  const text = `diff --git a/x b/x\nnew file mode 100644\n--- /dev/null\n+++ b/x\n@@ -0,0 +1,60 @@\n${lines}\n`
  const laid = layOut(parseDiff(text), 'split', new Set())
  expect(laid.items.map(item => (item.kind === 'rows' ? item.rows.length : item.kind))).toEqual(['head', 25, 25, 10])
  expect([0, 24, 25, 59].map(row => itemAt(laid, { file: 0, row }))).toEqual([1, 1, 2, 3])
})

test('a comment stands on lines as they are now; beside what was removed, and on the file where nothing is left', () => {
  const [file, gone] = parseDiff(DIFF)
  const laid = layOut(parseDiff(DIFF), 'unified', new Set())
  if (!file || !gone) throw new Error('not read')
  const rows = laid.rows[0] ?? []
  expect(pickedIn(file, rows, 3, 4)).toEqual({ path: 'src/a.ts', from: 11, to: 12 })
  expect(pickedIn(file, rows, 2, 2)).toEqual({ path: 'src/a.ts', from: 11, to: 11 })
  expect(pickedIn(gone, laid.rows[1] ?? [], 0, 0)).toEqual({ path: 'gone', from: null, to: null })
})

test('words that changed are marked, and nothing is where most of the line did', () => {
  expect(marksOf('let sum = 0n', 'let sum = 0')).toEqual([[10, 12]])
  expect(marksOf('total(items, rate)', 'total(items)')).toEqual([[11, 17]])
  expect(marksOf('一つの商品', '全く別の行です')).toEqual([])
  const marks = marksOf('a.b.c', 'a.x.c')
  expect(piecesOf('a.b.c', marks, [[0, 1]])).toEqual([
    { text: 'a', isNew: false, isFound: true },
    { text: '.', isNew: false, isFound: false },
    { text: 'b', isNew: true, isFound: false },
    { text: '.c', isNew: false, isFound: false },
  ])
})

const id = (sign: string) => sign.repeat(40)
const NONE = id('0')
const created = (path: string, mode: string, line: string) =>
  `diff --git a/${path} b/${path}\nnew file mode ${mode}\nindex ${NONE}..${id('b')}\n--- /dev/null\n+++ b/${path}\n@@ -0,0 +1 @@\n+${line}\n`
const removed = (path: string, mode: string, line: string) =>
  `diff --git a/${path} b/${path}\ndeleted file mode ${mode}\nindex ${id('a')}..${NONE}\n--- a/${path}\n+++ /dev/null\n@@ -1 +0,0 @@\n-${line}\n`
const changed = (ids: string, line = 'x', mode = ' 100644') =>
  `diff --git a/f b/f\nindex ${ids}${mode}\n--- a/f\n+++ b/f\n@@ -1 +1 @@\n-w\n+${line}\n`

test.each([
  ['a new symbolic link', created('f', '120000', '/etc/passwd'), 'symlink'],
  ['a new executable', created('f', '100755', 'echo'), 'executable'],
  ['a new submodule', created('f', '160000', `Subproject commit ${id('b')}`), 'submodule'],
  ['a symbolic link that is gone', removed('f', '120000', 'x'), 'symlink'],
  ['a link to elsewhere', changed('1..2', 'x', ' 120000'), 'symlink'],
] as const)('%s is not shown as plain text', (_, text, kind) => {
  for (const words of [diffWords.en, diffWords.ja])
    expect(parseDiff(text).map(file => notesOf(file, words))).toEqual([[words.is[kind]]])
})

test('a plain file has no note', () => {
  expect(parseDiff(created('f', '100644', 'x')).map(file => notesOf(file, diffWords.en))).toEqual([[]])
})

test('a file that became a link is one file with the lines of both', () => {
  const text = removed('f', '100644', 'text') + created('f', '120000', 'target') + created('g', '100644', 'x')
  const [file, other] = parseDiff(text)
  if (!file) throw new Error('not read')
  expect(file).toMatchObject({ path: 'f', status: 'modified', modes: ['100644', '120000'], added: 1, removed: 1 })
  expect(file.hunks.flatMap(({ lines }) => lines.map(({ text }) => text))).toEqual(['text', 'target'])
  expect(other).toMatchObject({ path: 'g', status: 'added' })
  expect(notesOf(file, diffWords.en)).toEqual([
    'The type changed: regular file → symbolic link.',
    diffWords.en.is.symlink,
  ])
})

test('of a type change whose second half did not fit, the file is not said to be deleted', () => {
  const listed = { path: 'f', status: 'modified', added: 1, removed: 1 } as const
  const [half] = parseDiff(removed('f', '100644', 'text'))
  expect(shownFile(listed, half)).toMatchObject({ status: 'modified', isCut: true })
  expect(shownFile({ ...listed, status: 'deleted' }, half)).toMatchObject({ status: 'deleted', isCut: false })
  expect(shownFile(listed, undefined)).toMatchObject({ path: 'f', isMissing: true })
})

test('a file with another content or mode is not the one that was seen, however its lines look', () => {
  const look = (text: string, commit: string | null = 'c1') => parseDiff(text).map(file => lookOf(file, commit))[0]
  const ids = `${id('a')}..${id('b')}`
  expect(look(changed(ids), 'c1')).toBe(look(changed(ids), 'c2'))
  // The two texts have the same 32-bit sum.
  expect(look(changed(ids, 'Aa'))).not.toBe(look(changed(`${id('a')}..${id('c')}`, 'BB')))
  expect(look(changed(ids))).not.toBe(look(changed(ids, 'x', ' 100755')))
  // With more lines around it, it is the same file.
  expect(look(changed(ids))).toBe(look(changed(ids).replace('@@ -1 +1 @@\n', '@@ -1,2 +1,2 @@\n y\n')))
})

test('a file that the diff has no room for is seen as long as the same commit is shown', () => {
  const file = shownFile({ path: 'f', status: 'modified', added: 1, removed: 1 }, undefined)
  expect(lookOf(file, 'c1')).toBe(lookOf(file, 'c1'))
  expect(lookOf(file, 'c1')).not.toBe(lookOf(file, 'c2'))
})

test('lines that differ in blanks alone can be shown as unchanged, with both of their numbers', () => {
  const [file] = parseDiff(
    'diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -1,3 +1,3 @@\n-  if (x) {\n-old\n+\tif (x) {\n+old \n keep\n',
  )
  if (!file) throw new Error('no file')
  const shown = withoutBlanks(file)
  expect(shown.hunks[0]?.lines).toEqual([
    { kind: 'same', old: 1, now: 1, text: '\tif (x) {' },
    { kind: 'same', old: 2, now: 2, text: 'old ' },
    { kind: 'same', old: 3, now: 3, text: 'keep' },
  ])
  const [other] = parseDiff('diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -1 +1 @@\n-a b\n+a c\n')
  expect(other && withoutBlanks(other).hunks[0]?.lines.map(({ kind }) => kind)).toEqual(['del', 'add'])
})

test('a file without room in the diff is unseen after the next look', () => {
  const missing = shownFile({ path: 'big', status: 'modified', added: 3, removed: 1 }, undefined)
  expect(lookOf(missing, '1000')).not.toBe(lookOf(missing, '2000'))
})
