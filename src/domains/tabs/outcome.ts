// What a call waits for after its commit. The rows are the truth; these only wait for them.
import type { Call } from '#kernel/tool.ts'
import { errorOf, type Tab } from './model.ts'
import type { Tabs } from './service.ts'

/** Less than any client waits for an answer. A tab that takes longer, with a long setup script, is told as starting. */
const LAUNCH_MS = 45_000
/** The ladder by which terminals end takes 15 s at most. */
const STOP_MS = 45_000

/** Throws why the tab could not be started. */
export async function launched(tabs: Tabs, id: string, call: Call): Promise<Tab> {
  call.progress(0, 1, 'starting')
  const tab = await tabs.until(id, now => now.openedAt !== null || now.endedAt !== null, call.signal, LAUNCH_MS)
  if (tab.problem) throw errorOf(tab.problem)
  call.progress(1, 1)
  return tab
}

export function stopped(tabs: Tabs, id: string, call: Call): Promise<Tab> {
  return tabs.until(id, now => now.endedAt !== null, call.signal, STOP_MS)
}
