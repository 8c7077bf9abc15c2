// The way to the trash, the way back, and the end of the fourteen days.
import { lstat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { Caller } from '#contract/caller.ts'
import type { WorktreeId } from '#contract/id-types.ts'
import { TRASH_DAYS, WorktreeError, WorktreePurged, WorktreeRemoved, WorktreeRestored } from '#contract/worktrees.ts'
import { commitOf, openRepository, readHead } from '#kernel/git/repository.ts'
import { unsavedWork } from '#kernel/git/unsaved.ts'
import { dropRef, keepCommit, listWorktrees, returnAdmin } from '#kernel/git/worktrees.ts'
import { occupants } from '#kernel/processes/occupants.ts'
import { type Grounds, identify } from './grounds.ts'
import { factOf, type Ledger } from './ledger.ts'
import { checkoutOf, keepRef, type Worktree, type RemoveOptions } from './model.ts'

const DAY_MS = 24 * 60 * 60_000

export class Removal {
  readonly #ledger: Ledger

  constructor(ledger: Ledger) {
    this.#ledger = ledger
  }

  /** To the trash, from where it can come back. Refuses whatever would be missed, unless it is forced. */
  remove(id: WorktreeId, options: RemoveOptions, by: Caller): Promise<Worktree> {
    return this.#ledger.withOne(id, async (grounds, worktree) => {
      if (worktree.state === 'trashed') return worktree
      if (worktree.state !== 'ready') throw WorktreeError.WORKTREE_NOT_READY({ worktreeId: id, state: worktree.state })
      if (!worktree.own) throw WorktreeError.WORKTREE_NOT_OURS({ path: worktree.path })
      if (!(await lstat(worktree.path).catch(() => undefined))) return this.#ledger.vanished(grounds, worktree)
      if (!(await grounds.owns(worktree.path, worktree))) throw WorktreeError.WORKTREE_GONE({ path: worktree.path })
      await this.#refuseInUse(worktree)
      if (!options.force) await this.#refuseUnsaved(worktree)
      // Its agent may have gone to another branch.
      const { branch = null, commit = null } = await readHead(this.#ledger.deps.git, checkoutOf(worktree))
      const purgeAt = options.keep ? null : this.#ledger.deps.clock.now() + TRASH_DAYS * DAY_MS
      const begun: Worktree = { ...worktree, state: 'removing', head: commit, branch, purgeAt }
      await this.#ledger.settle('ready', begun)
      return this.finish(grounds, begun, options.force ? 'forced' : 'asked', by)
    })
  }

  async #refuseInUse(worktree: Worktree): Promise<void> {
    const { path, branch, setup, gitDir } = worktree
    const tabId = await this.#ledger.deps.tabs.at(path)
    if (tabId !== undefined) throw WorktreeError.WORKTREE_IN_USE({ branch: branch ?? path, tabId })
    if (setup.state === 'running') throw WorktreeError.WORKTREE_BUSY({ path, by: ['its setup'] })
    const there = await occupants(path)
    if (there.length > 0)
      throw WorktreeError.WORKTREE_BUSY({ path, by: there.slice(0, 5).map(({ pid, name }) => `${name} (${pid})`) })
    if (await lstat(join(gitDir, 'locked')).catch(() => undefined)) throw WorktreeError.WORKTREE_LOCKED({ path })
  }

  async #refuseUnsaved(worktree: Worktree): Promise<void> {
    const unsaved = await unsavedWork(this.#ledger.deps.git, checkoutOf(worktree))
    if (!unsaved) return
    const { operation, ...rest } = unsaved
    throw WorktreeError.UNSAVED_WORK({
      path: worktree.path,
      unsaved: operation === undefined ? rest : { ...rest, operation },
    })
  }

  async finish(
    grounds: Grounds,
    begun: Worktree,
    reason: 'asked' | 'forced' | 'incomplete',
    by: Caller,
  ): Promise<Worktree> {
    const { git, clock, events } = this.#ledger.deps
    // Automatically, only what other refs lead to is removed.
    if (reason !== 'asked' && begun.head !== null)
      await keepCommit(git, begun.repository, keepRef(begun.id), begun.head).catch(() => {}) // Then the branch must do.
    if (!(await grounds.bury(begun.id, begun.path, begun))) {
      await dropRef(git, begun.repository, keepRef(begun.id)).catch(() => {}) // The repository may be gone, too.
      const state = begun.state === 'creating' ? 'purged' : 'ready'
      await this.#ledger.settle(begun.state, { ...begun, state, head: null, purgeAt: null })
      throw WorktreeError.WORKTREE_GONE({ path: begun.path })
    }
    await this.#ledger.takeNotes(grounds, begun)
    const now = clock.now()
    const purgeAt = begun.state === 'removing' ? begun.purgeAt : now + TRASH_DAYS * DAY_MS
    const trashed: Worktree = { ...begun, state: 'trashed', trashedAt: now, purgeAt }
    await this.#ledger.settle(begun.state, trashed, tx =>
      events.publish(tx, WorktreeRemoved, { ...factOf(trashed), reason }, by, begun.projectId),
    )
    return trashed
  }

  /**
   * Back to where it was; beside it when the place is taken, and without its branch when another worktree has that now or when it
   * went on without us.
   */
  restore(id: WorktreeId, by: Caller): Promise<Worktree> {
    return this.#ledger.withOne(id, async (grounds, worktree) => {
      if (worktree.state === 'ready') return worktree
      if (worktree.state !== 'trashed')
        throw WorktreeError.WORKTREE_NOT_READY({ worktreeId: id, state: worktree.state })
      const { git } = this.#ledger.deps
      const files = join(grounds.trashOf(id), 'tree')
      const failed = () => WorktreeError.RESTORE_FAILED({ worktreeId: id, files })
      const repository = await openRepository(git, worktree.repository).catch(() => undefined)
      const admin = await identify(join(grounds.trashOf(id), 'admin'))
      if (repository?.commonDir !== worktree.repository || !admin) throw failed()
      const detached = await this.#branchTaken(worktree)
      if (detached && worktree.head === null) throw failed()
      const path = await grounds.freePlace(worktree.path)
      const begun: Worktree = { ...worktree, path, state: 'restoring', branch: detached ? null : worktree.branch }
      await this.#ledger.settle('trashed', begun)
      return this.finishRestore(grounds, begun, by)
    })
  }

  /** Whether it must come back without it. Makes the branch again where it was deleted meanwhile. */
  async #branchTaken({ branch, head, repository }: Worktree): Promise<boolean> {
    const { git } = this.#ledger.deps
    if (branch === null) return true
    const listed = await listWorktrees(git, { commonDir: repository })
    if (listed.some(one => one.branch === branch)) return true
    const ref = `refs/heads/${branch}`
    const now = await commitOf(git, { commonDir: repository }, ref)
    if (now === undefined && head !== null) await keepCommit(git, repository, ref, head)
    // Its files are those of its own commit: on a branch that went on, they would count as a wish to take all of that back.
    return now !== undefined && head !== null && now !== head
  }

  async finishRestore(grounds: Grounds, begun: Worktree, by: Caller): Promise<Worktree> {
    const { git, events } = this.#ledger.deps
    if (!(await grounds.unbury(begun.id, begun.path, begun))) {
      await this.#ledger.settle('restoring', { ...begun, state: 'trashed' })
      throw WorktreeError.RESTORE_FAILED({ worktreeId: begun.id, files: join(grounds.trashOf(begun.id), 'tree') })
    }
    const from = join(grounds.trashOf(begun.id), 'admin')
    const head = begun.branch === null ? (begun.head ?? undefined) : undefined
    const admin = begun.gitDir || join(begun.repository, 'worktrees', basename(begun.path))
    const gitDir = await returnAdmin(begun.repository, from, admin, begun.path, head)
    // From here on its own HEAD keeps the commit.
    await dropRef(git, begun.repository, keepRef(begun.id))
    const ready: Worktree = { ...begun, gitDir, state: 'ready', head: null, trashedAt: null, purgeAt: null }
    await this.#ledger.settle('restoring', ready, tx =>
      events.publish(tx, WorktreeRestored, factOf(ready), by, begun.projectId),
    )
    await grounds.tidy(begun.id)
    return ready
  }

  /** What was checked before may be different now: as long as the folder is where it was, it stays there. */
  async resume(grounds: Grounds, worktree: Worktree): Promise<void> {
    if (await grounds.owns(worktree.path, worktree)) {
      await dropRef(this.#ledger.deps.git, worktree.repository, keepRef(worktree.id))
      await this.#ledger.settle('removing', { ...worktree, state: 'ready', head: null, purgeAt: null })
      return
    }
    await this.finish(grounds, worktree, 'asked', this.#ledger.deps.hub)
  }

  async purge(grounds: Grounds, id: WorktreeId): Promise<void> {
    const { git, events, hub } = this.#ledger.deps
    const worktree = await this.#ledger.store.get(id)
    if (worktree.state !== 'trashed' && worktree.state !== 'purging') return
    await this.#ledger.settle(worktree.state, { ...worktree, state: 'purging' })
    if (!(await grounds.purge(id, worktree)))
      this.#ledger.deps.log.warn(
        { worktree: id, trash: grounds.trashOf(id) },
        'not deleted: it is not what was put there',
      )
    await dropRef(git, worktree.repository, keepRef(id)).catch(() => {}) // The repository may be gone.
    const purged: Worktree = { ...worktree, state: 'purged', purgeAt: null }
    await this.#ledger.settle('purging', purged, tx =>
      events.publish(tx, WorktreePurged, factOf(purged), hub, worktree.projectId),
    )
  }
}
