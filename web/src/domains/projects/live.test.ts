import { QueryClient } from '@tanstack/react-query'
import { afterAll, expect, test, vi } from 'vitest'
import type { LiveContext } from '../../hub/live.ts'

/** The page's code reads `localStorage` and the like when it is loaded. */
const nothing = () => undefined
vi.stubGlobal('localStorage', { getItem: nothing, setItem: nothing })
vi.stubGlobal('document', { addEventListener: nothing, documentElement: { lang: 'en' }, visibilityState: 'hidden' })
vi.stubGlobal('window', { addEventListener: nothing, matchMedia: () => ({ matches: true }) })
// Other files share the worker.
afterAll(() => void vi.unstubAllGlobals())
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
