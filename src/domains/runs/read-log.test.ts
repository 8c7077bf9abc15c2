import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readLog } from './read-log.ts'

let folder: string
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'toryo-log-'))
})
afterEach(() => fs.rmSync(folder, { recursive: true, force: true }))

const LONG_MS = 50_000

/** A run, and how to end it. */
function scriptedRun() {
  let over = false
  const listeners = new Set<() => void>()
  return {
    run: {
      isOver: async () => over,
      onEnd: (listener: () => void) => {
        listeners.add(listener)
        return () => void listeners.delete(listener)
      },
    },
    end: () => {
      over = true
      for (const listener of listeners) listener()
    },
    listeners,
  }
}

test('one that waits gets what is written, also into a file that was not there yet', async () => {
  const file = path.join(folder, 'run.log')
  const { run, listeners } = scriptedRun()
  const { signal } = new AbortController()
  const first = readLog(file, { wait_ms: LONG_MS }, run, signal)
  await expect.poll(() => listeners.size).toBe(1)
  fs.writeFileSync(file, 'one\n')
  const piece = await first
  expect(piece).toMatchObject({ text: 'one\n', ended: false })
  const second = readLog(file, { offset: piece.next_offset, wait_ms: LONG_MS }, run, signal)
  fs.appendFileSync(file, 'two\n')
  expect(await second).toMatchObject({ text: 'two\n', ended: false })
  expect(listeners.size).toBe(0)
})

test('one that waits hears that the run has ended, although nothing more is written', async () => {
  const { run, end, listeners } = scriptedRun()
  const waiting = readLog(path.join(folder, 'run.log'), { wait_ms: LONG_MS }, run, new AbortController().signal)
  await expect.poll(() => listeners.size).toBe(1)
  end()
  expect(await waiting).toEqual({ text: '', next_offset: 0, ended: true })
})

test('one that waits in a folder that is missing hears of the end, too', async () => {
  const { run, end, listeners } = scriptedRun()
  const waiting = readLog(path.join(folder, 'gone', 'run.log'), { wait_ms: LONG_MS }, run, new AbortController().signal)
  await expect.poll(() => listeners.size).toBe(1)
  end()
  expect(await waiting).toMatchObject({ ended: true })
})

test('one who leaves is let go at once', async () => {
  const { run, listeners } = scriptedRun()
  const gone = new AbortController()
  const waiting = readLog(path.join(folder, 'run.log'), { wait_ms: LONG_MS }, run, gone.signal)
  await expect.poll(() => listeners.size).toBe(1)
  gone.abort()
  expect(await waiting).toMatchObject({ text: '', ended: false })
  expect(listeners.size).toBe(0)
})
