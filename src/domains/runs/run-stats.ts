// What ran, what it cost and what failed, by day.
import type { ProjectId } from '#contract/id-types.ts'
import type { RunEnd } from '#contract/run-end.ts'
import { addSums, sumOfOne, tokenSums, type Usage } from '#contract/usage-text.ts'
import type { DayStats, RunSums } from '#contract/views.ts'
import { iso } from '#kernel/clock.ts'
import type { Rows } from '#kernel/db/db.ts'
import { Turn } from '#system/turn.ts'
import { spentBy } from './model.ts'
import { type StartedRun, StartedRunStore } from './started-run-store.ts'
import { readFacts } from './stored-facts.ts'

/** Neither counts as a failure: a person stopped it, or it goes on. */
const NOT_FAILED = new Set<string | null>(['completed', 'cancelled', null])
export class RunStats {
  readonly #rows: Rows

  constructor(rows: Rows) {
    this.#rows = rows
  }

  /** `starts`: where each day begins, in their order. The last one ends at `to`. */
  async daily(starts: readonly number[], to: number, projectId: ProjectId | undefined): Promise<DayStats[]> {
    const ofDays = starts.map((): Used[] => [])
    const turn = new Turn()
    for await (const page of new StartedRunStore(this.#rows).between(starts[0] ?? to, to, projectId)) {
      for (const run of page) ofDays[starts.findLastIndex(start => start <= run.startedAt)]?.push(usedOf(run))
      await turn.over()
    }
    return starts.map((start, day) => dayOf(start, ofDays[day] ?? []))
  }
}

type Used = Pick<StartedRun, 'engine' | 'outcome' | 'result'> & { usage: Usage | null; usd: number | null }

function dayOf(start: number, used: readonly Used[]): DayStats {
  const engines = [...new Set(used.flatMap(({ engine }) => engine ?? []))]
  const by_engine = Object.fromEntries(
    engines.map(engine => [engine, sumsOf(used.filter(one => one.engine === engine))]),
  )
  const counts = Object.fromEntries(Object.entries(by_engine).map(([engine, { runs }]) => [engine, runs]))
  return { from: iso(start), ...sumsOf(used), engines: counts, by_engine }
}

function sumsOf(used: readonly Used[]): RunSums {
  const { sum: usd, unknown_runs } = addSums(used.map(one => sumOfOne(one.usd)))
  return {
    runs: used.length,
    // An agent that asks has not failed.
    failures: used.filter(({ outcome, result }) => !NOT_FAILED.has(outcome) && result !== 'blocked').length,
    cost: { usd, unknown_runs },
    tokens: tokenSums(used.map(({ usage }) => usage)),
  }
}

function usedOf({ engine, outcome, result, facts, ending }: StartedRun): Used {
  const end = ending === null ? null : (JSON.parse(ending) as RunEnd)
  return { engine, outcome, result, ...spentBy({ end, facts: facts === null ? null : readFacts(facts, engine) }) }
}
