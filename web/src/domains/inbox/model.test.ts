import { expect, test } from 'vitest'
import type { StoredEvent } from '#contract/events.ts'
import { answeredSince } from './answers.ts'

const event = (seq: number, caller: string, at: string): StoredEvent => ({
  ...{ seq, caller, at, type: 'verdict.given', project_id: null, payload: {}, touches: [] },
})

test('an answer is what a person did since midnight; agents and the hub answer nothing', () => {
  const midnight = Date.parse('2026-04-06T00:00:00Z')
  const events = [
    event(5, 'operator:Aoi', '2026-04-06T09:00:00Z'),
    event(4, 'agent:agt_ren', '2026-04-06T08:00:00Z'),
    event(3, 'hub', '2026-04-06T07:00:00Z'),
    event(2, 'operator', '2026-04-06T00:00:00Z'),
    event(1, 'operator', '2026-04-05T23:59:59Z'),
  ]
  expect(answeredSince(events, midnight).map(({ seq }) => seq)).toEqual([5, 2])
})
