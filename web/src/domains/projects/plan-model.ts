// Pure: the tasks around one, in columns from what must come first to what comes after.
type Known = { task_id: string; depends_on?: readonly string[] | undefined }

export type Node = { id: string; column: number; row: number }
export type Graph = { nodes: Node[]; edges: [from: string, to: string][]; columns: number; rows: number }

/** As far as is drawn in either direction, and as many as fit there. */
const FAR = 3
const MOST_ROWS = 6

export function graphOf(cards: ReadonlyMap<string, Known>, id: string): Graph {
  const after = dependents(cards)
  const before = (one: string) => cards.get(one)?.depends_on ?? []
  const levels = new Map<string, number>([[id, 0]])
  walk(levels, id, -1, before)
  walk(levels, id, 1, one => after.get(one) ?? [])
  const columns = [...new Set(levels.values())].sort((a, b) => a - b)
  const nodes = columns.flatMap((level, column) =>
    [...levels]
      .filter(([, at]) => at === level)
      .slice(0, MOST_ROWS)
      .map(([one], row) => ({ id: one, column, row })),
  )
  const drawn = new Set(nodes.map(node => node.id))
  const edges = nodes.flatMap(node =>
    before(node.id).flatMap((one): [string, string][] => (drawn.has(one) ? [[one, node.id]] : [])),
  )
  return { nodes, edges, columns: columns.length, rows: Math.max(1, ...nodes.map(({ row }) => row + 1)) }
}

/** Who waits for whom, the other way round. */
export function dependents(cards: ReadonlyMap<string, Known>): Map<string, string[]> {
  const found = new Map<string, string[]>()
  for (const { task_id, depends_on } of cards.values())
    for (const one of depends_on ?? []) found.set(one, [...(found.get(one) ?? []), task_id])
  return found
}

/** Each stands where its longest way ends, so that every line goes to the right. */
function walk(levels: Map<string, number>, from: string, by: 1 | -1, next: (id: string) => readonly string[]): void {
  let level = [from]
  for (let far = 1; far <= FAR && level.length > 0; far++) {
    const found = new Set(level.flatMap(next).filter(one => one !== from))
    for (const one of found) {
      const at = levels.get(one)
      // Rows that no verb has written may go in a circle.
      if (at === undefined || Math.sign(at) === by) levels.set(one, far * by)
    }
    level = [...found]
  }
}
