// What the CLI says of Runners and paused engines.
import type { Text } from '#contract/errors.ts'

export const runnerTexts = {
  onlyElsewhere: {
    en: '`toryo up` brings a Runner for this machine along. For a hub elsewhere give --url and --token-file.',
    ja: 'この機械のランナーは `toryo up` に含まれています。別の場所のハブには --url と --token-file を指定してください。',
  },
  connecting: (url: string) => ({
    en: `Starting agents for ${url}; Ctrl-C stops.`,
    ja: `${url} のエージェントを動かします。Ctrl-C で終了します。`,
  }),
  refused: {
    en: 'The hub refuses this token; `toryo runner token <name>` there makes a new one.',
    ja: 'ハブがこのトークンを拒否しました。ハブで `toryo runner token <名前>` を実行すると新しく作れます。',
  },
  added: (name: string) => ({ en: `Added the Runner ${name}.`, ja: `ランナー ${name} を追加しました。` }),
  token: { en: 'token', ja: 'トークン' },
  tokenOnce: {
    en: 'Keep the token now, in a file that only its user can read: it is not shown again.',
    ja: 'トークンは今、本人だけが読めるファイルに保存してください。二度と表示されません。',
  },
  revoked: (name: string) => ({ en: `${name} is refused from now on.`, ja: `${name} は今後拒否されます。` }),
  none: {
    en: 'No Runner was heard of yet. `toryo up` brings one along.',
    ja: 'ランナーはまだありません。`toryo up` に含まれています。',
  },
  modes: { en: 'MODES', ja: '動作' },
  until: { en: 'UNTIL', ja: '期限' },
  seen: { en: 'SEEN', ja: '最終応答' },
  never: { en: 'never', ja: 'なし' },
  engines: { en: 'ENGINES', ja: 'エンジン' },
  agentsRunning: { en: 'AGENTS', ja: '稼働数' },
  runners: { en: 'runners', ja: 'ランナー' },
  instances: { en: 'agents at work', ja: '稼働中の担当' },
  paused: { en: 'paused', ja: '休止中' },
  pausedUntil: (engine: string, until: string, reason: string) => ({
    en: `${engine} until ${until}: ${reason}`,
    ja: `${engine} (${until} まで): ${reason}`,
  }),
  resumed: (engine: string) => ({ en: `${engine} is used again.`, ja: `${engine} を再開しました。` }),
  notPaused: (engine: string) => ({ en: `${engine} was not paused.`, ja: `${engine} は休止していません。` }),
} satisfies Record<string, Text | ((...values: never[]) => Text)>
