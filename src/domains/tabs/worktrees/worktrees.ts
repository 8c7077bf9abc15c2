// The verbs on worktrees. Folders and rows cannot change together, so every change is first written down as begun, then done,
// then written down as done; what a crash cuts in two is finished or undone at the next start. Not for use inside a
// transaction.
import { realpath } from 'node:fs/promises'
import { join, relative } from 'node:path'
import type { Caller } from '#contract/caller.ts'
import type { ProjectId, WorktreeId } from '#contract/id-types.ts'
import { WorktreeError } from '#contract/worktrees.ts'
import { type Changes, changedFiles, countedFiles, diff, type Diff, type Part } from '#kernel/git/changes.ts'
import type { Tx } from '#kernel/db/db.ts'
import { folderStamp } from '#kernel/git/folder-stamp.ts'
import type { Git } from '#kernel/git/git.ts'
import { GitError } from '#kernel/git/git-error.ts'
import { type Checkout, sweepOverlays } from '#kernel/git/overlay.ts'
import { headAndBase } from '#kernel/git/head-and-base.ts'
import { distance, emptyTree, mergeBase, openRepository, resolveRevision } from '#kernel/git/repository.ts'
import { dropRef, listWorktrees } from '#kernel/git/worktrees.ts'
import { reclaim } from '#kernel/processes/reclaim.ts'
import type { ProcessRecord } from '#kernel/processes/record.ts'
import { Retries } from '#kernel/retries.ts'
import { SharedWork } from '#kernel/shared-work.ts'
import { inOurWords } from './git-words.ts'
import { identify } from './grounds.ts'
import { type Deps, Ledger, type Meanwhile } from './ledger.ts'
import { Making, type Wish } from './making.ts'
import { checkoutOf, type Setup, type Worktree, type RemoveOptions } from './model.ts'
import { Removal } from './removal.ts'
import { type Listener, Setups } from './setups.ts'
import { type WorktreeFilter, WorktreeStore } from './store.ts'

const PURGED_AT_ONCE = 20
/** A clock that was ahead for a moment must not empty the trash: what is due is so at two looks, this far apart. */
const SEEN_DUE_MS = 24 * 3600_000
/** Each starts some processes, which delays all other calls for a moment. */
const LOOKS_AT_ONCE = 2

type ReadNow<T> = (git: Git, checkout: Checkout, signal: AbortSignal) => Promise<T>
type Look<T> = (git: Git, checkout: Checkout, base: string, signal: AbortSignal) => Promise<T>

export class Worktrees {
  readonly #ledger: Ledger
  readonly #making: Making
  readonly #removal: Removal
  readonly #setups: Setups
  readonly #looks = new SharedWork(LOOKS_AT_ONCE)
  readonly #retries: Retries<WorktreeId>
  #tending: Promise<void> | undefined

  constructor(deps: Deps) {
    this.#ledger = new Ledger(deps)
    this.#retries = new Retries(deps.clock)
    this.#setups = new Setups(this.#ledger)
    this.#removal = new Removal(this.#ledger)
    this.#making = new Making(this.#ledger, this.#removal, this.#setups)
  }

  get(id: WorktreeId): Promise<Worktree> {
    return this.#ledger.store.get(id)
  }

  /** Which worktrees are this hub's: those of its folder. */
  async home(): Promise<string> {
    return (await this.#ledger.grounds()).home
  }

  /** Undefined when it is another hub's, in the trash, or when its folder was moved or deleted. */
  async findPresent(id: WorktreeId): Promise<Worktree | undefined> {
    const worktree = await this.#ledger.store.get(id)
    if (worktree.state !== 'ready' || worktree.home !== (await this.home())) return undefined
    const now = await identify(worktree.path)
    return now?.inode === worktree.inode && now.device === worktree.device ? worktree : undefined
  }

  /** The one whose folder this is, on this machine. */
  async at(path: string): Promise<Worktree | undefined> {
    if (!(await this.#ledger.isUsed())) return undefined
    return this.#ledger.store.findAt((await this.#ledger.grounds()).home, path)
  }

  /** The same without making the folder: undefined while there are no worktrees at all. */
  async usedHome(): Promise<string | undefined> {
    return (await this.#ledger.isUsed()) ? this.home() : undefined
  }

  /** One that is there, on this machine, and the commit that its own changes begin after. */
  async open(id: WorktreeId): Promise<{ worktree: Worktree; checkout: Checkout; base: string }> {
    const { home, path } = await this.get(id)
    if (home !== (await this.home())) throw WorktreeError.WORKTREE_NOT_OURS({ path, elsewhere: true })
    const worktree = await this.#present(id)
    const base = await inOurWords(worktree.path, () => this.#baseOf(worktree))
    return { worktree, checkout: checkoutOf(worktree), base }
  }

  /** Whether these are the grounds of this hub; otherwise what lies there is another machine's. */
  async isHere(home: string): Promise<boolean> {
    return (await this.#ledger.isUsed()) && (await this.#ledger.grounds()).home === home
  }

  /** Whether hubs of several homes have, or had, worktrees of the project. */
  isOnSeveral(projectId: ProjectId): Promise<boolean> {
    return this.#ledger.store.isOnSeveral(projectId)
  }

  /** Projects with worktrees in several homes, and one of the worktrees in each. */
  listOnSeveral(): Promise<{ projectId: ProjectId; home: string; worktreeId: WorktreeId }[]> {
    return this.#ledger.store.listOnSeveral()
  }

  list(filter: WorktreeFilter, before: string | undefined, limit: number): Promise<Worktree[]> {
    return this.#ledger.store.list(filter, before, limit)
  }

  /** The worktree of a branch: the one there is, however it was made, or a new one. */
  ensure(wish: Wish, by: Caller, meanwhile: Meanwhile = {}): Promise<Worktree> {
    return this.#making.ensure(wish, by, meanwhile)
  }

  /** A new worktree of a branch that is the hub's alone, and begins again. The one before it goes for good, with all that lies in it. */
  makeAnew(wish: Wish & { base: string }, by: Caller): Promise<Worktree> {
    return inOurWords(wish.directory, async () => {
      const { git } = this.#ledger.deps
      const grounds = await this.#ledger.grounds()
      const filter = { home: grounds.home, branch: wish.branch, states: ['ready' as const] }
      for (const { id, repository } of await this.#ledger.store.list(filter, undefined, 10)) {
        await this.remove(id, { force: true }, by)
        await this.#ledger.turns.take(repository, () => this.#removal.purge(grounds, id))
      }
      const { commonDir } = await openRepository(git, wish.directory)
      const listed = await listWorktrees(git, { commonDir })
      // Otherwise a person has it checked out, which is refused below.
      if (!listed.some(one => one.branch === wish.branch && !one.prunable))
        await dropRef(git, commonDir, `refs/heads/${wish.branch}`)
      return this.ensure({ ...wish, own: true, whole: true }, by)
    })
  }

  /** Where a project that is a part of its repository has its part in a worktree; the worktree itself where it has none. */
  async folderIn(worktree: Pick<Worktree, 'path'>, directory: string): Promise<string> {
    return (await this.partIn(worktree, directory)).folder
  }

  /** The same, and the name of the part when the worktree does not have it. */
  async partIn(
    worktree: Pick<Worktree, 'path'>,
    directory: string,
  ): Promise<{ folder: string; lacks: string | undefined }> {
    const { checkout } = await inOurWords(directory, () => openRepository(this.#ledger.deps.git, directory))
    const part = (checkout && relative(checkout.path, await realpath(directory))) ?? ''
    const folder = join(worktree.path, part)
    // The branch may not have it, or have a link that leads elsewhere.
    const real = await realpath(folder).catch(() => undefined)
    const isThere = part === '' || (real === folder && (await identify(folder)))
    return isThere ? { folder, lacks: undefined } : { folder: worktree.path, lacks: part }
  }

  /** To the trash, from where it can come back. Refuses whatever would be missed, unless it is forced. */
  remove(id: WorktreeId, options: RemoveOptions, by: Caller): Promise<Worktree> {
    return this.#removal.remove(id, options, by)
  }

  restore(id: WorktreeId, by: Caller): Promise<Worktree> {
    return this.#removal.restore(id, by)
  }

  /** Prepares a worktree, if that is still to be done, or `again`. A failure is written down and does not throw. */
  async setup(
    id: WorktreeId,
    by: Caller,
    meanwhile: Meanwhile & { again?: boolean | undefined } = {},
  ): Promise<Worktree> {
    await this.#present(id)
    const { ended } = await this.#setups.begin(id, by, meanwhile)
    return ended
  }

  /** The same without waiting for the end. */
  async beginSetup(id: WorktreeId, by: Caller): Promise<Worktree> {
    await this.#present(id)
    const { worktree } = await this.#setups.begin(id, by, { again: true })
    return worktree
  }

  /** To what the commands that prepare worktrees say; answers how to hear no more. */
  listen(listener: Listener): () => void {
    return this.#setups.listen(listener)
  }

  /** Which command prepares new worktrees of a project, and whether it may run. */
  setupOf(projectId: ProjectId): Promise<Setup> {
    return this.#setups.of(projectId)
  }

  unseenSetups(): ReturnType<Setups['listUnseen']> {
    return this.#setups.listUnseen()
  }

  trustSetup(projectId: ProjectId, seen: readonly string[] | undefined, by: Caller): Promise<Setup> {
    return this.#setups.trust(projectId, seen, by)
  }

  /** What is different from the base, committed or not. */
  /** Files that are not as this commit has them, saved or not. */
  async changedSince(id: WorktreeId, commit: string): Promise<string[]> {
    const { checkout } = await this.open(id)
    return (await changedFiles(this.#ledger.deps.git, checkout, commit)).files.map(({ path }) => path)
  }

  changedFiles(id: WorktreeId, signal?: AbortSignal, base?: string): Promise<Changes> {
    return this.#look(id, 'files', changedFiles, signal, base)
  }

  /** How many commits it has that its base has not, and the other way round, as both stand now. Undefined before its first commit. */
  async distance(
    id: WorktreeId,
    signal?: AbortSignal,
    given?: string,
  ): Promise<{ ahead: number; behind: number } | undefined> {
    const { baseRef, baseCommit } = await this.get(id)
    return this.#inTurn(id, `distance ${given ?? ''}`, signal, async (git, checkout, _stop, worktree) => {
      if (given !== undefined) {
        const { commit } = await headAndBase(git, checkout, undefined)
        return commit === undefined ? undefined : distance(git, checkout, await this.#named(worktree, given), commit)
      }
      const { commit, branch, other } = await headAndBase(git, checkout, baseRef ?? undefined)
      const base = other === undefined || baseRef === `refs/heads/${branch ?? ''}` ? baseCommit : other
      return commit === undefined ? undefined : distance(git, checkout, base, commit)
    })
  }

  /** With the lines that were added and removed. */
  countedFiles(id: WorktreeId, maxBytes: number, signal?: AbortSignal, base?: string): Promise<Changes> {
    const read: Look<Changes> = (git, checkout, from, stop) => countedFiles(git, checkout, from, maxBytes, stop)
    return this.#look(id, `counts ${maxBytes}`, read, signal, base)
  }

  diff(id: WorktreeId, maxBytes: number, signal?: AbortSignal, part: Part = {}, base?: string): Promise<Diff> {
    const read: Look<Diff> = (git, checkout, from, stop) => diff(git, checkout, from, maxBytes, stop, part)
    return this.#look(id, `diff ${maxBytes} ${JSON.stringify(part)}`, read, signal, base)
  }

  /** Another one when its files, its HEAD or its base have changed. */
  async stamp(id: WorktreeId, signal?: AbortSignal): Promise<string> {
    const { git } = this.#ledger.deps
    const files = await this.readNow(id, 'stamp', folderStamp, signal)
    const worktree = await this.get(id)
    const { other } = await headAndBase(git, checkoutOf(worktree), worktree.baseRef ?? undefined)
    return `${files} ${other ?? ''}`
  }

  /** Something quick that needs no base; it still takes a turn among the reads. Throws when it is not there, or not this hub's. */
  async readNow<T>(id: WorktreeId, what: string, read: ReadNow<T>, signal?: AbortSignal): Promise<T> {
    const worktree = await this.#present(id)
    const { git } = this.#ledger.deps
    return this.#looks.run(`${worktree.path} ${what}`, stop => read(git, checkoutOf(worktree), stop), signal)
  }

  /** `base`: what a person wants to compare with, in place of its own. */
  #look<T>(id: WorktreeId, what: string, read: Look<T>, signal?: AbortSignal, base?: string): Promise<T> {
    return this.#inTurn(id, `${what} ${base ?? ''}`, signal, async (git, checkout, stop, worktree) =>
      read(git, checkout, await (base === undefined ? this.#baseOf(worktree) : this.#partedFrom(worktree, base)), stop),
    )
  }

  async #named(worktree: Worktree, base: string): Promise<string> {
    const found = await resolveRevision(this.#ledger.deps.git, { commonDir: worktree.repository }, base)
    if (!found) throw WorktreeError.BASE_NOT_FOUND({ base })
    return found.commit
  }

  /** What both have: what the other did since is no change of this one. */
  async #partedFrom(worktree: Worktree, base: string): Promise<string> {
    const { git } = this.#ledger.deps
    const other = await this.#named(worktree, base)
    const { commit } = await headAndBase(git, checkoutOf(worktree), undefined)
    if (commit === undefined) return other
    return (await mergeBase(git, { commonDir: worktree.repository }, other, commit)) ?? other
  }

  /** Those who ask for the same at the same time share one look, which begins after they asked. */
  async #inTurn<T>(
    id: WorktreeId,
    what: string,
    signal: AbortSignal | undefined,
    read: (git: Git, checkout: Checkout, stop: AbortSignal, worktree: Worktree) => Promise<T>,
  ): Promise<T> {
    const worktree = await this.#present(id)
    const { git } = this.#ledger.deps
    const look = (stop: AbortSignal) => read(git, checkoutOf(worktree), stop, worktree)
    return inOurWords(worktree.path, () =>
      this.#looks.run(`${worktree.path} ${what}`, look, signal).catch((error: unknown) => {
        throw signal?.aborted ? new GitError('cancelled', 'cancelled') : error
      }),
    )
  }

  async #present(id: WorktreeId): Promise<Worktree> {
    const worktree = await this.#ledger.store.get(id)
    if (worktree.state !== 'ready') throw WorktreeError.WORKTREE_NOT_READY({ worktreeId: id, state: worktree.state })
    const now = await identify(worktree.path)
    if (now?.inode !== worktree.inode || now.device !== worktree.device)
      throw WorktreeError.WORKTREE_GONE({ path: worktree.path })
    return worktree
  }

  /** Where its line left that of its base, as both stand now: what came in from the base is not its own change. */
  async #baseOf(worktree: Worktree): Promise<string> {
    const { git } = this.#ledger.deps
    const repository = { commonDir: worktree.repository }
    const { commit, branch, other } = await headAndBase(git, checkoutOf(worktree), worktree.baseRef ?? undefined)
    if (commit === undefined || worktree.baseCommit === emptyTree(worktree.objectFormat)) return worktree.baseCommit
    const own = branch !== undefined && worktree.baseRef === `refs/heads/${branch}`
    return (
      (other !== undefined && !own ? await mergeBase(git, repository, other, commit) : undefined) ??
      (await mergeBase(git, repository, worktree.baseCommit, commit)) ??
      worktree.baseCommit
    )
  }

  /** Finishes what an earlier process of this hub left undone. Called before any request is served. */
  async recover(): Promise<void> {
    const { git, hub, log } = this.#ledger.deps
    await sweepOverlays(git)
    if (!(await this.#ledger.isUsed())) return
    const grounds = await this.#ledger.grounds()
    const unfinished = await this.#ledger.store.list(
      { home: grounds.home, states: ['creating', 'removing', 'restoring'] },
      undefined,
      1000,
    )
    for (const worktree of unfinished) {
      try {
        if (worktree.state === 'creating') await this.#making.abandon(grounds, worktree)
        if (worktree.state === 'removing') await this.#removal.resume(grounds, worktree)
        if (worktree.state === 'restoring') await this.#removal.finishRestore(grounds, worktree, hub)
      } catch (error) {
        log.error(
          { err: error, worktree: worktree.id, path: worktree.path },
          'a worktree could not be brought in order',
        )
      }
    }
    const preparing = await this.#ledger.store.list({ home: grounds.home, states: ['ready'] }, undefined, 10_000)
    for (const { id, setup } of preparing) {
      if (setup.state !== 'running') continue
      if (setup.record) await reclaim([setup.record])
      await this.#setups.end(id, { kind: 'hub-ended' }, hub)
    }
  }

  /** The processes of all hubs' setups, also those that are only about to start. */
  async listSettingUp(): Promise<ProcessRecord[]> {
    return (await this.#ledger.store.listSettingUp()).flatMap(({ record }) => record ?? [])
  }

  /** Deletes for good what has waited long enough. Called now and then; does one thing at a time. */
  tend(): Promise<void> {
    this.#tending ??= this.#purgeDue().finally(() => {
      this.#tending = undefined
    })
    return this.#tending
  }

  /** Rows came from another database, whose looks were at another time. */
  imported(tx: Tx): Promise<void> {
    return new WorktreeStore(tx).forgetLooks()
  }

  async #purgeDue(): Promise<void> {
    if (!(await this.#ledger.isUsed())) return
    const grounds = await this.#ledger.grounds()
    const { clock, database, log } = this.#ledger.deps
    const now = clock.now()
    const observed = clock.observed()
    const turned = await this.#ledger.store.listTurned(grounds.home, now, observed)
    if (turned.length > 0)
      await database.tx(async tx => {
        for (const { id, due: isDue } of turned) await new WorktreeStore(tx).noteDue(id, isDue ? observed : null)
      })
    // Those that cannot be deleted take no place from the others.
    const limit = PURGED_AT_ONCE + this.#retries.waiting().length
    const due = await this.#ledger.store.due(grounds.home, now, observed, SEEN_DUE_MS, limit)
    await this.#retries.each(
      due,
      ({ id }) => id,
      ({ id, repository }) => this.#ledger.turns.take(repository, () => this.#removal.purge(grounds, id)),
      (error, { id }) => log.warn({ err: error, worktree: id }, 'a removed worktree could not be deleted'),
    )
  }

  async dispose(): Promise<void> {
    await this.#setups.dispose()
    this.#ledger.deps.git.dispose()
    await this.#tending
    await this.#ledger.turns.idle()
  }

  /** Where its files wait while it is in the trash. */
  async trashOf(id: WorktreeId): Promise<string> {
    return join((await this.#ledger.grounds()).trashOf(id), 'tree')
  }

  async setupLogOf(id: WorktreeId): Promise<string> {
    return (await this.#ledger.grounds()).logOf(id)
  }
}
