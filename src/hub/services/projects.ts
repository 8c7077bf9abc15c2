// Projects, their tasks and handoffs, and the work on them that agents report.
import type { Caller } from '#contract/caller.ts'
import { HubError } from '#contract/errors.ts'
import type { AgentId, TaskId } from '#contract/id-types.ts'
import { runEnd } from '#contract/run-end.ts'
import type { Agents } from '#domains/identity/agents.ts'
import { Columns } from '#domains/projects/columns.ts'
import { Handoffs } from '#domains/projects/handoffs.ts'
import { Links } from '#domains/projects/links.ts'
import { Notes } from '#domains/projects/notes.ts'
import { Passes } from '#domains/projects/passes.ts'
import { Plans } from '#domains/projects/plans.ts'
import { Projects } from '#domains/projects/projects.ts'
import { Tasks } from '#domains/projects/tasks.ts'
import { Work } from '#domains/projects/work.ts'
import { outcomeOf } from '#domains/runs/model.ts'
import type { Worktrees } from '#domains/tabs/worktrees/worktrees.ts'
import type { Holder } from '#domains/thread/workspace-model.ts'
import type { Workspaces } from '#domains/thread/workspaces.ts'
import { GitError } from '#kernel/git/git-error.ts'
import { treeOf } from '#kernel/git/snapshot.ts'
import type { Over, Services } from '../services.ts'
import { taskLeaves } from '../workflows/task-leaves.ts'

export type ProjectServices = {
  projects: Projects
  tasks: Tasks
  notes: Notes
  columns: Columns
  links: Links
  plans: Plans
  passes: Passes
  handoffs: Handoffs
}

export function projectServices(
  { db, kernel }: Over,
  agents: Agents,
  later: () => Pick<Services, 'snapshots' | 'runs' | 'leases' | 'starts' | 'workspaces'>,
): ProjectServices {
  const { events, clock, ids } = kernel
  const projects = new Projects({
    db,
    events,
    clock,
    ids,
    agents: {
      get: id => agents.get(id),
      enabledAmong: ids => agents.enabledAmong(ids),
    },
  })
  const tasks = new Tasks({
    ...{ db, events, clock, ids, projects },
    thread: {
      doneByHand: task => later().snapshots.doneByHand(task),
      doneByAgent: async (task, by) => {
        const { runs, snapshots } = later()
        // Its process may go on writing: what it leaves is taken when it has ended.
        const runId = (await runs.openOf([task.id])).get(task.id)?.id ?? null
        await snapshots.reported(task, { runId, result: 'success', summary: null, cites: [] }, by)
      },
    },
    workers: {
      leave: (task, before, by) => {
        const { runs, leases, starts } = later()
        return taskLeaves({ runs, leases, agents, starts }, { task, before }, by)
      },
    },
  })
  const notes = new Notes({ db, events, clock, ids, tasks })
  const columns = new Columns({ db, events, tasks })
  const links = new Links({ db, events, clock, tasks })
  const trees = { treeOf: (taskId: TaskId) => treeOfWorkspace(kernel.worktrees, later().workspaces, taskId) }
  const passes = new Passes({ db, clock, ids, tasks, trees })
  const plans = new Plans({ db, tasks, links, passes })
  const handoffs = new Handoffs({ db, events, clock, ids, tasks, projects, passes })
  return { projects, tasks, notes, columns, links, plans, passes, handoffs }
}

/** Not known where it is another hub's, or cannot be read: nothing depends on it that could not wait. */
async function treeOfWorkspace(
  worktrees: Worktrees,
  workspaces: Pick<Workspaces, 'find'>,
  taskId: TaskId,
): Promise<string | null> {
  const workspace = await workspaces.find(taskId)
  if (workspace?.releasedAt !== null) return null
  try {
    return await worktrees.readNow(workspace.worktreeId, 'tree', (git, checkout, signal) =>
      treeOf(git, checkout, { signal }),
    )
  } catch (error) {
    if (error instanceof HubError || error instanceof GitError) return null
    throw error
  }
}

type WorkNeeds = Pick<
  Services,
  | 'projects'
  | 'tasks'
  | 'notes'
  | 'links'
  | 'identity'
  | 'runs'
  | 'recalling'
  | 'taskDecisions'
  | 'starts'
  | 'workspaces'
  | 'snapshots'
  | 'reviews'
  | 'overlaps'
  | 'bases'
>

export function workService({ db }: Over, needs: WorkNeeds): Work {
  const { projects, tasks, notes, links, identity, runs, recalling, taskDecisions, starts, workspaces } = needs
  const { snapshots, reviews, overlaps, bases } = needs
  const overlapsOf = async (taskId: TaskId) => {
    const workspace = await workspaces.find(taskId)
    return workspace?.releasedAt === null ? overlaps.of(workspace.worktreeId) : []
  }
  return new Work({
    db,
    projects,
    tasks,
    notes,
    links,
    decisions: {
      fitting: (project, task) => recalling.fitting(project, task),
      ofTask: taskId => taskDecisions.ofTask(taskId),
      cite: (taskId, project, ids) => taskDecisions.cite(taskId, project, ids),
    },
    thread: {
      reported: async (task, { answers, ...report }, by) => {
        await reviews.answer(task.id, answers, by)
        await snapshots.reported(task, report, by)
      },
      described: async (task, { answers, ...report }, by) => {
        await reviews.answer(task.id, answers, by)
        await snapshots.described(task.id, report)
      },
      briefing: async (taskId, lang) => ({
        workspace: await workspaces.briefing(taskId),
        returned: await reviews.returned(taskId, lang),
        overlaps: await overlapsOf(taskId),
      }),
      folderOf: async (task, by) => (await workspaces.ensure(task, by)).folder,
      mustBeFree: async (task, agentId, opener) => {
        await workspaces.mustBeFree(task, holder => isSelf(holder, agentId, opener))
        await bases.mustHave(task)
      },
    },
    starts: { boundTo: async session => (await starts.findByEpoch(session))?.taskId },
    sessions: {
      session: (token, by) => identity.session(token, by),
      find: token => identity.findSession(token),
      onConnection: secret => identity.onConnection(secret),
      reportOf: async token => (await identity.findSession(token))?.report ?? undefined,
      complete: (session, report, by) => identity.complete(session.id, report, by),
    },
    runs: {
      inHand: session => runs.inHand(session.id),
      open: async (session, taskId, by) => void (await runs.open(session, taskId, by)),
      close: async (session, result, summary, by) => {
        const ending = { outcome: outcomeOf(result), result, summary, end: runEnd('reported') }
        const run = await runs.report(session, ending, by)
        return run && { taskId: run.taskId, runId: run.id }
      },
    },
  })
}

/** The agent itself, or the tab or run that it signed in from. */
function isSelf(holder: Holder, agentId: AgentId, opener: Caller | undefined): boolean {
  switch (holder.kind) {
    case 'agent':
      return holder.agentId === agentId
    case 'tab':
      return opener?.kind === 'tab' && opener.tabId === holder.tabId
    default:
      return opener?.kind === 'run' && opener.runId === holder.runId
  }
}
