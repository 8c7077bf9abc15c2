import { STAGE_JA } from '#contract/state-words.ts'
import { command } from '../define.ts'
import { CliError } from '../errors.ts'
import { visibleLine } from '../escape.ts'
import { afterOption } from '../options.ts'
import { argument } from '../texts-help.ts'
import { texts } from '../texts.ts'

type Options = { after?: string[]; parent?: boolean }

export default command<[task: string], Options>({
  summary: { en: 'Remove what a task waits for, or is a part of', ja: 'タスクの依存先や親を外す' },
  order: 7,
  when: { en: 'When a task need not wait for another any more.', ja: 'タスクの依存や親子関係が不要になったときに。' },
  arguments: [{ name: '<task>', text: argument.task }],
  options: [
    afterOption,
    {
      flags: '--parent',
      text: { en: 'Make it a task of its own, under no other', ja: '親から外し、独立したタスクにする' },
    },
  ],
  examples: [
    ['toryo task unlink shop-5 --after shop-3', { en: 'no longer waits for shop-3', ja: 'shop-3 を待たない' }],
    ['toryo task unlink shop-6 --parent', { en: 'no longer a sub-task', ja: 'サブタスクではなくする' }],
  ],
  output: 'task.unlink',
  async run(cx, { after, parent }, taskId) {
    if (after === undefined && !parent) throw CliError.USAGE({ text: texts.afterOrParent })
    const hub = await cx.connect()
    const task = await hub.call('task.unlink', { task_id: taskId, depends_on: after, parent })
    return { json: task, text: cx.io.say(texts.nowIs(visibleLine(task.title), task.stage, STAGE_JA)) }
  },
})
