// The order of tasks within a column. Pure and without zod: the hub decides by it, and the dashboard shows it before the hub has answered.
import { PRIORITIES } from './task-values.ts'

/** Further apart than numbers of tasks are. */
const APART = 1e9

/** Where it stands among those of its status: where a person put it, else by priority and age. Lower is higher up. */
export function placeOf(task: { rank: number | null; priority: (typeof PRIORITIES)[number]; number: number }): number {
  return task.rank ?? PRIORITIES.indexOf(task.priority) * APART + task.number
}

type Placed = { id: string; place: number }

/**
 * The place directly behind another, or in front of all; `column` has the order that is shown. Undefined: there is no number between
 * the two any more, and the column has to be counted again.
 */
export function placeBehind(column: readonly Placed[], id: string, behind: string | null): number | undefined {
  const others = column.filter(other => other.id !== id)
  const at = behind === null ? -1 : others.findIndex(other => other.id === behind)
  const [above, below] = [others[at], others[at + 1]]
  if (!above) return below ? below.place - 1 : column[0]?.place
  if (!below) return above.place + 1
  const middle = (above.place + below.place) / 2
  return middle > above.place && middle < below.place ? middle : undefined
}
