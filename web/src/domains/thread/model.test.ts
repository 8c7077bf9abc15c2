import { expect, test } from 'vitest'
import { diffOf, splitDiff } from './model.ts'

const DIFF = `diff --git a/src/a b.ts b/src/a b.ts
index 1..2 100644
--- a/src/a b.ts\t
+++ b/src/a b.ts\t
@@ -1 +1 @@
-old
+diff --git is a word here
diff --git a/gone b/gone
deleted file mode 100644
--- a/gone
+++ /dev/null
@@ -1 +0,0 @@
-x
diff --git a/logo.png b/logo.png
Binary files a/logo.png and b/logo.png differ
`

test('each file has its own part of the diff, and one without lines has none', () => {
  const parts = splitDiff(DIFF)
  expect(parts).toHaveLength(3)
  expect(diffOf(parts, 'src/a b.ts')).toBe('@@ -1 +1 @@\n-old\n+diff --git is a word here')
  expect(diffOf(parts, 'gone')).toBe('@@ -1 +0,0 @@\n-x')
  expect(diffOf(parts, 'logo.png')).toBeUndefined()
  expect(diffOf(parts, 'b.ts')).toBeUndefined()
  expect(splitDiff('')).toEqual([])
})
