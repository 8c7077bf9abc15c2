import type { Runs } from '#domains/crews/ports.ts'
import type { CrewRuns } from '#domains/runs/crew-runs.ts'

/** The runs as crews see them. */
export function crewMembers(runs: CrewRuns): Runs {
  return {
    newId: () => runs.newId(),
    create: async (fresh, by) => void (await runs.create(fresh, by)),
    makeDue: ids => runs.makeDue(ids),
    cancelQueued: (ids, reason, by) => runs.endQueued(ids, { outcome: 'cancelled', reason }, by),
    failQueued: (ids, problem, by) => runs.endQueued(ids, { outcome: 'failed', reason: 'start-failed', problem }, by),
    members: (crewId, plan) => runs.listPlan(crewId, plan),
    ids: crewId => runs.ids(crewId),
    states: async ids => (await runs.known(ids)).map(run => runs.state(run)),
    countOpen: crewId => runs.countOpen(crewId),
    stop: async (id, by) => void (await runs.askStop(id, 'stopped', by)),
  }
}
