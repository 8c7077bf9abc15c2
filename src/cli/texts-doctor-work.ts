// What the doctor says of agents, projects, tabs, worktrees and the port.
import type { Text } from '#contract/errors.ts'

export const workTexts = {
  otherPath: (engines: string) => ({
    en: `On your PATH but not on that of the hub, which was started elsewhere: ${engines}`,
    ja: `あなたの PATH にはありますが、別の環境で起動されたハブの PATH にはありません: ${engines}`,
  }),
  otherPathFix: {
    en: 'Run `toryo stop` here; the next command starts a hub with your PATH. A hub of `toryo up`: start that one again from here.',
    ja: 'ここで `toryo stop` を実行してください。次のコマンドがこの PATH でハブを起動します。`toryo up` のハブは、ここから起動し直してください。',
  },
  stranded: (agents: string, engine: string) => ({
    en: `Cannot be started, since ${engine} is not found: ${agents}`,
    ja: `${engine} が見つからないため開始できません: ${agents}`,
  }),
  installFix: (how: string) => ({
    en: `Install it (${how}), or disable them: toryo agent disable <agent>`,
    ja: `インストールするか (${how})、無効にしてください: toryo agent disable <エージェント>`,
  }),
  describeFix: (engine: string) => ({
    en: `Describe ${engine} in config.json under "engines" (\`toryo engine list\` shows the known ones), or disable them: toryo agent disable <agent>`,
    ja: `config.json の "engines" に ${engine} を定義するか (既知のものは \`toryo engine list\`)、無効にしてください: toryo agent disable <エージェント>`,
  }),
  noFolder: (project: string, folder: string) => ({
    en: `The folder of ${project} is not there: ${folder}`,
    ja: `${project} のフォルダーがありません: ${folder}`,
  }),
  noFolderFix: (id: string) => ({
    en: `Bring it back, or put the project away: toryo project archive ${id}`,
    ja: `元に戻すか、プロジェクトをアーカイブしてください: toryo project archive ${id}`,
  }),
  untrusted: (project: string, runner: string, folder: string, files: string) => ({
    en: `Runner ${runner} starts no agents on ${project}: what ${folder} tells agents to do is not trusted (${files})`,
    ja: `Runner ${runner} は ${project} のエージェントを開始しません。${folder} のエージェント設定がまだ信頼されていません (${files})`,
  }),
  untrustedFix: (command: string) => ({
    en: `Look at these files, then run: ${command}`,
    ja: `内容を確認してから実行してください: ${command}`,
  }),
  /** `problem` comes from the hub in the language that was asked for. */
  waitsForRunner: (agent: string, project: string, problem: string) => ({
    en: `${agent} on ${project}: ${problem}`,
    ja: `${agent} (${project}): ${problem}`,
  }),
  waitsForRunnerFix: (engine: string, directory: string) => ({
    en: `Make ${engine} and ${directory} available on one machine that runs \`toryo up\` or \`toryo runner\`.`,
    ja: `\`toryo up\` か \`toryo runner\` を実行しているマシンのいずれかで、${engine} と ${directory} を両方使えるようにしてください。`,
  }),
  noAgent: (handle: string, title: string) => ({
    en: `${handle} ${title} is in progress, but no agent works on it.`,
    ja: `${handle} ${title} は作業中ですが、担当のエージェントがいません。`,
  }),
  noAgentFix: (command: string) => ({
    en: `Have one start: ${command}`,
    ja: `エージェントを起動してください: ${command}`,
  }),
  waiting: (engine: string, branch: string) => ({
    en: `${engine} on ${branch} asks something and waits.`,
    ja: `${branch} の ${engine} が質問の答えを待っています。`,
  }),
  waitingFix: (branch: string) => ({
    en: `Answer it: toryo tab attach ${branch}`,
    ja: `答えてください: toryo tab attach ${branch}`,
  }),
  lost: (branches: string, at: string) => ({
    en: `The process that held their terminals is gone, and these tabs ended with it (${at}): ${branches}`,
    ja: `ターミナルを保持していたプロセスがなくなり、次のタブも終了しました (${at}): ${branches}`,
  }),
  failed: (engine: string, branch: string, problem: string) => ({
    en: `${engine} on ${branch} could not be started: ${problem}`,
    ja: `${branch} の ${engine} を起動できませんでした: ${problem}`,
  }),
  exited: (engine: string, branch: string, code: number) => ({
    en: `${engine} on ${branch} ended with exit code ${code}.`,
    ja: `${branch} の ${engine} は終了コード ${code} で自ら終了しました。`,
  }),
  exitedFix: (tab: string) => ({
    en: `What it showed last: toryo tab show ${tab}`,
    ja: `最後の画面: toryo tab show ${tab}`,
  }),
  launchFix: (engine: string, branch: string) => ({
    en: `The worktrees are as they were; launch again: toryo tab launch ${engine} ${branch}`,
    ja: `ワークツリーはそのままです。起動し直せます: toryo tab launch ${engine} ${branch}`,
  }),
  terminalsOk: { en: 'Terminals can be opened.', ja: 'ターミナルを開けます。' },
  terminalsBroken: (reason: string) => ({
    en: `Terminals cannot be opened: ${reason}`,
    ja: `ターミナルを開けません: ${reason}`,
  }),
  terminalsFix: {
    en: 'Install Toryo again without leaving out optional packages (npm: --include=optional). All but tabs works without.',
    ja: 'optional なパッケージを省かずに Toryo を入れ直してください (npm: --include=optional)。タブ以外は使えます。',
  },
  worktrees: (count: number, trashed: number) => ({
    en: `${count} ${count === 1 ? 'worktree' : 'worktrees'}, ${trashed} in the trash.`,
    ja: `ワークツリー ${count} 件、ゴミ箱 ${trashed} 件。`,
  }),
  kept: (branch: string, files: string) => ({
    en: `The workspace of ${branch} had changes that no report has. It stays in the trash: ${files}`,
    ja: `${branch} のワークスペースには、どの報告にも含まれない変更がありました。ゴミ箱に残しています: ${files}`,
  }),
  keptFix: (id: string) => ({
    en: `Look at it, and bring it back if you need it: toryo tab restore ${id}`,
    ja: `内容を確認し、必要なら元に戻してください: toryo tab restore ${id}`,
  }),
  gone: (branch: string, folder: string) => ({
    en: `The worktree of ${branch} is not there any more: ${folder}`,
    ja: `${branch} のワークツリーがありません: ${folder}`,
  }),
  goneFix: (branch: string) => ({
    en: `Forget it: toryo tab remove ${branch} (its branch and commits stay)`,
    ja: `一覧から外してください: toryo tab remove ${branch} (ブランチとコミットは残ります)`,
  }),
  setupFailed: (branch: string, problem: string) => ({
    en: `The setup of the worktree of ${branch} failed: ${problem}`,
    ja: `${branch} のワークツリーのセットアップが失敗しました: ${problem}`,
  }),
  setupFix: (branch: string, log: string | null) => ({
    en: `${log === null ? 'Try' : `Look at ${log}, then try`} again: toryo tab setup ${branch}`,
    ja: `${log === null ? '' : `${log} を確認し、`}もう一度試してください: toryo tab setup ${branch}`,
  }),
  idle: (count: number) => ({
    en: `${count} worktrees have no live tab.`,
    ja: `稼働中のタブのないワークツリーが ${count} 件あります。`,
  }),
  idleFix: {
    en: '`toryo tab worktrees` lists them; `toryo tab remove <branch>` puts one into the trash for 14 days, and refuses while it holds unsaved work.',
    ja: '`toryo tab worktrees` で一覧、`toryo tab remove <ブランチ>` でゴミ箱へ移せます (14 日間は復元可。保存されていない作業があれば拒否します)。',
  },
  portTaken: (port: number, holder: string | undefined) => ({
    en: `Port ${port} is taken${holder === undefined ? '' : ` by ${holder}`}.`,
    ja: `ポート ${port} は${holder === undefined ? '' : ` ${holder} が`}使用中です。`,
  }),
  portFix: {
    en: 'Nothing breaks: `toryo up` takes another automatically, or the one of --port. Only MCP over HTTP names a port.',
    ja: '問題はありません。`toryo up` は自動で別のポートを使います (--port で指定も可)。ポートを書くのは HTTP の MCP だけです。',
  },
} satisfies Record<string, Text | ((...values: never[]) => Text)>
