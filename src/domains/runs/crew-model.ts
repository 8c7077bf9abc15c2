import type { CrewMode } from '#contract/crews.ts'
import type { CrewId, ProjectId } from '#contract/id-types.ts'
import type { CrewRun } from './model.ts'

export type OnFailure = 'stop' | 'continue'

export type Crew = {
  id: CrewId
  description: string
  mode: CrewMode
  projectId: ProjectId | null
  createdBy: string
  createdAt: number
  deletedAt: number | null
  /** How many plans it was given; the last is the one that may be under way. */
  plans: number
  onFailure: OnFailure
}

/** What a plan needs to know of a run to move on. */
export type Member = Pick<CrewRun, 'id' | 'stage' | 'dueAt' | 'endedAt' | 'outcome'>

export type NextStep =
  | { do: 'wait' }
  | { do: 'start'; stage: number; runs: Member[] }
  | { do: 'cancel'; runs: Member[] }
  | { do: 'finish'; outcome: 'completed' | 'failed' }

/** What follows in a plan. A stage begins when every run of the one before has ended. */
export function nextStep(members: readonly Member[], onFailure: OnFailure): NextStep {
  const current = currentStage(members)
  const running = members.filter(({ stage, endedAt }) => stage === current && endedAt === null)
  if (running.length > 0) return { do: 'wait' }
  const waiting = members.filter(({ endedAt }) => endedAt === null)
  const failed = members.some(({ outcome }) => outcome !== null && outcome !== 'completed')
  if (waiting.length === 0) return { do: 'finish', outcome: failed ? 'failed' : 'completed' }
  const stageFailed = members.some(({ stage, outcome }) => stage === current && outcome !== 'completed')
  if (stageFailed && onFailure === 'stop') return { do: 'cancel', runs: waiting }
  const stage = Math.min(...waiting.map(member => member.stage ?? 0))
  return { do: 'start', stage, runs: waiting.filter(member => member.stage === stage) }
}

/** The last stage that has begun. */
function currentStage(members: readonly Member[]): number {
  return Math.max(0, ...members.filter(({ dueAt }) => dueAt !== null).map(({ stage }) => stage ?? 0))
}

/** Slots that the plan keeps besides those of its running runs, so that none of its later stages lacks one. */
export function spareSlots(members: readonly Member[]): number {
  const current = currentStage(members)
  const running = members.filter(({ stage, endedAt }) => stage === current && endedAt === null).length
  const later = new Map<number, number>()
  for (const { stage, endedAt } of members)
    if (stage !== null && stage > current && endedAt === null) later.set(stage, (later.get(stage) ?? 0) + 1)
  return Math.max(0, Math.max(0, ...later.values()) - running)
}
