import type { Text } from '#contract/errors.ts'

export const tabTexts = {
  none: {
    en: 'No tab is open. Start one with `toryo tab launch <engine> <branch>`.',
    ja: '稼働中のタブはありません。`toryo tab launch <エンジン> <ブランチ>` で起動できます。',
  },
  endedAtOnce: (engine: string, branch: string, how: Text) => ({
    en: `${engine} on ${branch} ended at once (${how.en}).`,
    ja: `${branch} の ${engine} は起動直後に終了しました (${how.ja})。`,
  }),
  unchanged: { en: 'Nothing has changed since its base.', ja: '基点からの変更はありません。' },
  sentToAll: (count: number) => ({
    en: `Stored for ${count} tab(s).`,
    ja: `${count} 個のタブ宛てに保存しました。`,
  }),
  attached: (tab: string, key: string) => ({
    en: `Attached to ${tab}. ${key} detaches; the program goes on.`,
    ja: `${tab} に接続しました。${key} で切り離します (プログラムは動き続けます)。`,
  }),
  watching: (tab: string, key: string) => ({
    en: `Watching ${tab}; what you type is not sent. ${key} detaches.`,
    ja: `${tab} を閲覧しています。入力は送られません。${key} で切り離します。`,
  }),
  exitCode: (code: number) => ({ en: `exit code ${code}`, ja: `終了コード ${code}` }),
  exitSignal: (signal: string) => ({ en: `signal ${signal}`, ja: `シグナル ${signal}` }),
  exitUnknown: { en: 'for an unknown reason', ja: '原因は不明' },
  reconnecting: {
    en: 'The hub is gone; looking for it …',
    ja: 'ハブとの接続が切れました。再接続しています…',
  },
} satisfies Record<string, Text | ((...values: never[]) => Text)>
