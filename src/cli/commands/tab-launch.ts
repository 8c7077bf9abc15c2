import { ENGINE_IDS } from '#contract/known-engines.gen.ts'
import type { TabPermission } from '#contract/permission.ts'
import { command } from '../define.ts'
import { CliError } from '../errors.ts'
import { visibleLine } from '../escape.ts'
import { LAUNCH_PATIENCE_MS, launchedAnswer } from '../launched-tab.ts'
import { textOrFile } from '../options.ts'
import { slowly } from '../slowly.ts'
import { argument } from '../texts-help.ts'

type Options = { project?: string; task?: string; base?: string; prompt?: string; permission?: TabPermission }

const words = {
  oneOfBoth: {
    en: 'Name a branch, or a task with --task, and not both.',
    ja: 'ブランチか --task のどちらか一方を指定してください。',
  },
  launching: (branch: string) => ({
    en: `Preparing the worktree of ${branch} and starting …`,
    ja: `${branch} のワークツリーを準備して起動しています…`,
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
    {
      name: '<engine>',
      text: {
        en: `${ENGINE_IDS.join(', ')} or one of your configuration`,
        ja: `${ENGINE_IDS.join('、')}、または設定したもの`,
      },
    },
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
      hub.call('tab.launch', wanted, { timeoutMs: LAUNCH_PATIENCE_MS }),
    )
    return launchedAnswer(tab, cx.io)
  },
})
