import type { RunStatus } from '#contract/crews.ts'
import { runTable } from '../crew-text.ts'
import { command } from '../define.ts'
import { listAll } from '../list-all.ts'
import { limitOption, RUN_STATUSES } from '../options.ts'
import { crewTexts } from '../texts-crew.ts'
import { option } from '../texts-help.ts'
import { texts } from '../texts.ts'

export default command<[], { crew?: string; status?: RunStatus; limit: number }>({
  summary: { en: 'List runs', ja: '実行の一覧' },
  order: 1,
  options: [
    { flags: '--crew <crew>', text: { en: 'Only of this crew', ja: 'このクルーのものだけ' } },
    { flags: '--status <status>', text: option.status, choices: RUN_STATUSES },
    limitOption,
  ],
  examples: [['toryo run list --status running', { en: 'what works now', ja: '実行中のもの' }]],
  async run(cx, { crew, status, limit }) {
    const { io } = cx
    const hub = await cx.connect()
    const filter = { crew_id: crew, status }
    const page = await listAll(limit, 'runs', page => hub.call('run.list', { ...filter, ...page }))
    if (page.runs.length === 0) return { json: page, text: '', note: io.say(crewTexts.noRuns) }
    const more = page.next_cursor ? { note: io.say(texts.more(page.runs.length)) } : {}
    return { json: page, text: () => runTable(page.runs, io), ...more }
  },
})
