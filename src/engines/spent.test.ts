import { describe, expect, test } from 'vitest'
import { BUILT_IN } from './built-in.gen.ts'
import type { Facts } from './facts.ts'

/** The line in which each program says what it used; `input` and `usd` as they stand in the JSON. */
const LINES: Record<string, (input: string, usd: string) => string> = {
  claude: (input, usd) =>
    `{"type":"result","subtype":"success","usage":{"input_tokens":${input},"output_tokens":2},"total_cost_usd":${usd}}`,
  codex: input =>
    `{"type":"turn.completed","usage":{"input_tokens":${input},"cached_input_tokens":0,"output_tokens":2}}`,
  gemini: input =>
    `{"type":"result","status":"success","stats":{"input_tokens":${input},"output_tokens":2,"total_tokens":5,"cached":0}}`,
  opencode: (input, usd) =>
    `{"type":"step_finish","part":{"type":"step-finish","tokens":{"input":${input},"output":2},"cost":${usd}}}`,
}
const ODD = ['-5', '1e300', '1e999', '1.5', '"NaN"', 'true', '{}']

/** Three requests, each 1,000 new, 500 written to a cache and 20,000 read from it in, 200 with 50 of reasoning out: in each program's words. */
const MODEL = {
  ...{ inputTokens: 2000, outputTokens: 400, cacheReadInputTokens: 40_000, cacheCreationInputTokens: 1000 },
  thinkingTokens: 100,
}
const MAIN_LOOP = { input_tokens: 2000, output_tokens: 400, cache_read_input_tokens: 40_000 }
const STEP = { input: 1000, output: 150, reasoning: 50, cache: { read: 20_000, write: 500 } }
const TRUTH = { input: 3000, cache_read: 60_000, cache_write: 1500, output: 600, reasoning: 150 }
const SAME_WORK: [engine: string, lines: object[], expected: object][] = [
  [
    'claude',
    // A turn before, and a sub-agent with another model: only the sums by model have it all.
    [
      { type: 'result', usage: MAIN_LOOP, modelUsage: { large: MODEL } },
      {
        ...{ type: 'result', usage: { input_tokens: 0, output_tokens: 0 } },
        modelUsage: {
          large: MODEL,
          small: {
            ...{ inputTokens: 1000, outputTokens: 200, cacheReadInputTokens: 20_000, cacheCreationInputTokens: 500 },
            thinkingTokens: 50,
          },
        },
      },
    ],
    TRUTH,
  ],
  [
    'codex',
    [
      {
        type: 'turn.completed',
        usage: {
          ...{ input_tokens: 64_500, cached_input_tokens: 60_000, cache_write_input_tokens: 1500 },
          ...{ output_tokens: 600, reasoning_output_tokens: 150 },
        },
      },
    ],
    TRUTH,
  ],
  // Its service names nothing as written: that is part of its input.
  [
    'gemini',
    [
      {
        type: 'result',
        stats: {
          ...{ total_tokens: 43_400, input_tokens: 43_000, output_tokens: 300, cached: 40_000 },
          models: {
            large: { total_tokens: 43_400, input_tokens: 43_000, output_tokens: 300, cached: 40_000 },
            small: { total_tokens: 21_700, input_tokens: 21_500, output_tokens: 150, cached: 20_000 },
          },
        },
      },
    ],
    { ...TRUTH, input: 4500, cache_write: null },
  ],
  ['opencode', [1, 2, 3].map(() => ({ type: 'step_finish', part: { tokens: STEP } })), TRUTH],
  [
    'qwen',
    [
      {
        type: 'result',
        usage: { input_tokens: 64_500, output_tokens: 600, cache_read_input_tokens: 60_000, total_tokens: 65_100 },
      },
    ],
    { ...TRUTH, input: 4500, cache_write: null, reasoning: null },
  ],
]

test.each(SAME_WORK)(
  '%s: the same work has the same numbers, and what it does not say is unknown',
  (engine, lines, usage) => {
    const { facts, remarks } = read(
      engine,
      lines.map(line => JSON.stringify(line)),
    )
    expect(facts.usage).toEqual(usage)
    expect(remarks).toEqual([])
  },
)

test('more read from a cache than there was input cannot be', () => {
  const usage = { input_tokens: 5, cached_input_tokens: 6, output_tokens: 1 }
  const { facts, remarks } = read('codex', [JSON.stringify({ type: 'turn.completed', usage })])
  expect([facts.usage, remarks.length]).toEqual([undefined, 1])
})

test('without what came from a cache it is unknown how much of the input was new', () => {
  const usage = { input_tokens: 5, output_tokens: 1 }
  const { facts } = read('codex', [JSON.stringify({ type: 'turn.completed', usage })])
  expect(facts.usage).toEqual({ input: null, cache_read: null, cache_write: null, output: 1, reasoning: null })
})

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
    expect(facts.usage).toMatchObject({ input: 3, output: 2, cache_write: null })
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
