// Pure: what runs used, as far as their engines report it, in one line.
import {
  addSums,
  sumOfOne,
  type Sum,
  sumText,
  type TokenSums,
  tokenSums,
  tokensText,
  type Usage,
} from '#contract/usage-text.ts'
import type { Lang } from '#contract/errors.ts'
import { numberFormat } from './formats.ts'

type Used = { tool_calls: number | null; usage: Usage | null; cost_usd: number | null }

/** `calls` undefined: no engine reports any. */
export type AllUsed = { calls: number | undefined; tokens: TokenSums; cost: Sum }

export function usedBy(runs: readonly Used[]): AllUsed {
  const calls = runs.flatMap(({ tool_calls }) => tool_calls ?? [])
  return {
    calls: calls.length === 0 ? undefined : calls.reduce((sum, one) => sum + one, 0),
    tokens: tokenSums(runs.map(({ usage }) => usage)),
    cost: addSums(runs.map(({ cost_usd }) => sumOfOne(cost_usd))),
  }
}

const en = {
  calls: (count: string, n: number) => `${count} tool ${n === 1 ? 'call' : 'calls'}`,
  tokens: (text: string) => `tokens: ${text}`,
  cost: (text: string) => `cost: ${text}`,
  all: (text: string) => `All runs: ${text}`,
}

const ja: typeof en = {
  calls: count => `ツール呼び出し ${count} 回`,
  tokens: text => `トークン: ${text}`,
  cost: text => `費用: ${text}`,
  all: text => `全実行の合計: ${text}`,
}

export const usedWords = { en, ja }

export function usedText({ calls, tokens, cost }: AllUsed, words: typeof en, lang: Lang): string {
  return [
    ...(calls === undefined ? [] : [words.calls(compact(calls, lang), calls)]),
    words.tokens(tokensShown(tokens, lang)),
    costText(cost, lang),
  ].join(' · ')
}

export function tokensShown(tokens: TokenSums, lang: Lang): string {
  return tokensText(tokens, count => compact(count, lang), lang)
}

/** For a place that does not say what it is. */
export function costText(cost: Sum, lang: Lang): string {
  const text = costShown(cost, lang)
  return cost.sum === null ? usedWords[lang].cost(text) : text
}

export function costShown(cost: Sum, lang: Lang): string {
  const isBound = cost.unknown_runs > 0
  return sumText(cost, usd => (isBound ? dollars(Math.floor(usd * 100 + 1e-6) / 100, lang) : money(usd, lang)), lang)
}

/** Of one run. */
export function costOf(usd: number | null, lang: Lang): string {
  return costShown(sumOfOne(usd), lang)
}

export function compact(count: number, lang: Lang): string {
  return numberFormat(lang, { notation: 'compact' }).format(count)
}

/** Less than a cent is not nothing. */
function money(usd: number, lang: Lang): string {
  return usd > 0 && usd < 0.01 ? `< ${dollars(0.01, lang)}` : dollars(usd, lang)
}

function dollars(usd: number, lang: Lang): string {
  return numberFormat(lang, { style: 'currency', currency: 'USD', currencyDisplay: 'narrowSymbol' }).format(usd)
}
