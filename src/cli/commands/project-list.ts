import { command } from '../define.ts'
import { ago } from '../format.ts'
import { listAll } from '../list-all.ts'
import { limitOption } from '../options.ts'
import { stateColumn } from '../states.ts'
import { table } from '../table.ts'
import { texts } from '../texts.ts'

export default command<[], { limit: number }>({
  summary: { en: 'List the projects', ja: 'プロジェクトの一覧' },
  order: 2,
  when: {
    en: 'To see which projects there are, and their keys.',
    ja: 'どんなプロジェクトがあるか、キーを確認するときに。',
  },
  options: [limitOption],
  examples: [['toryo project list --json', { en: 'for a script', ja: 'スクリプト用' }]],
  output: 'project.list',
  async run(cx, { limit }) {
    const { io } = cx
    const hub = await cx.connect()
    const page = await listAll(limit, 'projects', page => hub.call('project.list', page))
    const text = () =>
      table(
        page.projects,
        [
          { title: io.say({ en: 'KEY', ja: 'キー' }), value: row => row.key },
          { title: io.say(texts.name), value: row => row.name, prose: true },
          { title: io.say(texts.status), ...stateColumn(io, row => row.status) },
          { title: io.say(texts.directory), value: row => row.working_directory, path: true },
          {
            title: io.say(texts.created),
            value: row => ago(row.created_at, io.now(), io.lang, 'narrow'),
            optional: true,
          },
        ],
        io,
      )
    if (page.projects.length === 0)
      return {
        json: page,
        text: '',
        note: io.say({
          en: 'No projects yet. `toryo init` makes the folder that you are in one.',
          ja: 'プロジェクトはまだありません。`toryo init` で今いるフォルダーをプロジェクトにできます。',
        }),
      }
    return { json: page, text, ...(page.next_cursor ? { note: io.say(texts.more(page.projects.length)) } : {}) }
  },
})
