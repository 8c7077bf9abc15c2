// Some weeks after a person deleted a task, it goes for good: its rows, its snapshots, and the branch that was made for it, as far as that
// holds nothing but what was reported. What its runs cost stays counted, and what was merged stays merged.
import type { TaskId } from '#contract/id-types.ts'
import { DELETED_DAYS } from '#contract/projects.ts'
import { DecisionTaskStore } from '#domains/memory/decision-task-store.ts'
import { ForgetStore, type Left } from '#domains/thread/forget-store.ts'
import { dropReported } from '#domains/thread/retiring.ts'
import { snapshotRef } from '#domains/thread/taking.ts'
import type { Clock } from '#kernel/clock.ts'
import type { Database } from '#kernel/db/db.ts'
import type { Git } from '#kernel/git/git.ts'
import { GitError } from '#kernel/git/git-error.ts'
import { openRepository } from '#kernel/git/repository.ts'
import { dropRef } from '#kernel/git/worktrees.ts'
import type { Log } from '#kernel/log.ts'
import { Retries } from '#kernel/retries.ts'
import { HUB } from '../own-caller.ts'
import type { Bind } from '../services.ts'

type Deps = {
  database: Database
  bind: Bind
  git: Git
  clock: Clock
  log: Pick<Log, 'warn'>
  /** Names the folder of this hub; undefined while it has none. */
  home: () => Promise<string | undefined>
}

const KEPT_MS = DELETED_DAYS * 24 * 3600_000
const AT_ONCE = 20

export class DeletedTasks {
  readonly #deps: Deps
  readonly #retries: Retries<TaskId>

  constructor(deps: Deps) {
    this.#deps = deps
    this.#retries = new Retries(deps.clock)
  }

  /** One look. May be cut off anywhere: what was not done is due at the next. */
  async step(): Promise<void> {
    const { database, bind, clock, log } = this.#deps
    const limit = AT_ONCE + this.#retries.waiting().length
    await this.#retries.each(
      await bind(database).tasks.listGone(clock.now() - KEPT_MS, limit),
      ({ id }) => id,
      task => this.#purge(task),
      (error, { id }) => log.warn({ err: error, task: id }, 'a deleted task could not be removed'),
    )
  }

  async #purge({ id, deletedAt }: { id: TaskId; deletedAt: number }): Promise<void> {
    const { database, bind, clock } = this.#deps
    const left = await new ForgetStore(database).find(id)
    const isHere = left === undefined || left.home === (await this.#deps.home())
    // The hub that has its repository does it; one that never comes back is not waited for any longer.
    if (!isHere && deletedAt > clock.now() - 2 * KEPT_MS) return
    if (left && isHere && !left.isReleased) return
    if (left && isHere) await this.#dropRefs(left)
    await database.tx(async tx => {
      const { tasks } = bind(tx)
      const task = await tasks.find(id)
      if (!task || task.deletedAt === null) return
      await new ForgetStore(tx).forget(id)
      await new DecisionTaskStore(tx).forget(id)
      await tasks.purge(id, HUB)
    })
  }

  /** The worktree has its own time in the trash. */
  async #dropRefs({ repository, branch, isOwnBranch, snapshots, head }: Left): Promise<void> {
    const { git, log } = this.#deps
    try {
      const { commonDir } = await openRepository(git, repository)
      if (isOwnBranch && head !== null) await dropReported(git, commonDir, branch, head)
      for (const id of snapshots) await dropRef(git, commonDir, snapshotRef(id))
    } catch (error) {
      if (!(error instanceof GitError)) throw error
      // Its repository may be gone by now.
      log.warn({ err: error, repository }, 'the snapshots of a deleted task could not be removed')
    }
  }
}
