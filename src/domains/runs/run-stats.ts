// What ran, what it cost and what failed, by day.
import type { ProjectId } from '#contract/id-types.ts'
import type { RunEnd } from '#contract/run-end.ts'
import { addSums, sumOfOne, tokenSums, type Usage } from '#contract/usage-text.ts'
import type { DayStats, RunSums } from '#contract/views.ts'
import { iso } from '#kernel/clock.ts'
import type { Rows } from '#kernel/db/db.ts'
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
    const runs = await new StartedRunStore(this.#rows).between(starts[0] ?? to, to, projectId)
    return byDay(starts, runs)
  }
}

type Used = { run: StartedRun; usage: Usage | null; usd: number | null }

function byDay(starts: readonly number[], runs: readonly StartedRun[]): DayStats[] {
  const ofDays = starts.map((): Used[] => [])
  for (const run of runs) ofDays[starts.findLastIndex(start => start <= run.startedAt)]?.push(usedOf(run))
  return starts.map((start, day) => dayOf(start, ofDays[day] ?? []))
}

function dayOf(start: number, used: readonly Used[]): DayStats {
  const engines = [...new Set(used.flatMap(({ run }) => run.engine ?? []))]
  const by_engine = Object.fromEntries(
    engines.map(engine => [engine, sumsOf(used.filter(({ run }) => run.engine === engine))]),
  )
  const counts = Object.fromEntries(Object.entries(by_engine).map(([engine, { runs }]) => [engine, runs]))
  return { from: iso(start), ...sumsOf(used), engines: counts, by_engine }
}

function sumsOf(used: readonly Used[]): RunSums {
  const { sum: usd, unknown_runs } = addSums(used.map(one => sumOfOne(one.usd)))
  return {
    runs: used.length,
    failures: used.filter(({ run }) => !NOT_FAILED.has(run.outcome)).length,
    cost: { usd, unknown_runs },
    tokens: tokenSums(used.map(({ usage }) => usage)),
  }
}

function usedOf(run: StartedRun): Used {
  const end = run.ending === null ? null : (JSON.parse(run.ending) as RunEnd)
  return { run, ...spentBy({ end, facts: run.facts === null ? null : readFacts(run.facts, run.engine) }) }
}
