import { QueryClient } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import type { LiveContext } from '../../hub/live.ts'

/** The page's code reads `localStorage` and the like when it is loaded. */
const nothing = () => undefined
Object.assign(globalThis, {
  localStorage: { getItem: nothing, setItem: nothing },
  document: { addEventListener: nothing, documentElement: { lang: 'en' }, visibilityState: 'hidden' },
  window: { matchMedia: () => ({ matches: true }) },
})
const { live } = await import('./live.ts')
const { keys } = await import('./queries.ts')

const asked = (type: string, taskId: string | null) => {
  const wanted: unknown[] = []
  const context: LiveContext = { queries: new QueryClient(), refetch: key => void wanted.push(key) }
  live[type]?.({ seq: 1, type, payload: { taskId } }, context)
  return wanted
}

test.each(['run.settled', 'comment.added', 'run.started'])('%s without a task asks for no task', type => {
  expect(asked(type, null)).toEqual([])
})

test('an event of a task asks for that task', () => {
  expect(asked('run.settled', 'tsk_1')).toEqual([keys.task('tsk_1')])
})
