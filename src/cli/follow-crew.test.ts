import { expect, test, vi } from 'vitest'
import { until } from '#test/until.ts'
import type { Connection } from './connect.ts'
import { followCrew } from './follow-crew.ts'
import { LastActions } from './last-actions.ts'

const STOP = new AbortController().signal

/** A hub with one run, which ends when `run.ended` was read. */
function hubOf(types: readonly string[]) {
  let ended: string | null = null
  const calls: string[] = []
  const hub = {
    async call(name: string) {
      calls.push(name)
      return { crew: {}, runs: [{ run_id: 'run_1', ended_at: ended }], last_event: 10 }
    },
    async *events() {
      for (const [at, type] of types.entries()) {
        if (type === 'run.ended') ended = '2026-01-01T00:00:00.000Z'
        yield { seq: 11 + at, type, payload: { crewId: 'grp-1', runId: 'run_1' } }
      }
    },
  }
  return { hub: hub as unknown as Connection, calls }
}

test('a crew is asked for again when its state changes, not for each step of its runs', async () => {
  const { hub, calls } = hubOf(['run.started', 'run.progressed', 'run.progressed', 'run.progressed', 'run.ended'])
  const news = { changed: vi.fn(), progressed: vi.fn() }
  const { runs } = await followCrew(hub, 'grp-1', STOP, news)
  expect(runs).toMatchObject([{ ended_at: expect.any(String) }])
  expect(calls).toEqual(['crew.show', 'crew.show', 'crew.show'])
  expect(news.changed).toHaveBeenCalledTimes(3)
  expect(news.progressed).toHaveBeenCalledTimes(3)
})

test('what happened at once is looked at once, and never without news', async () => {
  const answers = [
    {
      work: [
        { work_id: 'run_1', last_action: 'Read a.ts' },
        { work_id: 'run_2', last_action: null },
      ],
    },
    { work: [{ work_id: 'run_1', last_action: 'Bash npm test' }] },
  ]
  const call = vi.fn(async (_name: string, _input: object) => answers[call.mock.calls.length - 1])
  const shown: (readonly [string, string][])[] = []
  const actions = new LastActions({ call } as unknown as Connection, 'grp-1', STOP, seen => shown.push([...seen]))
  for (let count = 0; count < 5; count++) actions.stale()
  await until(() => shown.length === 1)
  expect(shown[0]).toEqual([['run_1', 'Read a.ts']])
  expect(call).toHaveBeenCalledTimes(1)
  expect(call.mock.calls[0]?.[1]).toEqual({ crew_id: 'grp-1' })
  actions.stale()
  await until(() => shown.length === 2)
  expect(shown[1]).toEqual([['run_1', 'Bash npm test']])
  expect(call).toHaveBeenCalledTimes(2)
})
