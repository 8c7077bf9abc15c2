import type { Priority, TaskStatus } from '#contract/projects.ts'
import { command } from '../define.ts'
import { visibleLine } from '../escape.ts'
import { PRIORITIES, STATUSES, textOrFile } from '../options.ts'
import { about, argument, option } from '../texts-help.ts'
import { texts } from '../texts.ts'

type Options = {
  project: string
  id?: string
  description?: string
  assignee?: string
  priority: Priority
  status: TaskStatus
}

export default command<[title: string], Options>({
  about: about.taskAdd,
  arguments: [{ name: '<title>', text: argument.title }],
  options: [
    { flags: '--project <project>', text: option.inProject, required: true },
    { flags: '--id <id>', text: option.id },
    { flags: '--description <text | @file>', text: option.descriptionOrFile },
    { flags: '--assignee <agent>', text: option.assignee },
    { flags: '--priority <priority>', text: option.priority, choices: PRIORITIES, default: 'medium' },
    { flags: '--status <status>', text: option.newStatus, choices: STATUSES, default: 'todo' },
  ],
  examples: [
    ['toryo task add "Write the README" --project shop', { en: 'it waits as todo', ja: 'todo として待機' }],
    [
      'toryo task add "Log in" --project shop --assignee ken --status in_progress',
      { en: 'its agent is started', ja: '担当が開始される' },
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
    })
    return { json: task, text: cx.io.say(texts.added(visibleLine(task.title), task.task_id)) }
  },
})
