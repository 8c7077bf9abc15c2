import { checkTable, checkWords, sightOf } from '../check-text.ts'
import { command } from '../define.ts'
import { projectOption } from '../memory-options.ts'
import { somewhere } from '../options.ts'

type Options = { project?: string; task?: string; seen?: string }

export default command<[name?: string], Options>({
  summary: { en: 'Allow the checks that .toryo/config.json names', ja: '.toryo/config.json のチェックを許可' },
  order: 5,
  when: {
    en: 'When a repository names checks that you have not allowed yet.',
    ja: 'リポジトリのチェックをまだ許可していないときに使います。',
  },
  about: {
    en: 'Shows them first, with the command that allows exactly what was shown. When a branch changes one, it is asked for again.',
    ja: 'まず内容と、その内容だけを許可するコマンドを表示します。ブランチで変更されると、再び許可が必要です。',
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
    {
      flags: '--seen <word>',
      text: { en: 'Allow what was shown with this word', ja: 'この語とともに表示された内容を許可' },
    },
  ],
  examples: [
    ['toryo project check trust', { en: "those of the project's folder", ja: 'プロジェクトのフォルダーのもの' }],
    [
      'toryo project check trust test --task shop-12',
      { en: 'as its branch changed it', ja: 'ブランチで変更されたもの' },
    ],
  ],
  output: ['project.check.trust', 'checksToTrust'],
  async run(cx, { project, task, seen }, name) {
    const { io } = cx
    const hub = await cx.connect()
    const where = task !== undefined && project === undefined ? await ofTask(task) : somewhere(project, io.cwd)
    const listed = await hub.call('project.check.list', { ...where, task_id: task })
    const asked = listed.checks.filter(check => !check.trusted && (name === undefined || check.name === name))
    const sight = sightOf(asked)
    if (asked.length > 0 && seen !== sight) {
      const named = name === undefined ? '' : ` ${name}`
      const of = task === undefined ? '' : ` --task ${task}`
      const line = `toryo project check trust${named} --project ${listed.project_id}${of} --seen ${sight}`
      const note = io.say(seen === undefined ? checkWords.notYet(line) : checkWords.changed(line))
      return { json: { ...listed, seen: sight }, text: () => checkTable(asked, io), note, code: 1 }
    }
    const shown = asked.map(check => ({ name: check.name, command: check.command }))
    const found = await hub.call('project.check.trust', { ...where, task_id: task, name, seen: shown })
    if (found.checks.length === 0) return { json: found, text: '', note: io.say(checkWords.none) }
    return { json: found, text: () => checkTable(found.checks, io) }

    async function ofTask(task_id: string) {
      return { project_id: (await hub.call('task.show', { task_id })).project_id }
    }
  },
})
