import { expect, test } from 'vitest'
import { fakeIo } from '../../test/fake-io.ts'
import { diffText } from './diff-text.ts'

const INDEX = `index ${'0'.repeat(40)}..7d0a5915c0e3cc795eddbdc79d6a290b48965cc4`

test('in a window the names of blobs are short; elsewhere the diff is to be applied, and stays as it is', () => {
  expect(diffText(`${INDEX} 100644\n+a`, fakeIo({ width: 80 }))).toBe('index 0000000..7d0a591 100644\n+a')
  expect(diffText(INDEX, fakeIo())).toBe(INDEX)
})
