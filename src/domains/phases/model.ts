// The rules of phases: which one comes next, when one starts, what a result makes of it. No I/O, no clock.
import { createHash } from 'node:crypto'
import type { Lang } from '#contract/errors.ts'
import type { ProjectId } from '#contract/id-types.ts'
import { type Outcome, PHASES, type Phase, PhaseError, type PhaseResult, type PhaseStatus } from '#contract/phases.ts'

const PROJECT = 'project:'

/** The shelf of the prompts that one project has for itself. */
export function projectSource(projectId: ProjectId): string {
  return `${PROJECT}${projectId}`
}

export function projectOf(source: string): ProjectId | null {
  return source.startsWith(PROJECT) ? (source.slice(PROJECT.length) as ProjectId) : null
}

/** One text of one phase in one language. Never changed: an edit is a new one. */
export type Prompt = {
  /** The order in which the hub came to know it. */
  number: number
  /** Empty for the hub's own, `project:…` for a project's own; else a digest of the source's address. */
  source: string
  phase: Phase
  language: Lang
  version: number
  sha256: string
  /** Empty: from here on the project has none of its own. */
  content: string
  author: string
  at: number
}

export type NewPrompt = Omit<Prompt, 'number'>

/** A phase that was started; one that was not has none. */
export type PhaseState = {
  projectId: ProjectId
  phase: Phase
  status: Exclude<PhaseStatus, 'pending'>
  startedAt: number
  completedAt: number | null
  result: PhaseResult | null
  /** The phase keeps the newest prompt up to this number; null: the first one it is given. */
  promptsUpto: number | null
  /** Grows with every change; compared when the next one is written. */
  revision: number
  /** Why it was begun again, where a person said so. */
  reason: string | null
}

export type Transition = {
  projectId: ProjectId
  phase: Phase
  /** Digest of what was asked for. */
  request: string
  result: PhaseResult
  nextPhase: Phase | null
  missing: string[]
  caller: string
  at: number
  round: number
}

/** A project went back to a phase that it had completed, or began another round. */
export type Turn = {
  projectId: ProjectId
  kind: 'back' | 'round'
  /** The phase that began with it. */
  phase: Phase
  /** The one that it happened in, or that began with it. */
  round: number
  reason: string | null
  /** As they were: nothing that was done is forgotten. */
  states: readonly PhaseState[]
  caller: string
  at: number
}

export type Checkpoint = { number: number; name: string; data: unknown; caller: string; at: number }

export function phaseNamed(name: string): Phase {
  const phase = PHASES.find(known => known === name)
  if (!phase) throw PhaseError.PHASE_NOT_FOUND({ phase: name })
  return phase
}

export function nextOf(phase: Phase): Phase | null {
  return PHASES[PHASES.indexOf(phase) + 1] ?? null
}

export function before(phase: Phase): readonly Phase[] {
  return PHASES.slice(0, PHASES.indexOf(phase))
}

export function after(phase: Phase): readonly Phase[] {
  return PHASES.slice(PHASES.indexOf(phase) + 1)
}

export function isFinished(states: readonly PhaseState[]): boolean {
  return states.some(state => nextOf(state.phase) === null && state.status === 'completed')
}

export function currentOf(states: readonly PhaseState[]): Phase | null {
  return states.find(state => state.status === 'in_progress')?.phase ?? null
}

/** Asking for its prompt starts the first phase, and a failed one again; any other stays as it is. */
export function startsWhenAsked(phase: Phase, state: PhaseState | undefined): boolean {
  return state ? state.status === 'failed' : phase === PHASES[0]
}

export function started(
  projectId: ProjectId,
  phase: Phase,
  promptsUpto: number | null,
  now: number,
  previous?: PhaseState,
  reason: string | null = previous?.reason ?? null,
): PhaseState {
  return {
    projectId,
    phase,
    status: 'in_progress',
    startedAt: now,
    completedAt: null,
    result: null,
    promptsUpto,
    revision: (previous?.revision ?? 0) + 1,
    reason,
  }
}

/** From now on the phase goes on with what was known up to there. */
export function keeping(state: PhaseState, promptsUpto: number): PhaseState {
  return { ...state, promptsUpto, revision: state.revision + 1 }
}

export function ended(state: PhaseState, result: PhaseResult, now: number): PhaseState {
  const failed = result.status === 'failed'
  return {
    ...state,
    status: failed ? 'failed' : 'completed',
    completedAt: failed ? null : now,
    result,
    revision: state.revision + 1,
  }
}

/** Files must be there for what is called completed; what is called partial only says that they are not. */
export function refusesMissing(outcome: Outcome, missing: readonly string[]): boolean {
  return outcome === 'completed' && missing.length > 0
}

/** The same result, reported again, has the same digest, in whatever order its fields came. */
export function requestDigest(result: PhaseResult): string {
  return sha256(JSON.stringify(sorted(result)))
}

function sorted(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(sorted)
  if (node === null || typeof node !== 'object') return node
  return Object.entries(node)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, value]) => [key, sorted(value)])
}

export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
