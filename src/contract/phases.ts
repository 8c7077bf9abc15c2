import { PHASE_STATUS_JA } from './state-words.ts'
import { z } from 'zod'
import { error, errors } from './errors.ts'
import { eventType } from './events.ts'
import { ProjectId } from './id-types.ts'

export const PHASES = ['phase0', 'phase1', 'phase2', 'phase3', 'phase4'] as const
export type Phase = (typeof PHASES)[number]

const PHASE_STATUSES = ['pending', 'in_progress', 'completed', 'failed'] as const
export const PhaseStatus = z.enum(PHASE_STATUSES)
export type PhaseStatus = z.infer<typeof PhaseStatus>

export const OUTCOMES = ['completed', 'partial', 'failed'] as const
export const Outcome = z.enum(OUTCOMES)
export type Outcome = z.infer<typeof Outcome>

/** What an agent adds beyond these fields is kept. */
export const PhaseResult = z.looseObject({
  status: Outcome.describe('completed and partial start the next phase; failed does not'),
  outputFiles: z
    .array(z.string().max(4096))
    .max(2000)
    .optional()
    .describe('Files you made, relative to the project (default: none)'),
  summary: z.string().max(100_000).optional().describe('What the next phase must know (default: none)'),
})
export type PhaseResult = z.infer<typeof PhaseResult>

/** Why a source of prompts gave none, in words that say nothing about where it is. */
export type SourceFault =
  | 'unreachable'
  | 'timeout'
  | 'too_large'
  | 'redirected'
  | 'refused'
  | 'broken'
  | 'misconfigured'
  | 'unproven'

const FAULTS: Record<SourceFault, { en: string; ja: string }> = {
  unreachable: { en: 'it cannot be reached', ja: '接続できません' },
  timeout: { en: 'it did not answer in time', ja: '時間内に応答がありません' },
  too_large: { en: 'its answer is too large', ja: '応答が大きすぎます' },
  redirected: { en: 'it leads elsewhere', ja: '別の場所へ転送されました' },
  refused: { en: 'it refused the request', ja: '要求が拒否されました' },
  broken: { en: 'its answer is not a valid prompt', ja: '応答が正しいプロンプトではありません' },
  misconfigured: { en: 'its address or token is not usable', ja: '設定されたアドレスかトークンが使えません' },
  unproven: {
    en: 'it did not prove that it is the hub which the token belongs to',
    ja: '設定されたトークンを発行したハブであることを確認できません',
  },
}

export const PhaseError = errors({
  PHASE_NOT_FOUND: error('not-found', (p: { phase: string }) => ({
    en: `Phase "${p.phase}" not found. Use one of ${PHASES.join(', ')}.`,
    ja: `フェーズ "${p.phase}" はありません。使えるのは ${PHASES.join('、')} です。`,
  })),
  PROMPT_NOT_FOUND: error('not-found', (p: { phase: string; version?: number }) => ({
    en: `Prompt for ${p.phase}${p.version === undefined ? '' : ` with version ${p.version}`} not found. Use \`toryo phase prompt list\` to list them.`,
    ja: `${p.phase} のプロンプト${p.version === undefined ? '' : `（版 ${p.version}）`}はありません。\`toryo phase prompt list\` で一覧を確認できます。`,
  })),
  PROMPT_CHANGED: error('conflict', (p: { phase: string; version: number }) => ({
    en: `The prompt of ${p.phase} has changed meanwhile (it is at version ${p.version}); look at it and edit again.`,
    ja: `${p.phase} のプロンプトはその間に変更されました（現在の版は ${p.version}）。内容を確認して編集し直してください。`,
  })),
  INVALID_PHASE_TRANSITION: error(
    'conflict',
    (p: { phase: string; status: PhaseStatus; current: string | null; missing?: string[] }) =>
      p.missing
        ? {
            en: `${p.phase} cannot be completed while required files are missing: ${p.missing.join(', ')}. Make them, or report the result as partial.`,
            ja: `必要なファイルがないため ${p.phase} を完了できません: ${p.missing.join('、')}。作成するか、結果を \`partial\` として報告してください。`,
          }
        : {
            en: `${p.phase} is ${p.status}, not in progress. ${nextStep(p).en}`,
            ja: `${p.phase} は進行中ではありません（${PHASE_STATUS_JA[p.status]}）。${nextStep(p).ja}`,
          },
  ),
  PHASE_NOT_FAILED: error('conflict', (p: { phase: string; status: PhaseStatus }) => ({
    en: `${p.phase} is ${p.status}; only a failed phase can be started again.`,
    ja: `${p.phase} の状態は「${PHASE_STATUS_JA[p.status]}」です。再開できるのは失敗したフェーズだけです。`,
  })),
  PHASE_NOT_COMPLETED: error('conflict', (p: { phase: string; status: PhaseStatus }) => ({
    en: `${p.phase} is ${p.status}; only a completed phase can be gone back to.${p.status === 'failed' ? ' `toryo phase retry` starts a failed one again.' : ''}`,
    ja: `${p.phase} の状態は「${PHASE_STATUS_JA[p.status]}」です。戻れるのは完了したフェーズだけです。${p.status === 'failed' ? '失敗したフェーズは `toryo phase retry` で再開できます。' : ''}`,
  })),
  PHASES_NOT_FINISHED: error('conflict', (p: { current: string | null }) => ({
    en: `Not all phases are completed${p.current === null ? '' : ` (${p.current} is in progress)`}; another round begins after the last one.`,
    ja: `まだすべてのフェーズが完了していません${p.current === null ? '' : `（進行中: ${p.current}）`}。次の周回は最後のフェーズの完了後に始められます。`,
  })),
  CLOUD_API_ERROR: error('unavailable', (p: { phase: string; fault: SourceFault }) => ({
    en: `The source of prompts gave none for ${p.phase}: ${FAULTS[p.fault].en}. Try again later, or ask the operator to check it.`,
    ja: `プロンプトの提供元から ${p.phase} を取得できません（${FAULTS[p.fault].ja}）。しばらくして再試行するか、運用者に確認を依頼してください。`,
  })),
})

function nextStep({ phase, status, current }: { phase: string; status: PhaseStatus; current: string | null }) {
  if (current !== null) return { en: `${current} is the one in progress.`, ja: `進行中なのは ${current} です。` }
  if (status === 'failed')
    return {
      en: `Call inject_phase_prompt with ${phase} to start it again.`,
      ja: `inject_phase_prompt を ${phase} で呼ぶと再開できます。`,
    }
  if (status === 'pending')
    return {
      en: 'Call inject_phase_prompt with phase0 to begin, and finish the phases in order.',
      ja: 'inject_phase_prompt を phase0 で呼んで開始し、順に完了してください。',
    }
  return { en: 'No phase is in progress.', ja: '進行中のフェーズはありません。' }
}

const phase = z.object({ projectId: ProjectId, phase: z.string() })
export const PhaseStarted = eventType('phase.started', phase.extend({ again: z.boolean() }))
export const PhaseEnded = eventType(
  'phase.ended',
  phase.extend({ outcome: Outcome, next: z.string().nullable(), missing: z.array(z.string()) }),
)
export const PhaseTurned = eventType(
  'phase.turned',
  phase.extend({ kind: z.enum(['back', 'round']), round: z.int(), reason: z.string().nullable() }),
)
export const PromptAdopted = eventType('phase.prompt_adopted', phase)
export const CheckpointSaved = eventType('phase.checkpoint_saved', phase.extend({ checkpoint: z.string() }))
export const PromptEdited = eventType(
  'prompt.edited',
  z.object({ phase: z.string(), language: z.string(), version: z.int(), sha256: z.string() }),
)
