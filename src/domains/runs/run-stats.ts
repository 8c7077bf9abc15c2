// What ran, what it cost and what failed, by day.
import type { ProjectId } from '#contract/id-types.ts'
import type { DayStats } from '#contract/views.ts'
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

function byDay(starts: readonly number[], runs: readonly StartedRun[]): DayStats[] {
  const days = starts.map((start): DayStats => {
    return { from: iso(start), runs: 0, failures: 0, cost_usd: 0, tokens: 0, engines: {} }
  })
  for (const { startedAt, outcome, engine, facts } of runs) {
    const day = days[starts.findLastIndex(start => start <= startedAt)]
    if (!day) continue
    const { usage, costUsd = 0 } = facts === null ? ({} as Partial<RunFacts>) : (JSON.parse(facts) as RunFacts)
    day.runs += 1
    if (!NOT_FAILED.has(outcome)) day.failures += 1
    day.cost_usd += costUsd
    day.tokens += (usage?.input ?? 0) + (usage?.output ?? 0)
    if (engine !== null) day.engines[engine] = (day.engines[engine] ?? 0) + 1
  }
  return days
}
