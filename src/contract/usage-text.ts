// Tokens and cost, as every door says them. Pure, and without zod: the page takes it as it is.
import type { Lang } from './errors.ts'

/** `input`: new tokens only, neither read from a cache nor written to one. `reasoning` is a part of `output`. */
export const TOKEN_KINDS = ['input', 'cache_read', 'cache_write', 'output', 'reasoning'] as const
export type TokenKind = (typeof TOKEN_KINDS)[number]

/** Null: unknown. */
export type Usage = Record<TokenKind, number | null>

/** Of several runs. Null: known of none of them. */
export type Sum = { sum: number | null; unknown_runs: number }
export type TokenSums = Record<TokenKind, Sum>

export function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0
}

/** More than any run costs: a program that says so is mistaken. */
const MOST_USD = 1e6

export function isCost(usd: number): boolean {
  return usd >= 0 && usd <= MOST_USD
}

export function eachKind<T>(of: (kind: TokenKind) => T): Record<TokenKind, T> {
  return Object.fromEntries(TOKEN_KINDS.map(kind => [kind, of(kind)])) as Record<TokenKind, T>
}

/** Of one run. */
export function sumOfOne(value: number | null | undefined): Sum {
  return { sum: value ?? null, unknown_runs: value === null || value === undefined ? 1 : 0 }
}

/** What is unknown is counted beside the sum and never added to it. */
export function addSums(sums: readonly Sum[]): Sum {
  const unknown_runs = sums.reduce((all, one) => all + one.unknown_runs, 0)
  const sum = sums.reduce((all, one) => all + (one.sum ?? 0), 0)
  return { sum: sum === 0 && unknown_runs > 0 ? null : sum, unknown_runs }
}

export function tokenSums(usages: readonly (Usage | null)[]): TokenSums {
  return eachKind(kind => addSums(usages.map(usage => sumOfOne(usage?.[kind]))))
}

export const UNKNOWN = '–'

const KIND_TEXTS: Record<TokenKind, Record<Lang, (count: string) => string>> = {
  input: { en: count => `${count} input`, ja: count => `入力 ${count}` },
  cache_read: { en: count => `${count} cache read`, ja: count => `キャッシュ読み取り ${count}` },
  cache_write: { en: count => `${count} cache write`, ja: count => `キャッシュ書き込み ${count}` },
  output: { en: count => `${count} output`, ja: count => `出力 ${count}` },
  reasoning: { en: count => ` (${count} reasoning)`, ja: count => ` (うち推論 ${count})` },
}

const SEPARATORS: Record<Lang, string> = { en: ', ', ja: '、' }

const UNKNOWN_RUNS: Record<Lang, (count: number) => string> = {
  en: count => ` (${count} ${count === 1 ? 'run' : 'runs'} unknown)`,
  ja: count => ` (${count} 件の実行は不明)`,
}

/** `12 input, 60 cache read, – cache write, 6 output (1 reasoning)`; of sums with unknown parts: `≥ 12 input … (2 runs unknown)`. */
export function tokensText(sums: TokenSums, format: (count: number) => string, lang: Lang): string {
  if (TOKEN_KINDS.every(kind => sums[kind].sum === null)) return UNKNOWN
  const said = eachKind(kind => KIND_TEXTS[kind][lang](atLeast(sums[kind], format)))
  const unknown = Math.max(...TOKEN_KINDS.map(kind => (sums[kind].sum === null ? 0 : sums[kind].unknown_runs)))
  const { input, cache_read, cache_write, output, reasoning } = said
  return `${[input, cache_read, cache_write, output].join(SEPARATORS[lang])}${reasoning}${unknownText(unknown, lang)}`
}

/** `$4.10`, `–`, or `≥ $4.10 (3 runs unknown)`. */
export function sumText(sum: Sum, format: (value: number) => string, lang: Lang): string {
  return `${atLeast(sum, format)}${unknownText(sum.sum === null ? 0 : sum.unknown_runs, lang)}`
}

function atLeast({ sum, unknown_runs }: Sum, format: (value: number) => string): string {
  if (sum === null) return UNKNOWN
  return unknown_runs === 0 ? format(sum) : `≥ ${format(sum)}`
}

function unknownText(runs: number, lang: Lang): string {
  return runs === 0 ? '' : UNKNOWN_RUNS[lang](runs)
}
