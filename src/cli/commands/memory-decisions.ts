import { command } from '../define.ts'
import { projectOption } from '../memory-options.ts'
import { limitOption, somewhere } from '../options.ts'
import { texts } from '../texts.ts'
import { decisionText } from './memory-log.ts'

export default command<[], { project?: string; limit: number }>({
  summary: { en: 'List decisions, newest first', ja: '決定の一覧 (新しい順)' },
  order: 6,
  when: { en: 'To see what was decided, the newest first.', ja: '決まったことを新しい順に見るときに。' },
  options: [projectOption, limitOption],
  examples: [['toryo memory decisions --project shop', { en: 'newest first', ja: '新しい順' }]],
  output: 'memory.decision.list',
  async run(cx, { project, limit }) {
    const { io } = cx
    const hub = await cx.connect()
    const page = await hub.call('memory.decision.list', { ...somewhere(project, io.cwd), limit })
    if (page.decisions.length === 0)
      return { json: page, text: '', note: io.say({ en: 'No decisions yet.', ja: '決定はまだありません。' }) }
    const text = () => page.decisions.map(decision => decisionText(decision, io)).join('\n\n')
    return { json: page, text, ...(page.next_before_id ? { note: io.say(texts.more(page.decisions.length)) } : {}) }
  },
})
