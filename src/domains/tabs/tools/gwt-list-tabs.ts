import { z } from 'zod'
import { TabView } from '#contract/tabs.ts'
import { tool } from '#kernel/tool.ts'
import { actorOf } from '../actor.ts'
import type { Tabs } from '../service.ts'
import { tabView } from '../views.ts'

const MOST = 1000

export default tool({
  name: 'gwt_list_tabs',
  toolset: 'tabs',
  title: 'List tabs',
  description: 'List the live tabs: agents in terminals that you can write to, each on a branch of its own.',
  effect: 'read',
  callers: ['operator', 'agent', 'run', 'tab'],
  offeredTo: ['tab'],
  input: z.object({}),
  output: z.object({ tabs: z.array(TabView) }),
  async run({ tabs }: { tabs: Tabs }, _input, call) {
    const live = await tabs.list({ live: true }, '', MOST, actorOf(call))
    return { tabs: await Promise.all(live.map(async tab => tabView(tab, await tabs.status(tab)))) }
  },
  text: ({ tabs }) => JSON.stringify(tabs),
})
