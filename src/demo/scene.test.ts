import { expect, test } from 'vitest'
import type { Text } from '#contract/errors.ts'
import { placeInGuide } from './order.ts'
import { AGENTS, langOfTask, PLANNED, TASKS, TOPICS } from './scene.ts'

const JAPANESE = /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]/u

test('the texts of a demo are in its language, and one task is in the other', () => {
  const both: Text[] = [
    ...AGENTS.map(({ role }) => role),
    ...PLANNED.flatMap(({ title, description, labels = [] }) => [title, description, ...labels]),
    ...TOPICS.flatMap(({ title, decisions }) => [title, ...decisions.flatMap(one => [one.decision, one.reason])]),
  ]
  // `Copyrigth になっている。` is Japanese, as are most that name a file.
  for (const { en, ja } of both) expect([JAPANESE.test(en), JAPANESE.test(ja)], ja).toEqual([false, true])
  for (const lang of ['en', 'ja'] as const) {
    const titles = PLANNED.map(task => task.title[langOfTask(task, lang)])
    expect(titles.filter(title => JAPANESE.test(title) === (lang === 'en'))).toHaveLength(1)
  }
})

test('the steps of the guide come first, failures last', () => {
  const items = [
    { kind: 'run_failed', item_id: 'run_failed:run_1' },
    { kind: 'overlap', item_id: 'overlap:a+b' },
    { kind: 'review', item_id: 'review:tsk_rounding' },
    { kind: 'blocked', item_id: 'blocked:tsk_split' },
    { kind: 'review', item_id: `review:${TASKS.prices}` },
    { kind: 'tab_waits', item_id: 'tab_waits:tab_1' },
  ] as const
  expect(items.toSorted((a, b) => placeInGuide(a) - placeInGuide(b)).map(({ item_id }) => item_id)).toEqual([
    'tab_waits:tab_1',
    'review:tsk_prices',
    'review:tsk_rounding',
    'overlap:a+b',
    'run_failed:run_1',
    'blocked:tsk_split',
  ])
})
