import type { ApiOutput } from '#contract/api.ts'
import { command } from '../define.ts'
import { ago } from '../format.ts'
import { listAll } from '../list-all.ts'
import { limitOption } from '../options.ts'
import { stateColumn } from '../states.ts'
import { table } from '../table.ts'
import { texts } from '../texts.ts'
import { about } from '../up/work-text.ts'

export default command<[], { limit: number }>({
  summary: { en: 'List the agents', ja: 'エージェントの一覧' },
  order: 2,
  when: { en: 'To see your agents and what each does now.', ja: 'エージェントと、今していることを確認するときに。' },
  options: [limitOption],
  examples: [['toryo agent list', { en: 'with engine and status', ja: 'エンジンと状態つき' }]],
  output: 'agent.list',
  async run(cx, { limit }) {
    const { io } = cx
    const hub = await cx.connect()
    const page = await listAll(limit, 'agents', page => hub.call('agent.list', page))
    const { work } = await hub.call('work.list', { last_actions: false })
    const doing = new Map(work.map(one => [one.agent_id, about(one)]))
    const text = () =>
      table(
        page.agents,
        [
          { title: io.say(texts.name), value: row => row.name, prose: true },
          { title: io.say(texts.engine), value: row => row.engine },
          { title: io.say(texts.role), value: row => row.role, prose: true, optional: true },
          {
            title: io.say(texts.status),
            ...stateColumn(io, (row: ApiOutput<'agent.list'>['agents'][number]) =>
              row.status === 'active' ? 'enabled' : row.status,
            ),
          },
          {
            title: io.say({ en: 'WORKS ON', ja: '作業中' }),
            value: row => doing.get(row.agent_id) ?? null,
            prose: true,
          },
          {
            title: io.say(texts.created),
            value: row => ago(row.created_at, io.now(), io.lang, 'narrow'),
            optional: true,
          },
        ],
        io,
      )
    if (page.agents.length === 0)
      return {
        json: page,
        text: '',
        note: io.say({
          en: 'No agents yet. `toryo agent add <name> --engine claude` adds one.',
          ja: 'エージェントはまだありません。`toryo agent add <名前> --engine claude` で追加できます。',
        }),
      }
    return { json: page, text, ...(page.next_cursor ? { note: io.say(texts.more(page.agents.length)) } : {}) }
  },
})
