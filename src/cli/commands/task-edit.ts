import type { Priority } from '#contract/projects.ts'
import { command } from '../define.ts'
import { CliError } from '../errors.ts'
import { visibleLine } from '../escape.ts'
import { PRIORITIES, several, textOrFile } from '../options.ts'
import { argument, option } from '../texts-help.ts'
import { texts } from '../texts.ts'

type Options = {
  title?: string
  description?: string
  priority?: Priority
  assignee?: string
  label?: string[]
  unlabel?: string[]
  branch?: string
}

const UNASSIGNED = 'none'

export default command<[task: string], Options>({
  summary: { en: 'Change what was entered for a task', ja: 'タスクの内容を変える' },
  order: 4,
  when: {
    en: "When a task's title, description, priority or labels change.",
    ja: 'タスクのタイトル・説明・優先度・ラベルを変えるときに。',
  },
  about: {
    en: 'What is left out stays as it is. `toryo task move` changes the status.',
    ja: '指定しなかった項目は変わりません。状態は `toryo task move` で変えます。',
  },
  arguments: [{ name: '<task>', text: argument.task }],
  options: [
    { flags: '--title <title>', text: { en: 'What is to be done', ja: 'すること' } },
    { flags: '--description <text | @file>', text: option.descriptionOrFile },
    { flags: '--priority <priority>', text: { en: 'How urgent it is', ja: '優先度' }, choices: PRIORITIES },
    {
      flags: '--assignee <agent>',
      text: {
        en: 'The agent that is to do it: its id or name; or `none`',
        ja: '担当エージェントの ID または名前。なしは `none`',
      },
    },
    { flags: '--label <label>', text: option.label, parse: several },
    {
      flags: '--unlabel <label>',
      text: { en: 'A label to take off; may be given more than once', ja: '外すラベル (複数回指定可)' },
      parse: several,
    },
    {
      flags: '--branch <branch>',
      text: {
        en: 'The branch to work on; "" for one that is named after the task',
        ja: '作業するブランチ ("" でタスクから自動で命名)',
      },
    },
  ],
  examples: [
    [
      'toryo task edit shop-12 --title "Log in" --priority high',
      { en: 'two things at once', ja: '2 項目を同時に変更' },
    ],
    ['toryo task edit shop-12 --label bug --unlabel idea', { en: 'its labels', ja: 'ラベルを付け替える' }],
    ['toryo task edit shop-12 --assignee none', { en: 'take it from its agent', ja: '担当を外す' }],
  ],
  output: 'task.edit',
  async run(cx, options, taskId) {
    if (Object.keys(options).length === 0) throw CliError.USAGE({ text: NOTHING })
    const { title, priority, assignee, branch, label, unlabel } = options
    const description = textOrFile(options.description, cx.io.cwd)
    const hub = await cx.connect()
    const task = await hub.call('task.edit', {
      task_id: taskId,
      title,
      description,
      priority,
      assignee_id: assignee === UNASSIGNED ? null : assignee,
      branch: branch === '' ? null : branch,
      add_labels: label,
      remove_labels: unlabel,
    })
    return { json: task, text: cx.io.say(texts.changed(visibleLine(task.title), task.handle)) }
  },
})

const NOTHING = {
  en: 'Nothing to change: give --title, --description, --priority, --assignee, --label, --unlabel or --branch.',
  ja: '変更する内容がありません。--title、--description、--priority、--assignee、--label、--unlabel、--branch のいずれかを指定してください。',
}
