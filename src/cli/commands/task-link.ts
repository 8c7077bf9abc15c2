import { STAGE_JA } from '#contract/state-words.ts'
import { command } from '../define.ts'
import { CliError } from '../errors.ts'
import { visibleLine } from '../escape.ts'
import { afterOption, parentOption } from '../options.ts'
import { argument } from '../texts-help.ts'
import { texts } from '../texts.ts'

type Options = { after?: string[]; parent?: string }

export default command<[task: string], Options>({
  summary: { en: 'Say what a task waits for, or is a part of', ja: 'タスクの依存先や親を設定' },
  order: 6,
  when: {
    en: 'When a task must wait for another, or is a part of one.',
    ja: 'タスクを別のタスクの後にする、または一部にするときに。',
  },
  about: {
    en: 'A task is not started before all that it depends on is accepted, and not done before its sub-tasks are. Both belong to one project; circles are refused.',
    ja: 'タスクは、依存先がすべて承認されるまで開始せず、サブタスクが終わるまで完了しません。同じプロジェクトのタスクだけを指定でき、循環はできません。',
  },
  arguments: [{ name: '<task>', text: argument.task }],
  options: [afterOption, parentOption],
  examples: [
    ['toryo task link shop-5 --after shop-3', { en: 'shop-5 waits for shop-3', ja: 'shop-5 は shop-3 を待つ' }],
    [
      'toryo task link shop-6 --parent shop-5',
      { en: 'shop-6 is a part of shop-5', ja: 'shop-6 を shop-5 のサブタスクにする' },
    ],
  ],
  output: 'task.link',
  async run(cx, { after, parent }, taskId) {
    if (after === undefined && !parent) throw CliError.USAGE({ text: texts.afterOrParent })
    const hub = await cx.connect()
    const task = await hub.call('task.link', { task_id: taskId, depends_on: after, parent_id: parent })
    return { json: task, text: cx.io.say(texts.nowIs(visibleLine(task.title), task.stage, STAGE_JA)) }
  },
})
