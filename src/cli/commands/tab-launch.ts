import type { Text } from '#contract/errors.ts'
import type { TabPermission } from '#contract/permission.ts'
import type { TabRecord } from '#contract/records.ts'
import type { ApiOutput } from '#contract/api.ts'
import { type Answer, command } from '../define.ts'
import { CliError, EXIT } from '../errors.ts'
import type { Io } from '../io.ts'
import { visibleLine } from '../escape.ts'
import { textOrFile } from '../options.ts'
import { slowly } from '../slowly.ts'
import { argument } from '../texts-help.ts'
import { tabTexts } from '../texts-tab.ts'

type Options = { project?: string; task?: string; base?: string; prompt?: string; permission?: TabPermission }

/** The hub itself answers within 45 s, also when the tab is not ready yet. */
const PATIENCE_MS = 90_000

const words = {
  oneOfBoth: {
    en: 'Name a branch, or a task with --task, and not both.',
    ja: 'ブランチか --task のどちらか一方を指定してください。',
  },
  launching: (branch: string) => ({
    en: `Preparing the worktree of ${branch} and starting …`,
    ja: `${branch} のワークツリーを準備して起動しています…`,
  }),
  stillPreparing: (branch: string) => ({
    en: `Its worktree is still being prepared; \`toryo tab show ${branch}\` shows how it goes on.`,
    ja: `ワークツリーの準備が続いています。\`toryo tab show ${branch}\` で状況を確認できます。`,
  }),
  launched: (engine: string, branch: string, id: string) => ({
    en: `Launched ${engine} on ${branch} (${id}).`,
    ja: `${branch} で ${engine} を起動しました (${id})。`,
  }),
  attachHint: (branch: string) => ({
    en: `\`toryo tab attach ${branch}\` shows it; Ctrl-\\ leaves it again.`,
    ja: `\`toryo tab attach ${branch}\` で画面を開き、Ctrl-\\ で離れます。`,
  }),
  setupFailed: (problem: string, branch: string) => ({
    en: `The project's setup command failed: ${problem} (\`toryo tab setup ${branch}\` tries again.)`,
    ja: `プロジェクトのセットアップに失敗しました: ${problem} (\`toryo tab setup ${branch}\` で再試行できます。)`,
  }),
}

export default command<[engine: string, branch: string | undefined], Options>({
  summary: { en: 'Start an agent in a new tab', ja: '新しいタブでエージェントを起動' },
  order: 1,
  when: {
    en: 'When you want to work with an agent in a terminal yourself.',
    ja: 'ターミナルで自分もエージェントと一緒に作業したいときに。',
  },
  about: {
    en: 'The branch gets a git worktree of its own outside of the repository; one that exists is used again. The agent is connected to this hub and can talk to the agents in other tabs.',
    ja: 'ブランチごとにリポジトリの外に git ワークツリーを作ります (既にあれば再利用します)。エージェントはこのハブに接続し、他のタブのエージェントと通信できます。',
  },
  arguments: [
    { name: '<engine>', text: argument.terminalEngine },
    {
      name: '[branch]',
      text: { en: 'The branch to work on; a task has its own', ja: '作業するブランチ (--task のときは不要)' },
    },
  ],
  options: [
    {
      flags: '--project <project>',
      text: {
        en: 'The project; without it that of this folder',
        ja: 'プロジェクト (省略時はこのフォルダーのもの)',
      },
    },
    {
      flags: '--task <task>',
      text: {
        en: 'Work in the workspace of this task; without --prompt the agent gets what the task says',
        ja: 'このタスクのワークスペースで作業する (--prompt がなければタスクの内容を最初の指示にする)',
      },
    },
    { flags: '--base <ref>', text: { en: 'Where a new branch begins', ja: '新しいブランチの起点' } },
    {
      flags: '--prompt <text | @file>',
      text: { en: 'The first prompt for the agent', ja: 'エージェントへの最初の指示' },
    },
    {
      flags: '--permission <permission>',
      text: {
        en: 'What it may do without asking (default: own, as the agent program is set up; tabs.permission in config.json)',
        ja: '確認なしで許可する範囲 (既定: own。エージェント自身の設定に従う。config.json の tabs.permission で変更可)',
      },
      choices: ['own', 'read', 'edit', 'full'],
    },
  ],
  examples: [
    [
      'toryo tab launch claude feature/login',
      { en: 'in the project of this folder', ja: 'このフォルダーのプロジェクトで' },
    ],
    [
      'toryo tab launch codex fix/42 --base main --prompt @task.md',
      { en: 'a new branch, and what to do', ja: '新しいブランチと最初の指示' },
    ],
    ['toryo tab launch claude --task shop-12', { en: 'in the workspace of a task', ja: 'タスクのワークスペースで' }],
  ],
  output: 'tab.launch',
  async run(cx, { project, task, base, prompt, permission }, engine, branch) {
    if ((branch === undefined) === (task === undefined)) throw CliError.USAGE({ text: words.oneOfBoth })
    const first = textOrFile(prompt, cx.io.cwd)
    const hub = await cx.connect()
    const where = project === undefined ? { directory: cx.io.cwd } : { project_id: project }
    const place = task === undefined ? where : { task_id: task }
    const wanted = { engine, branch, ...place, base, prompt: first, permission }
    const tab = await slowly(cx, words.launching(visibleLine(branch ?? task ?? '')), () =>
      hub.call('tab.launch', wanted, { timeoutMs: PATIENCE_MS }),
    )
    if (tab.ended_at !== null) return ended(tab, cx.io)
    return {
      json: tab,
      text: cx.io.say(words.launched(tab.engine, tab.branch, tab.tab_id)),
      note: cx.io.say(whatNext(tab)),
    }
  },
})

function ended(tab: ApiOutput<'tab.launch'>, io: Io): Answer {
  const { engine, branch, exit_code, exit_signal, last_lines } = tab
  const signal = exit_signal === null ? tabTexts.exitUnknown : tabTexts.exitSignal(exit_signal)
  const how = exit_code === null || exit_signal !== null ? signal : tabTexts.exitCode(exit_code)
  const shown = last_lines.map(line => `\n  ${visibleLine(line)}`).join('')
  return { json: tab, text: '', note: io.say(tabTexts.endedAtOnce(engine, branch, how)) + shown, code: EXIT.failed }
}

function whatNext({ setup, setup_error, branch }: TabRecord): Text {
  if (setup === 'failed') return words.setupFailed(visibleLine(setup_error ?? ''), branch)
  // The hub answers after a while, whether it is ready or not.
  return setup === 'running' ? words.stillPreparing(branch) : words.attachHint(branch)
}
