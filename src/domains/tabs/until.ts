// Waiting for a tab. The row is the truth, and events only say when to look again.
import type { TabId } from '#contract/id-types.ts'
import { TabError } from '#contract/tabs.ts'
import type { EventLog } from '#kernel/events.ts'
import type { Tab } from './model.ts'

type Watched = { tabs: { find(id: TabId): Promise<Tab | undefined> }; events: Pick<EventLog, 'subscribe'> }

/** Waits until the tab is as wanted; gives up at the signal or after `ms`, with the tab as it is then. */
export async function until(
  { tabs, events }: Watched,
  id: TabId,
  wanted: (tab: Tab) => boolean,
  signal: AbortSignal,
  ms: number,
): Promise<Tab> {
  const look = async () => {
    const tab = await tabs.find(id)
    if (!tab) throw TabError.TAB_NOT_FOUND({ tabId: id })
    return tab
  }
  let wake = () => {}
  let woken = false
  const onChange = () => {
    woken = true
    wake()
  }
  const forget = events.subscribe(event => {
    if ((event.payload as { tabId?: unknown } | null)?.tabId === id) onChange()
  })
  let over = false
  const timer = setTimeout(() => {
    over = true
    onChange()
  }, ms)
  const onAbort = () => {
    over = true
    onChange()
  }
  signal.addEventListener('abort', onAbort)
  try {
    for (;;) {
      woken = false
      const tab = await look()
      if (wanted(tab) || over || signal.aborted) return tab
      await new Promise<void>(resolve => {
        wake = resolve
        if (woken) resolve()
      })
    }
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', onAbort)
    forget()
  }
}
