// No untested code: each one that the contract declares is named by some test that provokes it.
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'

const root = path.resolve(import.meta.dirname, '..')

async function declaredCodes(): Promise<string[]> {
  const files = readdirSync(path.join(root, 'src', 'contract')).filter(
    name => name.endsWith('.ts') && !name.endsWith('.test.ts'),
  )
  const codes: string[] = []
  for (const file of files) {
    const module = (await import(`../src/contract/${file}`)) as Record<string, unknown>
    const groups = Object.entries(module).filter(
      ([name, value]) => /^[A-Z]\w*Error$/.test(name) && typeof value === 'object',
    )
    for (const [, group] of groups) codes.push(...Object.keys(group as object))
  }
  return codes
}

function testSources(): string {
  const sources = ['src', 'test'].flatMap(folder =>
    readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter(name => name.endsWith('.test.ts'))
      .map(name => path.join(root, folder, name)),
  )
  return sources
    .filter(file => file !== import.meta.filename)
    .map(file => readFileSync(file, 'utf8'))
    .join('\n')
}

test('every declared error code is provoked by some test', async () => {
  const codes = await declaredCodes()
  expect(codes).toEqual(
    expect.arrayContaining(['STORAGE_FULL', 'ALREADY_RUNNING', 'TASK_CLOSED', 'EXECUTION_NOT_FOUND']),
  )
  const sources = testSources()
  expect(codes.filter(code => !new RegExp(`\\b${code}\\b`).test(sources))).toEqual([])
})

test('no code is declared twice', async () => {
  const codes = await declaredCodes()
  expect(codes.filter((code, index) => codes.indexOf(code) !== index)).toEqual([])
})
