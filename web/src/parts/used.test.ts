import { expect, test } from 'vitest'
import { addSums, sumOfOne } from '#contract/usage-text.ts'
import { costShown, costText, usedBy, usedText, usedWords } from './used.ts'

const usage = { input: 12_000, cache_read: 60_000, cache_write: null, output: 400, reasoning: 50 }
const one = { tool_calls: 3, usage, cost_usd: 0.02 }
const none = { tool_calls: null, usage: null, cost_usd: null }
const texts = (runs: Parameters<typeof usedBy>[0]) =>
  (['en', 'ja'] as const).map(lang => usedText(usedBy(runs), usedWords[lang], lang))

test('what a run used is said with each kind of token by its name, and what is unknown is a dash', () => {
  expect(texts([one])).toEqual([
    '3 tool calls · tokens: 12K input, 60K cache read, – cache write, 400 output (50 reasoning) · $0.02',
    'ツール呼び出し 3 回 · トークン: 入力 1.2万、キャッシュ読み取り 6万、キャッシュ書き込み –、出力 400 (うち推論 50) · $0.02',
  ])
  expect(texts([none])).toEqual(['tokens: – · cost: –', 'トークン: – · 費用: –'])
})

test('a sum says of how many runs it knows nothing, and never adds them as zero', () => {
  expect(texts([one, none, { ...one, cost_usd: null }])).toEqual([
    '6 tool calls · tokens: ≥ 24K input, ≥ 120K cache read, – cache write, ≥ 800 output (≥ 100 reasoning) (1 run unknown) · ≥ $0.02 (2 runs unknown)',
    'ツール呼び出し 6 回 · トークン: 入力 ≥ 2.4万、キャッシュ読み取り ≥ 12万、キャッシュ書き込み –、出力 ≥ 800 (うち推論 ≥ 100) (1 件の実行は不明) · ≥ $0.02 (2 件の実行は不明)',
  ])
})

test('less than a cent is not nothing, and a lower bound is never rounded up', () => {
  expect(costText(sumOfOne(0.001), 'en')).toBe('< $0.01')
  expect(costText(sumOfOne(0), 'en')).toBe('$0.00')
  expect(costShown(addSums([sumOfOne(4.1), ...[1, 2, 3].map(() => sumOfOne(null))]), 'en')).toBe(
    '≥ $4.10 (3 runs unknown)',
  )
  expect(costShown(addSums([sumOfOne(0.996), sumOfOne(null)]), 'en')).toBe('≥ $0.99 (1 run unknown)')
})
