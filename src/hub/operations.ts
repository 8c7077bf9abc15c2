// Everything that the CLI, the dashboard and Runners can call, and what stands behind resources and prompts.
import { agentOperations } from '#domains/identity/api.ts'
import { completeAgent } from '#domains/identity/complete-agent.ts'
import { pageOperations } from '#domains/identity/page-api.ts'
import { runnerOperations } from '#domains/identity/runner-api.ts'
import { tokenOperations } from '#domains/identity/token-api.ts'
import { memoryOperations } from '#domains/memory/api.ts'
import { phaseOperations } from '#domains/phases/api.ts'
import { projectOperations, taskOperations } from '#domains/projects/api.ts'
import { taskView } from '#domains/projects/views.ts'
import { completeTask } from '#domains/projects/complete-task.ts'
import { handoffOperations } from '#domains/projects/handoff-api.ts'
import { linkOperations } from '#domains/projects/link-api.ts'
import { latestHandoff } from '#domains/projects/latest-handoff.ts'
import { contextSummary, handoffTemplate, taskStart } from '#domains/projects/prompts.ts'
import { crewOperations } from '#domains/runs/crew-api.ts'
import { runOperations } from '#domains/runs/run-api.ts'
import { tabOperations } from '#domains/tabs/api.ts'
import { branchOperations } from '#domains/tabs/branch-api.ts'
import { repositories } from '#domains/tabs/repositories.ts'
import { worktreeOperations } from '#domains/tabs/worktrees/api.ts'
import { checkOperations } from '#domains/thread/check-api.ts'
import { mergeOperations } from '#domains/thread/merge-api.ts'
import { pullOperations } from '#domains/thread/pull-api.ts'
import { overlapOperations } from '#domains/thread/overlap-api.ts'
import { trustOperations } from '#domains/trust/api.ts'
import type { Caller } from '#contract/caller.ts'
import { ConfigChanged } from '#contract/settings.ts'
import type { Tool } from '#kernel/tool.ts'
import { activityOperations } from './activity-api.ts'
import { hubOperations } from './api.ts'
import { copyAgent } from './copy-agent.ts'
import { taskShow } from './task-show-api.ts'
import { demoOperations } from './demo-api.ts'
import { boardOperations } from './board.ts'
import { directoryOperations } from './directory-api.ts'
import type { ComposeOptions } from './compose.ts'
import { healthOperations } from './health-api.ts'
import { inboxOperations } from './inbox/api.ts'
import { memoryThreadOperations } from './memory-api.ts'
import type { Parts } from './parts.ts'
import { hereOperations } from './project-here.ts'
import { pickOperations } from './pick-agent.ts'
import { repeatOperations } from './repeating.ts'
import { reviewOperations } from './review-api.ts'
import { searchOperations } from './search-api.ts'
import type { Services } from './services.ts'
import { threadFolders, threadProjects, threadWorktrees } from './services/verify.ts'
import { settingsOperations } from './settings/api.ts'
import { takeOperations } from './take-run.ts'
import { workOperations } from './work.ts'
import { workspaceOperations } from './workspace-api.ts'
import { worktreeAboutOperations } from './worktree-about.ts'

export function allOperations(options: ComposeOptions, parts: Parts, services: () => Services): Tool<Services>[] {
  const { database, runs } = options
  const { events, subjects, git, worktrees, scout, engines, logs } = parts
  const places = threadProjects(services)
  const folders = threadFolders(threadWorktrees(worktrees, places), services)
  const announce = (paths: string[], by: Caller) => database.tx(tx => events.publish(tx, ConfigChanged, { paths }, by))
  const { demo, program } = options.facts()
  const called = demo ? { program, db: database.label } : undefined
  return [
    ...projectOperations,
    ...taskOperations,
    ...linkOperations,
    ...handoffOperations,
    ...agentOperations,
    ...runnerOperations(options.key),
    ...tokenOperations,
    ...pageOperations(() => options.facts().url),
    ...memoryOperations,
    ...memoryThreadOperations,
    ...phaseOperations,
    ...worktreeOperations(worktrees, { get: id => services().projects.get(id) }),
    ...branchOperations(repositories(git), { get: id => services().projects.get(id) }),
    ...tabOperations,
    ...mergeOperations,
    ...pullOperations(async ({ tasks }: Services, id, by, lang) => taskView(await tasks.get(id, by), lang)),
    ...overlapOperations,
    ...trustOperations(scout),
    ...checkOperations({ projects: places, folders }),
    ...reviewOperations({ git, folders }),
    ...workspaceOperations,
    ...worktreeAboutOperations,
    ...crewOperations,
    ...repeatOperations,
    ...takeOperations({ runner: options.runnerName, place: runs.place }),
    ...runOperations(logs),
    ...boardOperations,
    ...pickOperations(() => engines.list()),
    copyAgent,
    ...hereOperations(worktrees),
    ...directoryOperations(options.tabs.env),
    ...workOperations({
      config: options.config,
      logFolder: runs.logFolder,
      instanceLog: ({ agentId, projectId, epoch }) => runs.instanceLog({ agentId, projectId, epoch: epoch ?? 0 }),
    }),
    ...inboxOperations({ events, folder: options.tabs.home, demo: called }),
    ...activityOperations(events, subjects),
    ...searchOperations,
    ...healthOperations({
      database,
      machine: options.runnerName,
      env: options.env,
      registrations: options.registrations ?? (async () => []),
      removals: options.settings?.removals ?? (() => []),
      engines: () => engines.list(),
      projectProblem: directory => parts.projectLimits.problemIn(directory),
    }),
    ...(options.settings ? settingsOperations({ ...options.settings, announce }) : []),
    taskShow,
    ...hubOperations({
      database,
      events,
      facts: options.facts,
      stop: options.stop,
      unregister: options.unregister ?? (async () => []),
      engines: () => engines.list(),
    }),
    ...demoOperations({ isDemo: demo, startDemo: options.startDemo, stop: options.stop }),
    completeAgent,
    completeTask,
    latestHandoff,
    taskStart,
    handoffTemplate,
    contextSummary,
  ]
}
