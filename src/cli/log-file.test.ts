import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { fakeIo } from '#test/fake-io.ts'
import { until } from '#test/until.ts'
import { follow, tail } from './log-file.ts'
import { logLine } from './log-line.ts'

let folder: string
let file: string
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'toryo-log-'))
  file = path.join(folder, 'hub.log')
})
afterEach(() => fs.rmSync(folder, { recursive: true, force: true }))

const lines = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => `line ${from + index} 棟梁`)

test('reads the last lines of a long file', () => {
  fs.writeFileSync(file, `${lines(0, 20_000).join('\n')}\n`)
  expect(tail(file, 3).lines).toEqual(lines(19_997, 20_000))
  expect(tail(file, 9000).lines).toEqual(lines(11_000, 20_000))
  expect(tail(file, 50_000).lines).toEqual(lines(0, 20_000))
})

test('goes on in the file before when this one is still short', () => {
  fs.writeFileSync(`${file}.1`, `${lines(0, 10).join('\n')}\n`)
  fs.writeFileSync(file, `${lines(10, 12).join('\n')}\n`)
  expect(tail(file, 5).lines).toEqual(lines(7, 12))
  expect(tail(file, 2).lines).toEqual(lines(10, 12))
})

test('leaves a line that is still being written', () => {
  fs.writeFileSync(file, 'one\ntwo\nthr')
  expect(tail(file, 5)).toEqual({ lines: ['one', 'two'], end: 8 })
  fs.writeFileSync(file, '')
  expect(tail(file, 5)).toEqual({ lines: [], end: 0 })
})

test('follows what is written, through a rotation', async () => {
  fs.writeFileSync(file, 'old\n')
  const seen: string[] = []
  const ended = new AbortController()
  const following = follow(file, 4, line => seen.push(line), ended.signal)
  fs.appendFileSync(file, 'one\ntw')
  await until(() => seen.length > 0)
  fs.appendFileSync(file, 'o\nbefore\n')
  fs.renameSync(file, `${file}.1`)
  fs.writeFileSync(file, 'after\n')
  await until(() => seen.length > 3)
  expect(seen).toEqual(['one', 'two', 'before', 'after'])
  ended.abort()
  await following
})

test('writes a line of the log for people', () => {
  const io = fakeIo()
  const entry = {
    level: 'WARN',
    timestamp: '2026-07-01T00:00:00.000Z',
    url: 'http://x',
    n: 1,
    message: 'be\u001b[2Jware',
  }
  expect(logLine(JSON.stringify(entry), io)).toMatch(
    /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d WARN  be␛\[2Jware url=http:\/\/x n=1$/,
  )
  expect(logLine('not json \u001b[2J', io)).toBe('not json ␛[2J')
})
