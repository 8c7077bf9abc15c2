import { expect, test } from 'vitest'
import { look, type Made, nextOf, pathOf, type Seen, stateOf, STEPS, UNSEEN } from './steps.ts'

const NOTHING: Made = { answered: false, reviewed: false }
const question = { kind: 'tab_waits', item_id: 'tab_waits:tab_1' } as const
const review = { kind: 'review', item_id: 'review:tsk_prices' } as const
const another = { kind: 'review', item_id: 'review:tsk_rounding' } as const
type Waiting = Parameters<typeof stateOf>[2]

const states = (seen: Seen, waiting: Waiting, made = NOTHING) => STEPS.map(step => stateOf(step, seen, waiting, made))

test('each step has its time: it waits, can be done, and is done, whoever did it', () => {
  let seen = look(UNSEEN, false, '/needs')
  expect(states(seen, [])).toEqual(['now', 'later', 'later', 'later'])
  seen = look(seen, true, '/board')
  expect(states(seen, [question])).toEqual(['done', 'now', 'later', 'later'])
  expect(states(seen, [another, question])).toEqual(['done', 'now', 'later', 'later'])
  expect(states(seen, [review, question])).toEqual(['done', 'now', 'now', 'now'])
  // Answered here a moment ago, and anywhere, also before this page was opened.
  expect(states(seen, [review])).toEqual(['done', 'done', 'now', 'now'])
  expect(states(UNSEEN, [review], { answered: true, reviewed: false })).toEqual(['now', 'done', 'now', 'now'])
  // Another review may still wait.
  seen = look(seen, false, '/replay')
  expect(states(seen, [another], { answered: true, reviewed: true })).toEqual(['done', 'done', 'done', 'done'])
})

test('what waits for an answer is the next step, also when nobody has watched yet', () => {
  const next = (waiting: Waiting) =>
    nextOf(STEPS.map(step => ({ step, state: stateOf(step, UNSEEN, waiting, NOTHING) })))?.step
  expect([next([]), next([review]), next([review, question])]).toEqual(['watch', 'review', 'answer'])
})

test('each step leads to the thing itself, and the replay plays', () => {
  expect(STEPS.map(step => pathOf(step, [review, question]))).toEqual([
    '/board',
    '/needs/tab_waits%3Atab_1',
    '/needs/review%3Atsk_prices',
    '/replay?span=hour&play=1',
  ])
  expect(pathOf('answer', [])).toBe('/needs')
})
