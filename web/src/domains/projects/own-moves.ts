// Moves of this page whose events are still to come: they are said when they are made, and not once more when they are heard.
import type { TaskStatus } from '#contract/projects.ts'

const made = new Set<string>()

export function madeMove(id: string, to: TaskStatus): void {
  made.add(`${id} ${to}`)
}

/** Whether the move that was heard is one of them; it is asked once for each. */
export function isOwnMove(id: string, to: TaskStatus): boolean {
  return made.delete(`${id} ${to}`)
}
