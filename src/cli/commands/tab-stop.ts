import { command } from '../define.ts'
import { slowly } from '../slowly.ts'
import { argument } from '../texts-help.ts'
import { tabTexts } from '../texts-tab.ts'

/** The hub itself answers within 45 s. */
const PATIENCE_MS = 90_000

export default command<[tab: string]>({
  arguments: [{ name: '<tab>', text: argument.tab }],
  examples: [['toryo tab stop tab_…', { en: 'its worktree stays', ja: 'ワークツリーは残る' }]],
  async run(cx, _, tabId) {
    const hub = await cx.connect()
    const tab = await slowly(cx, tabTexts.stoppingTab, () =>
      hub.call('tab.stop', { tab_id: tabId }, { timeoutMs: PATIENCE_MS }),
    )
    const ended = tab.ended_at !== null
    const text = ended ? tabTexts.stopped(tab.tab_id, tab.worktree_path) : tabTexts.stopping(tab.tab_id)
    return { json: tab, text: cx.io.say(text), code: ended ? 0 : 1 }
  },
})
