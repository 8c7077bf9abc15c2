// What the verbs on worktrees share: rows, folders, turns, and the rule that a change is written down before and after it is
// made.
import type { Caller } from '#contract/caller.ts'
import { WorktreeError, WorktreeRemoved } from '#contract/worktrees.ts'
import type { Config } from '#contract/config.ts'
import type { Database, Tx } from '#kernel/db/db.ts'
import type { EventLog } from '#kernel/events.ts'
import type { Git } from '#kernel/git/git.ts'
import { takeAdmin, adminDirsFor } from '#kernel/git/worktrees.ts'
import type { HubTime } from '#kernel/hub-time.ts'
import type { Ids } from '#kernel/ids.ts'
import type { Log } from '#kernel/log.ts'
import { join } from 'node:path'
import type { WorktreeId } from '#contract/id-types.ts'
import { inOurWords } from './git-words.ts'
import { Grounds } from './grounds.ts'
import type { Worktree } from './model.ts'
import type { LiveTabs, WorktreeProjects } from './ports.ts'
import { WorktreeStore } from './store.ts'
import { Turns } from './turns.ts'

export type Deps = {
  database: Database
  events: EventLog
  clock: HubTime
  ids: Ids
  log: Log
  git: Git
  /** The hub's own name of this machine: commands of repositories run where somebody has looked at them. */
  machine: string
  /** $TORYO_HOME/worktrees */
  folder: string
  env: NodeJS.ProcessEnv
  config: () => Config
  projects: WorktreeProjects
  tabs: LiveTabs
  /** Who acts where no caller asked. */
  hub: Caller
}

/** Of one call: what to say meanwhile, and when to give up. */
export type Meanwhile = { progress?: ((text: string) => void) | undefined; signal?: AbortSignal | undefined }

export class Ledger {
  readonly deps: Deps
  readonly turns = new Turns()
  #grounds: Promise<Grounds> | undefined

  constructor(deps: Deps) {
    this.deps = deps
  }

  get store(): WorktreeStore {
    return new WorktreeStore(this.deps.database)
  }

  grounds(): Promise<Grounds> {
    this.#grounds ??= Grounds.open(this.deps.folder).catch((error: unknown) => {
      this.#grounds = undefined
      throw error
    })
    return this.#grounds
  }

  /** The folder of worktrees is made by the first of them, not by every hub that starts. */
  async isUsed(): Promise<boolean> {
    return this.#grounds !== undefined || (await this.store.list({}, undefined, 1)).length > 0
  }

  /** One that is on this machine, in its repository's turn. */
  async withOne(id: WorktreeId, verb: (grounds: Grounds, worktree: Worktree) => Promise<Worktree>): Promise<Worktree> {
    const { repository, path } = await this.store.get(id)
    const grounds = await this.grounds()
    return inOurWords(path, () =>
      this.turns.take(repository, async () => {
        const worktree = await this.store.get(id)
        if (worktree.home !== grounds.home)
          throw WorktreeError.WORKTREE_NOT_OURS({ path: worktree.path, elsewhere: true })
        return verb(grounds, worktree)
      }),
    )
  }

  /** Throws when it is no longer in the state that it was seen in. */
  async settle(from: Worktree['state'], worktree: Worktree, also?: (tx: Tx) => Promise<void>): Promise<void> {
    await this.deps.database.tx(async tx => {
      const store = new WorktreeStore(tx)
      if (!(await store.replace(from, worktree))) {
        const { state } = await store.get(worktree.id)
        throw WorktreeError.WORKTREE_NOT_READY({ worktreeId: worktree.id, state })
      }
      await also?.(tx)
    })
  }

  /** Takes what the repository noted about a folder that is in the trash now. */
  async takeNotes(grounds: Grounds, { id, repository, path, gitDir }: Worktree): Promise<void> {
    const to = join(grounds.trashOf(id), 'admin')
    const candidates = gitDir === '' ? await adminDirsFor(repository, path) : [gitDir]
    for (const admin of candidates) await takeAdmin(repository, admin, path, to)
  }

  /** The folder was deleted from outside. */
  async vanished(grounds: Grounds, worktree: Worktree): Promise<Worktree> {
    const { events, hub } = this.deps
    const gone: Worktree = { ...worktree, state: 'purged', purgeAt: null }
    const fact = { ...factOf(worktree), reason: 'gone' as const }
    await this.settle('ready', gone, tx => events.publish(tx, WorktreeRemoved, fact, hub, worktree.projectId))
    await grounds.keepFor(worktree.id)
    await this.takeNotes(grounds, worktree)
    await grounds.purge(worktree.id, worktree)
    return gone
  }
}

export function factOf({ id, path, branch }: Worktree): {
  worktreeId: WorktreeId
  path: string
  branch: string | null
} {
  return { worktreeId: id, path, branch }
}
