// What runs used, as the page says it too.
import { sumOfOne, sumText, tokenSums, tokensText, UNKNOWN, type Usage } from '#contract/usage-text.ts'
import type { Io } from './io.ts'

export const usedTitles = {
  tokens: { en: 'Tokens', ja: 'トークン' },
  cost: { en: 'Cost', ja: '費用' },
}

export function spentPairs(usage: Usage | null, usd: number | null, io: Io): [string, string][] {
  return [
    [io.say(usedTitles.tokens), tokensText(tokenSums([usage]), count, io.lang)],
    [io.say(usedTitles.cost), cost(usd, io)],
  ]
}

/** For a column: new tokens and what came of them. */
export function inAndOut(usage: Usage | null): string {
  return [usage?.input, usage?.output]
    .map(tokens => (tokens === undefined || tokens === null ? UNKNOWN : count(tokens)))
    .join(' → ')
}

export function cost(usd: number | null, io: Io): string {
  return sumText(sumOfOne(usd), dollars => `$${dollars.toFixed(4)}`, io.lang)
}

const count = (tokens: number) => tokens.toLocaleString('en')
