import { command } from '../define.ts'
import { ago } from '../format.ts'
import { idOption, projectOption } from '../memory-options.ts'
import { limitOption, somewhere } from '../options.ts'
import { table } from '../table.ts'
import { texts } from '../texts.ts'

type Options = { project?: string; below?: number; decided?: boolean; undecided?: boolean; limit: number }

export default command<[], Options>({
  summary: { en: 'List topics', ja: 'トピックの一覧' },
  order: 2,
  when: { en: 'To see which topics the memory has.', ja: 'メモリにどんなトピックがあるかを見るときに。' },
  options: [
    projectOption,
    idOption('--below', { en: 'The topics directly below this one', ja: 'このトピックの直下' }),
    { flags: '--decided', text: { en: 'Only those with a decision', ja: '決定済みだけ' } },
    { flags: '--undecided', text: { en: 'Only those still open', ja: '未決定だけ' } },
    limitOption,
  ],
  examples: [['toryo memory list --project shop --undecided', { en: 'what is still open', ja: '未決定のもの' }]],
  output: 'memory.topic.list',
  async run(cx, { project, below, decided, undecided, limit }) {
    const { io } = cx
    const hub = await cx.connect()
    const page = await hub.call('memory.topic.list', {
      ...somewhere(project, io.cwd),
      parent_topic_id: below,
      decided: decided ? true : undecided ? false : undefined,
      limit,
    })
    if (page.topics.length === 0)
      return { json: page, text: '', note: io.say({ en: 'No topics here.', ja: 'トピックはありません。' }) }
    const text = () =>
      table(
        page.topics,
        [
          { title: io.say(texts.id), value: row => String(row.id) },
          { title: io.say({ en: 'TOPIC', ja: 'トピック' }), value: row => row.title, prose: true },
          { title: io.say(texts.description), value: row => row.description, prose: true },
          {
            title: io.say(texts.created),
            value: row => ago(row.created_at, io.now(), io.lang, 'narrow'),
            optional: true,
          },
        ],
        io,
      )
    return { json: page, text, ...(page.next_start_id ? { note: io.say(texts.more(page.topics.length)) } : {}) }
  },
})
