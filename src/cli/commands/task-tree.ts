import { STAGE_JA } from '#contract/state-words.ts'
import type { ApiOutput } from '#contract/api.ts'
import { agentNames } from '../agent-names.ts'
import { command } from '../define.ts'
import { projectHere, projectOption } from '../project-here.ts'
import { stateColumn } from '../states.ts'
import { table } from '../table.ts'
import { texts } from '../texts.ts'

type Options = { project?: string; all?: boolean }
type Node = ApiOutput<'task.tree'>['tasks'][number]

export default command<[task: string | undefined], Options>({
  summary: {
    en: 'Draw tasks with their sub-tasks and what they wait for',
    ja: 'タスクをサブタスクと依存先とともに木で表示',
  },
  order: 8,
  when: { en: 'To see sub-tasks, and what waits for what.', ja: 'サブタスクと、何が何を待っているかを見るときに。' },
  arguments: [{ name: '[task]', text: { en: 'Only this task and what is below it', ja: 'このタスクとその下だけ' } }],
  options: [
    projectOption,
    { flags: '--all', text: { en: 'Also tasks that are done or cancelled', ja: '完了・取り消し済みのタスクも表示' } },
  ],
  examples: [
    ['toryo task tree --project shop', { en: 'what is left to do', ja: '残っている作業' }],
    ['toryo task tree shop-5', { en: 'one task and its sub-tasks', ja: '1 つのタスクとそのサブタスク' }],
  ],
  output: 'task.tree',
  async run(cx, { project, all }, task) {
    const { io } = cx
    const hub = await cx.connect()
    const tree = await hub.call('task.tree', {
      task_id: task,
      project_id: task === undefined ? await projectHere(cx, hub, project) : project,
      all,
    })
    if (tree.tasks.length === 0)
      return {
        json: tree,
        text: '',
        note: io.say({
          en: 'Nothing is left to do here. `--all` also shows what is done.',
          ja: '残っているタスクはありません。`--all` で完了済みも表示します。',
        }),
      }
    const nameOf = await agentNames(cx, hub)
    const lines = drawn(tree.tasks)
    const columns = [
      { title: io.say({ en: 'TASK', ja: 'タスク' }), value: (row: Drawn) => row.line, prose: true },
      { title: io.say({ en: 'STAGE', ja: '段階' }), ...stateColumn(io, (row: Drawn) => row.stage, STAGE_JA) },
      {
        title: io.say(texts.assignee),
        value: (row: Drawn) => row.assignee_id && nameOf(row.assignee_id),
        yields: true,
      },
      {
        title: io.say({ en: 'WAITS FOR', ja: '待っている相手' }),
        value: (row: Drawn) => row.waits_for.map(({ handle }) => handle).join(', '),
        prose: true,
      },
    ]
    const more = tree.truncated
      ? {
          note: io.say({
            en: 'There are more. `--project` narrows it down.',
            ja: 'ほかにもあります。`--project` で絞り込めます。',
          }),
        }
      : {}
    return { json: tree, text: () => table(lines, columns, io), ...more }
  },
})

type Drawn = Node & { line: string }

/** Each with the lines that lead to it. They come as a tree is read: each before what is below it. */
function drawn(nodes: readonly Node[]): Drawn[] {
  return nodes.map((node, at) => {
    let branches = ''
    for (let level = 2; level < node.level; level++) branches += goesOn(nodes, at, level) ? '│  ' : '   '
    const own = node.level === 1 ? '' : goesOn(nodes, at, node.level) ? '├─ ' : '└─ '
    return { ...node, line: `${branches}${own}${node.handle}  ${node.title}` }
  })
}

/** Whether another of this level follows before the tree goes back above it. */
function goesOn(nodes: readonly Node[], at: number, level: number): boolean {
  for (let next = at + 1; next < nodes.length; next++) {
    const below = nodes[next]?.level ?? 0
    if (below === level) return true
    if (below < level) return false
  }
  return false
}
