import type { Priority, TaskStatus } from '#contract/projects.ts'
import type { TaskView } from '#contract/views.ts'
import { command } from '../define.ts'
import { CliError } from '../errors.ts'
import { visibleLine } from '../escape.ts'
import { afterOption, parentOption, PRIORITIES, STATUSES, several, textOrFile } from '../options.ts'
import { needProject } from '../project-here.ts'
import { startWords } from '../start-text.ts'
import { option } from '../texts-help.ts'
import { titlesOf } from '../titles.ts'

type Options = {
  project?: string
  start?: boolean
  id?: string
  description?: string
  assignee?: string
  priority: Priority
  status?: TaskStatus
  label?: string[]
  after?: string[]
  parent?: string
}

export default command<[titles: string], Options>({
  summary: { en: 'Add tasks', ja: 'タスクを追加' },
  order: 1,
  when: { en: 'When there is something to do for your agents.', ja: 'エージェントに頼みたいことがあるときに。' },
  about: {
    en: 'A task that is in_progress and has an assignee is started by the Runner of `toryo up`; in every other status it waits.',
    ja: '状態が「進行中」で担当がいるタスクは、`toryo up` の Runner が開始します。それ以外の状態では待機します。',
  },
  arguments: [
    {
      name: '<titles...>',
      text: {
        en: 'What is to be done, a task each; @file or - for one a line',
        ja: 'すること (それぞれ 1 タスク)。@ファイル か - で 1 行に 1 件',
      },
    },
  ],
  options: [
    {
      flags: '--project <project>',
      text: {
        en: "The project it belongs to (default: this folder's)",
        ja: '属するプロジェクト (既定: このフォルダーのプロジェクト)',
      },
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
      text: { en: 'Its first status (default: todo)', ja: '最初の状態 (既定: `todo`)' },
      choices: STATUSES,
    },
    {
      flags: '--start',
      text: {
        en: 'Start its agent at once (--status in_progress); without --assignee the one with the least to do',
        ja: '担当をすぐに開始 (--status in_progress)。--assignee がなければ、最も手の空いているエージェントに任せる',
      },
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
    ['toryo task add "Write the README" --project shop', { en: 'it waits as todo', ja: '「未着手」のまま待機' }],
    [
      'toryo task add "Sign up" --start',
      { en: 'one of the agents here does it', ja: 'このプロジェクトのエージェントが行う' },
    ],
    ['toryo task add "Log in" --assignee ken --start', { en: 'its agent is started', ja: '担当が開始される' }],
    ['toryo task add @plan.md', { en: 'a task for each line', ja: '1 行に 1 タスク' }],
    [
      'toryo task add "Pay" --project shop --parent shop-5 --after shop-6',
      { en: 'a sub-task that waits for shop-6', ja: 'shop-6 を待つサブタスク' },
    ],
  ],
  output: 'tasksAdded',
  async run(cx, options, given) {
    const { io } = cx
    const titles = await titlesOf(given as unknown as string[], io)
    if (options.id !== undefined && titles.length > 1) throw CliError.USAGE({ text: ONE_ID })
    const status = options.status ?? (options.start ? 'in_progress' : 'todo')
    const description = textOrFile(options.description, io.cwd)
    const hub = await cx.connect()
    const project = await needProject(cx, hub, options.project)
    const picks = options.start === true && options.assignee === undefined
    const tasks: TaskView[] = []
    const names: (string | undefined)[] = []
    for (const title of titles) {
      // Asked for each: the task before counts as work of its agent.
      const picked = picks ? (await hub.call('agent.pick', { project_id: project })).agent : null
      names.push(picked?.name)
      tasks.push(
        await hub.call('task.add', {
          id: options.id,
          project_id: project,
          title,
          description,
          assignee_id: picked?.agent_id ?? options.assignee,
          priority: options.priority,
          status,
          labels: options.label,
          depends_on: options.after,
          parent_id: options.parent,
        }),
      )
    }
    const lines = tasks.map((task, at) => {
      const added = io.say(startWords.added(visibleLine(task.title), task.handle))
      const name = names[at]
      return name === undefined ? added : `${added}${io.say(startWords.does(visibleLine(name)))}`
    })
    const unassigned = picks ? tasks.find(({ assignee_id }) => assignee_id === null) : undefined
    const hasRunner = !options.start || (await hub.call('hub.status', {})).runners.length > 0
    const note = unassigned ? startWords.unassigned(unassigned.handle) : hasRunner ? undefined : startWords.noRunner
    // One as ever, so that scripts read what they always read.
    const json = tasks.length === 1 ? tasks[0] : { tasks }
    return { json, text: lines.join('\n'), ...(note && { note: io.say(note) }) }
  },
})

const ONE_ID = { en: '--id is for one title.', ja: '--id はタイトルが 1 つのときだけ使えます。' }
