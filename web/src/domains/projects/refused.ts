// What becomes of a change that was shown before the hub agreed to it.
import type { QueryClient } from '@tanstack/react-query'
import { call, Overtaken } from '../../hub/call.ts'
import { createStore } from '../../hub/store.ts'
import { notify } from '../../parts/notices.tsx'
import { sentence } from '../../parts/sentence.ts'
import { currentWords } from '../../words/words.ts'
import { boardWords } from './board-words.ts'
import { keys, type TaskDetail } from './queries.ts'

/** The card that was just put back, to be shown as such once. */
export const flashed = createStore<string | undefined>(undefined)

function flash(id: string): void {
  flashed.set(id)
  setTimeout(() => flashed.set(now => (now === id ? undefined : now)), 1000)
}

type Refusal = {
  id: string
  text: string
  error: unknown
  /** Another changed the same meanwhile: what is sent again would overwrite it. */
  isConflict: boolean
  again: () => void
}

/** Shown on the card, and said in the hub's own words with the way on. */
export function sayRefused({ id, text, error, isConflict, again }: Refusal): void {
  flash(id)
  const words = currentWords()
  const own = boardWords[words.code]
  const isTaken = error instanceof Overtaken
  const label = isTaken || isConflict ? own.mine : words.notice.again
  notify({ kind: 'failed', text, detail: isTaken ? own.overtaken : sentence(error), action: { label, run: again } })
}

/** For a write that may or may not have arrived: whether the field is neither as it was nor as this page wants it. */
export function overtakes<F extends keyof TaskDetail>(
  id: string,
  field: F,
  ...known: readonly TaskDetail[F][]
): () => Promise<boolean> {
  return async () => {
    const { value } = await call('task.show', { task_id: id })
    return !known.some(one => same((value as TaskDetail)[field], one))
  }
}

export const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)

/** The sheet's own mark; the answer that follows takes it away. */
export function markTask(queries: QueryClient, id: string): void {
  queries.setQueryData<TaskDetail>(keys.task(id), task => task && { ...task, pending: 'sending' })
}
