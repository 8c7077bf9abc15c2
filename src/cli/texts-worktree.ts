import type { Text } from '#contract/errors.ts'

export const worktreeTexts = {
  branch: { en: 'BRANCH', ja: 'ブランチ' },
  path: { en: 'PATH', ja: 'パス' },
  setup: { en: 'SETUP', ja: 'セットアップ' },
  several: (name: string, ids: string) => ({
    en: `Several worktrees have the branch ${name}; name one of ${ids}.`,
    ja: `ブランチ ${name} のワークツリーが複数あります。${ids} のどれかを指定してください。`,
  }),
  unknown: (name: string, list: string) => ({
    en: `Worktree ${name} not found here. Use \`${list}\` to list them.`,
    ja: `ワークツリー ${name} はありません。\`${list}\` で一覧を確認できます。`,
  }),
  noSetup: {
    en: 'No command prepares new worktrees of this project.',
    ja: 'このプロジェクトにはセットアップコマンドがありません。',
  },
} satisfies Record<string, Text | ((...args: never[]) => Text)>
