// The worktree and branch of each task, from its first start until its work is merged or given up. Who works there is derived from
// what runs, never stored.
import type { Caller } from '#contract/caller.ts'
import type { ProjectId, TaskId, WorktreeId } from '#contract/id-types.ts'
import { ThreadError } from '#contract/thread-errors.ts'
import { WorkspaceMade, WorkspaceReleased } from '#contract/thread-events.ts'
import { WorktreeError } from '#contract/worktrees.ts'
import type { Clock } from '#kernel/clock.ts'
import type { Db, Tx } from '#kernel/db/db.ts'
import type { EventLog } from '#kernel/events.ts'
import { TORYO_BASE, TORYO_BRANCH, TORYO_PORT, TORYO_PORT_TO, TORYO_TASK } from '#system/environment-names.ts'
import { branchFor, freeRanges, type Holder, nameOf, portsOf, shortRef, type Workspace } from './workspace-model.ts'
import type {
  Heads,
  Holders,
  Meanwhile,
  TaskFacts,
  WorkspaceProjects,
  WorkspaceWorktrees,
  WorktreeFacts,
} from './workspace-ports.ts'
import { MergeStore } from './merges-store.ts'
import { SnapshotStore } from './snapshot-store.ts'
import { WorkspaceStore } from './workspace-store.ts'

export type WorkspacesDeps = {
  db: Db
  events: EventLog
  clock: Clock
  projects: WorkspaceProjects
  worktrees: WorkspaceWorktrees
  heads: Heads
  holders: Holders
  /** What this hub is making right now, whatever transaction it was asked for in. */
  making: Map<TaskId, Promise<Ready>>
  areFree: (from: number, to: number) => Promise<boolean>
}

/** A workspace to work in, and the folder that stands for the project's own. */
export type Ready = { workspace: Workspace; path: string; folder: string; setup: WorktreeFacts['setup'] }

/** `instead`: of one whose folder is gone. */
type Made = {
  worktree: WorktreeFacts
  branch: string
  baseRef: string | null
  instead: WorktreeId | undefined
}

export class Workspaces {
  readonly #deps: WorkspacesDeps

  constructor(deps: WorkspacesDeps) {
    this.#deps = deps
  }

  /** Also one that was released. */
  find(taskId: TaskId): Promise<Workspace | undefined> {
    return new WorkspaceStore(this.#deps.db).find(taskId)
  }

  /** Those of one project, or of all. */
  listLive(projectId?: ProjectId): Promise<Workspace[]> {
    return new WorkspaceStore(this.#deps.db).listLive(projectId)
  }

  /** Who works on the task now. `self`: the caller does not stand in its own way. */
  async holderOf(taskId: TaskId, self?: (holder: Holder) => boolean): Promise<Holder | undefined> {
    const holders = await this.#deps.holders.listOn(taskId)
    return holders.find(holder => !self?.(holder))
  }

  /** Throws WORKSPACE_BUSY while another one works there. */
  async mustBeFree({ id, handle }: TaskFacts, self?: (holder: Holder) => boolean): Promise<void> {
    const holder = await this.holderOf(id, self)
    if (holder) throw ThreadError.WORKSPACE_BUSY({ handle, holder: nameOf(holder) })
  }

  /** Whose it is, of whichever machine. */
  async taskIn(worktreeId: WorktreeId): Promise<TaskId | undefined> {
    return (await new WorkspaceStore(this.#deps.db).findByWorktree(worktreeId))?.taskId
  }

  /** Whether a start on this machine can work there: another hub's workspace is in another hub's folder. */
  async isHere(taskId: TaskId): Promise<boolean> {
    const { worktrees } = this.#deps
    const workspace = await this.find(taskId)
    if (!workspace || workspace.releasedAt !== null) return true
    return (await worktrees.get(workspace.worktreeId)).home === (await worktrees.home())
  }

  /** Where a workspace of it that is made now would begin; undefined where none is made, or nothing is known of a base. */
  async startsFrom(task: TaskFacts): Promise<{ directory: string; ref: string } | undefined> {
    const known = await this.find(task.id)
    const { directory, workspace: mode, base } = await this.#deps.projects.get(task.projectId)
    if (directory === null || mode !== 'task' || known?.releasedAt === null) return undefined
    const ref = await this.#baseRef(directory, base, known)
    return ref === null ? undefined : { directory, ref }
  }

  /** The branch that it is on or will be on. Throws when it cannot be had here. */
  async branchOf(task: TaskFacts): Promise<string> {
    const known = await this.find(task.id)
    await this.#mayHave(task, known)
    return known?.branch ?? task.branch ?? branchFor(task)
  }

  async #mayHave(task: TaskFacts, known: Workspace | undefined): Promise<{ directory: string; base: string | null }> {
    const { projects, worktrees } = this.#deps
    const { directory, workspace: mode, base } = await projects.get(task.projectId)
    const live = known?.releasedAt === null ? known : undefined
    if (directory === null || (mode !== 'task' && !live)) throw ThreadError.NO_WORKSPACE({ handle: task.handle })
    if (live && !(await this.isHere(task.id))) {
      const { path } = await worktrees.get(live.worktreeId)
      throw ThreadError.WORKSPACE_ELSEWHERE({ handle: task.handle, path })
    }
    return { directory, base }
  }

  /**
   * The task's workspace, ready to be worked in: the one there is, or a new one. Slow; not for use inside a transaction. Calls for
   * the same task at the same time share the work.
   */
  ensure(task: TaskFacts, by: Caller, meanwhile: Meanwhile = {}): Promise<Ready> {
    const { making } = this.#deps
    const begun = making.get(task.id)
    if (begun) return begun
    const made = this.#ensure(task, by, meanwhile).finally(() => making.delete(task.id))
    making.set(task.id, made)
    return made
  }

  async #ensure(task: TaskFacts, by: Caller, meanwhile: Meanwhile): Promise<Ready> {
    const { worktrees } = this.#deps
    const known = await this.find(task.id)
    const live = known?.releasedAt === null ? known : undefined
    const { directory, base } = await this.#mayHave(task, known)
    const there = live && (await worktrees.findPresent(live.worktreeId))
    const branch = known?.branch ?? task.branch ?? branchFor(task)
    const baseRef = live ? live.baseRef : await this.#baseRef(directory, base, known)
    // Opened again after its merge: it begins with what was merged.
    if (!live && known && task.branch === null && baseRef !== null)
      await this.#deps.heads.forward(directory, branch, baseRef)
    const wish = { projectId: task.projectId, directory, branch, base: baseRef ?? undefined, own: true as const }
    const worktree = there ?? (await worktrees.ensure(wish, by, meanwhile))
    const { setup, path } = await worktrees.setup(worktree.id, by, meanwhile)
    const folder = await worktrees.folderIn(worktree, directory)
    const made = { worktree, branch, baseRef, instead: live?.worktreeId }
    const workspace = live && there ? live : await this.#record(task, made, by)
    // Another hub was quicker.
    return workspace ? { workspace, path, folder, setup } : this.#ensure(task, by, meanwhile)
  }

  /** What the work is merged into: null before the first commit, and where no branch is checked out. */
  async #baseRef(directory: string, base: string | null, before: Workspace | undefined): Promise<string | null> {
    if (base !== null) return `refs/heads/${base}`
    if (typeof before?.baseRef === 'string') return before.baseRef
    const { branch, commit } = await this.#deps.heads.headOf(directory)
    return branch === undefined || commit === undefined ? null : `refs/heads/${branch}`
  }

  async #record(task: TaskFacts, made: Made, by: Caller): Promise<Workspace | undefined> {
    const { db } = this.#deps
    for (;;) {
      const port = await this.#freePort(await new WorkspaceStore(db).livePorts())
      const saved = await db.tx(tx => this.#save(tx, task, made, port, by))
      if (saved !== 'ports taken') return saved
    }
  }

  /** Undefined when there is one by now that was not there when this was begun. */
  async #save(
    tx: Tx,
    { id: taskId, projectId }: TaskFacts,
    { worktree, branch, baseRef, instead }: Made,
    port: number,
    by: Caller,
  ): Promise<Workspace | 'ports taken' | undefined> {
    const store = new WorkspaceStore(tx)
    const before = await store.find(taskId)
    const live = before?.releasedAt === null ? before : undefined
    if (live?.worktreeId === worktree.id) return live
    if (live?.worktreeId !== instead) return undefined
    if (await store.findByWorktree(worktree.id)) throw WorktreeError.BRANCH_CHECKED_OUT({ branch, path: worktree.path })
    if (!live && (await store.livePorts()).has(port)) return 'ports taken'
    const workspace: Workspace = {
      taskId,
      projectId,
      worktreeId: worktree.id,
      branch,
      baseRef,
      port: live?.port ?? port,
      madeAt: before && !(await isOver(tx, before)) ? before.madeAt : this.#deps.clock.now(),
      releasedAt: null,
    }
    await store.save(workspace)
    await this.#deps.events.publish(tx, WorkspaceMade, { taskId, worktreeId: worktree.id, branch }, by, projectId)
    return workspace
  }

  /** Where all are in use by others' programs, the first that no workspace has must do. */
  async #freePort(taken: ReadonlySet<number>): Promise<number> {
    let first: number | undefined
    for (const { from, to } of freeRanges(taken)) {
      first ??= from
      if (await this.#deps.areFree(from, to)) return from
    }
    return first ?? 0
  }

  /**
   * The worktree goes to the trash, with all that is unsaved in it; the branch stays. Throws while a process is still in it. Another
   * hub's stays as it is, and so does one that was released. Slow; not for use inside a transaction.
   */
  async release(taskId: TaskId, by: Caller): Promise<void> {
    const { worktrees } = this.#deps
    const workspace = await this.find(taskId)
    if (!workspace || workspace.releasedAt !== null || !(await this.isHere(taskId))) return
    if (await worktrees.findPresent(workspace.worktreeId))
      await worktrees.remove(workspace.worktreeId, { force: true, keep: await this.#hasMore(workspace) }, by)
    await this.#released(workspace, by)
  }

  /** Another hub's stays where it is, with all that lies in it; the next one of the task is made where that is asked for. */
  async giveUp(taskId: TaskId, by: Caller): Promise<void> {
    const workspace = await this.find(taskId)
    if (workspace && workspace.releasedAt === null && !(await this.isHere(taskId))) await this.#released(workspace, by)
  }

  async #released({ taskId, ...workspace }: Workspace, by: Caller): Promise<void> {
    const { db, clock, events } = this.#deps
    await db.tx(async tx => {
      const store = new WorkspaceStore(tx)
      const now = await store.find(taskId)
      if (now?.releasedAt !== null || now.worktreeId !== workspace.worktreeId) return
      await store.save({ ...now, releasedAt: clock.now() })
      const { worktreeId, projectId } = now
      await events.publish(tx, WorkspaceReleased, { taskId, worktreeId }, by, projectId)
    })
  }

  /** Files in its folder that are not in the work as it was reported last; what was held back is not reported, and no change. */
  async unreported(taskId: TaskId): Promise<string[]> {
    const { db, worktrees } = this.#deps
    const workspace = await this.find(taskId)
    const snapshot = await new SnapshotStore(db).current(taskId)
    if (!workspace || workspace.releasedAt !== null || !snapshot?.commit || !(await this.isHere(taskId))) return []
    if (snapshot.worktreeId !== workspace.worktreeId || !(await worktrees.findPresent(workspace.worktreeId))) return []
    const held = new Set(snapshot.held.map(({ path }) => path))
    return (await worktrees.changedSince(workspace.worktreeId, snapshot.commit)).filter(path => !held.has(path))
  }

  /** What a person did there after the report is nowhere else. Where that cannot be told, it is kept, too. */
  async #hasMore({ taskId }: Workspace): Promise<boolean> {
    return (await this.unreported(taskId).catch(() => [''])).length > 0
  }

  /** Rows came from another database, perhaps of another machine: each task gets its branch back with its next start. */
  imported(tx: Tx): Promise<void> {
    return new WorkspaceStore(tx).releaseAll(this.#deps.clock.now())
  }

  /** As people and agents see it; undefined for a task that has none any more, or none yet. */
  async briefing(taskId: TaskId): Promise<{ path: string; branch: string; base: string | null } | undefined> {
    const workspace = await this.find(taskId)
    if (!workspace || workspace.releasedAt !== null) return undefined
    const { path } = await this.#deps.worktrees.get(workspace.worktreeId)
    return { path, branch: workspace.branch, base: shortRef(workspace.baseRef) }
  }
}

/** Its work was merged. Otherwise the next one goes on with what lay in it, and with those who had a part in that. */
async function isOver(tx: Tx, { taskId, madeAt }: Workspace): Promise<boolean> {
  const latest = await new MergeStore(tx).findLatest(taskId)
  return latest?.outcome === 'merged' && (latest.endedAt ?? 0) >= madeAt
}

/** What programs that work in it find in their environment. */
export function environmentOf({ handle }: Pick<TaskFacts, 'handle'>, workspace: Workspace): Record<string, string> {
  const { from, to } = portsOf(workspace)
  return {
    [TORYO_TASK]: handle,
    [TORYO_BRANCH]: workspace.branch,
    [TORYO_PORT]: String(from),
    [TORYO_PORT_TO]: String(to),
    ...(workspace.baseRef !== null && { [TORYO_BASE]: shortRef(workspace.baseRef) ?? '' }),
  }
}
