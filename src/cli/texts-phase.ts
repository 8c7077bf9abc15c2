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
  edited: (phase: string, version: number) => ({
    en: `The prompt of ${phase} is now at version ${version}.`,
    ja: `${phase} のプロンプトは版 ${version} になりました。`,
  }),
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
} satisfies Record<string, Text | ((...args: never[]) => Text)>
