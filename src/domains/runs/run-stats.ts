// What ran, what it cost and what failed, by day.
import type { ProjectId } from '#contract/id-types.ts'
import type { DayStats, RunSums } from '#contract/views.ts'
import { iso } from '#kernel/clock.ts'
import type { Rows } from '#kernel/db/db.ts'
import type { RunFacts } from './model.ts'
import { type StartedRun, StartedRunStore } from './started-run-store.ts'

/** Neither counts as a failure: a person stopped it, or it goes on. */
const NOT_FAILED = new Set<string | null>(['completed', 'cancelled', null])

export class RunStats {
  readonly #rows: Rows

  constructor(rows: Rows) {
    this.#rows = rows
  }

  /** `starts`: where each day begins, in their order. The last one ends at `to`. */
  async daily(starts: readonly number[], to: number, projectId: ProjectId | undefined): Promise<DayStats[]> {
    const runs = await new StartedRunStore(this.#rows).between(starts[0] ?? to, to, projectId)
    return byDay(starts, runs)
  }
}

const nothing = (): RunSums => ({ runs: 0, failures: 0, cost_usd: 0, tokens: 0 })

function byDay(starts: readonly number[], runs: readonly StartedRun[]): DayStats[] {
  const days = starts.map((start): DayStats => ({ from: iso(start), ...nothing(), engines: {}, by_engine: {} }))
  for (const run of runs) {
    const day = days[starts.findLastIndex(start => start <= run.startedAt)]
    if (!day) continue
    const used = usedBy(run)
    add(day, run, used)
    if (run.engine === null) continue
    day.engines[run.engine] = (day.engines[run.engine] ?? 0) + 1
    add((day.by_engine[run.engine] ??= nothing()), run, used)
  }
  return days
}

function usedBy({ facts }: StartedRun): { cost: number; tokens: number } {
  const { usage, costUsd = 0 } = facts === null ? ({} as Partial<RunFacts>) : (JSON.parse(facts) as RunFacts)
  return { cost: costUsd, tokens: (usage?.input ?? 0) + (usage?.output ?? 0) }
}

function add(sums: RunSums, { outcome, result }: StartedRun, { cost, tokens }: { cost: number; tokens: number }): void {
  sums.runs += 1
  // An agent that asks has not failed.
  if (!NOT_FAILED.has(outcome) && result !== 'blocked') sums.failures += 1
  sums.cost_usd += cost
  sums.tokens += tokens
}
