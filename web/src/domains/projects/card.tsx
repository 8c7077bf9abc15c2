import { Check, Ellipsis } from 'lucide-react'
import { memo, useRef, useState } from 'react'
import { Link } from 'wouter'
import { Since } from '../../parts/live-time.tsx'
import { StatusMark } from '../../parts/marks.tsx'
import { SafeText } from '../../parts/safe-text.tsx'
import { useStore } from '../../parts/use-store.ts'
import { useOwnWords, useWords } from '../../parts/use-words.ts'
import { boardWords } from './board-words.ts'
import { useCardDrag, type Zone } from './card-drag.ts'
import { CardGlyph, CardPriority } from './card-marks.tsx'
import { type Card, TOLD_STAGES } from './model.ts'
import { flashed } from './refused.ts'
import { picking, selected } from './selection.ts'
import { usedBy, usedText, usedWords } from '../../parts/used.ts'
import { taskWords } from './task-words.ts'
import { AnotherLikeIt } from './waits-for-agent.tsx'

type Props = {
  card: Card
  agent: string | undefined
  href: string
  cutOff: string | undefined
  /** `2/5`: of its sub-tasks. */
  parts: string | undefined
  /** On a phone nothing hovers: its menu is always there. */
  isPhone: boolean
  /** The one of its column at which the Tab key stops. */
  isStop: boolean
}

export const CardView = memo(function CardView({ card, agent, href, cutOff, parts, isPhone, isStop }: Props) {
  const words = useWords()
  const own = boardWords[words.code]
  const said = useOwnWords(taskWords)
  const ref = useRef<HTMLDivElement>(null)
  const [isNear, setNear] = useState(false)
  const { isDragged, zone } = useCardDrag(ref, card, cutOff)
  const hasFlashed = useStore(flashed) === card.task_id
  const isSelected = useStore(selected).has(card.task_id)
  const state = `${isSelected ? 'border-ai bg-ai-wash' : 'border-line bg-sheet'} ${isDragged ? 'opacity-40' : ''} ${hasFlashed ? 'anim-flash' : ''} ${card.pending ? 'border-dashed' : ''}`
  // The menu is needed only by the one that is pointed at, and a board has hundreds of cards.
  const near = (event: { type: string }) => setNear(event.type !== 'pointerleave' || hasFocus(ref.current))
  return (
    <div
      ref={ref}
      data-task={card.task_id}
      onPointerEnter={near}
      onPointerLeave={near}
      onFocus={near}
      className={`group relative mb-2 flex flex-col gap-1.5 rounded-lg border px-3 py-2.5 hover:border-rule has-[a:focus-visible]:outline-2 has-[a:focus-visible]:outline-offset-1 has-[a:focus-visible]:outline-ai ${state}`}
    >
      {zone && <DropZones zone={zone} />}
      <Link
        href={href}
        draggable={false}
        tabIndex={isStop ? 0 : -1}
        className="line-clamp-any line-clamp-2 pr-5 leading-snug max-md:pr-9 font-medium outline-none after:absolute after:inset-0 after:rounded-lg"
      >
        {isSelected && <Check size={14} aria-label={own.select} className="mr-1 inline text-ai" />}
        <SafeText text={card.title} />
      </Link>
      {card.status === 'blocked' && card.blocked_reason !== null && (
        <p className="line-clamp-any line-clamp-2 text-sm text-kohaku">
          <SafeText text={card.blocked_reason} />
        </p>
      )}
      {card.labels.length > 0 && <CardLabels labels={card.labels} />}
      <div className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1 text-xs text-soft">
        <CardPriority priority={card.priority} label={words.priority[card.priority]} />
        <span className="shrink-0 font-mono">{card.handle}</span>
        {agent !== undefined && (
          <span className="truncate">
            <SafeText text={agent} />
          </span>
        )}
        <Marks card={card} parts={parts} />
      </div>
      {card.run && <Live run={card.run} />}
      {card.agent_busy_with && (
        <div data-waits-for-agent className="flex flex-col gap-1 text-xs text-soft">
          <p>
            <SafeText text={said.agentBusy(agent ?? '', card.agent_busy_with.handle)} />
          </p>
          <AnotherLikeIt task={card} />
        </div>
      )}
      {(isNear || isPhone) && (
        <button
          type="button"
          aria-label={own.actions(card.title)}
          title={own.actionsTitle}
          disabled={cutOff !== undefined}
          data-card-menu
          className="absolute top-1 right-1 z-10 inline-flex size-7 items-center justify-center rounded-md text-soft hover:bg-ai-wash hover:text-ink max-md:size-11"
          onClick={() => picking.set({ what: 'action', ids: [card.task_id] })}
        >
          <Ellipsis size={16} aria-hidden="true" />
        </button>
      )}
    </div>
  )
})

function hasFocus(element: HTMLElement | null): boolean {
  return element?.contains(document.activeElement) ?? false
}

/** Where a card that is dragged over this one would go: above or below it, or into a link with it. */
function DropZones({ zone }: { zone: Zone }) {
  const words = useWords()
  const own = boardWords[words.code]
  const chip = (of: Zone) =>
    `flex min-h-0 flex-1 items-center rounded-md border px-2 text-xs leading-tight ${zone === of ? 'border-ai bg-ai text-on-ai' : 'border-rule bg-sheet text-ink'}`
  return (
    <>
      {(zone === 'above' || zone === 'below') && (
        <span
          aria-hidden="true"
          className={`absolute right-0 left-0 z-10 h-0.5 rounded-full bg-ai ${zone === 'above' ? '-top-1.25' : '-bottom-1.25'}`}
        />
      )}
      <span aria-hidden="true" className="absolute inset-y-0 right-0 z-10 flex w-2/5 flex-col gap-0.5 p-0.5">
        <span className={chip('waits')}>{own.zone.waits}</span>
        <span className={chip('parent')}>{own.zone.parent}</span>
      </span>
    </>
  )
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

/** What it waits for, what it consists of, and what happens to it at this moment. */
function Marks({ card, parts }: { card: Card; parts: string | undefined }) {
  const words = useWords()
  const said = useOwnWords(taskWords)
  const own = boardWords[words.code]
  // The mark of its dependencies says it already.
  const isTold = TOLD_STAGES.has(card.stage) && !(card.stage === 'waiting' && card.waits_for > 0)
  if (!card.pending && !card.run && !isTold && card.waits_for === 0 && parts === undefined) return null
  return (
    <span className="ml-auto inline-flex shrink-0 items-center gap-1.5">
      {parts !== undefined && (
        <span className="inline-flex items-center gap-0.5" title={own.parts(parts)}>
          <CardGlyph of="parts" label={own.parts(parts)} />
          <span aria-hidden="true">{parts}</span>
        </span>
      )}
      {card.waits_for > 0 && (
        <span className="inline-flex items-center gap-0.5" title={said.openDependencies(card.waits_for)}>
          <CardGlyph of="waits" label={said.openDependencies(card.waits_for)} />
          <span aria-hidden="true">{card.waits_for}</span>
        </span>
      )}
      {card.pending ? (
        <span>{words.board.sending}</span>
      ) : card.run ? (
        <span className="inline-flex items-center gap-1 text-ai">
          <StatusMark status="in_progress" size={12} />
          <span className="sr-only">{words.board.working}</span>
          <Since at={card.run.started_at} />
        </span>
      ) : (
        isTold && (
          <span className="inline-flex items-center gap-1">
            <StatusMark status={card.stage} size={12} />
            {words.stage[card.stage]}
          </span>
        )
      )}
    </span>
  )
}

/** What its engine has told so far; an agent that a person started tells nothing. */
function Live({ run }: { run: NonNullable<Card['run']> }) {
  const words = useWords()
  const { tool_calls: calls, usage, cost_usd: usd, last_message: message } = run
  const isTold = calls !== null || usage !== null || usd !== null
  const used = isTold ? usedText(usedBy([run]), usedWords[words.code], words.code) : undefined
  if (used === undefined && message === null) return null
  return (
    <div data-live={run.execution_id} className="flex min-w-0 flex-col gap-0.5 text-xs text-soft">
      {message !== null && (
        <p className="line-clamp-any line-clamp-2 text-ink">
          <SafeText text={message} />
        </p>
      )}
      {used !== undefined && <p className="tabular-nums">{used}</p>}
    </div>
  )
}
