import { QueryClient } from '@tanstack/react-query'
import { afterAll, expect, test, vi } from 'vitest'
import type { InboxItem } from '#contract/inbox.ts'

const nothing = () => undefined
vi.stubGlobal('localStorage', { getItem: nothing, setItem: nothing, removeItem: nothing })
vi.stubGlobal('document', { addEventListener: nothing, documentElement: { lang: 'en' }, visibilityState: 'visible' })
vi.stubGlobal('window', { addEventListener: nothing })
// Other files share the worker.
afterAll(() => void vi.unstubAllGlobals())
const { snooze } = await import('./actions.ts')
const { leaving, listedOf } = await import('./queries.ts')
const { shownNotices } = await import('../../parts/notices.tsx')

const item = { item_id: 'overlap:1', kind: 'overlap', title: 'shop-1 · shop-2' } as InboxItem
const listed = () => listedOf([item], leaving.get()).length

/** Answers of the hub, given one by one. */
function hub() {
  const waiting: ((answer: Response) => void)[] = []
  vi.stubGlobal('fetch', () => new Promise<Response>(resolve => waiting.push(resolve)))
  const next = async () => {
    await vi.waitFor(() => expect(waiting.length).toBeGreaterThan(0))
    return (body: object, status: number) => waiting.shift()?.(Response.json(body, { status }))
  }
  return next
}

test('an item that is put aside is gone before the hub has answered, and back when it refuses', async () => {
  const asked = hub()
  const done = snooze(new QueryClient(), item, undefined)
  expect(listed()).toBe(0)
  const answer = await asked()
  const error = { code: 'ITEM_GONE', message: 'Not any more.', kind: 'conflict', retryable: false }
  answer({ error }, 409)
  await done
  expect(listed()).toBe(1)
  expect(shownNotices().at(-1)).toMatchObject({
    kind: 'failed',
    detail: 'Not any more.',
    action: { label: 'Try again' },
  })
})

test('it stays away until the list was asked for again', async () => {
  const asked = hub()
  const queries = new QueryClient()
  let loaded = nothing as () => void
  vi.spyOn(queries, 'invalidateQueries').mockImplementation(() => new Promise(resolve => (loaded = resolve)))
  const done = snooze(queries, item, undefined)
  const answer = await asked()
  answer({}, 200)
  await vi.waitFor(() => expect(queries.invalidateQueries).toHaveBeenCalled())
  expect(listed()).toBe(0)
  loaded()
  await done
  expect(leaving.get().size).toBe(0)
})
