import { expect, test } from 'vitest'
import type { WorkCrew, WorkView } from './work.ts'
import { durationText, latelyOf, sectionsOf, sumOf } from './model.ts'
import { runnerText } from './runner-text.ts'
import { crewWords } from './words.ts'

const work = (given: Partial<Record<keyof WorkView, unknown>> & { id: string }) =>
  ({
    ...{ kind: 'run', status: 'running', title: given.id, started_by: 'operator', crew_id: null, stage: null },
    ...{ created_at: `2026-01-01T00:00:0${given.id.at(-1)}Z`, started_at: null, ended_at: null, agent_id: null },
    ...{ cost_usd: null },
    ...given,
  }) as unknown as WorkView

const crew = (crew_id: string) => ({ crew_id, description: crew_id, mode: 'concurrent' }) as unknown as WorkCrew

const drawn = (works: WorkView[], crews: WorkCrew[] = []) =>
  sectionsOf(works, crews).map(({ starter, rows }) => [
    starter,
    ...rows.map(row => `${' '.repeat(row.depth)}${row.key}`),
  ])

test('what lives stands below who started it, and the runs of a crew below their crew', () => {
  const works = [
    work({ id: 'exec_4', kind: 'execution', started_by: 'runner:local', agent_id: 'agt_aoi' }),
    work({ id: 'run_1', crew_id: 'grp_a' }),
    work({ id: 'run_2', crew_id: 'grp_a' }),
    work({ id: 'run_3', crew_id: 'grp_b', started_by: 'run:run_1' }),
    work({ id: 'tab_5', kind: 'tab', started_by: 'agent:agt_aoi' }),
    work({ id: 'tab_6', kind: 'tab', started_by: 'operator:Mai' }),
    work({ id: 'run_7', crew_id: 'grp_c', started_by: 'tab:tab_gone' }),
  ]
  expect(drawn(works, ['grp_a', 'grp_b', 'grp_c'].map(crew))).toEqual([
    ['operator', 'grp_a', ' run_1', '  grp_b', '   run_3', ' run_2', 'tab_6'],
    ['runner:local', 'exec_4', ' tab_5'],
    ['tab:tab_gone', 'grp_c', ' run_7'],
  ])
})

test('what ended is shown with a crew that goes on, and else among what ended lately, the newest first', () => {
  const ended = (id: string, crew_id: string) => work({ id, crew_id, ended_at: `2026-01-01T00:01:0${id.at(-1)}Z` })
  const works = [
    work({ id: 'run_1', crew_id: 'grp_a', stage: 1 }),
    ended('run_2', 'grp_a'),
    ended('run_3', 'grp_b'),
    ended('run_4', 'grp_b'),
  ]
  expect(drawn(works, [crew('grp_a'), crew('grp_b')])).toEqual([['operator', 'grp_a', ' run_2', ' run_1']])
  expect(latelyOf(works).map(({ id }) => id)).toEqual(['run_4', 'run_3'])
})

test('durations have at most two units', () => {
  expect([0, 59_999, 372_000, 7_260_000].map(ms => durationText(ms, 'en'))).toEqual(['0s', '59s', '6m 12s', '2h 1m'])
  expect(durationText(372_000, 'ja')).toBe('6 分 12 秒')
})

test('a crew takes from its first start to its last end, and costs at least what is known', () => {
  const at = (second: number) => `2026-01-01T00:00:0${second}Z`
  const done = { started_at: at(2), ended_at: at(4), cost_usd: 0.5 }
  expect(sumOf([done, { started_at: at(1), ended_at: at(3), cost_usd: null }])).toEqual({
    ...{ started: at(1), ended: at(4), open: 0, cost: { sum: 0.5, unknown_runs: 1 } },
  })
  expect(sumOf([done, { started_at: null, ended_at: null, cost_usd: null }])).toMatchObject({ ended: null, open: 1 })
})

test('a Runner is called by its machine, or by the name that people gave it', () => {
  expect(runnerText('macbook:5f3c2a', crewWords.en)).toBe('Toryo on macbook')
  expect(runnerText('macbook:5f3c2a', crewWords.ja)).toBe('Toryo (macbook)')
  expect(runnerText('attic', crewWords.en)).toBe('Runner attic')
})
