import type { Text } from '#contract/errors.ts'

export const tabTexts = {
  tab: { en: 'TAB', ja: 'タブ' },
  queued: { en: 'QUEUED', ja: '未配送' },
  session: { en: 'SESSION', ja: 'セッション' },
  launchedBy: { en: 'LAUNCHED BY', ja: '起動元' },
  end: { en: 'ENDED', ja: '終了' },
  problem: { en: 'PROBLEM', ja: '問題' },
  messages: { en: 'Messages', ja: 'メッセージ' },
  screen: { en: 'Its screen', ja: '現在の画面' },
  permission: { en: 'MAY DO', ja: '権限' },
  lastScreen: { en: 'What it showed last', ja: '最後の画面' },
  message: { en: 'MESSAGE', ja: 'メッセージ' },
  sent: { en: 'SENT', ja: '送信' },
  from: { en: 'FROM', ja: '送信元' },
  none: {
    en: 'There is no live tab; `toryo tab launch <engine> <branch>` starts one.',
    ja: '稼働中のタブはありません。`toryo tab launch <エンジン> <ブランチ>` で起動できます。',
  },
  launching: (branch: string) => ({
    en: `Preparing the worktree of ${branch} and starting …`,
    ja: `${branch} のワークツリーを準備して起動しています…`,
  }),
  stillPreparing: (branch: string) => ({
    en: `Its worktree is still being prepared; \`toryo tab show ${branch}\` tells how it goes on.`,
    ja: `ワークツリーの準備が続いています。\`toryo tab show ${branch}\` で状況を確認できます。`,
  }),
  stoppingTab: { en: 'Waiting for the program to end …', ja: 'プログラムの終了を待っています…' },
  launched: (engine: string, branch: string, id: string) => ({
    en: `Launched ${engine} on ${branch} (${id}).`,
    ja: `${branch} で ${engine} を起動しました (${id})。`,
  }),
  endedAtOnce: (engine: string, branch: string, how: Text) => ({
    en: `${engine} on ${branch} ended at once (${how.en}).`,
    ja: `${branch} の ${engine} は起動直後に終了しました (${how.ja})。`,
  }),
  unchanged: { en: 'Nothing has changed since its base.', ja: '基点からの変更はありません。' },
  cutFiles: (count: number) => ({
    en: `Only the first ${count} are listed.`,
    ja: `先頭の ${count} 件のみ表示しています。`,
  }),
  cutDiff: { en: 'The diff was cut at 1 MB.', ja: 'diff は 1 MB で打ち切られています。' },
  attachHint: (branch: string) => ({
    en: `\`toryo tab attach ${branch}\` shows it; Ctrl-\\ leaves it again.`,
    ja: `\`toryo tab attach ${branch}\` で画面を開き、Ctrl-\\ で離れます。`,
  }),
  setupFailed: (problem: string, branch: string) => ({
    en: `The project's setup command failed: ${problem} (\`toryo tab setup ${branch}\` tries again.)`,
    ja: `プロジェクトのセットアップに失敗しました: ${problem} (\`toryo tab setup ${branch}\` で再試行できます。)`,
  }),
  sentTo: (tab: string, id: string) => ({
    en: `Stored for ${tab} (${id}); it is typed when the agent is ready.`,
    ja: `${tab} 宛てに保存しました (${id})。エージェントの準備ができたら入力されます。`,
  }),
  sentToAll: (count: number) => ({
    en: `Stored for ${count} tab(s).`,
    ja: `${count} 個のタブ宛てに保存しました。`,
  }),
  sendUsage: {
    en: 'Give a tab and a message, or --all and a message.',
    ja: 'タブとメッセージ、または --all とメッセージを指定してください。',
  },
  stopped: (tab: string, worktree: string | null) => ({
    en: `${tab} has ended.${worktree === null ? '' : ` Its worktree stays: ${worktree}`}`,
    ja: `${tab} を終了しました。${worktree === null ? '' : `ワークツリーは残っています: ${worktree}`}`,
  }),
  stopping: (tab: string) => ({
    en: `${tab} has not ended yet; it is still being ended.`,
    ja: `${tab} はまだ終了していません。終了処理を続けています。`,
  }),
  trusted: (directory: string) => ({
    en: `Agents may now follow this configuration of ${directory}:`,
    ja: `${directory} の次の設定を信頼しました:`,
  }),
  nothingToTrust: (directory: string) => ({
    en: `${directory} brings no agent configuration of its own; nothing needs to be trusted.`,
    ja: `${directory} にはエージェント設定がないため、信頼は不要です。`,
  }),
  attached: (tab: string, key: string) => ({
    en: `Attached to ${tab}. ${key} detaches; the program goes on.`,
    ja: `${tab} に接続しました。${key} で切り離します (プログラムは動き続けます)。`,
  }),
  watching: (tab: string, key: string) => ({
    en: `Watching ${tab}; what you type is not sent. ${key} detaches.`,
    ja: `${tab} を閲覧しています。入力は送られません。${key} で切り離します。`,
  }),
  detached: (tab: string) => ({
    en: `Detached from ${tab}, which goes on. \`toryo tab attach ${tab}\` brings you back.`,
    ja: `${tab} から切り離しました。プログラムは動き続けています。\`toryo tab attach ${tab}\` で戻れます。`,
  }),
  ended: (tab: string, how: Text) => ({
    en: `The program in ${tab} has ended (${how.en}).`,
    ja: `${tab} のプログラムは終了しました (${how.ja})。`,
  }),
  exitCode: (code: number) => ({ en: `exit code ${code}`, ja: `終了コード ${code}` }),
  exitSignal: (signal: string) => ({ en: `signal ${signal}`, ja: `シグナル ${signal}` }),
  exitLost: {
    en: 'the process that held its terminal died',
    ja: '端末を保持していたプロセスが異常終了しました',
  },
  exitUnknown: { en: 'nobody knows how', ja: '原因は不明' },
  reconnecting: {
    en: 'The hub is gone; looking for it …',
    ja: 'ハブとの接続が切れました。再接続しています…',
  },
  lost: (tab: string, seconds: number) => ({
    en: `The hub did not come back within ${seconds} s. The program in ${tab} may still run: \`toryo tab attach ${tab}\` tries again.`,
    ja: `${seconds} 秒以内にハブへ再接続できませんでした。${tab} のプログラムは動いている可能性があります。\`toryo tab attach ${tab}\` で再試行できます。`,
  }),
  noTab: (tab: string) => ({
    en: `There is no tab ${tab}; \`toryo tab list\` shows the ones there are.`,
    ja: `タブ ${tab} はありません。\`toryo tab list\` で一覧を確認できます。`,
  }),
  noTerminal: {
    en: '`toryo tab attach` needs a terminal for input and output; here is none. Run it in a terminal, without pipes and without --json.',
    ja: '`toryo tab attach` は端末の入出力を必要としますが、ここにはありません。パイプや --json を使わず、端末で実行してください。',
  },
  keyWrong: (value: string) => ({
    en: `${JSON.stringify(value)} is no detach key; give one such as ctrl-\\, ctrl-q or ctrl-b,d.`,
    ja: `${JSON.stringify(value)} は切り離しキーとして使えません。ctrl-\\、ctrl-q、ctrl-b,d のように指定してください。`,
  }),
} satisfies Record<string, Text | ((...values: never[]) => Text)>
