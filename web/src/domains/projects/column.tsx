import { dropTargetForElements } from '@atlaskit/pragmatic-drag-and-drop/element/adapter'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { ChevronsRightLeft } from 'lucide-react'
import { memo, type RefObject, useEffect, useMemo, useRef, useState } from 'react'
import { VList, type VListHandle } from 'virtua'
import type { Priority, TaskStatus } from '#contract/projects.ts'
import type { AgentRecord } from '#contract/records.ts'
import { Button } from '../../parts/button.tsx'
import { PriorityMark, StatusMark } from '../../parts/marks.tsx'
import { SafeText } from '../../parts/safe-text.tsx'
import { useOwnWords, useWords } from '../../parts/use-words.ts'
import { boardWords, laneWord } from './board-words.ts'
import { CardView } from './card.tsx'
import type { Zone } from './card-drag.ts'
import { link } from './linking.ts'
import { type Card, type Group, IN_REVIEW, isClosed, type Lane, NOBODY } from './model.ts'
import { assign, move, order, prioritise } from './moving.ts'
import { CLOSED_DAYS, loadClosed, useCards } from './queries.ts'
import { useFilter } from './use-filter.ts'

type Props = {
  lane: Lane
  group: Group
  agents: ReadonlyMap<string, AgentRecord> | undefined
  parts: ReadonlyMap<string, string>
  search: string
  cutOff: string | undefined
  list: RefObject<VListHandle | null>
  isPhone: boolean
  isFolded: boolean
  fold: (key: string) => void
}

export const Column = memo(function Column({ lane, group, isFolded, ...rest }: Props) {
  const { key, cards } = lane
  const words = useWords()
  const ref = useRef<HTMLElement>(null)
  const isOver = useColumnDrop(ref, lane, group)
  const name = useLaneName(lane, group, rest.agents)
  const common = {
    ref,
    'data-column': key,
    'aria-label': name,
    className: `flex h-full min-h-0 flex-col rounded-lg bg-sunk ${isFolded ? 'w-10 shrink-0' : 'w-full min-w-0 md:w-auto md:min-w-44 md:flex-1'} ${isOver ? 'outline-2 -outline-offset-2 outline-ai' : ''}`,
  }
  if (isFolded)
    return (
      <section {...common}>
        <button
          type="button"
          aria-expanded={false}
          className="flex h-full w-full flex-col items-center gap-2 rounded-lg py-2.5 text-sm hover:bg-ai-wash"
          onClick={() => rest.fold(key)}
        >
          <LaneMark lane={lane} group={group} />
          <span className="text-soft">{cards.length.toLocaleString(words.code)}</span>
          <span className="font-semibold [writing-mode:vertical-rl]">{name}</span>
        </button>
      </section>
    )
  return (
    <section {...common}>
      <h2 className="group/head flex shrink-0 items-center gap-2 px-3 py-2.5 text-sm font-semibold">
        <LaneMark lane={lane} group={group} />
        <span className="truncate">
          <SafeText text={name} />
        </span>
        <span className="font-normal text-soft">{cards.length.toLocaleString(words.code)}</span>
        <span className="ml-auto inline-flex items-center gap-1 font-normal text-soft">
          {group === 'status' && isClosed(key as TaskStatus) && boardWords[words.code].days(CLOSED_DAYS)}
          {!rest.isPhone && (
            <button
              type="button"
              aria-expanded={true}
              aria-label={boardWords[words.code].fold(name)}
              title={boardWords[words.code].fold(name)}
              className="-mr-1.5 inline-flex h-6 w-1.5 items-center justify-center overflow-hidden rounded-md opacity-0 group-hover/head:w-6 group-hover/head:opacity-100 hover:bg-ai-wash hover:text-ink focus-visible:w-6 focus-visible:opacity-100"
              onClick={() => rest.fold(key)}
            >
              <ChevronsRightLeft size={14} aria-hidden="true" />
            </button>
          )}
        </span>
      </h2>
      {cards.length === 0 ? (
        <p className="px-3 py-2 text-sm text-soft">{words.board.emptyColumn}</p>
      ) : (
        <Cards cards={cards} {...rest} />
      )}
      {group === 'status' && isClosed(key as TaskStatus) && <MoreClosed />}
    </section>
  )
})

/** Those that were closed last are there from the start. */
function MoreClosed() {
  const words = useOwnWords(boardWords)
  const queries = useQueryClient()
  const { project } = useFilter().filter
  const more = useMutation({ mutationFn: () => loadClosed(queries, project) })
  if (useCards().data?.more === undefined) return null
  return (
    <div className="shrink-0 px-2 pb-2">
      <Button small look="quiet" disabled={more.isPending} onClick={() => more.mutate()}>
        {words.moreClosed}
      </Button>
    </div>
  )
}

type ListProps = Pick<Props, 'agents' | 'parts' | 'search' | 'cutOff' | 'list' | 'isPhone'> & { cards: readonly Card[] }

/** Only what is seen is drawn, and no element is made for the rest. */
function Cards({ cards, agents, parts, search, cutOff, list, isPhone }: ListProps) {
  // The Tab key stops once in a column: at the card that had the focus last, else at the first. It stays drawn for that.
  const [focused, setFocused] = useState<string>()
  const stop = Math.max(
    0,
    cards.findIndex(({ task_id }) => task_id === focused),
  )
  const kept = useMemo(() => [stop], [stop])
  return (
    <VList
      ref={list}
      role="list"
      className="min-h-0 flex-1"
      bufferSize={120}
      data={cards}
      item={Item}
      keepMounted={kept}
      onFocus={event => setFocused(event.target.closest<HTMLElement>('[data-task]')?.dataset['task'])}
    >
      {(card, index) => (
        <CardView
          key={card.task_id}
          card={card}
          isStop={index === stop}
          agent={card.assignee_id === null ? undefined : (agents?.get(card.assignee_id)?.name ?? card.assignee_id)}
          href={`/tasks/${card.task_id}${search}`}
          cutOff={cutOff}
          parts={parts.get(card.task_id)}
          isPhone={isPhone}
        />
      )}
    </VList>
  )
}

type ItemProps = { style: React.CSSProperties; children: React.ReactNode; ref?: React.Ref<HTMLDivElement> }

/** Its height is measured without its padding: the gap below is the card's own margin. */
const Item = ({ style, children, ref }: ItemProps) => (
  <div ref={ref} style={style} role="listitem" className="px-2">
    {children}
  </div>
)

function LaneMark({ lane: { key }, group }: Pick<Props, 'lane' | 'group'>) {
  if (group === 'status') return <StatusMark status={key} />
  return group === 'priority' ? <PriorityMark priority={key} label="" /> : null
}

function useLaneName({ key }: Lane, group: Group, agents: Props['agents']): string {
  const words = useWords()
  if (group === 'status') return laneWord(key, words)
  if (group === 'priority') return words.priority[key as Priority]
  return key === NOBODY ? words.board.nobody : (agents?.get(key)?.name ?? key)
}

function useColumnDrop(ref: RefObject<HTMLElement | null>, lane: Lane, group: Group): boolean {
  const queries = useQueryClient()
  const [isOver, setOver] = useState(false)
  const shown = useRef(lane.cards)
  shown.current = lane.cards
  const { key } = lane
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
        const target = location.current.dropTargets.find(({ data }) => data['zone'] !== undefined)?.data
        const zone = target?.['zone'] as Zone | undefined
        const other = String(target?.['taskId'])
        if (zone === 'waits' || zone === 'parent') return void link(queries, { kind: zone, id, other })
        if (group === 'assignee') return void assign(queries, id, key === NOBODY ? null : key)
        if (group === 'priority') return void prioritise(queries, id, key as Priority)
        if (key === IN_REVIEW) return undefined
        if (source.data['status'] !== key || (zone !== 'above' && zone !== 'below'))
          return void move(queries, id, key as TaskStatus)
        const others = shown.current.filter(card => card.task_id !== id)
        const at = others.findIndex(card => card.task_id === other)
        const behind = others[zone === 'below' ? at : at - 1]?.task_id ?? null
        return void order(queries, shown.current, id, behind)
      },
    })
  }, [queries, ref, key, group])
  return isOver
}
