import { command } from '../define.ts'
import { slowly } from '../slowly.ts'
import { argument } from '../texts-help.ts'

/** The hub itself answers within 45 s. */
const PATIENCE_MS = 90_000

const words = {
  stopped: (tab: string, worktree: string | null) => ({
    en: `${tab} has ended.${worktree === null ? '' : ` Its worktree stays: ${worktree}`}`,
    ja: `${tab} を終了しました。${worktree === null ? '' : `ワークツリーは残っています: ${worktree}`}`,
  }),
  stopping: (tab: string) => ({
    en: `${tab} has not ended yet; it is still being ended.`,
    ja: `${tab} はまだ終了していません。終了処理を続けています。`,
  }),
}

export default command<[tab: string]>({
  summary: { en: 'End the agent in a tab', ja: 'タブのエージェントを終了' },
  order: 9,
  when: { en: 'When a tab is done; its worktree stays.', ja: 'タブを終えるときに。ワークツリーは残ります。' },
  arguments: [{ name: '<tab>', text: argument.tab }],
  examples: [['toryo tab stop tab_…', { en: 'its worktree stays', ja: 'ワークツリーは残る' }]],
  output: 'tab.stop',
  async run(cx, _, tabId) {
    const hub = await cx.connect()
    const tab = await slowly(
      cx,
      { en: 'Waiting for the program to end …', ja: 'プログラムの終了を待っています…' },
      () => hub.call('tab.stop', { tab_id: tabId }, { timeoutMs: PATIENCE_MS }),
    )
    const ended = tab.ended_at !== null
    const text = ended ? words.stopped(tab.tab_id, tab.worktree_path) : words.stopping(tab.tab_id)
    return { json: tab, text: cx.io.say(text), code: ended ? 0 : 1 }
  },
})
