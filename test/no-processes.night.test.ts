// The rule for files that are not named slow, with real vitest and our configuration in a small tree of its own.
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'

let root: string

beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), 'toryo-no-processes-'))
  for (const folder of ['bench', 'src', 'test', 'web/src']) mkdirSync(path.join(root, folder), { recursive: true })
  cpSync('scripts', path.join(root, 'scripts'), { recursive: true, filter: file => !file.endsWith('.test.ts') })
  const files = ['package.json', 'vitest.config.ts', 'test/no-processes.ts', 'test/cheap-passkeys.ts']
  for (const file of files) cpSync(file, path.join(root, file))
  symlinkSync(path.resolve('node_modules'), path.join(root, 'node_modules'))
})

afterEach(() => {
  rmSync(root, { recursive: true })
})

const STARTS = `
  import { spawn, execFileSync } from 'node:child_process'
  import { test } from 'vitest'
  test('copes with a refusal', () => {
    try { execFileSync('true') } catch {}
    try { spawn('true') } catch {}
  })`

test('one that starts a process fails and says how to name its file, though its code copes with the refusal', () => {
  write('src/wrong.test.ts', STARTS)
  const { status, output } = fast()
  expect(output).toContain('execFileSync(true): only a file named *.slow.test.ts may start a process.')
  expect(output).toContain('spawn(true): only a file named *.slow.test.ts may start a process.')
  expect(status).toBe(1)
})

test('a slow one is left out, and the time zone is the same everywhere', () => {
  write('src/right.slow.test.ts', STARTS)
  write(
    'src/zone.test.ts',
    `import { expect, test } from 'vitest'
    test('shows the time of Kathmandu', () => expect(new Date(2026, 0).toISOString()).toBe('2025-12-31T18:15:00.000Z'))`,
  )
  const { status, output } = fast({ TZ: 'Asia/Tokyo' })
  expect(output).toContain('1 passed')
  expect(output).not.toContain('right.slow.test.ts')
  expect(status).toBe(0)
})

function fast(more: Record<string, string> = {}): { status: number | null; output: string } {
  const { PATH = '' } = process.env
  const env = { PATH, HOME: root, TORYO_TEST_TIER: 'fast', NO_COLOR: '1', ...more }
  const args = ['node_modules/vitest/vitest.mjs', 'run', '--project=fast']
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8', env })
  return { status, output: stdout + stderr }
}

function write(name: string, text: string): void {
  writeFileSync(path.join(root, name), text)
}
