import type { Priority, TaskStatus } from '#contract/projects.ts'
import { command } from '../define.ts'
import { visibleLine } from '../escape.ts'
import { afterOption, parentOption, PRIORITIES, STATUSES, several, textOrFile } from '../options.ts'
import { option } from '../texts-help.ts'
import { texts } from '../texts.ts'

type Options = {
  project: string
  id?: string
  description?: string
  assignee?: string
  priority: Priority
  status: TaskStatus
  label?: string[]
  after?: string[]
  parent?: string
}

export default command<[title: string], Options>({
  summary: { en: 'Add a task', ja: 'タスクを追加' },
  order: 1,
  about: {
    en: 'A task that is in_progress and has an assignee is started by the Runner of `toryo up`; in every other status it waits.',
    ja: '状態が in_progress で担当がいるタスクは、`toryo up` の Runner が開始します。それ以外の状態では待機します。',
  },
  arguments: [{ name: '<title>', text: { en: 'What is to be done', ja: 'すること' } }],
  options: [
    {
      flags: '--project <project>',
      text: { en: 'The project it belongs to', ja: '属するプロジェクト' },
      required: true,
    },
    { flags: '--id <id>', text: option.id },
    { flags: '--description <text | @file>', text: option.descriptionOrFile },
    {
      flags: '--assignee <agent>',
      text: {
        en: 'The agent that is to do it; one of the project',
        ja: '担当エージェント (プロジェクトに割り当て済みのもの)',
      },
    },
    {
      flags: '--priority <priority>',
      text: { en: 'How urgent it is', ja: '優先度' },
      choices: PRIORITIES,
      default: 'medium',
    },
    {
      flags: '--status <status>',
      text: { en: 'Its first status', ja: '最初の状態' },
      choices: STATUSES,
      default: 'todo',
    },
    { flags: '--label <label>', text: option.label, parse: several },
    afterOption,
    parentOption,
  ],
  examples: [
    [
      'toryo task add "Fix the login" --project shop --label bug --label login',
      { en: 'with labels to find it by', ja: '検索用のラベルを付ける' },
    ],
    ['toryo task add "Write the README" --project shop', { en: 'it waits as todo', ja: 'todo として待機' }],
    [
      'toryo task add "Log in" --project shop --assignee ken --status in_progress',
      { en: 'its agent is started', ja: '担当が開始される' },
    ],
    [
      'toryo task add "Pay" --project shop --parent shop-5 --after shop-6',
      { en: 'a sub-task that waits for shop-6', ja: 'shop-6 を待つサブタスク' },
    ],
  ],
  async run(cx, options, title) {
    const description = textOrFile(options.description, cx.io.cwd)
    const hub = await cx.connect()
    const task = await hub.call('task.add', {
      id: options.id,
      project_id: options.project,
      title,
      description,
      assignee_id: options.assignee,
      priority: options.priority,
      status: options.status,
      labels: options.label,
      depends_on: options.after,
      parent_id: options.parent,
    })
    return { json: task, text: cx.io.say(texts.added(visibleLine(task.title), task.handle)) }
  },
})
