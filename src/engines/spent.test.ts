import { describe, expect, test } from 'vitest'
import { BUILT_IN } from './built-in.gen.ts'
import type { Facts } from './facts.ts'

/** The line in which each program says what it used; `input` and `usd` as they stand in the JSON. */
const LINES: Record<string, (input: string, usd: string) => string> = {
  claude: (input, usd) =>
    `{"type":"result","subtype":"success","usage":{"input_tokens":${input},"output_tokens":2},"total_cost_usd":${usd}}`,
  codex: input => `{"type":"turn.completed","usage":{"input_tokens":${input},"output_tokens":2}}`,
  gemini: input => `{"type":"result","status":"success","stats":{"input_tokens":${input},"output_tokens":2}}`,
  opencode: (input, usd) =>
    `{"type":"step_finish","part":{"type":"step-finish","tokens":{"input":${input},"output":2},"cost":${usd}}}`,
}
const ODD = ['-5', '1e300', '1e999', '1.5', '"NaN"', 'true', '{}']

function read(engine: string, lines: readonly string[]): { facts: Facts; remarks: string[] } {
  const remarks: string[] = []
  const reader = BUILT_IN.find(({ id }) => id === engine)?.reader({ remark: line => remarks.push(line) })
  for (const line of lines) reader?.push(Buffer.from(`${line}\n`))
  if (!reader) throw new Error(engine)
  return { facts: reader.facts, remarks }
}

describe.each(Object.entries(LINES))('%s', (engine, line) => {
  test('what it used is kept', () => {
    const { facts, remarks } = read(engine, [line('3', '0.5')])
    expect(facts.usage).toEqual({ input: 3, output: 2, cached: 0 })
    expect(facts.costUsd).toBe(/0.5/.test(line('3', '0.5')) ? 0.5 : undefined)
    expect(remarks).toEqual([])
  })

  test.each(ODD)('%s tokens are unknown, and remarked on once', odd => {
    const { facts, remarks } = read(engine, [line(odd, '0.5'), line(odd, '0.5')])
    expect(facts.usage).toBeUndefined()
    expect(remarks).toHaveLength(1)
    expect(remarks[0]).toContain('tokens')
  })
})

test.each(['-5', '1e300', '1e999', '"NaN"'])(
  'a cost of %s is unknown; one that is given as a total later counts',
  usd => {
    const claude = LINES['claude'] as (input: string, usd: string) => string
    const { facts, remarks } = read('claude', [claude('3', usd)])
    expect(facts.costUsd).toBeUndefined()
    expect(remarks).toEqual([expect.stringContaining('cost')])
    expect(read('claude', [claude('3', usd), claude('3', '0.25')]).facts.costUsd).toBe(0.25)
  },
)

test('a sum of which a part is unknown stays unknown', () => {
  const opencode = LINES['opencode'] as (input: string, usd: string) => string
  const { facts } = read('opencode', [opencode('3', '1'), opencode('-3', '-1'), opencode('3', '1')])
  expect([facts.usage, facts.costUsd]).toEqual([undefined, undefined])
})
