import type { InboxItem } from '#contract/inbox.ts'
import { HUB_SENDER, stateOf } from '#domains/tabs/model.ts'
import { type Facts, item, MOST } from './item.ts'

/** A sender that withdrew it, or that only informed, waits for nothing. */
const WITHDRAWN = 'cancelled'

/** A message that did not reach its tab, and was not sent again. */
export async function failedMessages({ services, projectId, names }: Facts): Promise<InboxItem[]> {
  const newest = await services.messages.newest({ projectId }, undefined, MOST)
  const failed = newest.filter(
    message => message.kind === 'message' && stateOf(message) === 'undeliverable' && message.reason !== WITHDRAWN,
  )
  // The same text to the same tab, later: it was sent again.
  const isSentAgain = ({ tabId, body, seq }: (typeof failed)[number]) =>
    newest.some(other => other.tabId === tabId && other.body === body && other.seq > seq)
  const open = failed.filter(message => message.sender !== HUB_SENDER && !isSentAgain(message))
  return Promise.all(
    open.map(async ({ id, tabId, body, failedAt, projectId: project }) => {
      const tab = await services.tabs.find(tabId)
      return item({
        ...{ kind: 'message_failed' as const, about: id, at: failedAt, detail: body, tab_id: tabId },
        title: tab?.branch ?? tabId,
        project_id: project,
        project_name: await names.project(project),
        engine: tab?.engine ?? null,
        // To one that has ended nothing can be sent any more.
        command: tab && tab.endedAt === null ? `toryo tab send ${tabId} "…"` : null,
      })
    }),
  )
}
