// The cards that a key acts on: those that were selected, or else the one that has the focus.
import { createStore } from '../../hub/store.ts'

export const selected = createStore<ReadonlySet<string>>(new Set())

export type Asked = 'assignee' | 'priority' | 'status' | 'action' | 'waits' | 'parent' | 'unlink'

/** What is to be chosen for them. */
export const picking = createStore<{ what: Asked; ids: readonly string[] } | undefined>(undefined)

export function focusedTask(): string | undefined {
  const card = document.activeElement?.closest('[data-task]')
  return card instanceof HTMLElement ? card.dataset['task'] : undefined
}

export function toggleSelected(id = focusedTask()): void {
  if (id === undefined) return
  selected.set(before => {
    const next = new Set(before)
    if (!next.delete(id)) next.add(id)
    return next
  })
}

/** Never a card that is not shown: no one would see what happens to it. */
export function actedOn(shown: ReadonlySet<string>): string[] {
  const all = [...selected.get()].filter(id => shown.has(id))
  const focused = focusedTask()
  return all.length > 0 ? all : focused === undefined ? [] : [focused]
}
