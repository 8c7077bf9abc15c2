// The scene goes on without its person when no page is open. Where one is, its reader may be in another window: the question waits.
import { setTimeout as sleep } from 'node:timers/promises'

type Alone = {
  /** The terminal whose question is open. */
  asking: () => Promise<string | undefined>
  press: (tab: string) => Promise<void>
  /** How many pages are open. */
  pages: () => number
  patienceMs: number
  signal: AbortSignal
  lookMs?: number
}

/** Resolves when the question is answered. */
export async function answerAlone({ asking, press, pages, patienceMs, signal, lookMs = 1000 }: Alone): Promise<void> {
  let wasAsked = false
  let since: number | undefined
  for (; !signal.aborted; await sleep(lookMs, undefined, { signal })) {
    const tab = await asking()
    if (tab === undefined && wasAsked) return
    wasAsked = tab !== undefined
    if (tab === undefined || pages() > 0) since = undefined
    else since ??= performance.now()
    if (tab !== undefined && since !== undefined && performance.now() - since >= patienceMs) await press(tab)
  }
}
