import { expect, test } from 'vitest'
import { look, nextOf, stateOf, STEPS, UNSEEN } from './steps.ts'

const states = (seen: typeof UNSEEN, kinds: string[], isMerged = false) =>
  STEPS.map(step => stateOf(step, seen, kinds, isMerged))

test('each step has its time: it waits, can be done, and is done, whoever did it', () => {
  let seen = look(UNSEEN, [], '/needs')
  expect(states(seen, [])).toEqual(['now', 'later', 'later', 'later'])
  seen = look(seen, ['tab_waits'], '/board')
  expect(states(seen, ['tab_waits'])).toEqual(['done', 'now', 'later', 'later'])
  seen = look(seen, ['review', 'tab_waits'], '/needs')
  expect(states(seen, ['review', 'tab_waits'])).toEqual(['done', 'now', 'now', 'now'])
  // Answered anywhere.
  expect(states(look(seen, ['review'], '/needs'), ['review'])).toEqual(['done', 'done', 'now', 'now'])
  // Another review may still wait.
  seen = look(seen, ['review'], '/replay')
  expect(states(seen, ['review'], true)).toEqual(['done', 'done', 'done', 'done'])
})

test('what waits for an answer is the next step, also when nobody has watched yet', () => {
  const next = (kinds: string[]) =>
    nextOf(STEPS.map(step => ({ step, state: stateOf(step, look(UNSEEN, kinds, '/needs'), kinds, false) })))?.step
  expect([next([]), next(['review']), next(['review', 'tab_waits'])]).toEqual(['watch', 'review', 'answer'])
})
