// What a person does to tabs and messages. The lists change when the hub says that it happened.
import type { TabRecord } from '#contract/records.ts'
import type { MessageView } from '#contract/tabs.ts'
import { write } from '../../hub/call.ts'
import { createStore } from '../../hub/store.ts'
import { notify } from '../../parts/notices.tsx'
import { sentence } from '../../parts/sentence.ts'
import { currentWords } from '../../words/words.ts'
import { words as own } from './words.ts'

/** Asked to stop, and not ended yet. */
export const stopping = createStore<ReadonlySet<string>>(new Set())

export async function stop({ tab_id, branch }: TabRecord): Promise<void> {
  const words = own[currentWords().code]
  if (stopping.get().has(tab_id)) return
  stopping.set(before => new Set([...before, tab_id]))
  try {
    await write('tab.stop', { tab_id })
    notify({ kind: 'done', text: words.stop.done(branch) })
  } catch (error) {
    notify({ kind: 'failed', text: words.stop.failed(branch), detail: sentence(error) })
  }
  stopping.set(before => new Set([...before].filter(id => id !== tab_id)))
}

/** `reached`: the projects that have it; who sends it again after a failure leaves them out. */
export type To = { tab_id: string } | { tabs: readonly Pick<TabRecord, 'project_id'>[]; reached: Set<string> }

/** To one tab, or to all of the tabs. Throws what the hub refuses: it is said beside the field. */
export async function send(message: string, to: To): Promise<number> {
  if ('tab_id' in to) return (await write('tab.send', { tab_id: to.tab_id, message })).value.messages.length
  const projects = new Set(to.tabs.map(({ project_id }) => project_id))
  let sent = 0
  for (const project_id of projects) {
    if (to.reached.has(project_id)) continue
    sent += (await write('tab.send', { project_id, message })).value.messages.length
    to.reached.add(project_id)
  }
  return sent
}

export async function cancel({ message_id }: MessageView): Promise<void> {
  const words = own[currentWords().code].messages
  try {
    await write('message.cancel', { message_id })
    notify({ kind: 'done', text: words.cancelled })
  } catch (error) {
    notify({ kind: 'failed', text: words.notCancelled, detail: sentence(error) })
  }
}

/** One that did not arrive, as a new message. */
export async function sendAgain({ to, message }: MessageView): Promise<void> {
  const words = own[currentWords().code].messages
  try {
    await write('tab.send', { tab_id: to, message })
    notify({ kind: 'done', text: words.sentAgain })
  } catch (error) {
    notify({ kind: 'failed', text: words.failed, detail: sentence(error) })
  }
}
