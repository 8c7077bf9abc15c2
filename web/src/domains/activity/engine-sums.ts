import { addSums, eachKind, type Sum, type TokenSums } from '#contract/usage-text.ts'
import type { DayStats, RunSums } from '#contract/views.ts'

export type Ran = { runs: number; failures: number; cost: Sum; tokens: TokenSums }

export function ranOf({ runs, failures, cost: { usd, unknown_runs }, tokens }: RunSums): Ran {
  return { runs, failures, cost: { sum: usd, unknown_runs }, tokens }
}

function addRan(all: readonly Ran[]): Ran {
  const count = (of: (ran: Ran) => number) => all.reduce((sum, ran) => sum + of(ran), 0)
  return {
    runs: count(ran => ran.runs),
    failures: count(ran => ran.failures),
    cost: addSums(all.map(ran => ran.cost)),
    tokens: eachKind(kind => addSums(all.map(ran => ran.tokens[kind]))),
  }
}

/** What each engine did on these days, the busiest first; last, with no name, what no engine was started for. */
export function byEngine(days: readonly DayStats[]): { engine: string | null; ran: Ran }[] {
  const engines = new Set(days.flatMap(day => Object.keys(day.by_engine)))
  const named = [...engines].map(engine => ({
    engine,
    ran: addRan(days.flatMap(day => (day.by_engine[engine] ? [ranOf(day.by_engine[engine])] : []))),
  }))
  const rest = without(
    addRan(days.map(ranOf)),
    named.map(({ ran }) => ran),
  )
  named.sort((a, b) => b.ran.runs - a.ran.runs)
  return rest.runs === 0 ? named : [...named, { engine: null, ran: rest }]
}

function without(all: Ran, parts: readonly Ran[]): Ran {
  const taken = addRan(parts)
  const less = (one: Sum, other: Sum): Sum => {
    // What was added and taken away again leaves a trace behind the point.
    const sum = Math.max(0, Number(((one.sum ?? 0) - (other.sum ?? 0)).toFixed(6)))
    return addSums([{ sum, unknown_runs: one.unknown_runs - other.unknown_runs }])
  }
  return {
    runs: all.runs - taken.runs,
    failures: all.failures - taken.failures,
    cost: less(all.cost, taken.cost),
    tokens: eachKind(kind => less(all.tokens[kind], taken.tokens[kind])),
  }
}
