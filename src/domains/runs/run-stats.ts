// What ran, what it cost and what failed, by day.
import type { ProjectId } from '#contract/id-types.ts'
import type { DayStats } from '#contract/views.ts'
import { iso } from '#kernel/clock.ts'
import type { Rows } from '#kernel/db/db.ts'
import type { RunFacts } from './model.ts'
import { type StartedRun, StartedRunStore } from './started-run-store.ts'

const DAY = 24 * 3600_000
/** Neither is anybody's failure: a person stopped it, or it goes on. */
const NOT_FAILED = new Set<string | null>(['completed', 'cancelled', null])

export class RunStats {
  readonly #rows: Rows

  constructor(rows: Rows) {
    this.#rows = rows
  }

  /** Days of 24 hours, the first of which begins at `from`. */
  async daily(from: number, to: number, projectId: ProjectId | undefined): Promise<DayStats[]> {
    return byDay(from, to, await new StartedRunStore(this.#rows).between(from, to, projectId))
  }
}

function byDay(from: number, to: number, runs: readonly StartedRun[]): DayStats[] {
  const days = Array.from({ length: Math.max(0, Math.ceil((to - from) / DAY)) }, (_, index): DayStats => {
    return { from: iso(from + index * DAY), runs: 0, failures: 0, cost_usd: 0, tokens: 0, engines: {} }
  })
  for (const { startedAt, outcome, engine, facts } of runs) {
    const day = days[Math.floor((startedAt - from) / DAY)]
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
