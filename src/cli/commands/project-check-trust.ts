import { checkTable, checkWords } from '../check-text.ts'
import { command } from '../define.ts'
import { projectOption } from '../memory-options.ts'
import { somewhere } from '../options.ts'

type Options = { project?: string; task?: string }

export default command<[name?: string], Options>({
  summary: { en: 'Allow the checks that .toryo/config.json names', ja: '.toryo/config.json のチェックを許可' },
  order: 4,
  about: {
    en: 'Exactly the commands as they are now. When a branch changes one, it is asked for again.',
    ja: '現在のコマンドだけを許可します。ブランチで変更されると、再び許可が必要です。',
  },
  arguments: [
    { name: '[name]', text: { en: 'Only this one (default: all of them)', ja: 'この 1 つだけ (省略時はすべて)' } },
  ],
  options: [
    projectOption,
    {
      flags: '--task <task>',
      text: { en: 'As the branch of this task names them', ja: 'このタスクのブランチにあるものを許可' },
    },
  ],
  examples: [
    ['toryo project check trust', { en: "those of the project's folder", ja: 'プロジェクトのフォルダーのもの' }],
    [
      'toryo project check trust test --task shop-12',
      { en: 'as its branch changed it', ja: 'ブランチで変更されたもの' },
    ],
  ],
  async run(cx, { project, task }, name) {
    const { io } = cx
    const hub = await cx.connect()
    const chosen = { name, task_id: task }
    const where = task !== undefined && project === undefined ? await ofTask(task) : somewhere(project, io.cwd)
    const found = await hub.call('project.check.trust', { ...where, ...chosen })
    if (found.checks.length === 0) return { json: found, text: '', note: io.say(checkWords.none) }
    return { json: found, text: () => checkTable(found.checks, io) }

    async function ofTask(task_id: string) {
      return { project_id: (await hub.call('task.show', { task_id })).project_id }
    }
  },
})
