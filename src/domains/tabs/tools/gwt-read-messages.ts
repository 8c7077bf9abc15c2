import { z } from 'zod'
import { CoreError } from '#contract/errors.ts'
import { MessageId, TabId } from '#contract/id-types.ts'
import { PAGE_MAX } from '#contract/limits.ts'
import { MessageView } from '#contract/tabs.ts'
import { limitOf, pageOf } from '#kernel/page.ts'
import { tool } from '#kernel/tool.ts'
import { actorOf } from '../actor.ts'
import type { Messages } from '../messages.ts'
import type { Tabs } from '../service.ts'
import { messageView } from '../views.ts'

export default tool({
  name: 'gwt_read_messages',
  toolset: 'tabs',
  title: 'Read messages',
  description: 'Read the messages that were sent to a tab, also those that are not typed there yet, oldest first.',
  effect: 'read',
  callers: ['operator', 'agent', 'run', 'tab'],
  offeredTo: ['tab'],
  input: z.object({
    tab_id: TabId.optional().describe('Tab id (tab_…; default: your own tab)'),
    after: MessageId.optional().describe('Only messages after this message_id (msg_…; default: the newest)'),
    limit: z.int().min(1).optional().describe(`1 to ${PAGE_MAX} (default 50)`),
  }),
  output: z.object({ messages: z.array(MessageView), truncated: z.boolean() }),
  async run({ tabs, messages }: { tabs: Tabs; messages: Messages }, input, call) {
    const by = actorOf(call)
    const own = by.kind === 'tab' ? by.tabId : undefined
    const id = input.tab_id ?? own
    if (id === undefined) throw CoreError.INVALID_ARGUMENT({ reason: WHOSE })
    if (own !== undefined && own !== id) throw CoreError.NOT_ALLOWED({ what: NOT_YOURS })
    const tab = await tabs.get(id, by)
    const last = input.after === undefined ? undefined : await messages.find(input.after)
    if (input.after !== undefined && last?.tabId !== tab.id) throw CoreError.INVALID_ARGUMENT({ reason: NO_SUCH })
    const limit = limitOf(input.limit)
    const rows = await messages.list(tab.id, last?.seq, last ? limit + 1 : limit)
    const { items, ...rest } = pageOf(rows, limit, messageView, message => message.id)
    return { messages: items, truncated: rest.next_cursor !== undefined }
  },
})

const WHOSE = {
  en: 'This connection is not a tab; name one with tab_id.',
  ja: 'この接続はタブではありません。tab_id で指定してください。',
}
const NOT_YOURS = {
  en: 'A tab reads its own messages only.',
  ja: 'タブが読めるのは自分宛てのメッセージだけです。',
}
const NO_SUCH = { en: 'after is not a message of this tab.', ja: 'after はこのタブのメッセージではありません。' }
