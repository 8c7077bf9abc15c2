// The board without a mouse: where the focus goes, and what the keys do to the card that has it.
import type { QueryClient } from '@tanstack/react-query'
import type { TaskStatus } from '#contract/projects.ts'
import { TASK_STATUSES } from '#contract/task-values.ts'
import type { Command } from '../../parts/command.ts'
import { type Columns, isClosed, neighbour } from './model.ts'
import { boardWords } from './board-words.ts'
import { move, order, undo } from './moving.ts'
import { actedOn, focusedTask, picking, selected, toggleSelected } from './selection.ts'

export type Grid = {
  columns: Columns
  shown: readonly TaskStatus[]
  lists: Record<TaskStatus, { current: { scrollToIndex(index: number, options?: object): void } | null }>
}

type Place = { column: number; row: number }

export function boardCommands(queries: QueryClient, grid: () => Grid): Command[] {
  const go = (right: number, down: number) => () => step(grid(), right, down)
  return [
    { id: 'board.down', title: w => w.command.down, keys: ['j', 'ArrowDown'], run: go(0, 1), onlyKeys: true },
    { id: 'board.up', title: w => w.command.up, keys: ['k', 'ArrowUp'], run: go(0, -1), onlyKeys: true },
    { id: 'board.right', title: w => w.command.right, keys: ['l', 'ArrowRight'], run: go(1, 0), onlyKeys: true },
    { id: 'board.left', title: w => w.command.left, keys: ['h', 'ArrowLeft'], run: go(-1, 0), onlyKeys: true },
    ...TASK_STATUSES.map((status, index) => ({
      id: `board.move.${status}`,
      title: (w: Parameters<Command['title']>[0]) => w.command.moveTo(w.status[status]),
      keys: [String(index + 1)],
      onlyKeys: true,
      run: () => {
        const focused = focusedTask()
        const ids = actedOn(idsOf(grid()))
        for (const id of ids) void move(queries, id, status)
        if (focused !== undefined) focusTask(focused, grid, selected.get().size > 0 ? undefined : status)
      },
    })),
    {
      ...{ id: 'board.orderUp', title: own(w => w.orderUp), keys: ['Shift+ArrowUp'], onlyKeys: true },
      run: () => shift(queries, grid, -1),
    },
    {
      ...{ id: 'board.orderDown', title: own(w => w.orderDown), keys: ['Shift+ArrowDown'], onlyKeys: true },
      run: () => shift(queries, grid, 1),
    },
    { id: 'board.select', title: own(w => w.select), keys: ['x'], run: toggleSelected, onlyKeys: true },
    {
      id: 'board.clear',
      title: own(w => w.clear),
      keys: ['Escape'],
      run: () => selected.set(new Set()),
      onlyKeys: true,
    },
    { id: 'board.assign', title: own(w => w.assign), keys: ['a'], run: pick('assignee', grid) },
    { id: 'board.priority', title: own(w => w.priority), keys: ['P'], run: pick('priority', grid) },
    { id: 'board.move', title: own(w => w.move), keys: ['m'], run: pick('status', grid) },
    { id: 'board.undo', title: w => w.command.undo, keys: ['u'], run: () => undo(queries) },
  ]
}

const own =
  (of: (words: typeof boardWords.en) => string): Command['title'] =>
  words =>
    of(boardWords[words.code])

/** Of the cards that are shown. */
export function idsOf({ columns, shown }: Pick<Grid, 'columns' | 'shown'>): Set<string> {
  return new Set(shown.flatMap(status => columns[status].map(({ task_id }) => task_id)))
}

const pick = (what: 'assignee' | 'priority' | 'status', grid: () => Grid) => () => {
  const ids = actedOn(idsOf(grid()))
  if (ids.length > 0) picking.set({ what, ids })
}

/** Only what is seen is drawn: the list is scrolled there first, and the card is waited for. */
export function focusTask(id: string, grid: () => Grid, wanted?: TaskStatus, tries = 30): void {
  const now = grid()
  const place = placeOf(id, now)
  const status = place && now.shown[place.column]
  if (place && status) now.lists[status].current?.scrollToIndex(place.row, { align: 'nearest' })
  const link = document.querySelector(`[data-task="${CSS.escape(id)}"] a`)
  // Not where it stood before a move that is about to be drawn.
  const isThere = status === (wanted ?? status) && link?.closest(`[data-column="${status}"]`)
  if (isThere && link instanceof HTMLElement) link.focus()
  // A card that was just added is hidden until its height is known, and what is hidden takes no focus.
  if (isThere && document.activeElement === link) return
  if (tries > 0) requestAnimationFrame(() => focusTask(id, grid, wanted, tries - 1))
}

/** Within its column, by one place. */
function shift(queries: QueryClient, grid: () => Grid, by: 1 | -1): void {
  const id = focusedTask()
  const now = grid()
  const place = id === undefined ? undefined : placeOf(id, now)
  const status = place && now.shown[place.column]
  if (id === undefined || !status || isClosed(status)) return
  const behind = neighbour(now.columns[status], id, by)
  if (behind === undefined) return
  void order(queries, now.columns[status], id, behind)
  focusTask(id, grid)
}

function step(grid: Grid, right: number, down: number): void {
  const id = focusedTask()
  const from = id === undefined ? undefined : placeOf(id, grid)
  const next = from ? after(grid, from, right, down) : first(grid)
  const target = next && grid.columns[grid.shown[next.column] ?? 'todo'][next.row]
  if (target) focusTask(target.task_id, () => grid)
}

function first({ shown, columns }: Grid): Place | undefined {
  const column = shown.findIndex(status => columns[status].length > 0)
  return column === -1 ? undefined : { column, row: 0 }
}

/** Columns without cards are passed by. */
function after({ shown, columns }: Grid, { column, row }: Place, right: number, down: number): Place {
  const length = (index: number) => columns[shown[index] ?? 'todo'].length
  if (right === 0) return { column, row: Math.max(0, Math.min(length(column) - 1, row + down)) }
  for (let next = column + right; next >= 0 && next < shown.length; next += right)
    if (length(next) > 0) return { column: next, row: Math.min(row, length(next) - 1) }
  return { column, row }
}

function placeOf(id: string, { shown, columns }: Grid): Place | undefined {
  for (const [column, status] of shown.entries()) {
    const row = columns[status].findIndex(card => card.task_id === id)
    if (row !== -1) return { column, row }
  }
  return undefined
}
