import type { Text } from '#contract/errors.ts'

export const phaseTexts = {
  phase: { en: 'PHASE', ja: 'フェーズ' },
  summary: { en: 'SUMMARY', ja: '要約' },
  version: { en: 'VERSION', ja: '版' },
  author: { en: 'AUTHOR', ja: '作成者' },
  shipped: { en: 'with Toryo', ja: 'Toryo 同梱' },
  notBegun: {
    en: 'No phase has begun; an agent starts phase0 with inject_phase_prompt.',
    ja: 'まだ始まっていません。エージェントが inject_phase_prompt を呼ぶと phase0 が始まります。',
  },
  noEditor: {
    en: 'No editor can open here; give the prompt with --content <text | @file | ->.',
    ja: 'ここではエディターを開けません。--content <文章 | @ファイル | -> で指定してください。',
  },
  editorFailed: (editor: string) => ({
    en: `The editor (${editor}) ended with an error; nothing was changed.`,
    ja: `エディター (${editor}) がエラーで終了しました。何も変更していません。`,
  }),
} satisfies Record<string, Text | Record<string, Text> | ((...args: never[]) => Text)>
