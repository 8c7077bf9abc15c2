import { z } from 'zod'
import { TabId } from '#contract/id-types.ts'
import { tool } from '#kernel/tool.ts'
import { actorOf } from '../actor.ts'
import { stopped } from '../outcome.ts'
import type { Tabs } from '../service.ts'

const input = z.object({ tab_id: TabId })
const output = z.object({ success: z.boolean(), tab_id: TabId })

export default tool<{ tabs: Tabs }, typeof input, typeof output>({
  name: 'gwt_stop_tab',
  toolset: 'tabs',
  title: 'Stop a tab',
  description: 'End the agent in a tab and wait until it has ended. Its worktree stays.',
  effect: 'destroy',
  idempotent: true,
  callers: ['operator', 'agent', 'run', 'tab'],
  offeredTo: ['tab'],
  input,
  output,
  async run({ tabs }, { tab_id }, call) {
    const tab = await tabs.requestStop(tab_id, actorOf(call))
    return { success: tab.endedAt !== null, tab_id }
  },
  async after({ tabs }, { tab_id }, call) {
    const tab = await stopped(tabs, tab_id, call)
    return { success: tab.endedAt !== null, tab_id }
  },
})
