import { dropTargetForElements } from '@atlaskit/pragmatic-drag-and-drop/element/adapter'
import { useQueryClient } from '@tanstack/react-query'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { VList, type VListHandle } from 'virtua'
import type { TaskStatus } from '#contract/projects.ts'
import type { AgentRecord } from '#contract/records.ts'
import { StatusMark } from '../../parts/marks.tsx'
import { useWords } from '../../parts/use-words.ts'
import { CardView, type Edge } from './card.tsx'
import { type Card, isClosed } from './model.ts'
import { move, order } from './moving.ts'
import { CLOSED_DAYS } from './queries.ts'

type Props = {
  status: TaskStatus
  cards: readonly Card[]
  agents: ReadonlyMap<string, AgentRecord> | undefined
  search: string
  cutOff: string | undefined
  list: RefObject<VListHandle | null>
}

export function Column({ status, cards, agents, search, cutOff, list }: Props) {
  const words = useWords()
  const queries = useQueryClient()
  const ref = useRef<HTMLElement>(null)
  const [over, setOver] = useState(false)
  const shown = useRef(cards)
  shown.current = cards
  useEffect(() => {
    const element = ref.current
    if (!element) return undefined
    return dropTargetForElements({
      element,
      onDragEnter: () => setOver(true),
      onDragLeave: () => setOver(false),
      onDrop: ({ source, location }) => {
        setOver(false)
        const id = String(source.data['taskId'])
        const target = location.current.dropTargets.find(({ data }) => data['edge'] !== undefined)?.data
        if (source.data['status'] !== status || !target) return void move(queries, id, status)
        const others = shown.current.filter(card => card.task_id !== id)
        const at = others.findIndex(card => card.task_id === target['taskId'])
        const behind = others[(target['edge'] as Edge) === 'below' ? at : at - 1]?.task_id ?? null
        return void order(queries, shown.current, id, behind)
      },
    })
  }, [queries, status])
  return (
    <section
      ref={ref}
      data-column={status}
      aria-label={words.status[status]}
      className={`flex h-full min-h-0 w-full min-w-0 flex-col rounded-lg bg-sunk md:w-auto md:min-w-60 md:flex-1 ${over ? 'outline-2 -outline-offset-2 outline-ai' : ''}`}
    >
      <h2 className="flex shrink-0 items-center gap-2 px-3 py-2.5 text-sm font-semibold">
        <StatusMark status={status} />
        <span className="truncate">{words.status[status]}</span>
        <span className="font-normal text-soft">{cards.length.toLocaleString(words.code)}</span>
        {isClosed(status) && <span className="ml-auto font-normal text-soft">{words.board.days(CLOSED_DAYS)}</span>}
      </h2>
      {cards.length === 0 ? (
        <p className="px-3 py-2 text-sm text-soft">{words.board.emptyColumn}</p>
      ) : (
        <VList ref={list} role="list" className="min-h-0 flex-1" bufferSize={120}>
          {cards.map(card => (
            <CardView
              key={card.task_id}
              card={card}
              agent={card.assignee_id === null ? undefined : (agents?.get(card.assignee_id)?.name ?? card.assignee_id)}
              href={`/tasks/${card.task_id}${search}`}
              cutOff={cutOff}
            />
          ))}
        </VList>
      )}
    </section>
  )
}
