import { combine } from '@atlaskit/pragmatic-drag-and-drop/combine'
import { draggable, dropTargetForElements } from '@atlaskit/pragmatic-drag-and-drop/element/adapter'
import { useQueryClient } from '@tanstack/react-query'
import { Check, Link2, MoveRight } from 'lucide-react'
import { memo, useEffect, useRef, useState } from 'react'
import { Link } from 'wouter'
import type { TaskStatus } from '#contract/projects.ts'
import { TASK_STATUSES } from '#contract/task-values.ts'
import { Since } from '../../parts/live-time.tsx'
import { PriorityMark, StatusMark } from '../../parts/marks.tsx'
import { SafeText } from '../../parts/safe-text.tsx'
import { useStore } from '../../parts/use-store.ts'
import { useWords } from '../../parts/use-words.ts'
import { boardWords } from './board-words.ts'
import { type Card, isClosed, TOLD_STAGES } from './model.ts'
import { flashed, move } from './moving.ts'
import { selected } from './selection.ts'

type Props = { card: Card; agent: string | undefined; href: string; cutOff: string | undefined }

export const CardView = memo(function CardView({ card, agent, href, cutOff }: Props) {
  const words = useWords()
  const ref = useRef<HTMLDivElement>(null)
  const [dragged, setDragged] = useState(false)
  const [edge, setEdge] = useState<Edge>()
  const hasFlashed = useStore(flashed) === card.task_id
  const isSelected = useStore(selected).has(card.task_id)
  useEffect(() => {
    const element = ref.current
    if (!element || cutOff !== undefined) return undefined
    const isOther = (data: Record<string | symbol, unknown>) =>
      data['status'] === card.status && data['taskId'] !== card.task_id && !isClosed(card.status)
    return combine(
      draggable({
        element,
        getInitialData: () => ({ taskId: card.task_id, status: card.status }),
        onDragStart: () => setDragged(true),
        onDrop: () => setDragged(false),
      }),
      // Another card of the column is let go above or below this one; the column hears of it and does it.
      dropTargetForElements({
        element,
        canDrop: ({ source }) => isOther(source.data),
        getData: ({ input }) => ({ taskId: card.task_id, edge: edgeAt(element, input.clientY) }),
        onDrag: ({ location }) => setEdge(edgeAt(element, location.current.input.clientY)),
        onDragLeave: () => setEdge(undefined),
        onDrop: () => setEdge(undefined),
      }),
    )
  }, [card.task_id, card.status, cutOff])
  const state = `${isSelected ? 'border-ai bg-ai-wash' : 'border-line bg-sheet'} ${dragged ? 'opacity-40' : ''} ${hasFlashed ? 'anim-flash' : ''} ${card.pending ? 'border-dashed' : ''}`
  return (
    <div className="relative px-2 pb-2" role="listitem">
      {edge && (
        <span
          aria-hidden="true"
          className={`absolute right-2 left-2 z-10 h-0.5 rounded-full bg-ai ${edge === 'above' ? '-top-1.25' : 'bottom-0.75'}`}
        />
      )}
      <div
        ref={ref}
        data-task={card.task_id}
        className={`group relative flex flex-col gap-1.5 rounded-lg border px-3 py-2.5 hover:border-rule has-[a:focus-visible]:outline-2 has-[a:focus-visible]:outline-offset-1 has-[a:focus-visible]:outline-ai ${state}`}
      >
        <Link
          href={href}
          draggable={false}
          className="line-clamp-any line-clamp-2 pr-5 leading-snug max-md:pr-9 font-medium outline-none after:absolute after:inset-0 after:rounded-lg"
        >
          {isSelected && <Check size={14} aria-label={boardWords[words.code].select} className="mr-1 inline text-ai" />}
          <SafeText text={card.title} />
        </Link>
        {card.status === 'blocked' && card.blocked_reason !== null && (
          <p className="line-clamp-any line-clamp-2 text-sm text-kohaku">
            <SafeText text={card.blocked_reason} />
          </p>
        )}
        {card.labels.length > 0 && <CardLabels labels={card.labels} />}
        <div className="flex min-w-0 items-center gap-2 text-xs text-soft">
          <PriorityMark priority={card.priority} label={words.priority[card.priority]} />
          <span className="shrink-0 font-mono">{card.handle}</span>
          {agent !== undefined && <span className="truncate">{agent}</span>}
          <span className="ml-auto inline-flex shrink-0 items-center gap-1.5">
            {card.waits_for > 0 && <Waits count={card.waits_for} />}
            <Now card={card} />
          </span>
        </div>
        <MoveMenu card={card} cutOff={cutOff} />
      </div>
    </div>
  )
})

export type Edge = 'above' | 'below'

function edgeAt(element: Element, y: number): Edge {
  const { top, height } = element.getBoundingClientRect()
  return y < top + height / 2 ? 'above' : 'below'
}

const SHOWN_LABELS = 3

function CardLabels({ labels }: { labels: readonly string[] }) {
  const more = labels.length - SHOWN_LABELS
  return (
    <p className="flex min-w-0 flex-wrap gap-1 text-xs text-soft">
      {labels.slice(0, SHOWN_LABELS).map(label => (
        <span key={label} className="max-w-32 truncate rounded-md bg-sunk px-1.5 py-0.5">
          <SafeText text={label} />
        </span>
      ))}
      {more > 0 && <span className="py-0.5">+{more}</span>}
    </p>
  )
}

function Waits({ count }: { count: number }) {
  const words = useWords()
  return (
    <span className="inline-flex items-center gap-0.5" title={words.task.openDependencies(count)}>
      <Link2 size={12} aria-hidden="true" />
      <span aria-hidden="true">{count}</span>
      <span className="sr-only">{words.task.openDependencies(count)}</span>
    </span>
  )
}

/** What happens to it at this moment. */
function Now({ card }: { card: Card }) {
  const words = useWords()
  if (card.pending) return <span>{words.board.sending}</span>
  if (card.run)
    return (
      <span className="inline-flex items-center gap-1 text-ai">
        <StatusMark status="in_progress" size={12} />
        <span className="sr-only">{words.board.working}</span>
        <Since at={card.run.started_at} />
      </span>
    )
  // The mark of its dependencies says it already.
  if (!TOLD_STAGES.has(card.stage) || (card.stage === 'waiting' && card.waits_for > 0)) return null
  return (
    <span className="inline-flex items-center gap-1">
      <StatusMark status={card.stage} size={12} />
      {words.stage[card.stage]}
    </span>
  )
}

/** A drag for those without a mouse: the browser's own list, over an icon. */
function MoveMenu({ card, cutOff }: { card: Card; cutOff: string | undefined }) {
  const words = useWords()
  const queries = useQueryClient()
  // Five elements for each of many cards, which are needed only by those that are pointed at.
  const [isNear, setNear] = useState(false)
  const near = () => setNear(true)
  return (
    <span className="absolute top-1 right-1 z-10 inline-flex size-7 items-center justify-center rounded-md text-soft focus-within:bg-ai-wash focus-within:outline-2 focus-within:outline-ai hover:bg-ai-wash hover:text-ink md:opacity-0 md:group-hover:opacity-100 md:focus-within:opacity-100 max-md:size-11">
      <MoveRight size={14} aria-hidden="true" />
      <select
        aria-label={words.board.moveLabel(card.title)}
        title={words.board.move}
        value={card.status}
        disabled={cutOff !== undefined}
        className="absolute inset-0 cursor-pointer opacity-0"
        onPointerEnter={near}
        onPointerDown={near}
        onFocus={near}
        onChange={event => void move(queries, card.task_id, event.target.value as TaskStatus)}
      >
        {(isNear ? TASK_STATUSES : [card.status]).map(status => (
          <option key={status} value={status}>
            {words.status[status]}
          </option>
        ))}
      </select>
    </span>
  )
}
