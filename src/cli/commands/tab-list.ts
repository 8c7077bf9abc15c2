import { TAB_STATUS_JA } from '#contract/state-words.ts'
import { command } from '../define.ts'
import { ago } from '../format.ts'
import { listAll } from '../list-all.ts'
import { limitOption } from '../options.ts'
import { overlapNames } from '../overlap-text.ts'
import { projectHere, projectOption } from '../project-here.ts'
import { shortId } from '../short-id.ts'
import { stateColumn } from '../states.ts'
import { table } from '../table.ts'
import { tabTexts } from '../texts-tab.ts'
import { texts } from '../texts.ts'
import { worktreeTexts } from '../texts-worktree.ts'

export default command<[], { limit: number; project?: string; all?: boolean }>({
  summary: { en: 'List the tabs', ja: 'タブの一覧' },
  order: 2,
  when: {
    en: 'To see which tabs are open, and which wait for you.',
    ja: '開いているタブと、対応待ちのタブを確認するときに。',
  },
  options: [
    projectOption,
    { flags: '--all', text: { en: 'Those that have ended, too', ja: '終了したものも含める' } },
    limitOption,
  ],
  examples: [['toryo tab list', { en: 'the live ones, with status', ja: '稼働中のものと状態' }]],
  output: 'tab.list',
  async run(cx, { limit, project, all }) {
    const { io } = cx
    const hub = await cx.connect()
    const filter = { project_id: await projectHere(cx, hub, project), all }
    const page = await listAll(limit, 'tabs', page => hub.call('tab.list', { ...filter, ...page }))
    const text = () =>
      table(
        page.tabs,
        [
          { title: io.say({ en: 'TAB', ja: 'タブ' }), value: row => shortId(row.tab_id) },
          { title: io.say(texts.engine), value: row => row.engine },
          { title: io.say(worktreeTexts.branch), value: row => row.branch, prose: true },
          { title: io.say({ en: 'TASK', ja: 'タスク' }), value: row => row.task, optional: true },
          { title: io.say(texts.status), ...stateColumn(io, row => row.status, TAB_STATUS_JA) },
          {
            title: io.say({ en: 'OVERLAPS', ja: '重なり' }),
            value: row => overlapNames(row.overlaps),
            optional: true,
          },
          {
            title: io.say({ en: 'QUEUED', ja: '未配送' }),
            value: row => (row.queued_messages > 0 ? String(row.queued_messages) : null),
            optional: true,
          },
          {
            title: io.say(texts.created),
            value: row => ago(row.created_at, io.now(), io.lang, 'narrow'),
            optional: true,
          },
          { title: io.say(worktreeTexts.path), value: row => row.worktree_path, path: true, optional: true },
        ],
        io,
      )
    if (page.tabs.length === 0) return { json: page, text: '', note: io.say(tabTexts.none) }
    return { json: page, text, ...(page.next_cursor ? { note: io.say(texts.more(page.tabs.length)) } : {}) }
  },
})
