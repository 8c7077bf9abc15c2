// What is known of those that work at the same time on the same lines. Found by radar.ts; it keeps nothing from going on.
import type { Caller } from '#contract/caller.ts'
import type { Text } from '#contract/errors.ts'
import type { ProjectId, TabId, TaskId, WorktreeId } from '#contract/id-types.ts'
import type { OverlapSide, OverlapView } from '#contract/thread.ts'
import { OverlapFound, OverlapGone } from '#contract/thread-events.ts'
import type { Clock } from '#kernel/clock.ts'
import type { Db, Tx } from '#kernel/db/db.ts'
import type { EventLog } from '#kernel/events.ts'
import { type Found, keyOf, noticeOf, type Overlap, type Side } from './overlap-model.ts'
import { OverlapStore } from './overlap-store.ts'

type Deps = {
  db: Db
  events: EventLog
  clock: Clock
  tasks: { find(id: TaskId): Promise<{ handle: string } | undefined> }
}

/** Says something to a tab, in the same transaction. */
export type Tell = (tabId: TabId, text: Text) => Promise<void>

/** As many as an event names. */
const NAMED = 20

export class Overlaps {
  readonly #deps: Deps

  constructor(deps: Deps) {
    this.#deps = deps
  }

  /** As they are seen from this worktree. */
  async of(worktreeId: WorktreeId): Promise<OverlapView[]> {
    const found = await new OverlapStore(this.#deps.db).listNow({ worktreeId })
    return Promise.all(
      found.map(async ({ a, b, kind, files }) => ({
        with: await this.#view(a.worktreeId === worktreeId ? b : a),
        kind,
        files: [...files],
      })),
    )
  }

  /** Those that are there now. */
  async list(projectId: ProjectId | undefined): Promise<(Overlap & { views: Record<'a' | 'b', OverlapSide> })[]> {
    const found = await new OverlapStore(this.#deps.db).listNow({ projectId })
    return Promise.all(
      found.map(async one => ({ ...one, views: { a: await this.#view(one.a), b: await this.#view(one.b) } })),
    )
  }

  async #view({ taskId, tabId }: Side): Promise<OverlapSide> {
    const task = taskId === null ? undefined : await this.#deps.tasks.find(taskId)
    return { handle: task?.handle ?? null, tab_id: tabId }
  }

  /**
   * All that overlap on this machine now, and who is at work there. Each side is notified of a pair once, however often it comes and goes while
   * both are at work.
   */
  record(home: string, now: readonly Found[], atWork: ReadonlySet<WorktreeId>, tell: Tell, by: Caller): Promise<void> {
    return this.#deps.db.tx(async tx => {
      const rows = await new OverlapStore(tx).listAt(home)
      const before = new Map(rows.map(row => [keyOf(row), row]))
      const wanted = new Set(now.map(keyOf))
      for (const row of rows) if (!wanted.has(keyOf(row))) await this.#gone(tx, row, atWork, by)
      for (const found of now) await this.#found(tx, found, before.get(keyOf(found)), by)
      for (const found of now) {
        const isConflict = found.kind === 'conflict'
        const stronger = keyOf({ ...found, kind: 'conflict' })
        const isSaid = before.has(keyOf(found)) || (!isConflict && (wanted.has(stronger) || before.has(stronger)))
        if (!isSaid) await this.#tell(found, tell)
      }
    })
  }

  async #gone(tx: Tx, row: Overlap, atWork: ReadonlySet<WorktreeId>, by: Caller): Promise<void> {
    const { events, clock } = this.#deps
    const store = new OverlapStore(tx)
    const both = atWork.has(row.a.worktreeId) && atWork.has(row.b.worktreeId)
    if (!both) await store.delete(row)
    if (row.goneAt !== null) return
    if (both) await store.save({ ...row, goneAt: clock.now() })
    await events.publish(tx, OverlapGone, sidesOf(row), by, row.projectId)
  }

  async #found(tx: Tx, found: Found, before: Overlap | undefined, by: Caller): Promise<void> {
    const { events, clock } = this.#deps
    const isNew = !before || before.goneAt !== null
    const next: Overlap = { ...found, at: isNew ? clock.now() : before.at, goneAt: null }
    if (!isNew && JSON.stringify(next) === JSON.stringify({ ...found, ...before })) return
    await new OverlapStore(tx).save(next)
    const fact = { ...sidesOf(found), files: found.files.slice(0, NAMED) }
    if (isNew) await events.publish(tx, OverlapFound, fact, by, found.projectId)
  }

  async #tell({ a, b, kind, files }: Found, tell: Tell): Promise<void> {
    for (const [one, other] of [
      [a, b],
      [b, a],
    ] as const) {
      if (one.tabId === null) continue
      const { handle, tab_id } = await this.#view(other)
      await tell(one.tabId, noticeOf(kind, handle ?? tab_id ?? other.worktreeId, files))
    }
  }
}

function sidesOf({ a, b, kind }: Found) {
  const side = ({ taskId, tabId }: Side) => ({ taskId, tabId })
  return { a: side(a), b: side(b), kind }
}
