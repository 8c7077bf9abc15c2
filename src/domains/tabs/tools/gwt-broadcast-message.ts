import { z } from 'zod'
import { tool } from '#kernel/tool.ts'
import { actorOf } from '../actor.ts'
import type { Messages } from '../messages.ts'
import type { Tabs } from '../service.ts'

const MOST = 1000

export default tool({
  name: 'gwt_broadcast_message',
  toolset: 'tabs',
  title: 'Send a message to all tabs',
  description: 'Send text to the agents in all other live tabs that you can see.',
  effect: 'write',
  callers: ['operator', 'agent', 'run', 'tab'],
  offeredTo: ['tab'],
  input: z.object({ message: z.string().describe('The text, at most 8 kB') }),
  output: z.object({ sent_count: z.int(), message_ids: z.array(z.string()) }),
  async run({ tabs, messages }: { tabs: Tabs; messages: Messages }, input, call) {
    const by = actorOf(call)
    const live = await tabs.list({ live: true }, '', MOST, by)
    const others = live.filter(tab => by.kind !== 'tab' || tab.id !== by.tabId)
    const sent = (await messages.send(others, input.message, by)).filter(message => message.failedAt === null)
    return { sent_count: sent.length, message_ids: sent.map(({ id }) => id) }
  },
})
