import { z } from 'zod'
import { TabId } from '#contract/id-types.ts'
import { TabDetail } from '#contract/tabs.ts'
import { tool } from '#kernel/tool.ts'
import { actorOf } from '../actor.ts'
import { type DetailServices, detailOf } from '../detail.ts'

export default tool({
  name: 'gwt_get_tab_info',
  toolset: 'tabs',
  title: 'Get a tab',
  description: 'Get what is known of a tab: engine, branch, worktree, status, and how it ended.',
  effect: 'read',
  callers: ['operator', 'agent', 'run', 'tab'],
  offeredTo: ['tab'],
  input: z.object({ tab_id: TabId }),
  output: TabDetail,
  async run(services: DetailServices, input, call) {
    return detailOf(services, await services.tabs.get(input.tab_id, actorOf(call)), call.lang)
  },
})
