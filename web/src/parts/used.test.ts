import { expect, test } from 'vitest'
import { usedBy, usedText, usedWords } from './used.ts'

const none = { tool_calls: null, usage: null, cost_usd: null }

test('what engines report is summed up; what none of them reports is left out, and is not zero', () => {
  const one = { tool_calls: 3, usage: { input: 12_000, output: 400 }, cost_usd: 0.02 }
  expect(usedText(usedBy([none]), usedWords.en, 'en')).toBeUndefined()
  expect(usedBy([one, none, { ...one, cost_usd: null }])).toEqual({ calls: 6, input: 24_000, output: 800, usd: 0.02 })
  expect(usedText(usedBy([one]), usedWords.en, 'en')).toBe('3 tool calls · 12K tokens in, 400 out · $0.02')
  expect(usedText(usedBy([{ ...none, tool_calls: 1 }]), usedWords.ja, 'ja')).toBe('ツール呼び出し 1 回')
  expect(usedText({ usd: 0.001 }, usedWords.en, 'en')).toBe('< $0.01')
  expect(usedText({ usd: 0 }, usedWords.en, 'en')).toBe('$0.00')
})
