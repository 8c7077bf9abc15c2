import type { Text } from '#contract/errors.ts'

export const worktreeTexts = {
  worktree: { en: 'WORKTREE', ja: 'ワークツリー' },
  branch: { en: 'BRANCH', ja: 'ブランチ' },
  path: { en: 'PATH', ja: 'パス' },
  setup: { en: 'SETUP', ja: 'セットアップ' },
  preparing: (worktree: string) => ({
    en: `Preparing ${worktree} …`,
    ja: `${worktree} を準備しています…`,
  }),
  removing: { en: 'Looking for unsaved work, then moving it …', ja: '保存されていない作業を確認し、移しています…' },
  restoring: { en: 'Bringing it back …', ja: '元に戻しています…' },
  until: { en: 'DELETED', ja: '削除' },
  none: { en: 'There are no worktrees.', ja: 'ワークツリーはありません。' },
  trashEmpty: { en: 'The trash is empty.', ja: 'ごみ箱は空です。' },
  removed: (what: string, id: string, when: string) => ({
    en: `${what} is in the trash until ${when}; \`toryo tab restore ${id}\` brings it back.`,
    ja: `${what} をごみ箱に移しました。${when} までは \`toryo tab restore ${id}\` で戻せます。`,
  }),
  gone: (what: string) => ({
    en: `${what} was gone already; it is forgotten.`,
    ja: `${what} のフォルダーはすでにありませんでした。記録を消しました。`,
  }),
  restored: (what: string, path: string) => ({
    en: `${what} is back in ${path}.`,
    ja: `${what} を ${path} に戻しました。`,
  }),
  detached: {
    en: 'Its branch is in use elsewhere, so it stands on its commit alone.',
    ja: 'ブランチは別の場所で使用中のため、コミットを直接チェックアウトしています。',
  },
  several: (name: string, ids: string) => ({
    en: `Several worktrees have the branch ${name}; name one of ${ids}.`,
    ja: `ブランチ ${name} のワークツリーが複数あります。${ids} のどれかを指定してください。`,
  }),
  unknown: (name: string, list: string) => ({
    en: `There is no worktree ${name} here; \`${list}\` lists them.`,
    ja: `ワークツリー ${name} はありません。\`${list}\` で一覧を確認できます。`,
  }),
  prepared: (what: string) => ({ en: `${what} is prepared.`, ja: `${what} の準備ができました。` }),
  failed: (what: string, error: string, log: string) => ({
    en: `The setup of ${what} failed: ${error}. Its output is in ${log}.`,
    ja: `${what} のセットアップに失敗しました: ${error}。出力は ${log} にあります。`,
  }),
  noSetup: {
    en: 'No command prepares new worktrees of this project.',
    ja: 'このプロジェクトにはセットアップコマンドがありません。',
  },
  runs: (command: string) => ({ en: `New worktrees run: ${command}`, ja: `新しいワークツリーで実行: ${command}` }),
  untrusted: (command: string, project: string) => ({
    en: `.toryo/config.json names a command that is not allowed yet: ${command}\nLook at it, then allow it with \`toryo project setup ${project} --trust\`.`,
    ja: `.toryo/config.json のコマンドはまだ許可されていません: ${command}\n内容を確認し、\`toryo project setup ${project} --trust\` で許可してください。`,
  }),
} satisfies Record<string, Text | ((...args: never[]) => Text)>
