// How a branch gets its worktree: the one there is, or a new one.
import { readdir } from 'node:fs/promises'
import type { Caller } from '#contract/caller.ts'
import type { ProjectId, WorktreeId } from '#contract/id-types.ts'
import { WorktreeCreated, WorktreeError } from '#contract/worktrees.ts'
import { branchProblem } from '#kernel/git/names.ts'
import { openRepository, type Repository } from '#kernel/git/repository.ts'
import { addWorktree, dropBranch, type Listed, listWorktrees } from '#kernel/git/worktrees.ts'
import { reclaim } from '#kernel/processes/reclaim.ts'
import { plannedRecord } from '#kernel/processes/record.ts'
import { copyAlong, furnishingFor } from './furnish.ts'
import { inOurWords } from './git-words.ts'
import { type Grounds, identify } from './grounds.ts'
import { factOf, type Ledger, type Meanwhile } from './ledger.ts'
import { NO_SETUP, type Worktree } from './model.ts'
import type { Removal } from './removal.ts'
import type { Setups } from './setups.ts'
import { type Start, startOf } from './start-point.ts'
import { WorktreeStore } from './store.ts'

export type Wish = {
  projectId: ProjectId
  directory: string
  branch: string
  base?: string | undefined
  /** Nothing but a worktree that the hub made will do. */
  own?: boolean
  /** With all files, also where the repository is sparse. */
  whole?: boolean
}

export class Making {
  readonly #ledger: Ledger
  readonly #removal: Removal
  readonly #setups: Setups

  constructor(ledger: Ledger, removal: Removal, setups: Setups) {
    this.#ledger = ledger
    this.#removal = removal
    this.#setups = setups
  }

  /** The worktree of a branch: the one there is, however it was made, or a new one. */
  ensure(wish: Wish, by: Caller, meanwhile: Meanwhile = {}): Promise<Worktree> {
    return inOurWords(wish.directory, async () => {
      const { git } = this.#ledger.deps
      const problem = branchProblem(wish.branch)
      if (problem) throw WorktreeError.INVALID_BRANCH({ branch: wish.branch, problem })
      const repository = await openRepository(git, wish.directory)
      return this.#ledger.turns.take(repository.commonDir, async () => {
        const starting = startOf(git, repository, wish)
        starting.catch(() => {}) // Below, where it counts.
        const listed = await listWorktrees(git, repository)
        // Of a submodule git names the folder inside of the other repository as the first checkout.
        const [main] = listed
        const { checkout, commonDir } = repository
        if (main && checkout?.gitDir === commonDir) main.path = checkout.path
        const holder = listed.find(({ branch, bare }) => branch === wish.branch && !bare)
        const there = holder && (await identify(holder.path)) !== undefined
        if (holder && there) return this.#reuse(wish, repository, holder, starting, by)
        return this.#create(wish, repository, holder, starting, by, meanwhile)
      })
    })
  }

  async #reuse(
    wish: Wish,
    repository: Repository,
    holder: Listed,
    starting: Promise<Start>,
    by: Caller,
  ): Promise<Worktree> {
    const { git, database, clock, ids, tabs } = this.#ledger.deps
    const { home } = await this.#ledger.grounds()
    const { checkout } = await openRepository(git, holder.path)
    if (!checkout || checkout.commonDir !== repository.commonDir)
      throw WorktreeError.WORKTREE_GONE({ path: holder.path })
    const { path, gitDir } = checkout
    const tabId = await tabs.at(path)
    if (tabId !== undefined) throw WorktreeError.WORKTREE_IN_USE({ branch: wish.branch, tabId })
    const identity = await identify(path)
    if (!identity) throw WorktreeError.WORKTREE_GONE({ path })
    const start = await starting
    const base = { baseRef: start.baseRef, baseCommit: start.baseCommit }
    return database.tx(async tx => {
      const store = new WorktreeStore(tx)
      const known = await store.findAt(home, path)
      if (known && known.state !== 'ready')
        throw WorktreeError.WORKTREE_NOT_READY({ worktreeId: known.id, state: known.state })
      if (known) {
        // The same folder by name, perhaps another one by now: then it is not ours.
        const same =
          known.device === identity.device &&
          known.inode === identity.inode &&
          known.repository === repository.commonDir
        if (wish.own && !(known.own && same)) throw WorktreeError.BRANCH_CHECKED_OUT({ branch: wish.branch, path })
        const changes = wish.base === undefined && same ? {} : base
        const now: Worktree = {
          ...known,
          ...identity,
          ...changes,
          repository: repository.commonDir,
          objectFormat: repository.objectFormat,
          gitDir,
          branch: wish.branch,
          own: known.own && same,
        }
        await store.replace('ready', now)
        return now
      }
      if (wish.own) throw WorktreeError.BRANCH_CHECKED_OUT({ branch: wish.branch, path })
      const fresh: Worktree = {
        ...blank(ids.next('wt'), clock.now()),
        ...identity,
        ...base,
        projectId: wish.projectId,
        home,
        repository: repository.commonDir,
        objectFormat: repository.objectFormat,
        gitDir,
        path,
        branch: wish.branch,
        own: false,
        state: 'ready',
      }
      await store.insert(fresh)
      await this.#ledger.deps.events.publish(tx, WorktreeCreated, { ...factOf(fresh), own: false }, by, wish.projectId)
      return fresh
    })
  }

  async #create(
    wish: Wish,
    repository: Repository,
    absent: Listed | undefined,
    starting: Promise<Start>,
    by: Caller,
    { progress }: Meanwhile,
  ): Promise<Worktree> {
    const { git, clock, ids, database } = this.#ledger.deps
    const grounds = await this.#ledger.grounds()
    const start = await starting
    if (absent) await this.#forgetAbsent(grounds, absent)
    const place = await grounds.prepare(wish.projectId, wish.branch)
    const begun: Worktree = {
      ...blank(ids.next('wt'), clock.now()),
      ...place,
      projectId: wish.projectId,
      home: grounds.home,
      repository: repository.commonDir,
      objectFormat: repository.objectFormat,
      gitDir: '',
      branch: wish.branch,
      baseRef: start.baseRef,
      baseCommit: start.baseCommit,
      own: true,
      madeBranch: start.point !== 'unborn' && 'from' in start.point,
      head: start.commit ?? null,
      state: 'creating',
    }
    await database.tx(tx => new WorktreeStore(tx).insert(begun))
    try {
      progress?.(`${wish.branch} → ${place.path}`)
      const added = await addWorktree(git, repository, {
        path: place.path,
        branch: wish.branch,
        start: start.point,
        force: absent !== undefined,
        whole: wish.whole,
        marker: begun.id,
      })
      const { copy } = furnishingFor(this.#ledger.deps.config(), wish.projectId, wish.directory)
      const copied = repository.checkout ? await copyAlong(git, repository.checkout, place.path, copy) : 0
      const ready: Worktree = {
        ...begun,
        gitDir: added.checkout.gitDir,
        state: 'ready',
        head: null,
        setup: await this.#setups.planFor(wish),
        lfsMissing: added.lfs.missing,
        drivers: added.drivers,
        copied,
      }
      await this.#ledger.settle('creating', ready, tx =>
        this.#ledger.deps.events.publish(tx, WorktreeCreated, { ...factOf(ready), own: true }, by, wish.projectId),
      )
      return ready
    } catch (error) {
      // A hub that is stopping gets no further: the next start brings it in order.
      await this.#undo(begun).catch(failure =>
        this.#ledger.deps.log.warn({ err: failure, worktree: begun.id }, 'not undone'),
      )
      const said = error instanceof Error ? error.message : ''
      if (/cannot lock ref|cannot create '?refs|unable to create directory/.test(said))
        throw WorktreeError.INVALID_BRANCH({ branch: wish.branch, problem: 'in-the-way' })
      throw error
    }
  }

  /** One of our worktrees whose folder was deleted: the repository need not remember it. Others' entries stay. */
  async #forgetAbsent(grounds: Grounds, absent: Listed): Promise<void> {
    const known = await this.#ledger.store.findAt(grounds.home, absent.path)
    if (!known?.own || known.state !== 'ready') return
    await this.#ledger.vanished(grounds, known)
  }

  /** No caller has seen it yet: it goes without a trace, and so does the branch that was made for it. */
  async #undo(begun: Worktree): Promise<void> {
    const grounds = await this.#ledger.grounds()
    await grounds.bury(begun.id, begun.path, begun)
    await this.#ledger.takeNotes(grounds, begun)
    await grounds.purge(begun.id, begun)
    await this.#dropMadeBranch(begun)
    await this.#ledger.settle('creating', { ...begun, state: 'purged' })
  }

  async #dropMadeBranch({ madeBranch, branch, head, repository }: Worktree): Promise<void> {
    if (madeBranch && branch !== null && head !== null)
      await dropBranch(this.#ledger.deps.git, repository, branch, head)
  }

  /** A person may have found the half-made folder and worked in it: it goes to the trash and is not deleted. */
  async abandon(grounds: Grounds, worktree: Worktree): Promise<void> {
    // Git may still be at it.
    await reclaim([plannedRecord(worktree.id)])
    if (!(await identify(worktree.path)) && !(await identify(grounds.trashOf(worktree.id)))) {
      await grounds.keepFor(worktree.id)
      return this.#undo(worktree)
    }
    if (await isEmpty(worktree.path)) return this.#undo(worktree)
    await this.#removal.finish(grounds, worktree, 'incomplete', this.#ledger.deps.hub)
    await this.#dropMadeBranch(worktree)
  }
}

async function isEmpty(folder: string): Promise<boolean> {
  return (await readdir(folder).catch(() => ['?'])).length === 0
}

function blank(
  id: WorktreeId,
  now: number,
): Omit<
  Worktree,
  | 'projectId'
  | 'home'
  | 'repository'
  | 'objectFormat'
  | 'gitDir'
  | 'path'
  | 'device'
  | 'inode'
  | 'branch'
  | 'baseRef'
  | 'baseCommit'
  | 'own'
  | 'state'
> {
  return {
    id,
    madeBranch: false,
    head: null,
    setup: NO_SETUP,
    lfsMissing: 0,
    drivers: [],
    copied: 0,
    createdAt: now,
    trashedAt: null,
    purgeAt: null,
  }
}
