import { expect, test } from 'vitest'
import { readPreferences } from './preferences.ts'

const USUAL = { folded: ['cancelled'], only: 'in_progress', group: 'status' }

test.each([null, '', 'not json', '3', '[]', '{"folded":"x","only":3,"group":"moon"}'])(
  'whatever is stored, as %s, a board can be drawn',
  text => expect(readPreferences(text)).toEqual(USUAL),
)

test('what was chosen is read back', () => {
  const chosen = { folded: ['done', 'backlog'], only: 'todo', group: 'assignee' }
  expect(readPreferences(JSON.stringify(chosen))).toEqual(chosen)
})
