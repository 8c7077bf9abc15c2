// The way of a task's work from its report to a verdict.
import type { TaskId } from '#contract/id-types.ts'
import { HubError } from '#contract/errors.ts'
import { ThreadError } from '#contract/thread-errors.ts'
import { accepted, moved, reported, stageOf, type Task, unverified, verified } from '#domains/projects/model.ts'
import type { Worktrees } from '#domains/tabs/worktrees/worktrees.ts'
import { AskedReviews } from '#domains/thread/asked-reviews.ts'
import { Checks } from '#domains/thread/checks.ts'
import { EvidenceLog } from '#domains/thread/evidence.ts'
import type {
  MergeQueue,
  Reviewers,
  ThreadFolders,
  ThreadProjects,
  ThreadRuns,
  ThreadTabs,
  ThreadTask,
  ThreadTasks,
  ThreadWorktrees,
} from '#domains/thread/ports.ts'
import { Pulls } from '#domains/thread/pulls.ts'
import { Reviews } from '#domains/thread/reviews.ts'
import { Settling } from '#domains/thread/settling.ts'
import { Snapshots } from '#domains/thread/snapshots.ts'
import { placeOf } from '#kernel/paths.ts'
import type { Narrowed } from '../narrowed-by.ts'
import type { Over, Services } from '../services.ts'
import { mergedTasks, repositoriesOf } from './merges.ts'

export type VerifyServices = {
  checks: Checks
  snapshots: Snapshots
  evidence: EvidenceLog
  settling: Settling
  reviews: Reviews
  askedReviews: AskedReviews
  pulls: Pulls
}

export function verifyServices(
  { db, kernel }: Over,
  needs: Pick<Services, 'projects' | 'tasks' | 'merges' | 'agents' | 'runs' | 'crewRuns' | 'tabs' | 'messages'> & {
    narrowed: Narrowed
  },
): VerifyServices {
  const { events, clock, ids, limits } = kernel
  const { projects, narrowed } = needs
  const tasks = threadTasks(needs)
  const base = { db, events, clock, ids, projects, tasks, queue: queueOf(needs) }
  const settling = new Settling(base)
  const workspaces = repositoriesOf(kernel.worktrees)
  const reviews = new Reviews({ db, events, clock, ids, tasks, settling, workspaces, tabs: tabsOn(needs) })
  return {
    checks: new Checks({ db, events, clock, machine: kernel.runner }),
    snapshots: new Snapshots(base),
    evidence: new EvidenceLog({ db, events, clock, ids, limits, narrowed, logFolder: kernel.checkLogs }),
    settling,
    reviews,
    pulls: new Pulls({
      ...{ db, events, clock, ids, projects, reviews, merges: needs.merges },
      tasks: mergedTasks(needs),
      workspaces,
    }),
    askedReviews: new AskedReviews({
      db,
      events,
      clock,
      ids,
      projects,
      tasks,
      reviews,
      reviewers: reviewersOf(needs),
    }),
  }
}

/** Work that was begun on no branch has nothing to be merged into: it is accepted, and its branch stays. Deleted meanwhile, it is not merged. */
function queueOf({ merges }: Pick<Services, 'merges'>): MergeQueue {
  return {
    enqueue: async ({ taskId, id }, by) => {
      await merges.enqueue(taskId, id, by).catch((error: unknown) => {
        if (!(error instanceof HubError && LEFT_OUT.has(error.code))) throw error
      })
    },
  }
}

const LEFT_OUT: ReadonlySet<string> = new Set(['NO_BASE', 'TASK_DELETED'])

function reviewersOf({
  agents,
  projects,
  runs,
  crewRuns,
}: Pick<Services, 'agents' | 'projects' | 'runs' | 'crewRuns'>): Reviewers {
  return {
    async whyNot(agentId, projectId) {
      const agent = await agents.find(agentId)
      if (!agent) return 'missing'
      if (!(await projects.isAssigned(projectId, agentId))) return 'unassigned'
      return agent.enabled ? undefined : 'disabled'
    },
    nameOf: async agentId => (await agents.find(agentId))?.name ?? agentId,
    agentOf: async runId => (await runs.find(runId))?.agentId,
    hasWorkedOn: (agentId, taskId, since) => runs.hasWorkedOn(agentId, taskId, since),
    async done(runId, summary, by) {
      await crewRuns.report(runId, { status: 'success', summary, editedFiles: [], createdFiles: [] }, by)
    },
  }
}

/** A verdict is never refused because a tab takes no messages any more. */
function tabsOn({ tabs, messages }: Pick<Services, 'tabs' | 'messages'>): ThreadTabs {
  return {
    async tell(taskId, text, by) {
      for (const tab of await tabs.listOn(taskId))
        await messages.send([tab], text, by).catch((error: unknown) => {
          if (!(error instanceof HubError && error.code === 'MAILBOX_FULL')) throw error
        })
    },
  }
}

/** What is found out about reported work is written down on its task. */
export function threadTasks({ tasks }: Pick<Services, 'tasks'>): ThreadTasks {
  return {
    find: async id => {
      const task = await tasks.find(id)
      return task && seen(task)
    },
    get: async (id, by) => seen(await tasks.get(id, by)),
    verify: async (id, by) => void (await tasks.change(id, verified, by)),
    unverify: async (id, by) => void (await tasks.change(id, unverified, by)),
    retake: async (id, by) =>
      void (await tasks.change(
        id,
        (task, now) => (task.status === 'blocked' ? reported(task, 'person', now) : unverified(task, now)),
        by,
      )),
    accept: async (id, by) => void (await tasks.change(id, accepted, by)),
    giveBack: async (id, by) => void (await tasks.change(id, (task, now) => moved(task, 'in_progress', now), by)),
    block: async (id, why, by) => void (await tasks.change(id, (task, now) => moved(task, 'blocked', now, why), by)),
  }
}

function seen(task: Task): ThreadTask {
  const { id, projectId, handle, title, status, assigneeId, facts } = task
  return { id, projectId, handle, title, status, assigneeId, facts, stage: stageOf(task) }
}

/** Over the database itself, for what looks at folders. */
export function threadProjects(services: () => Pick<Services, 'projects'>): ThreadProjects {
  return {
    get: id => services().projects.get(id),
    around: async directory => services().projects.findAround(await placeOf(directory)),
  }
}

export function threadWorktrees(worktrees: Worktrees, projects: ThreadProjects): ThreadWorktrees {
  return {
    home: () => worktrees.usedHome(),
    homeOf: async id => (await worktrees.get(id)).home,
    open: async id => {
      const { worktree, checkout, base } = await worktrees.open(id)
      const { directory } = await projects.get(worktree.projectId)
      const part = directory === null ? { folder: worktree.path } : await worktrees.partIn(worktree, directory)
      const { state, command } = await worktrees.setupOf(worktree.projectId)
      const setup = state === 'untrusted' ? [] : (command ?? [])
      return { checkout, base, ...part, branch: worktree.branch, setup }
    },
  }
}

export function threadFolders(
  worktrees: ThreadWorktrees,
  services: () => Pick<Services, 'tasks' | 'workspaces'>,
): ThreadFolders {
  return {
    ofTask: async (taskId: TaskId) => {
      const workspace = await services().workspaces.find(taskId)
      if (workspace?.releasedAt === null) return (await worktrees.open(workspace.worktreeId)).folder
      throw ThreadError.NO_WORKSPACE({ handle: (await services().tasks.find(taskId))?.handle ?? taskId })
    },
  }
}

/** Whether the process of a run may still write. */
export function threadRuns(services: () => Pick<Services, 'runs' | 'starts'>): ThreadRuns {
  return {
    isRunning: async runId => {
      const run = await services().runs.find(runId)
      if (!run) return false
      const open = await services().starts.listOpen()
      return open.some(
        ({ agentId, projectId, epoch }) =>
          agentId === run.agentId && projectId === run.projectId && epoch === run.epoch,
      )
    },
  }
}
