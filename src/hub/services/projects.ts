// Projects, their tasks and handoffs, and the work on them that agents report.
import { runEnd } from '#contract/run-end.ts'
import type { Agents } from '#domains/identity/agents.ts'
import { Handoffs } from '#domains/projects/handoffs.ts'
import { Links } from '#domains/projects/links.ts'
import { Plans } from '#domains/projects/plans.ts'
import { Projects } from '#domains/projects/projects.ts'
import { Tasks } from '#domains/projects/tasks.ts'
import { Work } from '#domains/projects/work.ts'
import { outcomeOf } from '#domains/runs/model.ts'
import type { Over, Services } from '../services.ts'

export type ProjectServices = { projects: Projects; tasks: Tasks; links: Links; plans: Plans; handoffs: Handoffs }

export function projectServices({ db, kernel }: Over, agents: Agents): ProjectServices {
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
  const tasks = new Tasks({ db, events, clock, ids, projects })
  const links = new Links({ db, events, clock, tasks })
  const plans = new Plans({ db, events, clock, tasks, links })
  const handoffs = new Handoffs({ db, events, clock, ids, tasks, projects })
  return { projects, tasks, links, plans, handoffs }
}

type WorkNeeds = Pick<Services, 'projects' | 'tasks' | 'links' | 'identity' | 'runs' | 'recalling' | 'taskDecisions'>

export function workService(
  { db }: Over,
  { projects, tasks, links, identity, runs, recalling, taskDecisions }: WorkNeeds,
): Work {
  return new Work({
    db,
    projects,
    tasks,
    links,
    decisions: {
      fitting: (project, task) => recalling.fitting(project, task),
      ofTask: taskId => taskDecisions.ofTask(taskId),
      cite: (taskId, project, ids) => taskDecisions.cite(taskId, project, ids),
    },
    sessions: {
      session: (token, by) => identity.session(token, by),
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
        return run?.taskId
      },
    },
  })
}
