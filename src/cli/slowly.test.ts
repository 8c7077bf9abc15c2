import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { fakeIo } from '#test/fake-io.ts'
import { slowly } from './slowly.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const text = { en: 'Preparing …', ja: '準備しています…' }

test('says once what is being waited for, and only when it takes a while', async () => {
  const io = fakeIo({ lang: 'ja' })
  expect(await slowly({ io, global: {} }, text, async () => 'quick')).toBe('quick')
  await vi.advanceTimersByTimeAsync(60_000)
  expect(io.err()).toBe('')
  const done = slowly({ io, global: {} }, text, () => new Promise(resolve => setTimeout(resolve, 30_000, 'slow')))
  await vi.advanceTimersByTimeAsync(30_000)
  expect(await done).toBe('slow')
  expect(io.err()).toBe('準備しています…\n')
  expect(io.out()).toBe('')
})

test('says nothing beside --json, nor after a failure', async () => {
  const io = fakeIo()
  const waiting = slowly({ io, global: { json: true } }, text, () => new Promise(done => setTimeout(done, 30_000)))
  await vi.advanceTimersByTimeAsync(30_000)
  await waiting
  await expect(slowly({ io, global: {} }, text, () => Promise.reject(new Error('no')))).rejects.toThrow('no')
  await vi.advanceTimersByTimeAsync(60_000)
  expect(io.err()).toBe('')
})
