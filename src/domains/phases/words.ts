import type { Lang } from '#contract/errors.ts'
import type { Phase } from '#contract/phases.ts'
import type { Transition } from './model.ts'

/** What a person reads about the end of a phase: its outcome unless it is completed, what is missing, and what the agent said. */
export function endText({ result, missing }: Transition, lang: Lang): string | null {
  const lines = [
    ...(result.status === 'completed' ? [] : [ENDS[result.status][lang]]),
    ...(missing.length > 0 ? [`${MISSING[lang]} ${missing.join(', ')}`] : []),
    ...(result.summary === undefined ? [] : [result.summary]),
  ]
  return lines.length === 0 ? null : lines.join('\n')
}

const ENDS = {
  partial: { en: 'It is only partly done.', ja: '一部のみ完了しています。' },
  failed: { en: 'It failed; the next phase has not begun.', ja: '失敗しました。次のフェーズには進んでいません。' },
}
const MISSING = { en: 'Required files are missing:', ja: '必要なファイルがありません:' }

/** `Phase 0` */
export function phaseTitle(phase: Phase, lang: Lang): string {
  const number = phase.slice('phase'.length)
  return lang === 'ja' ? `フェーズ ${number}` : `Phase ${number}`
}

export function transitionMessage(transition: Transition, lang: Lang): string {
  const { phase, nextPhase, result, missing } = transition
  const title = phaseTitle(phase, lang)
  const next = nextPhase && phaseTitle(nextPhase, lang)
  const absent = missing.join(', ')
  if (lang === 'ja')
    return [
      result.status === 'failed'
        ? `${title} は失敗として記録しました。次のフェーズには進みません。原因を解消したら inject_phase_prompt を phase "${phase}" で呼ぶと再開できます。`
        : `${title} を${result.status === 'partial' ? '一部完了として' : ''}終了しました。`,
      ...(missing.length > 0 ? [`必要なファイルがまだありません: ${absent}。`] : []),
      ...(nextPhase
        ? [
            `${next} を開始しました。続けて inject_phase_prompt を phase "${nextPhase}" で呼び、その指示に従ってください。`,
          ]
        : []),
      ...(result.status !== 'failed' && !nextPhase
        ? ['これですべてのフェーズが終わりました。次の周回は `toryo phase restart` で始められます。']
        : []),
    ].join('')
  return [
    result.status === 'failed'
      ? `${title} is recorded as failed and does not lead on. When the cause is gone, call inject_phase_prompt with phase "${phase}" to start it again.`
      : `${title} ${result.status === 'partial' ? 'ended as partial' : 'completed'}.`,
    ...(missing.length > 0 ? [`Required files are still missing: ${absent}.`] : []),
    ...(nextPhase
      ? [`${next} has begun: call inject_phase_prompt with phase "${nextPhase}" now and follow what it says.`]
      : []),
    ...(result.status !== 'failed' && !nextPhase
      ? [
          'That was the last phase: all phases are finished. A person can begin another round with `toryo phase restart`.',
        ]
      : []),
  ].join(' ')
}

export function savedMessage(phase: Phase, checkpoint: string, lang: Lang): string {
  const title = phaseTitle(phase, lang)
  return lang === 'ja'
    ? `${title} の途中経過をチェックポイント ${checkpoint} として保存しました。`
    : `${title}: progress saved as checkpoint ${checkpoint}.`
}
