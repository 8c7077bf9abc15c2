// The worktrees that views show now. The hub looks at these, and only while a page that can be seen names them.
import { MOST_WATCHED } from '#contract/limits.ts'
import { createStore } from './store.ts'

const views = new Map<symbol, readonly string[]>()

/** Their ids, each once, as text: equal ones are the same value. */
export const watched = createStore('')

export function watch(ids: readonly string[]): () => void {
  const view = Symbol('view')
  views.set(view, ids)
  sum()
  return () => {
    views.delete(view)
    sum()
  }
}

function sum(): void {
  const ids = [...new Set([...views.values()].flat())].sort().slice(0, MOST_WATCHED)
  watched.set(ids.join(' '))
}
