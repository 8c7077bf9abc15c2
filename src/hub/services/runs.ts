// Runs of tasks, crews and their runs.
import { CrewRuns } from '#domains/runs/crew-runs.ts'
import { Crews } from '#domains/runs/crews.ts'
import { HubPresence } from '#domains/runs/hub-presence.ts'
import { RunStats } from '#domains/runs/run-stats.ts'
import type { StartedWith } from '#domains/runs/ports.ts'
import type { RunProcesses } from '#domains/runs/processes.ts'
import type { Roles } from '#domains/runs/roles.ts'
import { RunTickets } from '#domains/runs/run-tickets.ts'
import { Specs } from '#domains/runs/specs.ts'
import { TaskRuns } from '#domains/runs/task-runs.ts'
import { Waiting } from '#domains/runs/waiting.ts'
import type { Narrowed } from '../narrowed-by.ts'
import { placesOf } from '../places.ts'
import type { Over, Services } from '../services.ts'

export type RunServices = {
  runs: TaskRuns
  crewRuns: CrewRuns
  hubPresence: HubPresence
  runTickets: RunTickets
  runStats: RunStats
  crews: Crews
  specs: Specs
  roles: Roles
  waiting: Waiting
  processes: Pick<RunProcesses, 'wake' | 'facts'>
}

type Needs = Pick<Services, 'projects' | 'tasks' | 'identity' | 'trusts' | 'pauses'> & {
  startedWith: StartedWith
  narrowed: Narrowed
}
type Later = () => Pick<Services, 'tabs' | 'snapshots'>

export function runServices(over: Over, needs: Needs, later: Later): RunServices {
  const { events, clock, place, roles, processes, patience, descends } = over.kernel
  const { projects, trusts } = needs
  const { crews, crewRuns } = crewsOf(over, needs)
  const places = placesOf(projects, crewRuns, { find: id => later().tabs.find(id) })
  return {
    runs: taskRunsOf(over, needs, later),
    crewRuns,
    hubPresence: new HubPresence({ db: over.db, clock, place, runs: crewRuns }),
    runTickets: new RunTickets({ db: over.db, descends }),
    runStats: new RunStats(over.db),
    crews,
    specs: new Specs({ roles, places, trust: trusts }),
    roles,
    waiting: new Waiting({ runs: crewRuns, events, patience }),
    processes,
  }
}

function taskRunsOf({ db, kernel }: Over, { identity, tasks }: Needs, later: Later): TaskRuns {
  const { events, clock, ids } = kernel
  return new TaskRuns({
    db,
    events,
    clock,
    ids,
    sessions: { session: (token, by) => identity.session(token, by) },
    tasks: { find: id => tasks.find(id) },
    thread: { ended: (task, runId) => later().snapshots.ended(task, runId) },
  })
}

/** A crew has runs, and their ends move its plan on. */
function crewsOf({ db, kernel }: Over, { pauses, startedWith, narrowed }: Needs): { crews: Crews; crewRuns: CrewRuns } {
  const { events, clock, ids, place, limits } = kernel
  const crewRuns: CrewRuns = new CrewRuns({
    db,
    events,
    clock,
    ids,
    place,
    crews: { ended: (run, by) => crews.ended(run, by) },
    pauses,
  })
  const crews: Crews = new Crews({ db, events, clock, runs: crewRuns, limits, narrowed, startedWith })
  return { crews, crewRuns }
}
