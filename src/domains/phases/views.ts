import { z } from 'zod'
import type { PhasePromptView, PhaseStepView, PhaseView } from '#contract/views.ts'
import { type Phase, PhaseResult, PHASES, PhaseStatus } from '#contract/phases.ts'
import { iso } from '#kernel/clock.ts'
import {
  type Checkpoint,
  type NewPrompt,
  type PhaseState,
  type Prompt,
  projectOf,
  type Transition,
  type Turn,
} from './model.ts'
import type { Overview, PhaseFacts } from './service.ts'

export const CheckpointView = z.object({
  checkpoint: z.string(),
  data: z.record(z.string(), z.unknown()),
  savedAt: z.string(),
})

export const ContextView = z.object({
  phase: z.string(),
  status: PhaseStatus,
  startedAt: z.string().nullable(),
  completedAt: z.string().nullable(),
  result: PhaseResult.nullable(),
  outputFiles: z.array(z.string()),
  project_id: z.string().nullable(),
  checkpoints: z.array(CheckpointView),
})

export function checkpointView(checkpoint: Checkpoint): z.infer<typeof CheckpointView> {
  const { name, data, at } = checkpoint
  return { checkpoint: name, data: data as Record<string, unknown>, savedAt: iso(at) }
}

export function contextView(phase: Phase, facts: PhaseFacts): Omit<z.infer<typeof ContextView>, 'checkpoints'> {
  const { state } = facts
  return {
    phase,
    ...timesOf(state),
    result: state?.result ?? null,
    outputFiles: facts.outputFiles,
    project_id: facts.projectId,
  }
}

function timesOf(state: PhaseState | undefined) {
  return {
    status: state?.status ?? ('pending' as const),
    startedAt: state ? iso(state.startedAt) : null,
    completedAt: state && state.completedAt !== null ? iso(state.completedAt) : null,
  }
}

export function overviewView({ states, checkpoints }: Overview): PhaseView[] {
  return PHASES.map(phase => phaseView(phase, states, checkpoints))
}

export function phaseView(phase: Phase, states: readonly PhaseState[], checkpoints: Map<string, number>): PhaseView {
  const state = states.find(known => known.phase === phase)
  const { status, startedAt, completedAt } = timesOf(state)
  return {
    phase,
    status,
    started_at: startedAt,
    completed_at: completedAt,
    outcome: state?.result?.status ?? null,
    summary: state?.result?.summary ?? null,
    checkpoints: checkpoints.get(phase) ?? 0,
    reason: state?.reason ?? null,
  }
}

export function stepView(step: Transition | Turn): PhaseStepView {
  const { phase, round, caller } = step
  const common = { phase, round, caller, at: iso(step.at) }
  if ('kind' in step)
    return { ...common, kind: step.kind, outcome: null, next_phase: null, summary: null, reason: step.reason }
  const { status, summary = null } = step.result
  return { ...common, kind: 'ended', outcome: status, next_phase: step.nextPhase, summary, reason: null }
}

export function promptView(prompt: Prompt | NewPrompt): PhasePromptView {
  return {
    phase: prompt.phase,
    language: prompt.language,
    version: prompt.version,
    sha256: prompt.sha256,
    author: prompt.author,
    title: /^#\s+(.+)$/m.exec(prompt.content)?.[1]?.trim() ?? '',
    bytes: Buffer.byteLength(prompt.content),
    // One that was never used or edited is not stored.
    created_at: 'number' in prompt ? iso(prompt.at) : null,
    project_id: projectOf(prompt.source),
  }
}
