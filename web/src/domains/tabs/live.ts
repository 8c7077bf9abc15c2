import type { Live, LiveContext } from '../../hub/live.ts'
import { keys, type Tabs } from './queries.ts'

type Payload = { tabId?: string; status?: Tabs[number]['status'] }

const changed: Live[string] = (event, { refetch }) => {
  const { tabId } = event.payload as Payload
  refetch(keys.tabs)
  if (tabId !== undefined) refetch(keys.tab(tabId))
}

/** Said at once: a tab that asks must not wait for a request. */
const moved: Live[string] = (event, context) => {
  const { tabId, status } = event.payload as Payload
  if (status) patch(context, tabId, status)
  changed(event, context)
}

const ended: Live[string] = (event, context) => {
  const { tabId } = event.payload as Payload
  if (tabId !== undefined) context.refetch(keys.screen(tabId))
  changed(event, context)
}

const messages: Live[string] = (_, { refetch }) => {
  refetch(keys.messages)
  refetch(keys.tabs)
}

export const live: Live = {
  'tab.created': changed,
  'tab.prepared': changed,
  'tab.opened': changed,
  'tab.status_changed': moved,
  'tab.stop_requested': changed,
  'tab.ended': ended,
  'message.queued': messages,
  'message.delivered': messages,
  'message.undeliverable': messages,
}

function patch({ queries }: LiveContext, id: string | undefined, status: Tabs[number]['status']): void {
  queries.setQueryData<Tabs>(keys.tabs, tabs => tabs?.map(tab => (tab.tab_id === id ? { ...tab, status } : tab)))
}
