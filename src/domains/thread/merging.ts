// Merges what is in the queue, one entry at a time per base: merge, commit, checks on the merged tree, base. Looks only at rows,
// writes down each step before and after, and goes on from there after a crash. Not for use inside a transaction.
import type { Caller } from '#contract/caller.ts'
import { HubError } from '#contract/errors.ts'
import type { MergeId } from '#contract/id-types.ts'
import type { MergeNeeds } from '#contract/why.ts'
import { OWN_NAME, commitTree, inverseOf, mergeTrees } from '#kernel/git/merge.ts'
import type { Database, Db } from '#kernel/db/db.ts'
import { finishMove, moveBase, tipOf } from '#kernel/git/base.ts'
import type { Git } from '#kernel/git/git.ts'
import { GitError } from '#kernel/git/git-error.ts'
import { contains, openRepository, type Repository, withMain } from '#kernel/git/repository.ts'
import { dropRef, keepCommit } from '#kernel/git/worktrees.ts'
import type { HubTime } from '#kernel/hub-time.ts'
import type { Log } from '#kernel/log.ts'
import { Retries } from '#kernel/retries.ts'
import { baseName, CannotGoOn, isWanted, type Merge, messageOf, needsOf, undoMessageOf } from './merge-model.ts'
import type { MergeChecks, MergeWorkspaces } from './merge-ports.ts'
import type { Merges } from './merges.ts'
import { MergeStore } from './merges-store.ts'

export type MergingDeps = {
  database: Database
  merges: (db: Db) => Merges
  workspaces: MergeWorkspaces
  checks: MergeChecks
  git: Git
  clock: HubTime
  log: Pick<Log, 'warn'>
  /** Names this hub's folder: one hub at a time works there. */
  owner: string
  hub: Caller
  /** For tests: a place at which the hub may be killed. */
  reached?: ((step: MergeStep) => void) | undefined
}

export type MergeStep = 'merge-begun' | 'merge-prepared' | 'merge-checked' | 'merge-moved' | 'merge-ended'

/** A hub that says nothing for so long has lost its entry. */
const HELD_MS = 60_000
const RENEW_MS = 15_000
/** A base that moves all the time is left for the next look. */
const TRIES = 5
const MOST = 1000

export class Merging {
  readonly #deps: MergingDeps
  readonly #stop = new AbortController()
  readonly #repositories = new Map<string, Repository>()
  readonly #retries: Retries<MergeId>
  #working: Promise<boolean> | undefined

  constructor(deps: MergingDeps) {
    this.#deps = deps
    this.#retries = new Retries(deps.clock)
  }

  /** One look at the queue. True: something happened, so that another look may be worth it. */
  step(): Promise<boolean> {
    this.#working ??= this.#step().finally(() => {
      this.#working = undefined
    })
    return this.#working
  }

  /** What the last life of this hub was working on is free again, and what it left half moved is put in order. */
  async recover(): Promise<void> {
    const { database, owner, git, log } = this.#deps
    await database.tx(tx => new MergeStore(tx).release(owner))
    const open = await new MergeStore(database).list({}, MOST)
    for (const repository of new Set(open.map(merge => merge.repository))) {
      try {
        await finishMove(git, await openRepository(git, repository))
      } catch (error) {
        // It may be on another machine, or gone. The entry says so when its turn comes.
        log.warn({ err: error, repository }, 'a repository could not be looked at')
      }
    }
  }

  async dispose(): Promise<void> {
    this.#stop.abort()
    await this.#working?.catch(() => {}) // The caller gets the error.
  }

  async #step(): Promise<boolean> {
    let did = false
    const seen = new Set<string>()
    for (const merge of await new MergeStore(this.#deps.database).list({}, MOST)) {
      if (this.#stop.signal.aborted) return did
      const queue = `${merge.repository}\0${merge.baseRef}`
      // One that a person asks for again does not say why it waits any more.
      if (merge.waits !== null && !this.#retries.isDue(merge.id)) continue
      try {
        if (await this.#leftQueue(merge)) continue
        // Another hub's has a queue of its own, in its own repository.
        if (seen.has(queue) || !(await this.#isHere(merge))) continue
        seen.add(queue)
        if (await this.#claimed(merge)) did = (await this.#take(merge)) || did
        this.#retries.passed(merge.id)
      } catch (error) {
        if (this.#stop.signal.aborted) return did
        // The next of its queue need not have the same fault.
        seen.delete(queue)
        await this.#holdBack(merge, error)
      }
    }
    return did
  }

  /** Whatever went wrong with one entry, the others go on. */
  async #holdBack(merge: Merge, error: unknown): Promise<void> {
    const { log, hub } = this.#deps
    const count = this.#retries.failed(merge.id)
    log.warn({ err: error, merge: merge.id, count }, 'a merge waits: it could not go on')
    await this.#verb(merges => merges.wait(merge, needsAfter(error), hub)).catch((problem: unknown) =>
      log.warn({ err: problem, merge: merge.id }, 'why a merge waits could not be written down'),
    )
  }

  /** Its task was opened again: what is in the queue for it is taken out. */
  async #leftQueue(merge: Merge): Promise<boolean> {
    const { database, hub } = this.#deps
    const { taskId } = merge
    if (isWanted(merge, (await this.#deps.merges(database).task(taskId, hub)).stage)) return false
    await this.#verb(merges => merges.withdraw(taskId, hub))
    return true
  }

  #verb<T>(use: (merges: Merges) => Promise<T>): Promise<T> {
    return this.#deps.database.tx(tx => use(this.#deps.merges(tx)))
  }

  async #isHere({ taskId }: Merge): Promise<boolean> {
    const { database, workspaces } = this.#deps
    const workspace = await new MergeStore(database).workspaceOf(taskId)
    const place = workspace && (await workspaces.repositoryOf(workspace.worktree_id))
    return place?.here ?? true
  }

  async #claimed(merge: Merge): Promise<boolean> {
    const { database, clock, owner } = this.#deps
    const now = clock.steady()
    return database.tx(tx => new MergeStore(tx).claim(merge.id, owner, now, now + HELD_MS))
  }

  async #take(merge: Merge): Promise<boolean> {
    const { database, owner, clock } = this.#deps
    const renewing = setInterval(() => {
      const now = clock.steady()
      // One that is lost is noticed before the base moves.
      void database.tx(tx => new MergeStore(tx).claim(merge.id, owner, now, now + HELD_MS)).catch(() => {})
    }, RENEW_MS)
    try {
      for (let count = 0; count < TRIES; count++) {
        const went = await this.#merge((await new MergeStore(database).find(merge.id)) ?? merge)
        if (went !== 'again') return went === 'ended'
      }
      return true
    } finally {
      clearInterval(renewing)
      await database.tx(tx => new MergeStore(tx).release(owner, merge.id))
    }
  }

  async #merge(merge: Merge): Promise<'ended' | 'waits' | 'again'> {
    const { git, hub, database, checks } = this.#deps
    if (merge.endedAt !== null) return 'ended'
    const { directory } = await this.#deps.merges(database).task(merge.taskId, hub)
    const repository = await withMain(git, await this.#open(merge.repository), directory)
    await finishMove(git, repository)
    const base = baseName(merge.baseRef)
    const tip = await tipOf(git, repository, merge.baseRef)
    if (tip === undefined) {
      await this.#verb(merges => merges.wait(merge, { kind: 'no-base', base }, hub))
      return 'waits'
    }
    // A hub that was killed after the move came no further.
    if (merge.commit !== null && (await contains(git, repository, tip, merge.commit)))
      return this.#end(repository, merge)
    this.#reached('merge-begun')
    const made = merge.baseBefore === tip ? merge : await this.#prepare(merge, repository, tip)
    if (made === undefined) return 'ended'
    this.#reached('merge-prepared')
    const { commit, tree } = made as { commit: string; tree: string }
    const { id: mergeId, taskId, projectId } = merge
    const asked = { mergeId, taskId, projectId, repository: repository.commonDir, commit, tree }
    const checked = await checks.run(asked, this.#stop.signal)
    if (checked.outcome === 'failed') {
      const { check, unable = false, remark = null } = checked
      await this.#verb(merges => merges.end(made, 'failed', { check, unable, remark }, hub))
      await this.#drop(repository, merge)
      return 'ended'
    }
    this.#reached('merge-checked')
    if (!(await this.#isOurs(merge))) return 'ended'
    const { handle } = await this.#deps.merges(database).task(merge.taskId, hub)
    // Placing its files takes a while, in which a person may add a check or open the task again.
    const sure = async () => (await this.#isOurs(merge)) && (await checks.isPassed(asked))
    const message = `toryo: ${merge.kind} ${handle}`
    const wish = { ref: merge.baseRef, from: tip, to: commit, message, sure }
    const look = merge.waits !== null
    const moved = await moveBase(git, repository, { ...wish, look, at: this.#deps.clock.now() })
    if (moved === 'moved') {
      this.#reached('merge-moved')
      return this.#end(repository, made)
    }
    if (moved.waits === 'moved' || moved.waits === 'unsure') return 'again'
    // From now on it may take days: the commit is kept.
    await keepCommit(git, repository.commonDir, refOf(merge), commit)
    await this.#verb(merges => merges.wait(merge, needsOf(moved, base), hub))
    return 'waits'
  }

  /** Another hub may have taken it over while this one was stopped, or its task was opened again: its turn is over then. */
  async #isOurs(merge: Merge): Promise<boolean> {
    const { id, taskId } = merge
    const { database, owner, hub } = this.#deps
    const task = await this.#deps.merges(database).task(taskId, hub)
    return isWanted(merge, task.stage) && (await new MergeStore(database).isHeld(id, owner))
  }

  /** Undefined when it ended here. */
  async #prepare(merge: Merge, repository: Repository, tip: string): Promise<Merge | undefined> {
    if (merge.undoes !== null) return this.#prepareUndo(merge, merge.undoes, repository, tip)
    const { git, hub, database } = this.#deps
    const snapshot = await new MergeStore(database).snapshotOf(merge)
    const theirs = snapshot?.commit_id ?? ''
    const reviewedOn = snapshot?.base_commit ?? tip
    if (!(await contains(git, repository, tip, reviewedOn))) {
      await this.#verb(merges => merges.takeBack(merge, reviewedOn, hub))
      return undefined
    }
    const tree = await this.#treeOf(merge, repository, tip, theirs)
    if (tree === undefined) return undefined
    const { handle, title } = await this.#deps.merges(database).task(merge.taskId, hub)
    const message = messageOf({ handle, title, summary: snapshot?.summary ?? null, method: merge.method })
    const parents = merge.method === 'squash' ? [tip] : [tip, theirs]
    // The time of the queue: the same again after a crash.
    const wish = { tree, parents, message, author: OWN_NAME, at: merge.queuedAt }
    const commit = await commitTree(git, repository, wish)
    return this.#verb(merges => merges.prepared(merge, { baseBefore: tip, commit, tree }))
  }

  /** Of both; undefined when it ended in a conflict. */
  async #treeOf(merge: Merge, repository: Repository, tip: string, theirs: string): Promise<string | undefined> {
    const merged = await mergeTrees(this.#deps.git, repository, { ours: tip, theirs })
    if (!('conflicts' in merged)) return merged.tree
    const { conflicts } = merged
    await this.#verb(merges => merges.end(merge, 'conflict', { base: tip, conflicts }, this.#deps.hub))
    return undefined
  }

  /** The change of the other commit, the other way round, on the base as it is now. Undefined when it ended here. */
  async #prepareUndo(merge: Merge, undoes: MergeId, repository: Repository, tip: string): Promise<Merge | undefined> {
    const { git, hub, database } = this.#deps
    const undone = await new MergeStore(database).find(undoes)
    const { commit = null, baseBefore = null } = undone ?? {}
    if (commit === null || baseBefore === null) throw new Error(`${merge.id} undoes no merge that is known`)
    if (!(await contains(git, repository, tip, commit))) {
      await this.#verb(merges => merges.end(merge, 'withdrawn', { lacks: commit }, hub))
      return undefined
    }
    const at = merge.queuedAt
    const { theirs, subject } = await inverseOf(git, repository, { commit, before: baseBefore, at })
    const tree = await this.#treeOf(merge, repository, tip, theirs)
    if (tree === undefined) return undefined
    const { handle } = await this.#deps.merges(database).task(merge.taskId, hub)
    // Of a revert: what it reverted.
    const message = undoMessageOf(merge.kind, subject.replace(/^(?:Revert|Reapply) "(.*)"$/, '$1'), commit, handle)
    const made = await commitTree(git, repository, { tree, parents: [tip], message, author: OWN_NAME, at })
    return this.#verb(merges => merges.prepared(merge, { baseBefore: tip, commit: made, tree }))
  }

  async #end(repository: Repository, merge: Merge): Promise<'ended'> {
    await this.#verb(merges => merges.end(merge, 'merged', {}, this.#deps.hub))
    this.#reached('merge-ended')
    await this.#drop(repository, merge)
    return 'ended'
  }

  /** On the base, or of no use: nothing has to keep the commit any more. */
  async #drop({ commonDir }: Repository, merge: Merge): Promise<void> {
    if (merge.waits !== null) await dropRef(this.#deps.git, commonDir, refOf(merge))
  }

  #reached(step: MergeStep): void {
    this.#deps.reached?.(step)
  }

  async #open(folder: string): Promise<Repository> {
    const known = this.#repositories.get(folder) ?? (await openRepository(this.#deps.git, folder))
    this.#repositories.set(folder, known)
    return known
  }
}

/** Always the same where the fault is ours: it is announced once. */
function needsAfter(error: unknown): MergeNeeds {
  if (error instanceof CannotGoOn) return error.needs
  if (error instanceof HubError) return { kind: 'refused', why: error.text }
  return error instanceof GitError ? { kind: 'git', said: error.message.slice(0, 500) } : { kind: 'fault' }
}

function refOf({ id }: Merge): string {
  return `refs/toryo/merges/${id}`
}
