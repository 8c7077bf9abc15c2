// Decisions on the thread of a task: those that name it, those that its reports cite, and what has replaced them since.
import type { Caller } from '#contract/caller.ts'
import type { TaskId } from '#contract/id-types.ts'
import { DecisionSuperseded, type ToldDecision } from '#contract/memory.ts'
import { type Clock, iso } from '#kernel/clock.ts'
import type { Db, Tx } from '#kernel/db/db.ts'
import type { EventLog } from '#kernel/events.ts'
import type { TextSearch } from '#kernel/search/text-search.ts'
import { DecisionTaskStore } from './decision-task-store.ts'
import type { Decision } from './model.ts'
import type { Tasks } from './ports.ts'
import { MemoryStore } from './store.ts'

/** Longer chains of replacements are followed no further. */
const CHAIN = 50
/** Of a decision, in a list. */
const SHOWN = 200

type Deps = { db: Db; search: TextSearch; events: EventLog; clock: Clock; tasks: Tasks }
type Linked = { decision: Decision; isCited: boolean; toldAt: number | null; newest: Decision }

export class TaskDecisions {
  readonly #deps: Deps

  constructor(deps: Deps) {
    this.#deps = deps
  }

  /** In the transaction that adds it. A task that followed the one that it replaces is pointed to it. */
  async added(tx: Tx, decision: Decision, taskIds: readonly TaskId[], by: Caller): Promise<void> {
    const { clock, events, tasks } = this.#deps
    const store = new DecisionTaskStore(tx)
    for (const taskId of new Set(taskIds)) await store.add(decision.id, taskId, 'named_at', clock.now())
    if (decision.supersedes === null) return
    const followers = await store.tasksOf(decision.supersedes)
    for (const { id: taskId, projectId } of await tasks.openAmong(followers)) {
      const fact = { taskId, decisionId: decision.supersedes, supersededBy: decision.id }
      await events.publish(tx, DecisionSuperseded, fact, by, projectId)
    }
  }

  /** A report names what it followed. What is not there for this project is left out: a report is never refused for it. */
  cite(taskId: TaskId, project: number, ids: readonly number[]): Promise<number[]> {
    return this.#deps.db.tx(async tx => {
      const known = await new MemoryStore(tx, this.#deps.search).decisionsByIds([...new Set(ids)])
      const readable = known.filter(decision => decision.project === null || decision.project === project)
      for (const { id } of readable) await new DecisionTaskStore(tx).add(id, taskId, 'cited_at', this.#deps.clock.now())
      return readable.map(({ id }) => id).toSorted((a, b) => a - b)
    })
  }

  /** What holds for this task by name: in place of a decision that was replaced, the one that stands. */
  async standing(taskId: TaskId): Promise<Decision[]> {
    const newest = (await this.#linked(taskId)).map(link => link.newest)
    return newest.filter((decision, at) => newest.findIndex(({ id }) => id === decision.id) === at)
  }

  /** The tasks that each of them names, and those whose reports cite it. */
  followers(decisionIds: readonly number[]) {
    return new DecisionTaskStore(this.#deps.db).linksOf(decisionIds)
  }

  async ofTask(taskId: TaskId): Promise<ToldDecision[]> {
    const linked = await this.#linked(taskId)
    const followed = new Set(linked.map(({ decision }) => decision.id))
    return linked.map(({ decision, isCited, toldAt, newest }) => ({
      decision_id: decision.id,
      decision: decision.decision.slice(0, SHOWN).toWellFormed(),
      cited: isCited,
      told_at: toldAt === null ? null : iso(toldAt),
      // Once the task names or cites the newer one, it knows.
      ...(!followed.has(newest.id) && { superseded_by: newest.id }),
    }))
  }

  /** What it follows and has been replaced, each with the one that stands now; what the task knows already is left out. */
  async replaced(taskId: TaskId): Promise<{ decision: Decision; newest: Decision }[]> {
    const linked = await this.#linked(taskId)
    const followed = new Set(linked.map(({ decision }) => decision.id))
    return linked.filter(({ newest }) => !followed.has(newest.id))
  }

  async #linked(taskId: TaskId): Promise<Linked[]> {
    const { db, search } = this.#deps
    const rows = await new DecisionTaskStore(db).ofTask(taskId)
    if (rows.length === 0) return []
    const store = new MemoryStore(db, search)
    const known = new Map<number, Decision>()
    let wanted = rows.map(row => row.decision_id)
    for (let step = 0; step < CHAIN && wanted.length > 0; step++) {
      for (const decision of await store.decisionsByIds(wanted)) known.set(decision.id, decision)
      wanted = wanted.flatMap(id => known.get(id)?.supersededBy ?? []).filter(id => !known.has(id))
    }
    return rows.flatMap(row => {
      const decision = known.get(row.decision_id)
      if (!decision) return []
      return { decision, isCited: row.cited_at !== null, toldAt: row.named_at, newest: newestOf(decision, known) }
    })
  }
}

/** What a decision replaces is always older, so that there are no circles. */
function newestOf(decision: Decision, known: ReadonlyMap<number, Decision>): Decision {
  let newest = decision
  for (let next = known.get(newest.supersededBy ?? 0); next; next = known.get(newest.supersededBy ?? 0)) newest = next
  return newest
}
