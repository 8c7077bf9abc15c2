import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { existedBefore } from './existed.ts'

test('a file that a program has made since it began was not there before, also when it is asked about too late', () => {
  const folder = mkdtempSync(join(tmpdir(), 'toryo-existed-'))
  try {
    const file = join(folder, 'roof.txt')
    writeFileSync(file, 'alpha')
    const bornMs = statSync(file).birthtimeMs
    expect(existedBefore(bornMs - 1000)(file)).toBe(false)
    writeFileSync(file, 'beta')
    expect(existedBefore(bornMs + 1000)(file)).toBe(true)
    expect(existedBefore(bornMs + 1000)(join(folder, 'none'))).toBe(false)
    expect(existedBefore(bornMs + 1000)(join(file, 'below a file'))).toBe(false)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
