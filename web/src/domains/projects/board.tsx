import { useQueryClient } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { lazy, type ReactNode, Suspense, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { VListHandle } from 'virtua'
import type { TaskStatus } from '#contract/projects.ts'
import { TASK_STATUSES } from '#contract/task-values.ts'
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
import { BoardFilter } from './board-filter.tsx'
import { boardCommands, focusTask, type Grid, idsOf } from './board-keys.ts'
import { boardWords } from './board-words.ts'
import { Column } from './column.tsx'
import { columnsOf } from './model.ts'
import { create } from './new-task-store.ts'
import { useAgents, useCards, useProjects } from './queries.ts'
import { picking, selected } from './selection.ts'
import { useFilter } from './use-filter.ts'

const BoardPicker = lazy(async () => ({ default: (await import('./board-picker.tsx')).BoardPicker }))

/** Not shown next to each other on a phone, and this one not at all until it is asked for. */
const WIDE: readonly TaskStatus[] = TASK_STATUSES.filter(status => status !== 'cancelled')

/** `empty`: what a page without a project shows besides. */
export function Board({ empty }: { empty?: ReactNode }) {
  const words = useWords()
  const own = useOwnWords(boardWords)
  const cards = useCards()
  const projects = useProjects()
  const agents = useAgents()
  const [filter, setFilter, search] = useFilter()
  const cutOff = useCutOff()
  const all = cards.data
  const columns = useMemo(() => columnsOf([...(all?.byId.values() ?? [])], filter), [all, filter])
  const shown = useShownColumns()
  const lists = useListHandles()
  const grid = useRef<Grid>({ columns, shown: shown.statuses, lists })
  grid.current = { columns, shown: shown.statuses, lists }
  useBoardCommands(grid)
  const visible = idsOf({ columns, shown: shown.statuses })
  const chosen = [...useStore(selected)].filter(id => visible.has(id)).length
  // What is selected is among what is shown.
  useEffect(() => () => selected.set(new Set()), [filter])
  const isPicking = useStore(picking) !== undefined

  if (cards.isError && !all) return <Failure error={cards.error} again={() => void cards.refetch()} />
  if (!all || !projects.data) return <Bars count={6} height={64} />
  if (projects.data.length === 0)
    return (
      <div className="h-full overflow-y-auto">
        <Empty title={words.board.noProject} hint={words.board.noProjectHint} cli={words.board.noProjectCli} />
        {empty}
      </div>
    )
  const inProject = [...all.byId.values()].filter(card => filter.project === null || card.project_id === filter.project)
  if (inProject.length === 0) return <NoTasks project={filter.project} cutOff={cutOff} />
  const count = shown.statuses.reduce((sum, status) => sum + columns[status].length, 0)
  return (
    <div className="flex h-full min-h-0 flex-col">
      <BoardFilter
        filter={filter}
        change={setFilter}
        agents={agents.data}
        cards={inProject}
        count={count}
        columns={columns}
        shown={shown}
      />
      {chosen > 0 && (
        <p role="status" className="flex items-center gap-3 px-4 pb-2 text-ai">
          {own.selected(chosen)}
          <Button small look="quiet" onClick={() => selected.set(new Set())}>
            {own.clear} <KeyHint keys="Esc" />
          </Button>
        </p>
      )}
      {isPicking && (
        <Suspense>
          <BoardPicker />
        </Suspense>
      )}
      {count === 0 && filter.text + (filter.assignee ?? '') !== '' && (
        <p className="px-4 pb-2 text-soft">{words.board.noMatch}</p>
      )}
      <div className="flex min-h-0 flex-1 gap-2 overflow-x-auto px-4 pb-3 max-md:px-2">
        {shown.statuses.map(status => (
          <Column
            key={status}
            status={status}
            cards={columns[status]}
            agents={agents.data}
            search={search}
            cutOff={cutOff}
            list={lists[status]}
          />
        ))}
      </div>
    </div>
  )
}

export type ShownColumns = { statuses: readonly TaskStatus[]; only: TaskStatus; show: (status: TaskStatus) => void }

/** All of them side by side, or one at a time where there is no room. */
function useShownColumns(): ShownColumns {
  const isDesktop = useDesktop()
  const [only, show] = useState<TaskStatus>('in_progress')
  return { statuses: isDesktop ? WIDE : [only], only, show }
}

function useListHandles(): Record<TaskStatus, { current: VListHandle | null }> {
  const [handles] = useState(() =>
    Object.fromEntries(TASK_STATUSES.map(status => [status, { current: null as VListHandle | null }])),
  )
  return handles as Record<TaskStatus, { current: VListHandle | null }>
}

function useBoardCommands(grid: { current: Grid }): void {
  const queries = useQueryClient()
  const commands = useMemo(() => boardCommands(queries, () => grid.current), [queries, grid])
  useCommands(commands)
  // A card that was opened gets the focus back when its sheet closes and the card was drawn again.
  useEffect(() => {
    const id = /^\/tasks\/([^/?]+)/.exec(location.pathname)?.[1]
    if (id !== undefined) focusTask(id, () => grid.current)
  }, [grid])
}

function NoTasks({ project, cutOff }: { project: string | null; cutOff: string | undefined }) {
  const words = useWords()
  const add = useCallback((title: string) => create.set({ title, project }), [project])
  return (
    <Empty title={words.board.emptyTitle} hint={words.board.emptyHint} cli={words.board.cli}>
      <ul className="flex w-full flex-col gap-2">
        {words.board.samples.map(title => (
          <li key={title}>
            <Button className="w-full" disabled={cutOff !== undefined} title={cutOff} onClick={() => add(title)}>
              {title}
            </Button>
          </li>
        ))}
      </ul>
      <Button look="main" disabled={cutOff !== undefined} title={cutOff} onClick={() => add('')}>
        <Plus size={16} aria-hidden="true" />
        {words.board.newTask}
      </Button>
    </Empty>
  )
}
