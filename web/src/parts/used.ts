// Pure: what runs used, as far as their engines report it. What none of them reports stays unknown.
type Used = { tool_calls: number | null; usage: { input: number; output: number } | null; cost_usd: number | null }

export type Sum = { calls?: number; input?: number; output?: number; usd?: number }

export function usedBy(runs: readonly Used[]): Sum {
  const sum: Sum = {}
  const add = (name: keyof Sum, value: number | undefined | null) => {
    if (value !== undefined && value !== null) sum[name] = (sum[name] ?? 0) + value
  }
  for (const { tool_calls, usage, cost_usd } of runs) {
    add('calls', tool_calls)
    add('input', usage?.input)
    add('output', usage?.output)
    add('usd', cost_usd)
  }
  return sum
}

const en = {
  calls: (count: string, n: number) => `${count} tool ${n === 1 ? 'call' : 'calls'}`,
  tokens: (input: string, output: string) => `${input} tokens in, ${output} out`,
  all: (text: string) => `All runs: ${text}`,
}

const ja: typeof en = {
  calls: count => `ツール呼び出し ${count} 回`,
  tokens: (input, output) => `トークン 入力 ${input} / 出力 ${output}`,
  all: text => `全実行の合計: ${text}`,
}

export const usedWords = { en, ja }

export function usedText({ calls, input, output, usd }: Sum, words: typeof en, lang: string): string | undefined {
  const short = (value: number) => new Intl.NumberFormat(lang, { notation: 'compact' }).format(value)
  const parts = [
    ...(calls === undefined ? [] : [words.calls(short(calls), calls)]),
    ...(input === undefined ? [] : [words.tokens(short(input), short(output ?? 0))]),
    ...(usd === undefined ? [] : [money(usd, lang)]),
  ]
  return parts.length === 0 ? undefined : parts.join(' · ')
}

function money(usd: number, lang: string): string {
  const text = new Intl.NumberFormat(lang, { style: 'currency', currency: 'USD' }).format(
    usd > 0 ? Math.max(usd, 0.01) : 0,
  )
  return usd > 0 && usd < 0.01 ? `< ${text}` : text
}
