// What can be done about an item. Each is a call of the hub; the item goes when the facts have changed.
import type { QueryClient } from '@tanstack/react-query'
import type { InboxItem } from '#contract/inbox.ts'
import { Refused, write } from '../../hub/call.ts'
import { notify } from '../../parts/notices.tsx'
import { currentWords } from '../../words/words.ts'
import { inboxWords } from './words.ts'
import { INBOX, without } from './queries.ts'

/** Throws what the hub refuses: it is said beside the field. */
export async function answer(queries: QueryClient, item: InboxItem, text: string): Promise<void> {
  if (item.task_id === null) return
  await write('task.answer', { task_id: item.task_id, answer: text })
  gone(queries, item, currentWords().needs.answered(item.title))
}

/** The plain step of an item, for its button and for `e`. */
export async function settle(queries: QueryClient, item: InboxItem): Promise<void> {
  const { needs, error: errors } = currentWords()
  try {
    switch (item.kind) {
      case 'run_failed':
        await write('inbox.seen', { item_id: item.item_id })
        return gone(queries, item, needs.dismissed)
      case 'engine_paused':
        await write('engine.resume', { engine: item.title })
        return gone(queries, item, needs.resumed(item.title))
      case 'untrusted':
        if (item.project_id !== null)
          await write('project.trust', {
            project_id: item.project_id,
            ...(item.runner !== null && { runner: item.runner }),
          })
        return gone(queries, item, needs.trusted)
      default:
        return
    }
  } catch (error) {
    notify({ kind: 'failed', text: item.title, detail: error instanceof Refused ? error.message : errors.unreached })
  }
}

/** A run that failed, once more. If that fails, too, it is an item of its own. */
export async function again(queries: QueryClient, item: InboxItem): Promise<void> {
  const { code, error: errors } = currentWords()
  if (item.run_id === null) return
  try {
    await write('run.repeat', { run_id: item.run_id })
    await write('inbox.seen', { item_id: item.item_id })
    gone(queries, item, `${inboxWords[code].again}: ${item.title}`)
  } catch (error) {
    notify({ kind: 'failed', text: item.title, detail: error instanceof Refused ? error.message : errors.unreached })
  }
}

/** Until then, or until it changes; undefined: only until it changes. */
export async function snooze(queries: QueryClient, item: InboxItem, until: Date | undefined): Promise<void> {
  const { item_id } = item
  const words = inboxWords[currentWords().code]
  try {
    if (until) await write('inbox.snooze', { item_id, until: until.toISOString() })
    else await write('inbox.seen', { item_id })
    gone(queries, item, words.snoozed)
  } catch (error) {
    const detail = error instanceof Refused ? error.message : currentWords().error.unreached
    notify({ kind: 'failed', text: item.title, detail })
  }
}

function gone(queries: QueryClient, item: InboxItem, text: string): void {
  queries.setQueryData(INBOX, (answer: unknown) => without(answer, item.item_id))
  void queries.invalidateQueries({ queryKey: INBOX })
  notify({ kind: 'done', text })
}
