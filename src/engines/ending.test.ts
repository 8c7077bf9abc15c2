import { expect, test } from 'vitest'
import { claude } from './claude.ts'
import { endOf, type EndedBy } from './ending.ts'

const LIMITS = {
  total: { minutes: 240, setting: 'runner.totalMinutes' },
  silence: { minutes: 30, setting: 'runner.silentMinutes' },
}
const STOPPED: EndedBy = { cause: 'stopped', code: undefined, signal: 'SIGTERM' }

const refused = { type: 'system', subtype: 'api_retry', error: 'rate_limit', error_status: 429 }
const words = { type: 'assistant', message: { content: [{ type: 'text', text: 'I go on' }] } }

test.each<[string, EndedBy, string, string]>([
  ['its time was up', { ...STOPPED, cause: 'time-limit' }, 'quota', 'time-limit'],
  ['it was silent for too long', { ...STOPPED, cause: 'silence' }, 'quota', 'silence'],
  ['it did not sign in in time', { ...STOPPED, stopped: 'no-sign-in' }, 'quota', 'no-sign-in'],
  ['it was given up', { ...STOPPED, gaveUp: true }, 'quota', 'killed'],
  ['a person stopped it', { ...STOPPED, stopped: 'stopped' }, 'stopped', 'stopped'],
])('when %s, trouble that it is still in is the reason, and any other is not', (_name, by, inTrouble, past) => {
  const kinds = [[refused], [refused, words]].map(events => {
    const reader = claude.reader()
    for (const event of events) reader.push(Buffer.from(`${JSON.stringify(event)}\n`))
    const { end, quota } = endOf(claude, reader, by, LIMITS)
    return [end.kind, quota !== undefined]
  })
  // The account is paused, whatever ended the program.
  expect(kinds).toEqual([
    [inTrouble, true],
    [past, false],
  ])
})
