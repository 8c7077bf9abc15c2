// The verbs on the merge queue: what comes into it, what leaves it, and how an entry ends. Merging itself is merging.ts.
import type { ApiOutput } from '#contract/api.ts'
import type { Caller } from '#contract/caller.ts'
import type { Lang } from '#contract/errors.ts'
import type { MergeId, ProjectId, SnapshotId, TaskId } from '#contract/id-types.ts'
import type { MergeOutcome, MergeStep, MergeView } from '#contract/thread.ts'
import { ThreadError } from '#contract/thread-errors.ts'
import { MergeEnded, MergeQueued, MergeWaits, PullEnded, TaskReturned } from '#contract/thread-events.ts'
import { isSame, type MergeNeeds } from '#contract/why.ts'
import { needsText } from '#contract/why-text.ts'
import { iso } from '#kernel/clock.ts'
import type { HubTime } from '#kernel/hub-time.ts'
import type { Rows, Tx } from '#kernel/db/db.ts'
import { EvidenceStore } from './evidence-store.ts'
import { baseName, blockedBy, type Details, isLeftByUndo, type Merge, mustBeThere, waitsBehind } from './merge-model.ts'
import type { MergedTask, MergeTasks, MergeWorkspaces } from './merge-ports.ts'
import type { Writing } from './ports.ts'
import { type MergeFilter, MergeStore } from './merges-store.ts'
import { isTooMany, readAgain } from './model.ts'
import { asMerge, type Pull } from './pull-model.ts'
import { PullStore } from './pull-store.ts'
import { SnapshotStore } from './snapshot-store.ts'

type Deps = Writing & {
  clock: HubTime
  tasks: MergeTasks
  workspaces: Pick<MergeWorkspaces, 'repositoryOf' | 'mergedBy' | 'isOnSeveral'>
  /** The hub's own name of its machine: that of its Runner. */
  machine: string
}

const MOST = 1000
const SHOWN_ENDED = 50

export class Merges {
  readonly #deps: Deps

  constructor(deps: Deps) {
    this.#deps = deps
  }

  /**
   * Accepted work gets its place in the queue of its base: this snapshot, or else the one that was accepted last. Asked again while
   * it waits, it is tried again now. Undefined: nothing was changed, so there is nothing to merge.
   */
  enqueue(taskId: TaskId, snapshotId: SnapshotId | undefined, by: Caller): Promise<Merge | undefined> {
    return this.#deps.db.tx(async tx => {
      const { tasks, workspaces, ids, clock, events } = this.#deps
      const store = new MergeStore(tx)
      const task = await tasks.get(taskId, by)
      const { handle, projectId } = task
      mustBeThere(task)
      const open = await store.findOpen(taskId)
      if (open && (snapshotId === undefined || open.snapshotId === snapshotId)) return this.#retry(store, open)
      if (!task.accepted) throw ThreadError.NOT_ACCEPTED({ handle, stage: task.stage })
      if (await this.#hasPull(tx, task, snapshotId === undefined, by)) return undefined
      // Accepted again before the queue has heard that it was opened again.
      if (open) await this.end(open, 'withdrawn', {}, by)
      const workspace = await store.workspaceOf(taskId)
      const accepted = snapshotId ?? (await store.acceptedOf(taskId))
      const snapshot = accepted && (await store.snapshotOf({ snapshotId: accepted }))
      const latest = await store.lastMerged(taskId)
      if (latest?.snapshotId === accepted && latest !== undefined) {
        if (latest.kind === 'undo') throw ThreadError.MERGE_UNDONE({ handle })
        return latest
      }
      const place = workspace && (await workspaces.repositoryOf(workspace.worktree_id))
      if (!workspace || !snapshot?.commit_id || !place) throw ThreadError.NO_WORKSPACE({ handle })
      if (snapshot.changed_files === 0) return undefined
      if (workspace.base_ref === null) throw ThreadError.NO_BASE({ handle })
      const merge: Merge = {
        id: ids.next('mrg'),
        kind: 'merge',
        undoes: null,
        taskId,
        projectId,
        snapshotId: snapshot.id,
        repository: place.repository,
        baseRef: workspace.base_ref,
        method: task.method,
        queuedAt: clock.now(),
        baseBefore: null,
        commit: null,
        tree: null,
        waits: null,
        endedAt: null,
        outcome: null,
        details: {},
      }
      await store.insert(merge)
      await tasks.queued(taskId, merge.queuedAt, by)
      await events.publish(tx, MergeQueued, { taskId, mergeId: merge.id }, by, projectId)
      return merge
    })
  }

  /**
   * The newest merge of the task is taken out of its base again, by an entry of its own in the queue; `redo`: what was taken out comes
   * back. Asked again while it waits, it is tried again now; after that, it is done already.
   */
  undo(taskId: TaskId, redo: boolean, by: Caller): Promise<Merge> {
    return this.#deps.db.tx(async tx => {
      const { tasks, ids, clock, events } = this.#deps
      const store = new MergeStore(tx)
      const task = await tasks.get(taskId, by)
      const { handle, stage, projectId } = task
      mustBeThere(task)
      const kind = redo ? 'redo' : 'undo'
      const open = await store.findOpen(taskId)
      if (open?.kind === kind) return this.#retry(store, open)
      const last = await store.lastMerged(taskId)
      if (!open && last?.kind === kind && (redo ? stage === 'merged' : isLeftByUndo(stage))) return last
      const isThere = redo ? last?.kind === 'undo' && isLeftByUndo(stage) : last?.kind !== 'undo' && stage === 'merged'
      if (!last || !isThere || open) throw ThreadError[redo ? 'NOT_UNDONE' : 'NOT_MERGED']({ handle, stage })
      if (last.commit === null || last.baseBefore === null) throw ThreadError.MERGED_ELSEWHERE({ handle })
      const merge: Merge = {
        ...last,
        ...{ id: ids.next('mrg'), kind, undoes: last.id, queuedAt: clock.now(), waits: null, details: {} },
        ...{ baseBefore: null, commit: null, tree: null, endedAt: null, outcome: null },
      }
      await store.insert(merge)
      await events.publish(tx, MergeQueued, { taskId, mergeId: merge.id, kind }, by, projectId)
      return merge
    })
  }

  /** A pull request is where it is merged. One that never came to be is given up when a person asks for the queue instead. */
  async #hasPull(tx: Tx, { id, handle }: MergedTask, isAsked: boolean, by: Caller): Promise<boolean> {
    const { clock, tasks } = this.#deps
    const pull = await new PullStore(tx).findOpen(id)
    if (!pull) return false
    if (isAsked && pull.url !== null) throw ThreadError.PULL_OPEN({ handle, url: pull.url })
    if (!isAsked) {
      await tasks.queued(id, clock.now(), by)
      return true
    }
    await this.#endPull(tx, pull, 'closed', by)
    return false
  }

  async #endPull(tx: Tx, pull: Pull, outcome: 'merged' | 'closed', by: Caller): Promise<void> {
    const { clock, events } = this.#deps
    const { id: pullId, taskId, projectId } = pull
    await new PullStore(tx).save({ ...pull, endedAt: clock.now(), outcome })
    await events.publish(tx, PullEnded, { taskId, pullId, outcome }, by, projectId)
  }

  /** By way of a pull request. */
  mergedElsewhere(pull: Pull, commit: string | null, by: Caller): Promise<void> {
    return this.#deps.db.tx(async tx => {
      const { ids, clock, tasks, events } = this.#deps
      const { taskId, projectId } = pull
      const now = clock.now()
      const { method } = await tasks.get(taskId, by)
      const merge = asMerge(pull, ids.next('mrg'), method, commit, now)
      await new MergeStore(tx).insert(merge)
      await tasks.merged(taskId, now, by)
      const fact = { taskId, mergeId: merge.id, outcome: 'merged' as const, commit }
      await events.publish(tx, MergeEnded, fact, by, projectId)
    })
  }

  async #retry(store: MergeStore, open: Merge): Promise<Merge> {
    if (open.waits === null) return open
    const again = { ...open, waits: null }
    await store.save(again)
    return again
  }

  /** Those of these tasks whose merge is in a repository of another machine, each with the commit that it made there. */
  async mergedAway(taskIds: readonly TaskId[]): Promise<{ taskId: TaskId; mergeId: MergeId; commit: string }[]> {
    const store = new MergeStore(this.#deps.db)
    const away: { taskId: TaskId; mergeId: MergeId; commit: string }[] = []
    for (const taskId of taskIds) {
      const latest = await store.lastMerged(taskId)
      const workspace = latest && latest.kind !== 'undo' ? await store.workspaceOf(taskId) : undefined
      const place = workspace && (await this.#deps.workspaces.repositoryOf(workspace.worktree_id))
      if (latest && latest.commit !== null && place?.here === false)
        away.push({ taskId, mergeId: latest.id, commit: latest.commit })
    }
    return away
  }

  /** The task is not done any more: what waits in the queue for it is taken out. */
  async withdraw(taskId: TaskId, by: Caller): Promise<void> {
    await this.#deps.db.tx(async tx => {
      const open = await new MergeStore(tx).findOpen(taskId)
      if (open) await this.end(open, 'withdrawn', {}, by)
    })
  }

  /** Rows came from another database, perhaps of another machine. */
  imported(tx: Tx): Promise<void> {
    return new MergeStore(tx).withdrawAll(this.#deps.clock.now(), { kind: 'imported' })
  }

  /** What was written down of it meanwhile stays. */
  end(merge: Merge, outcome: MergeOutcome, details: Details, by: Caller): Promise<Merge> {
    return this.#deps.db.tx(async tx => {
      const { clock, events, tasks } = this.#deps
      const store = new MergeStore(tx)
      const { taskId, projectId, id } = merge
      const now = (await store.find(id)) ?? merge
      // Taken out while the base moved: the move is what happened.
      if (now.endedAt !== null && !(outcome === 'merged' && now.outcome === 'withdrawn')) return now
      const at = clock.now()
      const all = { ...now.details, ...details, ...(outcome === 'merged' && { machine: this.#deps.machine }) }
      const ended = { ...now, commit: merge.commit, waits: null, endedAt: at, outcome, details: all }
      await store.save(ended)
      if (outcome === 'merged' && now.kind === 'undo') await tasks.undone(taskId, by)
      if (outcome === 'merged' && now.kind === 'redo') await tasks.redone(taskId, at, by)
      const isMerge = now.kind === 'merge'
      if (outcome === 'merged' && isMerge) {
        await tasks.merged(taskId, at, by)
        const pull = await new PullStore(tx).findOpen(taskId)
        if (pull) await this.#endPull(tx, pull, 'merged', by)
      }
      if (outcome === 'withdrawn' && isMerge) await tasks.queued(taskId, null, by)
      if (isMerge && (outcome === 'conflict' || outcome === 'failed')) await this.#return(tx, ended, by)
      const commit = outcome === 'merged' ? ended.commit : null
      const fact = { taskId, mergeId: id, outcome, commit, ...(!isMerge && { kind: now.kind }) }
      await events.publish(tx, MergeEnded, fact, by, projectId)
      return ended
    })
  }

  /**
   * Its base does not have the commit that it was reviewed on: its verdict was on another change than would be merged. It waits for a person,
   * whatever the project's policy, with its files read again and compared with the base as it is now.
   */
  takeBack(merge: Merge, lacks: string, by: Caller): Promise<void> {
    return this.#deps.db.tx(async tx => {
      const { tasks, ids, clock } = this.#deps
      const { handle } = await tasks.get(merge.taskId, by)
      const ended = await this.end(merge, 'withdrawn', { lacks }, by)
      // Taken out by another meanwhile.
      if (ended.details.lacks === undefined) return
      const lacking = { base: baseName(merge.baseRef), merge: merge.id, commit: lacks, handle }
      await tasks.blocked(merge.taskId, { kind: 'base-lacks', ...lacking }, by)
      const store = new SnapshotStore(tx)
      const current = await store.current(merge.taskId)
      if (!current || current.takenAt === null) return
      // Commits count seconds: a verdict on what was seen before must not be one on this.
      const at = Math.max(clock.now(), current.at + 1000)
      await store.insert({ ...readAgain(current, ids.next('snp')), cause: 'asked', at })
    })
  }

  /** To its agent, with what is to be done about it; the fourth time in a row to a person. */
  async #return(tx: Tx, merge: Merge, by: Caller): Promise<void> {
    const { taskId, projectId, outcome } = merge
    const inVain = await this.#inVain(tx, taskId)
    if (merge.details.unable || isTooMany(inVain.length))
      return this.#deps.tasks.blocked(taskId, blockedBy(merge, inVain.length), by)
    await this.#deps.tasks.returned(taskId, by)
    const why = outcome === 'conflict' ? ('conflict' as const) : ('checks' as const)
    const count = inVain.filter(one => one.outcome === outcome).length
    await this.#deps.events.publish(tx, TaskReturned, { taskId, why, count }, by, projectId)
  }

  /** Since it was merged last, newest first. */
  async #inVain(rows: Rows, taskId: TaskId): Promise<Merge[]> {
    const ended = await new MergeStore(rows).list({ taskId, ended: true }, MOST)
    const tried = ended.filter(one => one.outcome === 'merged' || (one.outcome !== 'withdrawn' && one.kind === 'merge'))
    const merged = tried.findIndex(one => one.outcome === 'merged')
    return merged === -1 ? tried : tried.slice(0, merged)
  }

  /** Undos since then that did not go through, each the last that was tried for its task. */
  undoneInVain(projectId: ProjectId | undefined, forMs: number, limit: number): Promise<Merge[]> {
    return new MergeStore(this.#deps.db).undoneInVain({ projectId }, this.#deps.clock.now() - forMs, limit)
  }

  /** What an undo takes back. */
  async undoneCommit({ undoes }: Merge): Promise<string | null | undefined> {
    return undoes === null ? null : (await new MergeStore(this.#deps.db).find(undoes))?.commit
  }

  task(id: TaskId, by: Caller): Promise<MergedTask> {
    return this.#deps.tasks.get(id, by)
  }

  /** Announced once for each reason. */
  async wait(merge: Merge, needs: MergeNeeds, by: Caller): Promise<void> {
    await this.#deps.db.tx(async tx => {
      const store = new MergeStore(tx)
      const now = await store.find(merge.id)
      if (!now || now.endedAt !== null || isSame(now.waits, needs)) return
      await store.save({ ...now, waits: needs })
      const { taskId, id: mergeId } = merge
      const fact = { taskId, mergeId, reason: needsText(needs).en, needs }
      await this.#deps.events.publish(tx, MergeWaits, fact, by, merge.projectId)
    })
  }

  /** Written down before the base moves. */
  prepared(merge: Merge, made: Pick<Merge, 'baseBefore' | 'commit' | 'tree'>): Promise<Merge> {
    return this.#deps.db.tx(async tx => {
      const store = new MergeStore(tx)
      const next = { ...((await store.find(merge.id)) ?? merge), ...made }
      await store.save(next)
      return next
    })
  }

  /** Where the merge of a task stands, or how the newest one ended. */
  async newest(taskId: TaskId, by: Caller, lang: Lang): Promise<MergeView | undefined> {
    const latest = await new MergeStore(this.#deps.db).findLatest(taskId)
    if (!latest) return undefined
    if (latest.endedAt === null) return (await this.list({ taskId }, by, lang))[0]
    return this.#ended(latest, await this.#deps.tasks.get(taskId, by))
  }

  /** Those that wait, in their order, then (asked for) those that have ended, newest first. */
  async list(filter: MergeFilter & { returned?: boolean | undefined }, by: Caller, lang: Lang): Promise<MergeView[]> {
    const store = new MergeStore(this.#deps.db)
    const open = await store.list({}, MOST)
    const places = new Map<string, { count: number; handle: string }>()
    const views: MergeView[] = []
    for (const merge of open) {
      const workspace = await store.workspaceOf(merge.taskId)
      const place = workspace && (await this.#deps.workspaces.repositoryOf(workspace.worktree_id))
      const queue = `${place?.home ?? ''}\0${merge.repository}\0${merge.baseRef}`
      const before = places.get(queue)
      const task = await this.#deps.tasks.get(merge.taskId, by)
      places.set(queue, { count: (before?.count ?? 0) + 1, handle: before?.handle ?? task.handle })
      if (filter.projectId !== undefined && merge.projectId !== filter.projectId) continue
      if (filter.taskId !== undefined && merge.taskId !== filter.taskId) continue
      const isAway = place?.here === false && !(await store.isClaimed(merge.id, this.#deps.clock.steady()))
      const away = isAway ? await this.#deps.workspaces.mergedBy?.(merge.taskId) : undefined
      const needs = merge.waits && needsText(merge.waits)
      const waits = before ? waitsBehind(before.handle) : (needs ?? away ?? null)
      const position = (before?.count ?? 0) + 1
      const step = away && position === 1 ? 'waiting' : await this.#stepOf(merge, position)
      views.push(viewOf(merge, { task, position, waits: waits?.[lang] ?? null, step }))
    }
    const over = [
      ...(filter.returned ? await store.returned(filter, SHOWN_ENDED) : []),
      ...(filter.ended ? await store.list({ ...filter, ended: true }, SHOWN_ENDED) : []),
    ]
    for (const merge of over)
      if (!views.some(({ merge_id }) => merge_id === merge.id))
        views.push(await this.#ended(merge, await this.#deps.tasks.get(merge.taskId, by)))
    return views
  }

  async view(id: MergeId, by: Caller, lang: Lang): Promise<MergeView> {
    const merge = await new MergeStore(this.#deps.db).find(id)
    if (!merge) throw ThreadError.MERGE_NOT_FOUND({ mergeId: id })
    const task = await this.#deps.tasks.get(merge.taskId, by)
    const [open] = merge.endedAt === null ? await this.list({ taskId: merge.taskId }, by, lang) : []
    return open?.merge_id === id ? open : viewOf(merge, { ...ENDED, task })
  }

  /** With what it did not merge with. */
  async show(id: MergeId, by: Caller, lang: Lang): Promise<Shown> {
    const store = new MergeStore(this.#deps.db)
    const merge = await store.find(id)
    if (!merge) throw ThreadError.MERGE_NOT_FOUND({ mergeId: id })
    const view = await this.view(id, by, lang)
    const others = merge.outcome === 'conflict' ? await store.mergedMeanwhile(merge, SHOWN_OTHERS) : []
    const changedBy = await Promise.all(
      others.map(async ({ taskId }) => {
        const { handle, title, assigneeId } = await this.#deps.tasks.get(taskId, by)
        return { task_id: taskId, handle, title, agent_id: assigneeId }
      }),
    )
    return { ...view, conflicts: merge.details.conflicts ?? [], base_changed_by: changedBy }
  }

  /** Where the project lies on several machines, one of them has it: which. */
  async #ended(merge: Merge, task: MergedTask): Promise<MergeView> {
    const { machine } = merge.details
    // By a pull request it is merged in no clone.
    const isPulled = machine === undefined && merge.baseBefore === null
    const isPlain =
      merge.outcome !== 'merged' || isPulled || !(await this.#deps.workspaces.isOnSeveral(merge.projectId))
    const place = { machine: machine?.split(':')[0] ?? null, folder: merge.repository.replace(/[\\/]\.git$/, '') }
    return viewOf(merge, { ...ENDED, task, mergedOn: isPlain ? null : place })
  }

  async #stepOf({ id, waits }: Merge, position: number): Promise<MergeStep> {
    if (position > 1) return 'behind'
    if (waits !== null) return 'waiting'
    const evidence = await new EvidenceStore(this.#deps.db).ofMerge(id)
    return evidence.some(({ outcome }) => outcome === null) ? 'checking' : 'merging'
  }
}

type Shown = Omit<ApiOutput<'merge.show'>, 'evidence'>

/** Of those that changed the base meanwhile. */
const SHOWN_OTHERS = 5

type Place = Pick<MergeView, 'position' | 'waits' | 'step'> & { task: MergedTask; mergedOn?: MergeView['merged_on'] }

const ENDED = { position: null, waits: null, step: null }

function viewOf(merge: Merge, { task, position, waits, step, mergedOn = null }: Place): MergeView {
  return {
    merge_id: merge.id,
    kind: merge.kind,
    task_id: merge.taskId,
    handle: task.handle,
    title: task.title,
    project_id: merge.projectId,
    base: baseName(merge.baseRef),
    position,
    queued_at: iso(merge.queuedAt),
    ended_at: merge.endedAt === null ? null : iso(merge.endedAt),
    outcome: merge.outcome,
    commit: merge.commit,
    waits,
    step,
    files: (merge.details.conflicts ?? []).map(({ path }) => path),
    check: merge.details.check ?? null,
    stage: task.stage,
    agent_id: task.assigneeId,
    merged_on: mergedOn,
  }
}
