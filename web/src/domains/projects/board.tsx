import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, Suspense, type TouchEvent, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { VListHandle } from 'virtua'
import { useLocation } from 'wouter'
import { Bars } from '../../parts/bars.tsx'
import { Button } from '../../parts/button.tsx'
import { useCutOff } from '../../parts/can-write.ts'
import { useCommands } from '../../parts/command.ts'
import { Empty } from '../../parts/empty.tsx'
import { Failure } from '../../parts/failure.tsx'
import { KeyHint } from '../../parts/key-hint.tsx'
import { useDesktop } from '../../parts/use-desktop.ts'
import { useStore } from '../../parts/use-store.ts'
import { useOwnWords, useWords } from '../../parts/use-words.ts'
import { BeginProject } from './begin-project.tsx'
import { BeginTask } from './begin-task.tsx'
import { BoardFilter } from './board-filter.tsx'
import { boardCommands, focusTask, type Grid, idsOf } from './board-keys.ts'
import { ActQuestion } from './act-buttons.tsx'
import { boardWords } from './board-words.ts'
import { Column } from './column.tsx'
import { fresh } from './fresh.ts'
import { type Lane, lanesOf, partsOf } from './model.ts'
import { reopening } from './moving.ts'
import { create } from './new-task-store.ts'
import { usePreferences } from './preferences.ts'
import { type Cards, useAgents, useCards } from './queries.ts'
import { useProjects } from './project-list.ts'
import { picking, selected } from './selection.ts'
import { type BoardPlace, useFilter } from './use-filter.ts'
import { Opened } from '../../parts/typed-ahead.tsx'
import { later } from '../../parts/later.tsx'

const ReopenDialog = later(async () => (await import('./reopen-dialog.tsx')).ReopenDialog)
const BoardPicker = later(async () => (await import('./board-picker.tsx')).BoardPicker)

/** `empty`: what a page without a project shows besides. */
export function Board({ empty }: { empty?: ReactNode }) {
  const words = useWords()
  const own = useOwnWords(boardWords)
  const cards = useCards()
  const projects = useProjects()
  const agents = useAgents().data
  const place = useFilter()
  const { filter, search } = place
  const cutOff = useCutOff()
  const isPhone = !useDesktop()
  const [preferences, prefer] = usePreferences(filter.project)
  const all = cards.data
  const { lanes, parts } = useLanes(all, place, preferences.group, agents)
  const only = lanes.find(({ key }) => key === preferences.only) ?? lanes[0]
  const shown = isPhone ? (only ? [only] : []) : lanes
  const open = isPhone ? shown : lanes.filter(({ key }) => !preferences.folded.includes(key))
  const lists = useListHandles()
  const grid = useRef<Grid>({ lanes: open, group: preferences.group, lists })
  grid.current = { lanes: open, group: preferences.group, lists }
  useBoardCommands(grid)
  // For the first key that opens it.
  useEffect(() => void BoardPicker.ready().catch(() => {}), [])
  const chosen = useChosen(open)
  // What is selected is among what is shown.
  useEffect(() => () => selected.set(new Set()), [filter])
  const isPicking = useStore(picking) !== undefined
  const isReopening = useStore(reopening) !== undefined
  const { folded } = preferences
  const fold = useCallback(
    (key: string) => prefer({ folded: folded.includes(key) ? folded.filter(one => one !== key) : [...folded, key] }),
    [folded, prefer],
  )
  const swipe = useSwipe(by => {
    const next = lanes[lanes.findIndex(({ key }) => key === only?.key) + by]
    if (next) prefer({ only: next.key })
  })

  if (cards.isError && !all) return <Failure error={cards.error} again={() => void cards.refetch()} />
  if (!all || !projects.data) return <Bars count={6} height={64} />
  if (projects.data.length === 0)
    return (
      <div className="h-full overflow-y-auto">
        <Empty title={words.board.noProject} hint={words.board.noProjectHint} cli={words.board.noProjectCli}>
          <BeginProject />
        </Empty>
        {empty}
      </div>
    )
  if (!hasTasks(all, filter.project)) return <NoTasks project={filter.project} cutOff={cutOff} />
  const count = open.reduce((sum, lane) => sum + lane.cards.length, 0)
  const isFiltered = filter.text !== '' || filter.assignee !== null
  return (
    <div className="flex h-full min-h-0 flex-col">
      <BoardFilter {...{ place, agents, count, lanes, preferences, prefer }} cards={all} only={only?.key ?? ''} />
      {chosen > 0 && (
        <p role="status" className="flex items-center gap-3 px-4 pb-2 text-ai">
          {own.selected(chosen)}
          <Button small look="quiet" onClick={() => selected.set(new Set())}>
            {own.clear} <KeyHint keys="Esc" />
          </Button>
        </p>
      )}
      {isPicking && (
        <Opened>
          <BoardPicker />
        </Opened>
      )}
      <ActQuestion />
      {isReopening && (
        <Suspense>
          <ReopenDialog />
        </Suspense>
      )}
      {count === 0 && isFiltered && <p className="px-4 pb-2 text-soft">{own.noMatch}</p>}
      <div
        className="flex min-h-0 flex-1 gap-2 overflow-x-auto px-4 pb-3 max-md:px-2"
        {...(isPhone && { onTouchStart: swipe.start, onTouchEnd: swipe.end })}
      >
        {shown.map(lane => (
          <Column
            key={lane.key}
            {...{ lane, agents, parts, search, cutOff, isPhone, fold }}
            group={preferences.group}
            list={lists(lane.key)}
            isFolded={!isPhone && folded.includes(lane.key)}
          />
        ))}
      </div>
    </div>
  )
}

type Agents = ReturnType<typeof useAgents>['data']

function useLanes(all: Cards | undefined, { filter, query }: BoardPlace, group: Grid['group'], agents: Agents) {
  const added = useStore(fresh)
  // Only what asks for it is worked out again when something comes in.
  const isAsked = query.some(({ field }) => field === 'is')
  const known = isAsked ? added : undefined
  const before = useRef<readonly Lane[]>([])
  const lanes = useMemo(() => {
    const nameOf = (id: string) => agents?.get(id)?.name ?? id
    return lanesOf(all?.byId.values() ?? [], { filter, query, group, nameOf, fresh: known }, before.current)
  }, [all, filter, query, group, agents, known])
  before.current = lanes
  const parts = useRef<ReadonlyMap<string, string>>(new Map())
  parts.current = useMemo(() => {
    const next = partsOf(all?.byId.values() ?? [])
    const isSame = next.size === parts.current.size && [...next].every(([id, one]) => parts.current.get(id) === one)
    return isSame ? parts.current : next
  }, [all])
  return { lanes, parts: parts.current }
}

function hasTasks({ byId, more }: Cards, project: string | null): boolean {
  if (project === null || more !== undefined) return byId.size > 0
  for (const card of byId.values()) if (card.project_id === project) return true
  return false
}

function useChosen(lanes: readonly Lane[]): number {
  const all = useStore(selected)
  // Mostly nothing is, and a set of thousands would be made for nothing.
  if (all.size === 0) return 0
  const visible = idsOf(lanes)
  return [...all].filter(id => visible.has(id)).length
}

function useListHandles(): (key: string) => { current: VListHandle | null } {
  const [handles] = useState(() => new Map<string, { current: VListHandle | null }>())
  return useCallback(
    key => {
      const known = handles.get(key) ?? { current: null }
      handles.set(key, known)
      return known
    },
    [handles],
  )
}

const SWIPED_PX = 60

/** To the next column, on a phone. What goes up or down is a scroll. */
function useSwipe(go: (by: 1 | -1) => void) {
  const from = useRef<{ x: number; y: number }>(undefined)
  return {
    start: ({ touches }: TouchEvent) => {
      const touch = touches[0]
      from.current = touches.length === 1 && touch ? { x: touch.clientX, y: touch.clientY } : undefined
    },
    end: ({ changedTouches }: TouchEvent) => {
      const touch = changedTouches[0]
      if (!from.current || !touch) return
      const [right, down] = [touch.clientX - from.current.x, touch.clientY - from.current.y]
      from.current = undefined
      if (Math.abs(right) > SWIPED_PX && Math.abs(right) > 2 * Math.abs(down)) go(right < 0 ? 1 : -1)
    },
  }
}

const openTask = () => /^\/tasks\/([^/?]+)/.exec(location.pathname)?.[1]

function useBoardCommands(grid: { current: Grid }): void {
  const queries = useQueryClient()
  const [path, navigate] = useLocation()
  const commands = useMemo(() => {
    // In the place of the other: Back leads to the board.
    const show = (id: string) => navigate(`/tasks/${id}${location.search}`, { replace: true })
    return boardCommands(queries, () => grid.current, { open: openTask, show })
  }, [queries, grid, navigate])
  useCommands(commands)
  // The card of the task that was open last gets the focus when the sheet closes.
  const last = useRef<string>(undefined)
  useEffect(() => {
    const id = openTask()
    if (id === undefined && last.current !== undefined) focusTask(last.current, () => grid.current)
    last.current = id
  }, [grid, path])
}

function NoTasks({ project, cutOff }: { project: string | null; cutOff: string | undefined }) {
  const words = useWords()
  const own = useOwnWords(boardWords)
  const add = useCallback((title: string) => create.set({ title, project }), [project])
  return (
    <Empty title={own.emptyTitle} hint={own.emptyHint} cli={words.board.cli}>
      <ul className="flex w-full flex-col gap-2">
        {own.samples.map(title => (
          <li key={title}>
            <Button className="w-full" disabled={cutOff !== undefined} title={cutOff} onClick={() => add(title)}>
              {title}
            </Button>
          </li>
        ))}
      </ul>
      <BeginTask project={project} />
    </Empty>
  )
}
