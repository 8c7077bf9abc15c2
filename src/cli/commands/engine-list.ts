import type { EngineView } from '#contract/views.ts'
import { command } from '../define.ts'
import { localTime } from '../format.ts'
import { stateColumn } from '../states.ts'
import { table } from '../table.ts'
import { texts } from '../texts.ts'
import { worktreeTexts } from '../texts-worktree.ts'

export default command({
  summary: {
    en: 'List the agent programs that the hub finds',
    ja: 'ハブから見えるエージェントのプログラムの一覧',
  },
  order: 1,
  when: {
    en: 'To see which agent programs the hub finds.',
    ja: 'ハブが見つけたエージェントのプログラムを確認するときに。',
  },
  about: {
    en: 'Headless ones can do tasks and take part in crews, those with a terminal can be launched in a tab. A hub looks for programs in the PATH that it was started with.',
    ja: 'headless のものはタスクとクルーに、terminal のものはタブに使えます。ハブは、自身が起動されたときの PATH からプログラムを探します。',
  },
  examples: [['toryo engine list', { en: 'what can be started, and where', ja: '起動できるものとその場所' }]],
  output: 'engine.list',
  async run(cx) {
    const { io } = cx
    const hub = await cx.connect()
    const page = await hub.call('engine.list', {})
    const modes = ({ headless, terminal }: EngineView) =>
      [...(headless ? ['headless'] : []), ...(terminal ? ['terminal'] : [])].join(', ')
    const text = () =>
      table(
        page.engines,
        [
          { title: io.say(texts.engine), value: row => row.engine },
          { title: io.say(texts.status), ...stateColumn(io, statusOf) },
          { title: io.say({ en: 'MODES', ja: '動作' }), value: modes },
          {
            title: io.say({ en: 'UNTIL', ja: '期限' }),
            value: row => row.paused_until && localTime(row.paused_until),
            optional: true,
          },
          { title: io.say(worktreeTexts.path), value: row => row.program, path: true },
        ],
        io,
      )
    return { json: page, text }
  },
})

function statusOf({ program, paused_until }: EngineView): string {
  if (program === null) return 'missing'
  return paused_until === null ? 'ready' : 'paused'
}
