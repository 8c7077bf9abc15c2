// What a Runner shows to the person who watches it.
import type { Text } from '#contract/errors.ts'
import { showHidden } from '#contract/hidden-text.ts'
import { endSentence } from '#contract/run-end-text.ts'
import type { RunEnd } from '#contract/run-end.ts'

type Report = 'success' | 'failed' | 'blocked'

export type Notice =
  | { kind: 'started'; agent: string; project: string; engine: string }
  /** `report` is what the agent said itself; null: nothing. */
  | { kind: 'ended'; agent: string; project: string; report: Report | null; end: RunEnd }
  | { kind: 'not-trusted'; agent: string; project: string; message: string }
  /** No Runner that is there can take the start. */
  | { kind: 'waits'; agent: string; project: string; problem: Text }
  /** `why` where a person can do something about it. */
  | { kind: 'away'; why?: Text }
  | { kind: 'refused'; why: Text }
  /** The hub answers, and can do nothing for us until a person has. */
  | { kind: 'halted'; why: Text }
  | { kind: 'back' }

/** One line. Names and last words come from others: what would steer a terminal is taken out. */
export function noticeText(notice: Notice): Text {
  const { en, ja } = sentence(notice)
  return { en: plain(en), ja: plain(ja) }
}

function sentence(notice: Notice): Text {
  switch (notice.kind) {
    case 'started':
      return {
        en: `▸ ${notice.agent} on ${notice.project} (${notice.engine})`,
        ja: `▸ ${notice.agent} が ${notice.project} で開始 (${notice.engine})`,
      }
    case 'ended':
      return {
        en: `■ ${notice.agent} on ${notice.project}: ${howEnded(notice).en}`,
        ja: `■ ${notice.agent} (${notice.project}): ${howEnded(notice).ja}`,
      }
    case 'not-trusted':
      return {
        en: `! ${notice.agent} on ${notice.project} is not started: ${notice.message}`,
        ja: `! ${notice.agent} (${notice.project}) を開始しません: ${notice.message}`,
      }
    case 'waits':
      return {
        en: `! ${notice.agent} on ${notice.project}: ${notice.problem.en}`,
        ja: `! ${notice.agent} (${notice.project}): ${notice.problem.ja}`,
      }
    case 'away':
      return {
        en: `The hub cannot be reached; trying again. ${notice.why?.en ?? ''}`.trimEnd(),
        ja: `ハブに接続できません。再試行しています。${notice.why?.ja ?? ''}`,
      }
    case 'refused':
      return notice.why
    case 'halted':
      return { en: `! ${notice.why.en}`, ja: `! ${notice.why.ja}` }
    default:
      return { en: 'The hub is back.', ja: 'ハブに再び接続しました。' }
  }
}

const REPORTED: Record<Report, Text> = {
  success: { en: 'done', ja: '完了' },
  failed: { en: 'reported that it failed', ja: '失敗を報告しました' },
  blocked: { en: 'reported that it is blocked', ja: '作業を続けられないと報告しました' },
}

function howEnded({ report, end }: { report: Report | null; end: RunEnd }): Text {
  if (report !== null) return REPORTED[report]
  const why = endSentence(end)
  return { en: `no report: ${why.en}`, ja: `報告なし: ${why.ja}` }
}

function plain(line: string): string {
  const lines = line.split('\n').map(part => part.trim())
  return showHidden(lines.filter(part => part !== '').join(' ⏎ '), () => '·')
}
