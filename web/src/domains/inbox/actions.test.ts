import { QueryClient } from '@tanstack/react-query'
import { afterAll, beforeEach, expect, test, vi } from 'vitest'
import type { InboxItem } from '#contract/inbox.ts'
import { INBOX_KINDS } from '#contract/inbox-values.ts'

vi.stubGlobal('document', { documentElement: { lang: 'en' } })
vi.stubGlobal('navigator', { language: 'en', languages: ['en'] })
vi.stubGlobal('localStorage', { getItem: () => null, removeItem: () => undefined, setItem: () => undefined })
vi.stubGlobal('sessionStorage', { getItem: () => null, removeItem: () => undefined, setItem: () => undefined })
const { acceptAnyway, give, settle } = await import('./actions.ts')
const { rowStepsOf, stepsOf } = await import('./steps-of.ts')
const { stepWords } = await import('./step-words.ts')
const { currentWords } = await import('../../words/words.ts')
const { notices } = await import('../../parts/notices.tsx')

let sent: [string, unknown][] = []
vi.stubGlobal('fetch', async (url: string, { body }: { body: string }) => {
  sent.push([url.replace('/api/', ''), JSON.parse(body)])
  return new Response(JSON.stringify({ handoffs: [], changed_since: ['a.ts'], snapshot: { commit: 'c0ffee' } }))
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

test('work is accepted in spite of its check once the person knows what that leaves out, and as it was shown', async () => {
  const item = shown({ kind: 'blocked', item_id: 'blocked:tsk_1', task_id: 'tsk_1' as never, title: 'Build' })
  await acceptAnyway(new QueryClient(), item)
  expect(sent.map(([operation]) => operation)).toEqual(['task.review'])
  expect(notices.get()).toMatchObject([{ kind: 'failed', detail: expect.stringContaining('a.ts. Take it in, or') }])
  await acceptAnyway(new QueryClient(), item)
  expect(sent.at(-1)).toEqual(['task.verdict', { task_id: 'tsk_1', decision: 'accept', commit: 'c0ffee' }])
})

test('each kind of item has one or two first steps in its row; what needs reading first is only beside it', () => {
  const picked: string[] = []
  const context = {
    ...{ words: currentWords(), own: stepWords.en, queries: new QueryClient() },
    ...{ navigate: () => {}, makeTask: () => {}, pick: () => void picked.push('agent') },
  }
  const sides = [
    { task_id: 'tsk_1', tab_id: 'tab_1' },
    { task_id: 'tsk_2', tab_id: null },
  ] as never
  const given = {
    project_id: 'prj_shop' as never,
    task_id: null,
    command: 'toryo tab send',
    crew_id: null,
    sides,
    check: null,
  }
  const item = (kind: (typeof INBOX_KINDS)[number]) => shown({ kind, tab_id: 'tab_1' as never, ...given })
  const inRow = Object.fromEntries(
    INBOX_KINDS.map(kind => [
      kind,
      rowStepsOf(item(kind), context, () => void picked.push('into')).map(({ id }) => id),
    ]),
  )
  expect(inRow).toEqual({
    ...{ blocked: ['into', 'give'], tab_waits: ['into', 'terminal'], run_failed: ['again', 'log'], review: ['into'] },
    ...{
      untrusted: ['into'],
      command: ['into'],
      engine_paused: ['resume', 'agents'],
      not_startable: ['doctor', 'engine'],
    },
    ...{
      undo_failed: ['dismiss'],
      no_agent: ['start', 'give'],
      no_runner: ['doctor', 'dismiss'],
      disk_low: ['doctor'],
    },
    ...{ handoff: ['give', 'dismiss'], message_failed: ['sendAgain', 'dismiss'], overlap: ['tellBoth', 'dismiss'] },
    ...{ decision_replaced: ['tell', 'dismiss'], crew_ended: ['look', 'dismiss'], phase_ended: ['look', 'dismiss'] },
  })
  const failed = { ...item('blocked'), check: { evidence_id: 'evd_1' as never, name: 'test', tail: '' } }
  expect(rowStepsOf(failed, context, () => {}).map(({ text }) => text)).toEqual(['Say what to do', 'Give to…'])
  expect(stepsOf(failed, context).map(({ text }) => text)).toContain('Accept anyway')
  // All of them, with the same ids, beside it.
  for (const kind of INBOX_KINDS) {
    const ids = stepsOf(item(kind), context).map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids).toEqual(expect.arrayContaining((inRow[kind] ?? []).filter(id => id !== 'into')))
  }
  expect(stepsOf(item('untrusted'), context).map(({ id }) => id)).toEqual(['trust'])
  const [first, second] = rowStepsOf(item('blocked'), context, () => void picked.push('into'))
  for (const step of [first, second]) if (step && 'run' in step) step.run()
  expect(picked).toEqual(['into', 'agent'])
})
