import { expect, test } from 'vitest'
import { parseDiff } from './parse.ts'
import { changesIn, find, itemAt, layOut, pickedIn, step } from './rows.ts'
import { marksOf, piecesOf } from './word-marks.ts'

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
