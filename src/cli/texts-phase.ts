import type { Text } from '#contract/errors.ts'

export const phaseTexts = {
  phase: { en: 'PHASE', ja: 'フェーズ' },
  outcome: { en: 'OUTCOME', ja: '結果' },
  started: { en: 'STARTED', ja: '開始' },
  ended: { en: 'ENDED', ja: '終了' },
  checkpoints: { en: 'CHECKPOINTS', ja: 'チェックポイント' },
  summary: { en: 'SUMMARY', ja: '要約' },
  version: { en: 'VERSION', ja: '版' },
  author: { en: 'AUTHOR', ja: '作成者' },
  digest: { en: 'SHA-256', ja: 'SHA-256' },
  shipped: { en: 'with Toryo', ja: 'Toryo 同梱' },
  nothingHere: {
    en: 'No project works in this folder yet. An agent that calls inject_phase_prompt here makes one and starts phase0.',
    ja: 'このフォルダーのプロジェクトはまだありません。ここでエージェントが inject_phase_prompt を呼ぶと作成され、phase0 が始まります。',
  },
  notBegun: {
    en: 'No phase has begun; an agent starts phase0 with inject_phase_prompt.',
    ja: 'まだ始まっていません。エージェントが inject_phase_prompt を呼ぶと phase0 が始まります。',
  },
  remote: {
    en: 'Prompts come from the source in the configuration at present; these serve when there is none.',
    ja: '現在は設定された提供元のプロンプトが使われます。以下は提供元がないときに使われます。',
  },
  retried: (phase: string) => ({ en: `${phase} is in progress again.`, ja: `${phase} を再開しました。` }),
  edited: (phase: string, version: number, project: string | null) => ({
    en: `The prompt of ${phase}${project === null ? '' : ` for ${project}`} is now at version ${version}.`,
    ja: `${project === null ? '' : `${project} の `}${phase} のプロンプトは版 ${version} になりました。`,
  }),
  keptBy: (projects: string) => ({
    en: `In progress, and going on with the prompt they began with: ${projects}. \`toryo phase refresh <project>\` adopts the new one.`,
    ja: `進行中のため、開始時のプロンプトのまま続くプロジェクト: ${projects}。\`toryo phase refresh <プロジェクト>\` で切り替えられます。`,
  }),
  adopted: (phase: string, language: string, version: number, before: number | null) => ({
    en: `${phase} goes on with version ${version} of its prompt (${language}${before === null ? '' : `; it had ${before}`}).`,
    ja: `${phase} のプロンプト (${language}) を版 ${version} に切り替えました${before === null ? '' : `（これまでは版 ${before}）`}。`,
  }),
  nothingToAdopt: (phase: string) => ({
    en: `${phase} has the newest prompt already.`,
    ja: `${phase} のプロンプトは既に最新です。`,
  }),
  wentBack: (phase: string, left: string) => ({
    en: `${phase} is in progress again${left === '' ? '' : `; ${left} will follow once more`}.`,
    ja: `${phase} に戻りました。${left === '' ? '' : `${left} はあらためて行います。`}`,
  }),
  restarted: (round: number, phase: string) => ({
    en: `Round ${round} has begun; ${phase} is in progress.`,
    ja: `${round} 周目を開始しました。${phase} が進行中です。`,
  }),
  reset: (project: string, phase: string, version: number) => ({
    en: `${project} has the hub's prompt of ${phase} again (version ${version}).`,
    ja: `${project} の ${phase} はハブのプロンプト (版 ${version}) に戻りました。`,
  }),
  inRound: (round: number) => ({ en: `round ${round}`, ja: `${round} 周目` }),
  round: { en: 'ROUND', ja: '周回' },
  step: { en: 'STEP', ja: 'できごと' },
  of: { en: 'OF', ja: '適用範囲' },
  theHub: { en: 'the hub', ja: 'ハブ' },
  givenUp: { en: "(the hub's again)", ja: '(ハブのものに戻した)' },
  unchanged: (phase: string) => ({
    en: `The prompt of ${phase} is as it was.`,
    ja: `${phase} のプロンプトに変更はありません。`,
  }),
  noEditor: {
    en: 'No editor can open here; give the prompt with --content <text | @file | ->.',
    ja: 'ここではエディターを開けません。--content <文章 | @ファイル | -> で指定してください。',
  },
  editorFailed: (editor: string) => ({
    en: `The editor (${editor}) ended with an error; nothing was changed.`,
    ja: `エディター (${editor}) がエラーで終了しました。何も変更していません。`,
  }),
  steps: {
    ended: { en: 'ended', ja: '終了' },
    back: { en: 'sent back', ja: '差し戻し' },
    round: { en: 'another round', ja: '次の周回' },
  },
} satisfies Record<string, Text | Record<string, Text> | ((...args: never[]) => Text)>
