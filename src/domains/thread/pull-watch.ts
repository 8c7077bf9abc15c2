// Sees when the base contains what was pushed for a pull request, after a person has fetched or pulled it. Asks no server.
import type { Caller } from '#contract/caller.ts'
import type { PullId } from '#contract/id-types.ts'
import type { Clock } from '#kernel/clock.ts'
import type { Database, Db } from '#kernel/db/db.ts'
import { tipOf } from '#kernel/git/base.ts'
import type { Git } from '#kernel/git/git.ts'
import type { Log } from '#kernel/log.ts'
import { Retries } from '#kernel/retries.ts'
import { baseName } from './merge-model.ts'
import type { Pull } from './pull-model.ts'
import { PullStore } from './pull-store.ts'
import type { Pulls } from './pulls.ts'

type Deps = {
  database: Database
  pulls: (db: Db) => Pulls
  /** Names the folder of this hub; undefined while it has none. */
  home: () => Promise<string | undefined>
  git: Git
  clock: Pick<Clock, 'monotonic'>
  log: Pick<Log, 'warn'>
  hub: Caller
}

export class PullWatch {
  readonly #deps: Deps
  /** The bases as they were looked at: what has not moved is not asked about again. */
  readonly #seen = new Map<PullId, string>()
  readonly #retries: Retries<PullId>

  constructor(deps: Deps) {
    this.#deps = deps
    this.#retries = new Retries(deps.clock)
  }

  async step(): Promise<void> {
    const { database, log } = this.#deps
    const home = await this.#deps.home()
    if (home === undefined) return
    const open = await new PullStore(database).listOpen(home)
    await this.#retries.each(
      open,
      ({ id }) => id,
      pull => this.#look(pull),
      (error, { id }) => log.warn({ err: error, pull: id }, 'the base of a pull request could not be looked at'),
    )
  }

  async #look(pull: Pull): Promise<void> {
    const { database, pulls, hub } = this.#deps
    if (!(await this.#isMerged(pull))) return
    await database.tx(async tx => {
      const now = await new PullStore(tx).find(pull.id)
      // Pushed again, or ended, since it was looked at.
      if (now?.endedAt === null && now.commit === pull.commit)
        await pulls(tx).end(pull.taskId, 'merged', pull.commit, hub)
    })
  }

  /** In the branch here, or as the remote had it when it was last fetched. */
  async #isMerged({ id, repository: commonDir, baseRef, remote, commit }: Pull): Promise<boolean> {
    const { git } = this.#deps
    const refs = [baseRef, `refs/remotes/${remote}/${baseName(baseRef)}`]
    const tips = await Promise.all(refs.map(ref => tipOf(git, { commonDir }, ref)))
    const seen = [commit, ...tips].join(' ')
    if (this.#seen.get(id) === seen) return false
    for (const tip of tips) {
      if (tip === undefined) continue
      const args = ['merge-base', '--is-ancestor', '--end-of-options', commit, tip]
      if ((await git.run(args, { gitDir: commonDir, codes: [0, 1, 128] })).code === 0) return true
    }
    this.#seen.set(id, seen)
    return false
  }
}
