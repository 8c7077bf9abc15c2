// When work is over: the worktree goes to the trash, and after a merge the branch goes, if it leads to merged work only.
import type { Caller } from '#contract/caller.ts'
import type { TaskId } from '#contract/id-types.ts'
import type { Database } from '#kernel/db/db.ts'
import type { Git } from '#kernel/git/git.ts'
import { GitError } from '#kernel/git/git-error.ts'
import { commitOf, openRepository } from '#kernel/git/repository.ts'
import { dropBranch, listWorktrees } from '#kernel/git/worktrees.ts'
import type { Clock } from '#kernel/clock.ts'
import type { Log } from '#kernel/log.ts'
import { Retries } from '#kernel/retries.ts'
import type { MergeWorkspaces } from './merge-ports.ts'
import { MergeStore } from './merges-store.ts'

type Deps = {
  database: Database
  workspaces: Pick<MergeWorkspaces, 'release'>
  /** Names the folder of this hub; undefined while it has none. */
  home: () => Promise<string | undefined>
  /** Whether anyone works on it. */
  isHeld: (taskId: TaskId) => Promise<boolean>
  git: Git
  clock: Clock
  log: Pick<Log, 'warn'>
  hub: Caller
  /** For tests: a place at which the hub may be killed. */
  reached?: ((step: RetireStep) => void) | undefined
}

export type RetireStep = 'retire-begun' | 'retire-released'

const AT_ONCE = 20

export class Retiring {
  readonly #deps: Deps
  readonly #retries: Retries<string>

  constructor(deps: Deps) {
    this.#deps = deps
    this.#retries = new Retries(deps.clock)
  }

  /** One look. May be cut off anywhere: what was not done is due at the next. */
  async step(): Promise<void> {
    const { database, clock, log } = this.#deps
    const store = new MergeStore(database)
    const home = await this.#deps.home()
    if (home === undefined) return
    await this.#retries.each(
      await store.listUnreleased(home),
      taskId => taskId,
      taskId => this.#release(home, taskId),
      // It is still in use, or has unsaved work.
      (error, taskId) => log.warn({ err: error, taskId }, 'the workspace of work that is over could not be released'),
    )
    await this.#retries.each(
      await store.listUnretired(home, AT_ONCE + this.#retries.waiting().length),
      ({ id }) => id,
      async ({ id, repository, branch, head }) => {
        await this.#dropBranch(repository, branch, head)
        await database.tx(tx => new MergeStore(tx).retire(id, clock.now()))
      },
      (error, { repository, branch }) =>
        log.warn({ err: error, repository, branch }, 'the branch of merged work could not be put away'),
    )
  }

  async #release(home: string, taskId: TaskId): Promise<void> {
    const { database, workspaces, hub } = this.#deps
    // Looked at again: it may have been opened again meanwhile.
    const due = await new MergeStore(database).listUnreleased(home, taskId)
    if (due.length === 0 || (await this.#deps.isHeld(taskId))) return
    this.#deps.reached?.('retire-begun')
    await workspaces.release(taskId, hub)
    this.#deps.reached?.('retire-released')
  }

  /** One that went on, is checked out or is gone stays as it is. */
  async #dropBranch(repository: string, branch: string, snapshot: string): Promise<void> {
    const { git, log } = this.#deps
    try {
      const { commonDir } = await openRepository(git, repository)
      await dropReported(git, commonDir, branch, snapshot)
    } catch (error) {
      if (!(error instanceof GitError)) throw error
      log.warn({ err: error, repository, branch }, 'the branch of merged work could not be looked at')
    }
  }
}

/** A branch that leads to nothing but a snapshot, which a ref of its own keeps. One that went on or is checked out stays. */
export async function dropReported(git: Git, commonDir: string, branch: string, snapshot: string): Promise<void> {
  const tip = await commitOf(git, { commonDir }, `refs/heads/${branch}`)
  if (tip === undefined) return
  const args = ['merge-base', '--is-ancestor', '--end-of-options', tip, snapshot]
  const { code } = await git.run(args, { gitDir: commonDir, codes: [0, 1, 128] })
  if (code !== 0 || (await listWorktrees(git, { commonDir })).some(one => one.branch === branch)) return
  await dropBranch(git, commonDir, branch, tip)
}
