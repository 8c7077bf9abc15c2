import { STAGE_JA } from '#contract/state-words.ts'
import type { Stage, TaskStatus } from '#contract/projects.ts'
import { agentNames } from '../agent-names.ts'
import { command } from '../define.ts'
import { ago } from '../format.ts'
import { listAll } from '../list-all.ts'
import { limitOption, STAGES, STATUSES } from '../options.ts'
import { projectHere, projectOption } from '../project-here.ts'
import { stateColumn } from '../states.ts'
import { type Column, table } from '../table.ts'
import { option } from '../texts-help.ts'
import { texts } from '../texts.ts'
import type { TaskView } from '#contract/views.ts'

type Options = {
  project?: string
  status?: TaskStatus
  stage?: Stage
  assignee?: string
  agent?: string
  label?: string
  search?: string
  deleted?: true
  limit: number
}

export default command<[], Options>({
  summary: { en: 'List tasks', ja: 'タスクの一覧' },
  order: 2,
  when: {
    en: 'To see what there is to do, and how far it is.',
    ja: 'どんなタスクがあり、どこまで進んだかを確認するときに。',
  },
  options: [
    projectOption,
    { flags: '--status <status>', text: option.status, choices: STATUSES },
    {
      flags: '--stage <stage>',
      text: { en: 'Only in this stage on the way to a merge', ja: 'この段階 (マージまでの進み具合) のものだけ' },
      choices: STAGES,
    },
    { flags: '--agent <agent>', text: { en: 'Only of this agent', ja: 'このエージェントのものだけ' } },
    { flags: '--assignee <agent>', text: { en: 'The same as --agent', ja: '--agent と同じ' } },
    { flags: '--label <label>', text: { en: 'Only with this label', ja: 'このラベルのものだけ' } },
    {
      flags: '--search <text>',
      text: {
        en: 'Only with this text in title, description, handle or a label',
        ja: 'タイトル、説明、ハンドル、ラベルのどれかにこの文字列を含むものだけ',
      },
    },
    {
      flags: '--deleted',
      text: { en: 'Deleted tasks, which can be restored', ja: '削除したタスク (復元可能)' },
    },
    limitOption,
  ],
  examples: [
    ['toryo task list --project shop', { en: 'of one project', ja: '1 つのプロジェクト' }],
    [
      'toryo task list --stage review --search login',
      { en: 'what waits for a verdict and has to do with login', ja: '判定待ちで login に関するもの' },
    ],
    ['toryo task list --status blocked --json', { en: 'for a script', ja: 'スクリプト用' }],
  ],
  output: 'task.list',
  async run(cx, { project, assignee, agent = assignee, limit, status, stage, label, search, deleted }) {
    const { io } = cx
    const hub = await cx.connect()
    const project_id = await projectHere(cx, hub, project)
    const filter = { project_id, assignee_id: agent, status, stage, label, search, deleted }
    const page = await listAll(limit, 'tasks', page => hub.call('task.list', { ...filter, ...page }))
    const nameOf = await agentNames(cx, hub)
    const columns: Column<TaskView>[] = [
      { title: io.say(texts.id), value: row => row.handle },
      { title: io.say(texts.title), value: row => row.title, prose: true },
      { title: io.say(texts.status), ...stateColumn(io, row => row.status) },
      { title: io.say(texts.stage), ...stateColumn(io, row => row.stage, STAGE_JA), optional: true },
      { title: io.say(texts.priority), ...stateColumn(io, row => row.priority), optional: true },
      { title: io.say(texts.labels), value: row => row.labels.join(', '), prose: true, optional: true },
      { title: io.say(texts.assignee), value: row => row.assignee_id && nameOf(row.assignee_id), yields: true },
      { title: io.say(texts.updated), value: row => ago(row.updated_at, io.now(), io.lang, 'narrow'), optional: true },
    ]
    // Most people label nothing.
    const shown = columns.filter(
      ({ title }) => title !== io.say(texts.labels) || page.tasks.some(({ labels }) => labels.length > 0),
    )
    const isNarrowed = Object.values(filter).some(value => value !== undefined)
    if (page.tasks.length === 0 && isNarrowed) return { json: page, text: '', note: io.say(NONE_SUCH) }
    if (page.tasks.length === 0)
      return {
        json: page,
        text: '',
        note: io.say({
          en: 'No tasks here. `toryo task add <title>` adds one.',
          ja: 'タスクはありません。`toryo task add <タイトル>` で追加できます。',
        }),
      }
    const more = page.next_cursor ? { note: io.say(texts.more(page.tasks.length)) } : {}
    return { json: page, text: () => table(page.tasks, shown, io), ...more }
  },
})

const NONE_SUCH = { en: 'No tasks match.', ja: '条件に合うタスクはありません。' }
