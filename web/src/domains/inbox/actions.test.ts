import { QueryClient } from '@tanstack/react-query'
import { afterAll, beforeEach, expect, test, vi } from 'vitest'
import type { InboxItem } from '#contract/inbox.ts'

vi.stubGlobal('document', { documentElement: { lang: 'en' } })
vi.stubGlobal('navigator', { language: 'en', languages: ['en'] })
vi.stubGlobal('localStorage', { getItem: () => null, removeItem: () => undefined, setItem: () => undefined })
vi.stubGlobal('sessionStorage', { getItem: () => null, removeItem: () => undefined, setItem: () => undefined })
const { give, settle } = await import('./actions.ts')
const { notices } = await import('../../parts/notices.tsx')

let sent: [string, unknown][] = []
vi.stubGlobal('fetch', async (url: string, { body }: { body: string }) => {
  sent.push([url.replace('/api/', ''), JSON.parse(body)])
  return new Response(JSON.stringify({ handoffs: [] }))
})
// Other files share the worker.
afterAll(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})
beforeEach(() => {
  // A notice goes away by itself.
  vi.useFakeTimers()
  sent = []
  notices.set([])
})

const shown = (given: Partial<InboxItem>) =>
  ({ item_id: 'x', title: '/home/aoi/ws', runner: null, seen: null, ...given }) as InboxItem
const untrusted = (given: Partial<InboxItem>) =>
  settle(new QueryClient(), shown({ kind: 'untrusted', project_id: 'prj_shop' as never, ...given }))

test('what is trusted is what the item showed, in the folder where it was seen', async () => {
  await untrusted({ seen: 'abc' })
  expect(sent).toEqual([['project.trust', { project_id: 'prj_shop', from: '/home/aoi/ws', seen: 'abc' }]])
})

test('of another machine it is what its Runner saw', async () => {
  await untrusted({ seen: 'abc', runner: 'far' })
  expect(sent).toEqual([['project.trust', { project_id: 'prj_shop', runner: 'far', seen: 'abc' }]])
})

test('a handoff that another person gave to an agent first is not said to be given', async () => {
  const item = shown({ kind: 'handoff', task_id: 'tsk_1' as never, handle: 'SHOP-1' })
  await give(new QueryClient(), item, { id: 'agt_ren', name: 'Ren' })
  expect(sent.map(([operation]) => operation)).toEqual(['handoff.list'])
  expect(notices.get()).toMatchObject([{ kind: 'failed', detail: expect.stringContaining('another person') }])
})
