// Agents' sessions, the Runners that start them, and the tokens of people.
import type { ProjectId, TaskId } from '#contract/id-types.ts'
import { runEnd } from '#contract/run-end.ts'
import { Claims } from '#domains/identity/claims.ts'
import type { Task } from '#domains/projects/model.ts'
import { Leases } from '#domains/identity/leases.ts'
import { Pages } from '#domains/identity/pages.ts'
import { Runners } from '#domains/identity/runners.ts'
import { Identity } from '#domains/identity/service.ts'
import { StartChecks } from '#domains/identity/start-checks.ts'
import { Starts } from '#domains/identity/starts.ts'
import { Tickets } from '#domains/identity/tickets.ts'
import { Tokens } from '#domains/identity/tokens.ts'
import type { Narrowed } from '../narrowed-by.ts'
import type { Over, Services } from '../services.ts'
import { lostInstance } from '../workflows/lost-instance.ts'
import { lookAtBase, missingOnBase } from '../workflows/base-behind.ts'
import { LOOKED_AT, startFor } from '../workflows/start-for.ts'
import { startIsARun } from '../workflows/start-is-a-run.ts'

export type IdentityServices = {
  identity: Identity
  leases: Leases
  claims: Claims
  tickets: Tickets
  runners: Runners
  starts: Starts
  tokens: Tokens
  pages: Pages
}

type Needs = Pick<Services, 'projects' | 'tasks' | 'trusts' | 'pauses'> & { narrowed: Narrowed }
type Later = () => Pick<Services, 'leases' | 'runs' | 'runners' | 'tasks' | 'workspaces' | 'merges'>

export function identityServices(over: Over, needs: Needs, later: Later): IdentityServices {
  const { db } = over
  const { events, clock, ids } = over.kernel
  const { projects, tasks, trusts } = needs
  const runners = new Runners({ db, events, clock, ids, projects })
  const starts = startsOf(over, needs, later)
  const checks = startChecksOf(over, needs, runners)
  const leases = new Leases({
    ...{ db, events, clock, starts },
    instances: { lost: (instance, by) => lostInstance({ runs: later().runs, tasks, starts }, instance, by) },
  })
  const identity = new Identity({
    ...{ db, events, clock, ids, projects, starts, leases },
    instances: { left: (session, by) => later().runs.abandon(session.id, session, runEnd('signed-out'), by) },
  })
  return {
    identity,
    leases,
    claims: claimsOf(over, { projects, tasks, trusts, starts, checks, leases }, later),
    tickets: new Tickets({ db, clock }),
    runners,
    starts,
    tokens: new Tokens({ db, events, clock, ids, runners }),
    pages: new Pages({ db, events, clock, ids }),
  }
}

function startsOf({ db, kernel }: Over, { projects, tasks, pauses }: Needs, later: Later): Starts {
  const { events, clock, ids, limits } = kernel
  return new Starts({
    ...{ db, events, clock, ids, limits, projects },
    engines: {
      pause: (engine, resetsAt, reason, by) => pauses.pause(engine, resetsAt, reason, by),
      passed: engine => pauses.passed(engine),
    },
    runs: startIsARun({ runs: () => later().runs, tasks }),
    lost: (tx, lease, loss, by) => later().leases.lost(tx, lease, loss, by),
  })
}

function startChecksOf({ db, kernel }: Over, { trusts, pauses, narrowed }: Needs, runners: Runners): StartChecks {
  const { clock, limits } = kernel
  return new StartChecks({
    ...{ db, clock, limits, narrowed, runners },
    engines: {
      isPaused: async engine => (await pauses.find(engine)) !== undefined,
      listPaused: async () => (await pauses.list()).map(({ engine }) => engine),
    },
    trust: {
      isRefused: async (projectId, taskId, runner) =>
        (await trusts.refusedStarts({ projectId, taskId, runner })).length > 0,
    },
  })
}

type ClaimNeeds = Pick<Services, 'projects' | 'tasks' | 'trusts' | 'starts' | 'leases'> & { checks: StartChecks }

function claimsOf({ db, kernel }: Over, needs: ClaimNeeds, later: Later): Claims {
  const { events, clock, ids } = kernel
  const { projects, tasks, trusts, starts, checks, leases } = needs
  const isRefused = async (projectId: ProjectId, taskId: TaskId) =>
    (await trusts.refusedStarts({ projectId, taskId, runner: kernel.runner })).length > 0
  const isBehind = async (task: Task) => (await missingOnBase(later(), kernel.contained, task)).length > 0
  return new Claims({
    db,
    events,
    clock,
    ids,
    projects: {
      find: id => projects.find(id),
      isAssigned: (projectId, agentId) => projects.isAssigned(projectId, agentId),
      startFor: (projectId, agentId) =>
        startFor({ projects, tasks, workspaces: later().workspaces, isRefused, isBehind }, projectId, agentId),
      listWithWork: () => tasks.listPairs(['in_progress']),
    },
    starts,
    checks,
    leases,
    bases: {
      async look(projectId, agentId) {
        for (const task of await tasks.listWork(projectId, agentId, ['in_progress'], LOOKED_AT))
          await lookAtBase(later(), kernel, task)
      },
    },
    trust: {
      refusal: directory => trusts.refusal(directory),
      async lookAgain(projectId, by) {
        const project = await projects.find(projectId)
        if (project?.directory) await trusts.lookAgain({ id: project.id, directory: project.directory }, by)
      },
    },
  })
}
