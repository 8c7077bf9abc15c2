import type { TaskStatus } from '#contract/projects.ts'
import { command } from '../define.ts'
import { ago } from '../format.ts'
import { listAll } from '../list-all.ts'
import { limitOption, STATUSES } from '../options.ts'
import { statusColour } from '../status-colour.ts'
import { type Column, table } from '../table.ts'
import { option } from '../texts-help.ts'
import { texts } from '../texts.ts'
import type { TaskView } from '#contract/views.ts'

type Options = { project?: string; status?: TaskStatus; assignee?: string; limit: number }

export default command<[], Options>({
  summary: { en: 'List tasks', ja: 'タスクの一覧' },
  order: 2,
  options: [
    { flags: '--project <project>', text: option.project },
    { flags: '--status <status>', text: option.status, choices: STATUSES },
    { flags: '--assignee <agent>', text: { en: 'Only of this agent', ja: 'このエージェントのものだけ' } },
    limitOption,
  ],
  examples: [
    ['toryo task list --project shop', { en: 'of one project', ja: '1 つのプロジェクト' }],
    ['toryo task list --status blocked --json', { en: 'for a script', ja: 'スクリプト用' }],
  ],
  async run(cx, { project, status, assignee, limit }) {
    const { io } = cx
    const hub = await cx.connect()
    const filter = { project_id: project, status, assignee_id: assignee }
    const page = await listAll(limit, 'tasks', page => hub.call('task.list', { ...filter, ...page }))
    const columns: Column<TaskView>[] = [
      { title: io.say(texts.id), value: row => row.handle },
      { title: io.say(texts.title), value: row => row.title, prose: true },
      { title: io.say(texts.status), value: row => row.status, colour: statusColour(io) },
      { title: io.say(texts.stage), value: row => row.stage, colour: statusColour(io), optional: true },
      { title: io.say(texts.priority), value: row => row.priority, colour: statusColour(io), optional: true },
      { title: io.say(texts.assignee), value: row => row.assignee_id, yields: true },
      { title: io.say(texts.updated), value: row => ago(row.updated_at, io.now(), io.lang, 'narrow'), optional: true },
    ]
    if (page.tasks.length === 0)
      return {
        json: page,
        text: '',
        note: io.say({
          en: 'No tasks here. `toryo task add <title> --project <project>` adds one.',
          ja: 'タスクはありません。`toryo task add <タイトル> --project <プロジェクト>` で追加できます。',
        }),
      }
    const more = page.next_cursor ? { note: io.say(texts.more(page.tasks.length)) } : {}
    return { json: page, text: () => table(page.tasks, columns, io), ...more }
  },
})
