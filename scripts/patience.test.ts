import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { ROOT } from './sources.js'

const MINUTE_MS = 60_000
const FOLDERS = ['src', 'test', 'web/src', 'scripts', 'bench']
const LIMIT = /\btimeout: ([\d_]+)/

test('a test that may take longer than a minute to fail says why', () => {
  expect(FOLDERS.flatMap(testsIn).flatMap(silent)).toEqual([])
})

/** Longer limits without a comment on their own line or right above. */
function silent(file: string): string[] {
  const lines = fs.readFileSync(path.join(ROOT, file), 'utf8').split('\n')
  return lines.flatMap((line, at) => {
    const ms = Number(LIMIT.exec(line)?.[1]?.replaceAll('_', ''))
    const explained = [line, lines[at - 1] ?? ''].some(text => text.includes('//') || text.includes('*/'))
    return ms > MINUTE_MS && !explained ? [`${file}:${at + 1}`] : []
  })
}

function testsIn(folder: string): string[] {
  const names = fs.readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' })
  return names
    .filter(name => name.endsWith('.ts') && !name.includes('node_modules'))
    .map(name => path.join(folder, name))
}
