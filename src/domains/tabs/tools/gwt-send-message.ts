import { z } from 'zod'
import { TabId } from '#contract/id-types.ts'
import { MessageState } from '#contract/tabs.ts'
import { success, SUCCESS, tool } from '#kernel/tool.ts'
import { actorOf } from '../actor.ts'
import type { Messages } from '../messages.ts'
import { stateOf } from '../model.ts'
import type { Tabs } from '../service.ts'

export default tool({
  name: 'gwt_send_message',
  toolset: 'tabs',
  title: 'Send a message',
  description: 'Send text to the agent in another tab; it is typed there as one line when that agent is ready for it.',
  effect: 'write',
  callers: ['operator', 'agent', 'run', 'tab'],
  offeredTo: ['tab'],
  input: z.object({ target_tab_id: TabId, message: z.string().describe('The text, at most 8 kB') }),
  output: z.object({ ...success, message_id: z.string(), state: MessageState }),
  async run({ tabs, messages }: { tabs: Tabs; messages: Messages }, input, call) {
    const by = actorOf(call)
    const tab = await tabs.getLive(input.target_tab_id, by)
    const [message] = await messages.send([tab], input.message, by)
    if (!message) throw new Error('a message to one tab was not stored')
    return { ...SUCCESS, message_id: message.id, state: stateOf(message) }
  },
})
