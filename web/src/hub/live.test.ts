import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { refetcher } from './live.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** Answers when it is told to. */
function client() {
  const asked: { key: unknown; options: unknown; settle: () => void }[] = []
  const state = { fetching: 0 }
  const queries = {
    isFetching: () => state.fetching,
    invalidateQueries: ({ queryKey }: { queryKey?: unknown } = {}, options?: unknown) =>
      new Promise<void>(settle => void asked.push({ key: queryKey, options, settle })),
  }
  return { asked, state, refetch: refetcher(queries as Parameters<typeof refetcher>[0]) }
}

test('many events during a request neither cancel nor repeat it, and are asked for once after it', async () => {
  const { asked, refetch } = client()
  refetch(['tasks'])
  refetch(['tasks'])
  await vi.advanceTimersByTimeAsync(100)
  expect(asked).toMatchObject([{ key: ['tasks'], options: { cancelRefetch: false } }])
  for (let at = 0; at < 20; at++) {
    refetch(['tasks'])
    await vi.advanceTimersByTimeAsync(100)
  }
  expect(asked).toHaveLength(1)
  asked[0]?.settle()
  await vi.advanceTimersByTimeAsync(100)
  expect(asked).toHaveLength(2)
  asked[1]?.settle()
  await vi.advanceTimersByTimeAsync(1000)
  expect(asked).toHaveLength(2)
})

test('a request that ran before the event does not count as its answer', async () => {
  const { asked, state, refetch } = client()
  state.fetching = 1
  refetch(['tasks'])
  await vi.advanceTimersByTimeAsync(100)
  state.fetching = 0
  asked[0]?.settle()
  await vi.advanceTimersByTimeAsync(100)
  expect(asked).toHaveLength(2)
})
