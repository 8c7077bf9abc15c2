import type { Caller } from '#contract/caller.ts'
import type { ProjectId } from '#contract/id-types.ts'
import { type Phase, PhaseError, PhaseStarted } from '#contract/phases.ts'
import type { Clock } from '#kernel/clock.ts'
import type { Tx } from '#kernel/db/db.ts'
import type { EventLog } from '#kernel/events.ts'
import { type PhaseState, started } from './model.ts'
import type { ProjectFacts, Projects } from './ports.ts'
import { PhaseStore } from './store.ts'
import type { Whereabouts } from './whereabouts.ts'

export type Start = {
  projectId: ProjectId
  phase: Phase
  /** Up to where it knows prompts. */
  upto: number | null
  /** What it was before, for one that begins again. */
  previous?: PhaseState | undefined
  reason?: string | null
}

/** Puts a phase in progress. */
export async function startPhase(
  { events, clock }: { events: EventLog; clock: Clock },
  tx: Tx,
  { projectId, phase, upto, previous, reason }: Start,
  by: Caller,
): Promise<void> {
  const store = new PhaseStore(tx)
  const state = started(projectId, phase, upto, clock.now(), previous, reason)
  if (!previous) await store.insert(state)
  else if (!(await store.replace(previous, state)))
    throw PhaseError.INVALID_PHASE_TRANSITION({ phase, status: previous.status, current: null })
  await events.publish(tx, PhaseStarted, { projectId, phase, again: previous !== undefined }, by, projectId)
}

export function findProject(projects: Projects, where: Whereabouts, by: Caller): Promise<ProjectFacts | undefined> {
  return 'projectId' in where ? projects.enter(where.projectId, by) : projects.findAt(where.place, by)
}
