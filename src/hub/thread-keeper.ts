import { ThreadKeeper, type ThreadStep } from '#domains/thread/keeper.ts'
import type { ComposeOptions } from './compose.ts'
import type { Parts } from './parts.ts'
import { type Bind, HUB } from './services.ts'
import { threadProjects, threadRuns, threadTasks, threadWorktrees } from './services/verify.ts'

export type ThreadOptions = {
  logFolder: string
  /** For tests: a place at which the hub may be killed. */
  reached?: ((step: ThreadStep) => void) | undefined
}

/** The one that moves reported work on, on this machine. */
export function threadKeeper(options: ComposeOptions, parts: Parts, bind: Bind): ThreadKeeper {
  const { database, log, env, thread } = options
  const { events, git, worktrees } = parts
  const lasting = () => bind(database)
  const projects = threadProjects(lasting)
  return new ThreadKeeper({
    events,
    log,
    git,
    worktrees: threadWorktrees(worktrees, projects),
    write: verb => database.tx(tx => verb(bind(tx))),
    read: lasting(),
    tasks: threadTasks(lasting()),
    projects,
    runs: threadRuns(lasting),
    workspaces: lasting().workspaces,
    env,
    logFolder: thread.logFolder,
    by: HUB,
    reached: thread.reached,
  })
}
