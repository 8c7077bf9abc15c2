// What the hub finds when it is asked how it is, and what to do.
import type { Text } from '#contract/errors.ts'

export const healthTexts = {
  node: (version: string): Text => ({ en: `Node.js ${version}`, ja: `Node.js ${version}` }),
  database: (label: string): Text => ({ en: `Database: ${label}`, ja: `データベース: ${label}` }),
  git: (where: string): Text => ({ en: `git: ${where}`, ja: `git: ${where}` }),
  noGit: { en: 'The hub does not find git.', ja: 'git が見つかりません。' },
  noGitFix: {
    en: 'Install git 2.39 or newer, and start the hub where git is in PATH.',
    ja: 'git 2.39 以降をインストールし、git が PATH にある環境でハブを起動してください。',
  },
  engine: (id: string, where: string): Text => ({ en: `${id}: ${where}`, ja: `${id}: ${where}` }),
  noEngine: {
    en: 'The hub finds no agent program that it knows.',
    ja: '対応しているエージェントのプログラムが見つかりません。',
  },
  runners: (names: string): Text => ({ en: `Runners: ${names}`, ja: `Runner: ${names}` }),
  noRunner: {
    en: 'No Runner is connected: agents are not started automatically.',
    ja: 'Runner が接続していません。エージェントは自動で起動しません。',
  },
  paused: (engine: string, until: string, reason: string): Text => ({
    en: `${engine} is paused until ${until}: ${reason}`,
    ja: `${engine} は ${until} まで一時停止しています: ${reason}`,
  }),
  refused: (project: string, text: Text): Text => ({ en: `${project}: ${text.en}`, ja: `${project}: ${text.ja}` }),
  projectConfig: (directory: string, problem: string): Text => ({
    en: `${directory}: the project's configuration counts as it was read before, else for nothing. ${problem}`,
    ja: `${directory}: プロジェクトの設定ファイルに誤りがあります。前回読み込めた内容があればそれを使い、なければ無視します。${problem}`,
  }),
  unread: (handle: string, problem: Text): Text => ({
    en: `The workspace of ${handle} could not be read: ${problem.en}`,
    ja: `${handle} のワークスペースを読み取れませんでした: ${problem.ja}`,
  }),
  waits: (agent: string, problem: Text): Text => ({ en: `${agent}: ${problem.en}`, ja: `${agent}: ${problem.ja}` }),
  noAgent: (handle: string, title: string): Text => ({
    en: `${handle} ${title} is in progress, but no agent works on it.`,
    ja: `${handle} ${title} は作業中ですが、担当のエージェントがいません。`,
  }),
  several: (project: string, machines: readonly Text[]): Text => ({
    en: `${project} has work on several machines (${machines.map(({ en }) => en).join(', ')}), each with a clone of its own. The hub on each merges what was made there into the base of that clone alone: no clone has all of the work until you push and pull between them.`,
    ja: `${project} は複数のマシン (${machines.map(({ ja }) => ja).join('、')}) のそれぞれのクローンで作業しています。各マシンのハブは、そこで作られた作業だけをそのクローンのベースにマージします。push と pull で同期するまで、すべての作業が揃ったクローンはありません。`,
  }),
  anotherMachine: { en: 'another machine', ja: '別のマシン' } satisfies Text,
  severalFix: {
    en: 'Pull and push the base branch on each of these machines. `toryo queue --ended` names the clone that has each merge.',
    ja: '各マシンでベースブランチを pull、push してください。どのクローンにマージしたかは `toryo queue --ended` で確認できます。',
  } satisfies Text,
  registered: (file: string, text: Text): Text => ({ en: `${file}: ${text.en}`, ja: `${file}: ${text.ja}` }),
  notRegistered: (file: string): Text => ({
    en: `${file} has no entry of Toryo.`,
    ja: `${file} に Toryo の登録はありません。`,
  }),
  run: (line: string): Text => ({ en: `Run: ${line}`, ja: `実行してください: ${line}` }),
}
