// The board without a mouse: where the focus goes, and what the keys do to the card that has it.
import type { QueryClient } from '@tanstack/react-query'
import type { TaskStatus } from '#contract/projects.ts'
import { TASK_STATUSES } from '#contract/task-values.ts'
import { beside } from '../../parts/beside.ts'
import type { Command } from '../../parts/command.ts'
import { type Group, IN_REVIEW, isClosed, type Lane, neighbour } from './model.ts'
import { boardWords } from './board-words.ts'
import { move, order } from './moving.ts'
import { create } from './new-task-store.ts'
import { cardOf } from './queries.ts'
import { actedOn, type Asked, focusedTask, picking, selected, toggleSelected } from './selection.ts'

/** What is shown: columns that are folded have no place in it. */
export type Grid = {
  lanes: readonly Lane[]
  group: Group
  lists: (key: string) => { current: { scrollToIndex(index: number, options?: object): void } | null }
}

type Place = { column: number; row: number }

/** `open`: the task in the sheet over the board, if one is; `show`: puts another in its place. */
export type Opened = { open: () => string | undefined; show: (id: string) => void }

export function boardCommands(queries: QueryClient, grid: () => Grid, sheet: Opened): Command[] {
  const go = (right: number, down: number) => () => step(grid(), right, down)
  return [
    { id: 'board.down', title: w => w.command.down, keys: ['j', 'ArrowDown'], run: go(0, 1), onlyKeys: true },
    { id: 'board.up', title: w => w.command.up, keys: ['k', 'ArrowUp'], run: go(0, -1), onlyKeys: true },
    { id: 'board.right', title: w => w.command.right, keys: ['ArrowRight'], run: go(1, 0), onlyKeys: true },
    { id: 'board.left', title: w => w.command.left, keys: ['ArrowLeft'], run: go(-1, 0), onlyKeys: true },
    {
      id: 'board.nextItem',
      title: w => w.command.nextItem,
      keys: [']'],
      run: () => leaf(grid(), sheet, 1),
      ...EVERYWHERE,
    },
    {
      id: 'board.previousItem',
      title: w => w.command.previousItem,
      keys: ['['],
      run: () => leaf(grid(), sheet, -1),
      ...EVERYWHERE,
    },
    ...TASK_STATUSES.map((status, index) => ({
      id: `board.move.${status}`,
      title: (w: Parameters<Command['title']>[0]) => w.command.moveTo(w.status[status]),
      row: MOVES,
      keys: [String(index + 1)],
      onlyKeys: true,
      run: () => {
        const focused = focusedTask()
        const { lanes, group } = grid()
        for (const id of actedOn(idsOf(lanes))) void move(queries, id, status)
        const isAlone = selected.get().size === 0 && group === 'status'
        if (focused !== undefined) focusTask(focused, grid, isAlone ? status : undefined)
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
    { id: 'board.select', title: own(w => w.select), keys: ['x'], run: () => toggleSelected(), onlyKeys: true },
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
    { id: 'board.waits', title: own(w => w.waits), keys: ['w'], run: pick('waits', grid) },
    { id: 'board.parent', title: own(w => w.parent), keys: ['s'], run: pick('parent', grid) },
    { id: 'board.unlink', title: own(w => w.unlink), keys: ['W'], run: pick('unlink', grid) },
    {
      ...{ id: 'board.addPart', title: own(w => w.addPart), keys: ['S'] },
      run: () => {
        const parent = focusedTask()
        if (parent !== undefined)
          create.set({ title: '', project: cardOf(queries, parent)?.project_id ?? null, parent })
      },
    },
    { id: 'board.menu', title: own(w => w.actionsTitle), keys: ['.'], run: pick('action', grid) },
  ]
}

const MOVES: Command['title'] = w => w.command.moveByKey
/** Also while the sheet is open. */
const EVERYWHERE = { onlyKeys: true, inDialog: true }

const own =
  (of: (words: typeof boardWords.en) => string): Command['title'] =>
  words =>
    of(boardWords[words.code])

/** Of the cards that are shown. */
export function idsOf(lanes: readonly Lane[]): Set<string> {
  return new Set(lanes.flatMap(({ cards }) => cards.map(({ task_id }) => task_id)))
}

const pick = (what: Asked, grid: () => Grid) => () => {
  const ids = actedOn(idsOf(grid().lanes))
  if (ids.length > 0) picking.set({ what, ids })
}

/** Only what is seen is drawn: the list is scrolled there first, and the card is waited for. */
export function focusTask(id: string, grid: () => Grid, wanted?: string, tries = 30): void {
  const { lanes, lists } = grid()
  const place = placeOf(id, lanes)
  const key = place && lanes[place.column]?.key
  if (place && key !== undefined) lists(key).current?.scrollToIndex(place.row, { align: 'nearest' })
  const link = document.querySelector(`[data-task="${CSS.escape(id)}"] a`)
  // Not where it stood before a move that is about to be drawn.
  const isThere = key === (wanted ?? key) && link?.closest(`[data-column="${CSS.escape(key ?? '')}"]`)
  if (isThere && link instanceof HTMLElement) link.focus()
  // A card that was just added is hidden until its height is known, and what is hidden takes no focus.
  if (isThere && document.activeElement === link) return
  if (tries > 0) requestAnimationFrame(() => focusTask(id, grid, wanted, tries - 1))
}

/** Within its column, by one place. */
function shift(queries: QueryClient, grid: () => Grid, by: 1 | -1): void {
  const id = focusedTask()
  const { lanes, group } = grid()
  const place = id === undefined ? undefined : placeOf(id, lanes)
  const lane = place && lanes[place.column]
  if (id === undefined || !lane || group !== 'status' || lane.key === IN_REVIEW || isClosed(lane.key as TaskStatus))
    return
  const behind = neighbour(lane.cards, id, by)
  if (behind === undefined) return
  void order(queries, lane.cards, id, behind)
  focusTask(id, grid)
}

function step(grid: Grid, right: number, down: number): void {
  const { lanes } = grid
  const id = focusedTask()
  const from = id === undefined ? undefined : placeOf(id, lanes)
  const next = from ? after(lanes, from, right, down) : first(lanes)
  const target = next && lanes[next.column]?.cards[next.row]
  if (target) focusTask(target.task_id, () => grid)
}

/** The task before or after the one that is open, over the ends of columns; without one, the card beside the focused one. */
function leaf(grid: Grid, { open, show }: Opened, by: 1 | -1): void {
  const id = open()
  if (id === undefined) return step(grid, 0, by)
  const next = beside([...idsOf(grid.lanes)], id, by)
  if (next !== undefined) show(next)
}

function first(lanes: readonly Lane[]): Place | undefined {
  const column = lanes.findIndex(({ cards }) => cards.length > 0)
  return column === -1 ? undefined : { column, row: 0 }
}

/** Columns without cards are passed by. */
function after(lanes: readonly Lane[], { column, row }: Place, right: number, down: number): Place {
  const length = (index: number) => lanes[index]?.cards.length ?? 0
  if (right === 0) return { column, row: Math.max(0, Math.min(length(column) - 1, row + down)) }
  for (let next = column + right; next >= 0 && next < lanes.length; next += right)
    if (length(next) > 0) return { column: next, row: Math.min(row, length(next) - 1) }
  return { column, row }
}

function placeOf(id: string, lanes: readonly Lane[]): Place | undefined {
  for (const [column, { cards }] of lanes.entries()) {
    const row = cards.findIndex(card => card.task_id === id)
    if (row !== -1) return { column, row }
  }
  return undefined
}
