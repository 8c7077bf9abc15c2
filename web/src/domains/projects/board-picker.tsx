import { useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useLocation } from 'wouter'
import type { Priority, TaskStatus } from '#contract/projects.ts'
import { PRIORITIES, TASK_STATUSES } from '#contract/task-values.ts'
import { interruptWords, stopWork, takeOver } from '../../parts/interrupt.ts'
import { PriorityMark, StatusMark } from '../../parts/marks.tsx'
import { type Option, Picker } from '../../parts/picker.tsx'
import { useStore } from '../../parts/use-store.ts'
import { useOwnWords, useWords } from '../../parts/use-words.ts'
import { boardWords } from './board-words.ts'
import { link } from './linking.ts'
import { type Card, NOBODY } from './model.ts'
import { assign, move, prioritise } from './moving.ts'
import { create } from './new-task-store.ts'
import { useAgents, useCards } from './queries.ts'
import { type Asked, picking, toggleSelected } from './selection.ts'
import { acting } from './task-acts.ts'
import { taskActsWords } from './task-acts-words.ts'
import { TaskPicker } from './task-picker.tsx'

const close = () => picking.set(undefined)
const NO_CARDS: ReadonlyMap<string, Card> = new Map()

/** What the keys of the board and the menu of a card ask. */
export function BoardPicker() {
  const own = useOwnWords(boardWords)
  const wish = useStore(picking)
  if (!wish) return null
  const label = own.pick[wish.what](wish.ids.length)
  const isOfTasks = wish.what === 'waits' || wish.what === 'parent'
  return isOfTasks ? (
    <OtherTask kind={wish.what as 'waits' | 'parent'} ids={wish.ids} label={label} />
  ) : (
    <Choice key={wish.what} what={wish.what} ids={wish.ids} label={label} />
  )
}

function Choice({ what, ids, label }: { what: Asked; ids: readonly string[]; label: string }) {
  const queries = useQueryClient()
  const cards = useCards().data?.byId ?? NO_CARDS
  const options = useOptions(what, ids, cards)
  const [, navigate] = useLocation()
  const choose = (id: string) => {
    if (what === 'action') return act(id)
    for (const task of ids) {
      if (what === 'assignee') void assign(queries, task, id === NOBODY ? null : id)
      if (what === 'priority') void prioritise(queries, task, id as Priority)
      if (what === 'status') void move(queries, task, id as TaskStatus)
      if (what === 'unlink') unlink(task, id)
    }
  }
  const unlink = (task: string, id: string) => {
    const [kind, other = ''] = id.split(' ')
    void link(queries, { kind: kind as 'waits' | 'parent', id: task, other, isGone: true })
  }
  const take = async (run: string) => {
    const terminal = await takeOver(run)
    if (terminal !== undefined) navigate(terminal)
  }
  const act = (id: string) => {
    const status = TASK_STATUSES.find(one => one === id)
    const [first = ''] = ids
    if (status) for (const task of ids) void move(queries, task, status)
    else if (id === 'stop') void stopWork(cards.get(first)?.run?.execution_id ?? '')
    else if (id === 'takeOver') void take(cards.get(first)?.run?.execution_id ?? '')
    else if (id === 'select') for (const task of ids) toggleSelected(task)
    else if (id === 'delete' || id === 'undo') acting.set({ act: id, tasks: namedOf(ids, cards) })
    else if (id === 'add') create.set({ title: '', project: cards.get(first)?.project_id ?? null, parent: first })
    else picking.set({ what: id as Asked, ids })
  }
  return <Picker label={label} options={options} choose={choose} close={close} />
}

function useOptions(what: Asked, ids: readonly string[], cards: ReadonlyMap<string, Card>): Option[] {
  const words = useWords()
  const own = useOwnWords(boardWords)
  const interrupt = useOwnWords(interruptWords)
  const acts = useOwnWords(taskActsWords)
  const agents = useAgents().data
  switch (what) {
    case 'assignee': {
      const known = [...(agents?.values() ?? [])]
      return [
        { id: NOBODY, label: own.nobody },
        ...known.map(({ agent_id, name, engine }) => ({ id: agent_id, label: `${name} · ${engine}` })),
      ]
    }
    case 'priority':
      return PRIORITIES.map(id => ({
        ...{ id, label: words.priority[id], icon: <PriorityMark priority={id} label="" /> },
      }))
    case 'status':
      return TASK_STATUSES.map(id => ({ id, label: words.status[id], icon: <StatusMark status={id} /> }))
    case 'unlink':
      return linksOf(ids, cards).map(({ kind, other }) => {
        const known = cards.get(other)
        return { id: `${kind} ${other}`, label: own.link[kind](known?.handle ?? other, known?.title ?? '') }
      })
    default: {
      const now = ids.length === 1 ? cards.get(ids[0] ?? '')?.status : undefined
      const moves = TASK_STATUSES.filter(id => id !== now).map(id => ({
        ...{ id, label: `${words.board.move}: ${words.status[id]}`, icon: <StatusMark status={id} /> },
      }))
      const others: Option[] = [
        { id: 'assignee', label: own.assign },
        { id: 'priority', label: own.priority },
        { id: 'waits', label: own.waits },
        { id: 'parent', label: own.parent },
        ...(linksOf(ids, cards).length > 0 ? [{ id: 'unlink', label: own.unlink }] : []),
        { id: 'add', label: own.addPart },
        { id: 'select', label: own.select },
      ]
      const run = ids.length === 1 ? cards.get(ids[0] ?? '')?.run : null
      const atWork: Option[] = run
        ? [
            { id: 'stop', label: interrupt.stop },
            { id: 'takeOver', label: interrupt.take },
          ]
        : []
      const isMerged = ids.length === 1 && cards.get(ids[0] ?? '')?.stage === 'merged'
      const rare: Option[] = [
        ...(isMerged ? [{ id: 'undo', label: acts.undoIt }] : []),
        { id: 'delete', label: acts.deleteIt },
      ]
      return [...atWork, ...moves, ...others, ...rare]
    }
  }
}

const namedOf = (ids: readonly string[], cards: ReadonlyMap<string, Card>) =>
  ids.map(id => ({ id, handle: cards.get(id)?.handle ?? id }))

function linksOf(ids: readonly string[], cards: ReadonlyMap<string, Card>) {
  return ids.flatMap(id => {
    const card = cards.get(id)
    const waits = (card?.depends_on ?? []).map(other => ({ kind: 'waits' as const, other: String(other) }))
    return card?.parent_id === undefined
      ? waits
      : [...waits, { kind: 'parent' as const, other: String(card.parent_id) }]
  })
}

type OtherProps = { kind: 'waits' | 'parent'; ids: readonly string[]; label: string }

/** Of the same project; what would go in a circle, the hub refuses with its way. */
function OtherTask({ kind, ids, label }: OtherProps) {
  const queries = useQueryClient()
  const byId = useCards().data?.byId ?? NO_CARDS
  const cards = useMemo(() => {
    const project = byId.get(ids[0] ?? '')?.project_id
    const known = new Set([...ids, ...(kind === 'waits' ? (byId.get(ids[0] ?? '')?.depends_on ?? []) : [])] as string[])
    return [...byId.values()].filter(
      card => card.project_id === project && !known.has(card.task_id) && card.status !== 'cancelled',
    )
  }, [byId, ids, kind])
  const choose = (other: string) => {
    for (const id of ids) void link(queries, { kind, id, other })
  }
  return <TaskPicker label={label} cards={cards} choose={choose} close={close} />
}
