// Pull requests instead of the queue. Pushing and opening is the person's own doing, with the person's own programs; here is what of it
// is written down, and what follows for the task.
import { type Caller, callerName } from '#contract/caller.ts'
import type { TaskId } from '#contract/id-types.ts'
import { ThreadError } from '#contract/thread-errors.ts'
import { PullBegun, PullEnded, PullOpened } from '#contract/thread-events.ts'
import { EvidenceStore } from './evidence-store.ts'
import { mustBeThere } from './merge-model.ts'
import type { Merges } from './merges.ts'
import type { MergedTask, MergeTasks, MergeWorkspaces } from './merge-ports.ts'
import { MergeStore } from './merges-store.ts'
import type { ThreadProjects, Writing } from './ports.ts'
import { bodyOf, type Pull, type PullPlan, titleOf } from './pull-model.ts'
import { PullStore } from './pull-store.ts'
import type { Reviews } from './reviews.ts'
import { SnapshotStore } from './snapshot-store.ts'

type Deps = Writing & {
  tasks: Pick<MergeTasks, 'get' | 'queued'>
  projects: Pick<ThreadProjects, 'get'>
  workspaces: Pick<MergeWorkspaces, 'repositoryOf'>
  merges: Pick<Merges, 'withdraw' | 'enqueue' | 'mergedElsewhere'>
  reviews: Pick<Reviews, 'verdict'>
}

const EARLIER = 100

export class Pulls {
  readonly #deps: Deps

  constructor(deps: Deps) {
    this.#deps = deps
  }

  newest(taskId: TaskId): Promise<Pull | undefined> {
    return new PullStore(this.#deps.db).newest(taskId)
  }

  /** What a pull request for the task would be made of. Throws when there is nothing for one. */
  async plan(taskId: TaskId, by: Caller): Promise<PullPlan> {
    const { db, tasks, projects, workspaces } = this.#deps
    const task = await tasks.get(taskId, by)
    const { handle } = task
    mustBeThere(task)
    if (task.stage === 'merged') throw ThreadError.PULL_NOT_NEEDED({ handle, why: 'merged' })
    const store = new MergeStore(db)
    const snapshotId = await this.#subject(store, task)
    const latest = await store.lastMerged(taskId)
    // The base has its commits already: a pull request would be empty.
    if (latest?.kind === 'undo' && latest.snapshotId === snapshotId) throw ThreadError.MERGE_UNDONE({ handle })
    const snapshot = snapshotId && (await store.snapshotOf({ snapshotId }))
    const workspace = await store.workspaceOf(taskId)
    const place = workspace && (await workspaces.repositoryOf(workspace.worktree_id))
    const { directory } = await projects.get(task.projectId)
    if (!workspace || !place || !snapshot?.commit_id || directory === null) throw ThreadError.NO_WORKSPACE({ handle })
    if (!place.here) throw ThreadError.WORKSPACE_ELSEWHERE({ handle, path: place.repository })
    if (snapshot.changed_files === 0) throw ThreadError.PULL_NOT_NEEDED({ handle, why: 'unchanged' })
    if (workspace.base_ref === null) throw ThreadError.NO_BASE({ handle })
    const taken = await new SnapshotStore(db).list(taskId, EARLIER)
    const evidence = await new EvidenceStore(db).ofSnapshot(snapshot.id)
    return {
      snapshotId: snapshot.id,
      repository: place.repository,
      baseRef: workspace.base_ref,
      branch: workspace.branch,
      commit: snapshot.commit_id,
      earlier: taken.flatMap(({ commit }) => (commit === null || commit === snapshot.commit_id ? [] : commit)),
      directory,
      title: titleOf(task.title),
      body: bodyOf(handle, snapshot.summary, evidence),
      accepts: !task.accepted,
    }
  }

  /** The accepted work, or what waits for a verdict. */
  async #subject(store: MergeStore, { id, handle, accepted, stage }: MergedTask) {
    if (accepted) return store.acceptedOf(id)
    if (stage === 'review') return (await new SnapshotStore(this.#deps.db).current(id))?.id
    throw ThreadError.NOT_ACCEPTED({ handle, stage })
  }

  /** Before anything is pushed: from now on it is not merged here. Refused when the work is not what the person was shown. */
  begin(taskId: TaskId, { commit, remote }: { commit: string; remote: string }, by: Caller): Promise<Pull> {
    return this.#deps.db.tx(async tx => {
      const { clock, ids, events, tasks, merges } = this.#deps
      const task = await tasks.get(taskId, by)
      const plan = await this.plan(taskId, by)
      if (!plan.commit.startsWith(commit)) throw ThreadError.REVIEW_OUTDATED({ handle: task.handle })
      const store = new PullStore(tx)
      const open = await store.findOpen(taskId)
      const { snapshotId, repository, baseRef, branch } = plan
      const facts = { snapshotId, repository, baseRef, branch, commit: plan.commit, remote }
      if (open?.commit === plan.commit && open.remote === remote) return open
      const now = clock.now()
      const fresh = { id: ids.next('pul'), taskId, projectId: task.projectId, author: callerName(by), at: now }
      const pull: Pull = { ...(open ?? { ...fresh, url: null, endedAt: null, outcome: null }), ...facts }
      if (open) await store.save(pull)
      else await store.insert(pull)
      await merges.withdraw(taskId, by)
      if (task.accepted) await tasks.queued(taskId, now, by)
      await events.publish(tx, PullBegun, { taskId, pullId: pull.id, commit: pull.commit }, by, pull.projectId)
      return pull
    })
  }

  /** It is open, at this address. What had not been accepted is accepted by that, if it is still the same work. */
  record(taskId: TaskId, said: { commit: string; remote: string; url: string }, by: Caller): Promise<Pull> {
    return this.#deps.db.tx(async tx => {
      const { events, tasks, reviews } = this.#deps
      const store = new PullStore(tx)
      const open = await store.findOpen(taskId)
      const begun = open?.commit.startsWith(said.commit) ? open : await this.begin(taskId, said, by)
      if (begun.url !== said.url || begun !== open) {
        const opened = { taskId, pullId: begun.id, url: said.url, commit: begun.commit }
        await store.save({ ...begun, url: said.url })
        await events.publish(tx, PullOpened, opened, by, begun.projectId)
      }
      const task = await tasks.get(taskId, by)
      const current = await new SnapshotStore(tx).current(taskId)
      if (!task.accepted && task.stage === 'review' && current?.commit === begun.commit)
        await reviews.verdict(taskId, { decision: 'accept', summary: null, commit: begun.commit }, by)
      return { ...begun, url: said.url }
    })
  }

  /** As a person says, or as the base shows. `commit`: where it is on the base, if that is known. */
  end(taskId: TaskId, outcome: 'merged' | 'closed', commit: string | null, by: Caller): Promise<Pull> {
    return this.#deps.db.tx(async tx => {
      const { clock, events, tasks, merges } = this.#deps
      const store = new PullStore(tx)
      const task = await tasks.get(taskId, by)
      const open = await store.findOpen(taskId)
      if (!open || (open.url === null && outcome === 'merged')) throw ThreadError.NO_PULL({ handle: task.handle })
      const ended: Pull = { ...open, endedAt: clock.now(), outcome }
      await store.save(ended)
      await events.publish(tx, PullEnded, { taskId, pullId: open.id, outcome }, by, open.projectId)
      const accepted = task.accepted ? await new MergeStore(tx).acceptedOf(taskId) : undefined
      if (outcome === 'closed') {
        if (task.stage === 'queued') await tasks.queued(taskId, null, by)
        return ended
      }
      if (accepted === open.snapshotId) await merges.mergedElsewhere(ended, commit, by)
      // Accepted again since it was pushed: what came after is still to be merged.
      else if (accepted !== undefined && task.deletedAt === null) await merges.enqueue(taskId, accepted, by)
      return ended
    })
  }
}
