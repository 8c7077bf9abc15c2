import { closeSync, fstatSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openLog } from './log.ts'

let home: string
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'toryo-log-'))
})
afterEach(() => rmSync(home, { recursive: true }))

test('a line is JSON with time, level, message, then the rest', async () => {
  const file = join(home, 'logs', 'hub.log')
  const log = openLog({ file })
  log.info({ url: 'http://x' }, 'the hub listens')
  log.debug('not at this level')
  await log.dispose()
  const [line, rest] = readFileSync(file, 'utf8').split('\n')
  expect(JSON.parse(line ?? '')).toEqual({
    timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    level: 'INFO',
    message: 'the hub listens',
    url: 'http://x',
  })
  expect(rest).toBe('')
  expect(statSync(file).mode & 0o777).toBe(0o600)
})

test.each([
  ['0', ['ERROR']],
  ['1', ['ERROR', 'WARN']],
  ['3', ['ERROR', 'WARN', 'INFO', 'DEBUG']],
  ['nonsense', ['ERROR', 'WARN', 'INFO']],
])('LOG_LEVEL %s', async (level, levels) => {
  const file = join(home, 'hub.log')
  const log = openLog({ file, level })
  for (const name of ['error', 'warn', 'info', 'debug'] as const) log[name]('x')
  await log.dispose()
  const lines = readFileSync(file, 'utf8').trim().split('\n')
  expect(lines.map(line => (JSON.parse(line) as { level: string }).level)).toEqual(levels)
})

test('no credential reaches the file: by its form, by its value, or in a URL', async () => {
  const file = join(home, 'hub.log')
  const log = openLog({ file })
  log.hide('hunter2-hunter2')
  const token = `sess_${'a1-_'.repeat(10)}`
  log.error(
    { token, nested: { ticket: `tkt_${'b'.repeat(43)}` }, err: new Error(`failed for hunter2-hunter2 with ${token}`) },
    'at postgres://user:secret@host/db',
  )
  await log.dispose()
  const text = readFileSync(file, 'utf8')
  for (const secret of [token, 'bbbb', 'hunter2', 'secret@']) expect(text).not.toContain(secret)
  expect(text).toContain('postgres://user:[hidden]@host/db')
})

test('a full file is turned over, and only so many are kept', async () => {
  const file = join(home, 'hub.log')
  const log = openLog({ file })
  const chunk = 'x'.repeat(1024 * 1024)
  for (let written = 0; written < 60; written++) log.info(chunk)
  log.info('the last line')
  await log.dispose()
  expect(readdirSync(home).sort()).toEqual(['hub.log', 'hub.log.1', 'hub.log.2', 'hub.log.3', 'hub.log.4'])
  for (const name of readdirSync(home)) expect(statSync(join(home, name)).size).toBeLessThan(11 * 1024 * 1024)
  expect(readFileSync(file, 'utf8')).toContain('the last line')
})

test('what is said after the end goes nowhere, whoever has the number of the closed file now', async () => {
  const log = openLog({ file: join(home, 'hub.log') })
  await log.dispose()
  const stranger = openSync(join(home, 'stranger'), 'w')
  log.warn('too late')
  await log.dispose()
  expect(fstatSync(stranger).size).toBe(0)
  closeSync(stranger)
})
