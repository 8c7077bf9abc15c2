import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { newSqlite } from '#test/new-sqlite.ts'
import { bytesOf, writeDecisions } from './sizes.ts'

/** 100,000 in 60 MB are 600 bytes each, which `bench memory/size` holds. Among so few the words of the indexes weigh more. */
test('a decision of 157 characters takes no more bytes than it did, and its event few of them', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'toryo-test-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const file = await newSqlite(join(folder, 'toryo.db'))
  const empty = bytesOf(file)
  const count = 2_048
  const { characters } = await writeDecisions(file, count)
  const { parts, total } = bytesOf(file)
  expect(characters).toBeGreaterThan(155)
  expect((parts['its event'] - empty.parts['its event']) / count).toBeLessThan(36)
  expect((total - empty.total) / count).toBeLessThan(840)
})
