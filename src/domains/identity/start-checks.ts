// Whether an engine process may be started for a pair now: limits, pauses, what the Runners can start, trust. Changes nothing.
import type { Caller } from '#contract/caller.ts'
import type { ProjectId, TaskId } from '#contract/id-types.ts'
import { RUN_SLOTS } from '#contract/runs.ts'
import type { Db, Rows } from '#kernel/db/db.ts'
import type { HubTime } from '#kernel/hub-time.ts'
import { partOf, slotsTaken } from '#kernel/slots.ts'
import type { Needs, Unmet } from './abilities.ts'
import { InstanceStore } from './instance-store.ts'
import type { Agent } from './model.ts'
import type { EnginePauses, Narrowed, Pair, Trust } from './ports.ts'
import { runnerOf, type Runners } from './runners.ts'

type Deps = {
  db: Db
  clock: HubTime
  limits: () => { runs: number; startsPerMinute: number }
  narrowed: Narrowed
  engines: Pick<EnginePauses, 'isPaused' | 'listPaused'>
  runners: Runners
  trust: Pick<Trust, 'isRefused'>
}

/** A pair that has work and is free. */
export type Candidate = Pair & { agent: Agent }

const WINDOW_MS = 60_000

export class StartChecks {
  readonly #deps: Deps

  constructor(deps: Deps) {
    this.#deps = deps
  }

  /** Why no process may be started for this pair now, though there is work; undefined when one may. */
  async whyNot(
    agent: Agent,
    needs: Needs & { taskId: TaskId | null },
    by: Caller,
    rows: Rows,
  ): Promise<string | undefined> {
    const { projectId } = needs
    const { limits, clock, engines, runners, trust } = this.#deps
    const store = new InstanceStore(rows)
    if ((await store.listOpen(agent.id, projectId)).length > 0) return 'stopping'
    if (await engines.isPaused(agent.engine)) return 'engine_paused'
    const unable = await runners.whyNotFor(runnerOf(by), needs, rows)
    if (unable) return unable
    if (await trust.isRefused(projectId, needs.taskId, runnerOf(by))) return 'trust_required'
    const { runs, startsPerMinute } = limits()
    if ((await store.countStartedSince(clock.steady() - WINDOW_MS)) >= startsPerMinute) return 'rate_limited'
    if ((await slotsTaken(rows, RUN_SLOTS)) >= runs) return 'no_slot'
    return (await this.#isFull(projectId, store, rows)) ? 'project_limit' : undefined
  }

  /** By the limits in the project's own file; those of other projects may go on. */
  async #isFull(projectId: ProjectId, store: InstanceStore, rows: Rows): Promise<boolean> {
    const { narrowed, clock } = this.#deps
    const { runs, startsPerMinute } = await narrowed(projectId)
    if (runs !== undefined && (await slotsTaken(rows, partOf(RUN_SLOTS, projectId))) >= runs) return true
    if (startsPerMinute === undefined) return false
    return (await store.countStartedSince(clock.steady() - WINDOW_MS, projectId)) >= startsPerMinute
  }

  /** What a start of this agent waits for; undefined when a Runner can take it, or a process is still there. */
  async unmet(agent: Agent, needs: Needs): Promise<Unmet | undefined> {
    const open = await new InstanceStore(this.#deps.db).listOpen(agent.id, needs.projectId)
    return open.length > 0 ? undefined : (await this.#deps.runners.unmetOf())(needs)
  }

  /** Of these, which have no process, the ones that no Runner can take. */
  async listUnmet(pairs: readonly Candidate[]): Promise<(Unmet & { agent: Agent })[]> {
    if (pairs.length === 0) return []
    const unmet = await this.#deps.runners.unmetOf()
    return pairs.flatMap(({ agent, projectId, directory, workspace }) => {
      const lacking = unmet({ engine: agent.engine, projectId, directory, workspace })
      return lacking ? [{ ...lacking, agent }] : []
    })
  }

  /**
   * Of these, which have no process, the ones for which `whyNot` may have no answer, by a few queries for all of them. Trust is
   * left to the claim.
   */
  async listPossible(pairs: readonly Candidate[], by: Caller): Promise<Candidate[]> {
    const { db, limits, clock, engines, runners } = this.#deps
    const store = new InstanceStore(db)
    const { runs, startsPerMinute } = limits()
    if (pairs.length === 0 || (await slotsTaken(db, RUN_SLOTS)) >= runs) return []
    if ((await store.countStartedSince(clock.steady() - WINDOW_MS)) >= startsPerMinute) return []
    const paused = new Set(await engines.listPaused())
    const isOffered = await runners.offersTo(runnerOf(by), db)
    return pairs.filter(({ agent: { engine }, projectId, directory, workspace }) => {
      return !paused.has(engine) && isOffered({ engine, projectId, directory, workspace })
    })
  }
}
