// What is asked before it is done to a task: deleting it, and taking its merge out of the base.
import type { QueryClient } from '@tanstack/react-query'
import { write } from '../../hub/call.ts'
import { createStore } from '../../hub/store.ts'
import { notify } from '../../parts/notices.tsx'
import { sentence } from '../../parts/sentence.ts'
import { currentWords } from '../../words/words.ts'
import { keys } from './queries.ts'
import { taskActsWords } from './task-acts-words.ts'

export type TaskAct = 'delete' | 'undo' | 'redo'
export type ActWish = { act: TaskAct; tasks: readonly { id: string; handle: string }[] }

/** Waits for a person's yes. */
export const acting = createStore<ActWish | undefined>(undefined)

export async function doAct(queries: QueryClient, { act, tasks }: ActWish): Promise<void> {
  const words = taskActsWords[currentWords().code]
  for (const { id, handle } of tasks) {
    try {
      if (act === 'delete') await write('task.delete', { task_id: id })
      else await write('task.undo_merge', { task_id: id, redo: act === 'redo' })
      const back = { label: words.restore, run: () => void restore(queries, id, handle) }
      notify({ kind: 'done', text: words[act].done(handle), ...(act === 'delete' && { action: back }) })
    } catch (error) {
      notify({ kind: 'failed', text: handle, detail: sentence(error) })
    }
    again(queries, id)
  }
}

export async function restore(queries: QueryClient, id: string, handle: string): Promise<void> {
  try {
    await write('task.restore', { task_id: id })
    notify({ kind: 'done', text: taskActsWords[currentWords().code].restored(handle) })
  } catch (error) {
    notify({ kind: 'failed', text: handle, detail: sentence(error) })
  }
  again(queries, id)
}

function again(queries: QueryClient, id: string): void {
  for (const queryKey of [keys.task(id), keys.cards]) void queries.invalidateQueries({ queryKey })
}
