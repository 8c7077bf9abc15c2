import { checkTable, checkWords } from '../check-text.ts'
import { command } from '../define.ts'
import { projectOption } from '../memory-options.ts'
import { somewhere } from '../options.ts'

export default command<[], { project?: string }>({
  summary: { en: "List a project's checks", ja: 'プロジェクトのチェックの一覧' },
  order: 2,
  when: {
    en: 'To see which commands reported work must pass.',
    ja: '報告された作業に求めるチェックを確認するときに。',
  },
  about: {
    en: "Your own, and those that .toryo/config.json in the project's folder names.",
    ja: '自分で追加したものと、プロジェクトのフォルダーの .toryo/config.json にあるものです。',
  },
  options: [projectOption],
  examples: [['toryo project check list', { en: 'of the project of this folder', ja: 'このフォルダーのプロジェクト' }]],
  output: 'project.check.list',
  async run(cx, { project }) {
    const { io } = cx
    const hub = await cx.connect()
    const found = await hub.call('project.check.list', somewhere(project, io.cwd))
    if (found.checks.length === 0) return { json: found, text: '', note: io.say(checkWords.none) }
    const untrusted = found.checks.filter(check => !check.trusted).map(({ name }) => name)
    const note =
      untrusted.length === 0 ? {} : { note: io.say(checkWords.untrusted(untrusted.join(', '), found.project_id)) }
    return { json: found, text: () => checkTable(found.checks, io), ...note }
  },
})
