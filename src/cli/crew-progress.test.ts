import { stripVTControlCharacters } from 'node:util'
import { expect, test } from 'vitest'
import type { CrewRunRecord } from '#contract/records.ts'
import { fakeIo } from '#test/fake-io.ts'
import { CrewProgress } from './crew-progress.ts'

const RUN = {
  run_id: 'run_1',
  role: 'reviewer',
  status: 'running',
  stage: null,
  started_at: '2026-01-01T00:00:00.000Z',
  ended_at: null,
  elapsed_ms: 65_000,
  tool_calls: 7,
  created_files: ['a'],
  edited_files: [],
  result: null,
  last_message: null,
} as unknown as CrewRunRecord

test('a terminal shows the last action of each run in one line, within its width, and no counters', () => {
  const io = fakeIo({ width: 60 })
  const progress = new CrewProgress(io)
  progress.show([RUN])
  progress.showActions(new Map([['run_1', `Bash npm test\n${'x'.repeat(100)}`]]))
  progress.clear()
  const line =
    io
      .err()
      .split('\n')
      .find(row => row.includes('npm test')) ?? ''
  expect(line).toMatch(/reviewer +running +1m 05s +Bash npm test/)
  expect(stripVTControlCharacters(line).length).toBeLessThanOrEqual(60)
  expect(io.err()).not.toMatch(/[⚒✎]/)
})

test('a pipe gets one line for each change', () => {
  const io = fakeIo()
  const progress = new CrewProgress(io)
  progress.show([RUN])
  for (const action of ['Read a.ts', 'Read a.ts', 'Bash npm test']) progress.showActions(new Map([['run_1', action]]))
  progress.show([RUN])
  expect(io.err()).toBe('reviewer (run_1): running\nreviewer (run_1): Read a.ts\nreviewer (run_1): Bash npm test\n')
})
