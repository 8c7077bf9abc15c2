import { command } from '../define.ts'
import { ago } from '../format.ts'
import { statusColour } from '../status-colour.ts'
import { table } from '../table.ts'
import { runnerTexts } from '../texts-runner.ts'
import { texts } from '../texts.ts'

export default command({
  examples: [['toryo runner list', { en: 'with what each can start', ja: '使えるエンジンつき' }]],
  async run(cx) {
    const { io } = cx
    const hub = await cx.connect()
    const page = await hub.call('runner.list', {})
    if (page.runners.length === 0) return { json: page, text: '', note: io.say(runnerTexts.none) }
    const when = (iso: string | null) =>
      iso === null ? io.say(runnerTexts.never) : ago(iso, io.now(), io.lang, 'narrow')
    const text = () =>
      table(
        page.runners,
        [
          { title: io.say(texts.name), value: row => row.name },
          {
            title: io.say(texts.status),
            value: row => (row.revoked_at === null ? 'active' : 'revoked'),
            colour: statusColour(io),
          },
          { title: io.say(runnerTexts.seen), value: row => when(row.last_seen_at) },
          { title: io.say(runnerTexts.agentsRunning), value: row => String(row.instances) },
          { title: io.say(runnerTexts.engines), value: row => row.engines.join(', '), prose: true },
        ],
        io,
      )
    return { json: page, text }
  },
})
