import { expect, test } from 'vitest'
import { type Check, isTooMany, planChecks } from './model.ts'

const check = (name: string, command: string, rest: Partial<Check> = {}): Check => ({
  name,
  command: command.split(' '),
  required: true,
  minutes: 10,
  source: 'repository',
  ...rest,
})

test.each<[string, Check[], Check[], (Partial<Check> & { trusted: boolean })[]]>([
  ['a proposal waits for trust', [], [check('test', 'npm test')], [{ name: 'test', trusted: false }]],
  [
    'the exact command that was trusted runs',
    [check('test', 'npm test')],
    [check('test', 'npm test')],
    [{ name: 'test', trusted: true }],
  ],
  [
    'another command under a trusted name is asked for again, and stays required',
    [check('test', 'npm test')],
    [check('test', 'true', { required: false })],
    [{ command: ['true'], trusted: false, required: true }],
  ],
  [
    'a branch cannot make a trusted check optional, or give it no time',
    [check('test', 'npm test')],
    [check('test', 'npm test', { required: false, minutes: 0.1 })],
    [{ trusted: true, required: true, minutes: 10 }],
  ],
  [
    'a branch that leaves a trusted check out does not get rid of it',
    [check('test', 'npm test')],
    [],
    [{ name: 'test', trusted: true }],
  ],
  [
    "the operator's own is not replaced",
    [check('test', 'npm test', { source: 'operator' })],
    [check('test', 'true')],
    [{ command: ['npm', 'test'], trusted: true }],
  ],
])('%s', (_, stored, proposed, planned) => {
  const seen = new Map(stored.map(({ name, command }) => [name, command]))
  expect(planChecks(stored, proposed, seen)).toMatchObject(planned)
  // On a machine where nobody has looked at them, nothing runs.
  expect(planChecks(stored, proposed, new Map()).filter(({ trusted }) => trusted)).toEqual([])
})

test('the fourth failure in a row is for a person, and so is the eighth', () => {
  expect([1, 2, 3, 4, 5, 6, 7, 8].filter(isTooMany)).toEqual([4, 8])
})
