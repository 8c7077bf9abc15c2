// The one that moves reported work on, on this machine: to a verdict, and from there to the base.
import type { MergeId } from '#contract/id-types.ts'
import { Integration, type IntegrationWorktrees } from '#domains/thread/integration.ts'
import { ThreadKeeper, type ThreadStep } from '#domains/thread/keeper.ts'
import { CannotGoOn } from '#domains/thread/merge-model.ts'
import { Merging } from '#domains/thread/merging.ts'
import { MergeStore } from '#domains/thread/merges-store.ts'
import { PullWatch } from '#domains/thread/pull-watch.ts'
import { Retiring } from '#domains/thread/retiring.ts'
import type { Worktrees } from '#domains/tabs/worktrees/worktrees.ts'
import type { ComposeOptions } from './compose.ts'
import type { Parts } from './parts.ts'
import { HUB } from './own-caller.ts'
import { radarOf } from './radar.ts'
import type { Bind, Services } from './services.ts'
import { repositoriesOf } from './services/merges.ts'
import { threadFolders, threadProjects, threadRuns, threadTasks, threadWorktrees } from './services/verify.ts'
import { ReviewStarts } from './workflows/reviewers.ts'

export type ThreadOptions = {
  logFolder: string
  /** For tests and the demo: how long the radar waits between two looks. */
  radarMs?: number | undefined
  /** For tests: a place at which the hub may be killed. */
  reached?: ((step: ThreadStep) => void) | undefined
}

export function threadKeeper(options: ComposeOptions, parts: Parts, bind: Bind): ThreadKeeper {
  const { database, log, env, thread, clock, runs } = options
  const { events, git, worktrees } = parts
  const lasting = () => bind(database)
  const projects = threadProjects(lasting)
  const places = threadWorktrees(worktrees, projects)
  const workspaces = {
    ...repositoriesOf(worktrees),
    release: (taskId: Parameters<Services['workspaces']['release']>[0]) => lasting().workspaces.release(taskId, HUB),
  }
  const integration = new Integration({
    git,
    worktrees: places,
    integration: integrationIn(worktrees, lasting),
    checks: lasting().checks,
    evidence: lasting().evidence,
    baseOf: async (mergeId: MergeId) => (await new MergeStore(database).find(mergeId))?.baseRef ?? '',
    keyOf: async projectId => (await lasting().projects.get(projectId)).key,
    checking: () => keeper.checking(),
  })
  const merging = new Merging({
    ...{
      database,
      workspaces,
      git,
      clock,
      log,
      owner: runs.place,
      hub: HUB,
      checks: integration,
      reached: thread.reached,
    },
    merges: db => bind(db).merges,
  })
  const retiring = new Retiring({
    ...{ database, workspaces, git, clock, log, hub: HUB, reached: thread.reached },
    home: () => worktrees.usedHome(),
    isHeld: async taskId => (await lasting().workspaces.holderOf(taskId)) !== undefined,
  })
  const pulls = new PullWatch({
    ...{ database, git, clock, log, hub: HUB },
    pulls: db => bind(db).pulls,
    home: () => worktrees.usedHome(),
  })
  const keeper: ThreadKeeper = new ThreadKeeper({
    ...{ events, log, clock, git, env },
    worktrees: places,
    write: verb => database.tx(tx => verb(bind(tx))),
    read: lasting(),
    tasks: threadTasks(lasting()),
    runs: threadRuns(lasting),
    workspaces: lasting().workspaces,
    logFolder: thread.logFolder,
    by: HUB,
    merging,
    pulls,
    retiring,
    reviewing: new ReviewStarts({
      ...{ database, bind, git, clock, log },
      worktrees: places,
      folders: threadFolders(places, lasting),
    }),
    radar: radarOf(options, parts, bind),
    reached: thread.reached,
  })
  return keeper
}

function integrationIn(worktrees: Worktrees, services: () => Pick<Services, 'projects'>): IntegrationWorktrees {
  return {
    fresh: async (projectId, branch, commit) => {
      const { directory, name } = await services().projects.get(projectId)
      if (directory === null) throw new CannotGoOn({ kind: 'no-folder', project: name })
      const { id } = await worktrees.makeAnew({ projectId, directory, branch, base: commit }, HUB)
      return id
    },
    setUp: async (id, signal) => {
      const { setup } = await worktrees.setup(id, HUB, { signal })
      return setup.state === 'failed' ? (setup.error ?? { kind: 'stopped' }) : undefined
    },
  }
}
