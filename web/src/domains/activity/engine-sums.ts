import type { DayStats, RunSums } from '#contract/views.ts'

const FIELDS = ['runs', 'failures', 'cost_usd', 'tokens'] as const

/** What each engine did on these days, the busiest first; last, with no name, what no engine was started for. */
export function byEngine(days: readonly DayStats[]): { engine: string | null; sums: RunSums }[] {
  const all = new Map<string | null, RunSums>()
  const add = (engine: string | null, sums: RunSums, sign: 1 | -1 = 1) => {
    const sum = all.get(engine) ?? { runs: 0, failures: 0, cost_usd: 0, tokens: 0 }
    for (const field of FIELDS) sum[field] += sign * sums[field]
    all.set(engine, sum)
  }
  for (const day of days) {
    add(null, day)
    for (const [engine, sums] of Object.entries(day.by_engine)) {
      add(engine, sums)
      add(null, sums, -1)
    }
  }
  const rest = all.get(null)
  all.delete(null)
  const named = [...all].map(([engine, sums]) => ({ engine, sums })).sort((a, b) => b.sums.runs - a.sums.runs)
  if (!rest || rest.runs === 0) return named
  // What was added and taken away again leaves a trace behind the point.
  return [...named, { engine: null, sums: { ...rest, cost_usd: Math.max(0, Number(rest.cost_usd.toFixed(6))) } }]
}
