import { useQueryClient } from '@tanstack/react-query'
import { ArrowUp } from 'lucide-react'
import { useEffect, useMemo, useRef, useState } from 'react'
import { VList, type VListHandle } from 'virtua'
import { useLocation } from 'wouter'
import type { StoredEvent } from '#contract/events.ts'
import { Bars } from '../../parts/bars.tsx'
import { Button } from '../../parts/button.tsx'
import { type Command, useCommands } from '../../parts/command.ts'
import { Empty } from '../../parts/empty.tsx'
import { Failure } from '../../parts/failure.tsx'
import { useStore } from '../../parts/use-store.ts'
import { useOwnWords, useWords } from '../../parts/use-words.ts'
import { ActivityFilter } from './activity-filter.tsx'
import { Charts } from './charts.tsx'
import { EventDetail } from './event-detail.tsx'
import { EventRow } from './event-row.tsx'
import { heard } from './live.ts'
import { mergeNames, subjectOf } from './model.ts'
import { pullNewer, useEvents } from './queries.ts'
import { replayFrom } from './replay-from.ts'
import { useFilter } from './use-filter.ts'
import { words as own } from './words.ts'

export function Activity() {
  const words = useOwnWords(own)
  const { code } = useWords()
  const [filter, narrow] = useFilter()
  const found = useEvents(filter)
  const pages = found.data?.pages
  const events = useMemo(() => pages?.flatMap(page => page.events) ?? [], [pages])
  const names = useMemo(() => mergeNames(pages?.map(page => page.names) ?? []), [pages])
  const list = useRef<VListHandle>(null)
  const [isAtTop, setAtTop] = useState(true)
  const [chosen, choose] = useState<number>()
  const [open, setOpen] = useState<StoredEvent>()
  const isBehind = useFollowing(filter, pages?.[0]?.seen, isAtTop)
  const current = events.find(({ seq }) => seq === chosen) ?? events[0]
  useActivityCommands({ events, current, list, choose, setOpen, narrow })
  const isFiltered = filter.group !== null || filter.caller !== null || filter.subject !== null || filter.days !== 'all'
  const rows = useMemo(() => withDays(events), [events])

  if (found.isError && !pages) return <Failure error={found.error} again={() => void found.refetch()} />
  return (
    <div className="flex h-full min-h-0 flex-col">
      <Charts project={filter.project} days={filter.days} />
      <ActivityFilter filter={filter} narrow={narrow} events={events} names={names} />
      <div className="relative min-h-0 flex-1 border-t border-line">
        {!pages && <Bars count={12} height={28} />}
        {pages && events.length === 0 && (
          <Empty
            title={isFiltered ? words.noMatch : words.emptyTitle}
            hint={isFiltered ? words.noMatchHint : words.emptyHint}
          >
            {filter.days !== 'all' && <Button onClick={() => narrow({ days: 'all' })}>{words.allDays}</Button>}
          </Empty>
        )}
        {isBehind && !isAtTop && (
          <Button
            look="main"
            small
            className="absolute top-3 left-1/2 z-10 -translate-x-1/2 shadow-lg"
            onClick={() => list.current?.scrollTo(0)}
          >
            <ArrowUp size={14} aria-hidden="true" /> {words.fresh}
          </Button>
        )}
        {events.length > 0 && (
          <section aria-label={words.list} className="h-full">
            <VList
              ref={list}
              className="h-full"
              bufferSize={300}
              onScroll={offset => {
                setAtTop(offset < 8)
                const handle = list.current
                const isNear = handle && offset + handle.viewportSize > handle.scrollSize - 600
                if (isNear && found.hasNextPage && !found.isFetchingNextPage) void found.fetchNextPage()
              }}
            >
              {rows.map(row =>
                row.kind === 'day' ? (
                  <h2 key={row.at} className="bg-ground px-4 pt-3 pb-1 text-sm font-semibold max-md:px-3">
                    {new Date(row.at).toLocaleDateString(code, { dateStyle: 'full' })}
                  </h2>
                ) : (
                  <EventRow
                    key={row.event.seq}
                    event={row.event}
                    names={names}
                    isCurrent={row.event.seq === current?.seq}
                    choose={seq => {
                      choose(seq)
                      setOpen(row.event)
                    }}
                  />
                ),
              )}
              {!found.hasNextPage && (
                <p key="end" className="px-4 py-6 text-center text-sm text-soft">
                  {filter.days === 'all' ? words.end : words.endOfDays}
                </p>
              )}
            </VList>
          </section>
        )}
      </div>
      {open && (
        <EventDetail
          event={open}
          names={names}
          close={() => setOpen(undefined)}
          narrow={change => {
            setOpen(undefined)
            narrow(change)
          }}
        />
      )}
    </div>
  )
}

const RETRY_MS = 5000

/** Loads what comes while the newest is in sight. Answers whether something came that is not shown yet. */
function useFollowing(filter: ReturnType<typeof useFilter>[0], seen: number | undefined, isAtTop: boolean): boolean {
  const queries = useQueryClient()
  const newest = useStore(heard)
  const busy = useRef(false)
  const [round, again] = useState(0)
  const isBehind = seen !== undefined && newest > seen
  useEffect(() => {
    if (!isBehind || !isAtTop || busy.current) return
    busy.current = true
    const next = () => {
      busy.current = false
      again(before => before + 1)
    }
    // The line is cut, then: not at once again, or the page asks in a loop.
    void pullNewer(queries, filter)
      .then(() => 0)
      .catch(() => RETRY_MS)
      .then(wait => setTimeout(next, wait))
  }, [queries, filter, isBehind, isAtTop, newest, round])
  return isBehind
}

type Row = { kind: 'day'; at: string } | { kind: 'event'; event: StoredEvent }

/** The day stands above the first of its events. */
function withDays(events: readonly StoredEvent[]): Row[] {
  let day = ''
  return events.flatMap((event): Row[] => {
    const own = new Date(event.at).toDateString()
    const row: Row = { kind: 'event', event }
    if (own === day) return [row]
    day = own
    return [{ kind: 'day', at: event.at }, row]
  })
}

type Keys = {
  events: readonly StoredEvent[]
  current: StoredEvent | undefined
  list: React.RefObject<VListHandle | null>
  choose: (seq: number) => void
  setOpen: (event: StoredEvent) => void
  narrow: ReturnType<typeof useFilter>[1]
}

function useActivityCommands(given: Keys): void {
  const [, navigate] = useLocation()
  const now = useRef(given)
  now.current = given
  const commands = useMemo((): Command[] => {
    const step = (by: number) => () => {
      const { events, current, choose, list } = now.current
      const at = events.findIndex(({ seq }) => seq === current?.seq)
      // The first key only shows where it is.
      const isMarked = document.activeElement?.getAttribute('data-event') === String(current?.seq)
      const next = events[Math.max(0, Math.min(events.length - 1, isMarked ? at + by : at))]
      if (!next) return
      choose(next.seq)
      const row = withDays(events).findIndex(one => one.kind === 'event' && one.event.seq === next.seq)
      list.current?.scrollToIndex(row, { align: 'nearest' })
      requestAnimationFrame(() => document.querySelector<HTMLElement>(`[data-event="${next.seq}"]`)?.focus())
    }
    return [
      { id: 'activity.down', title: w => w.command.down, keys: ['j', 'ArrowDown'], run: step(1), onlyKeys: true },
      { id: 'activity.up', title: w => w.command.up, keys: ['k', 'ArrowUp'], run: step(-1), onlyKeys: true },
      {
        id: 'activity.open',
        title: w => own[w.code].detail,
        keys: ['Enter'],
        run: () => {
          const { current, setOpen } = now.current
          if (current) setOpen(current)
        },
        onlyKeys: true,
      },
      {
        id: 'activity.filter',
        title: w => own[w.code].filter,
        keys: ['f'],
        run: () => document.querySelector<HTMLElement>('[data-filter=type]')?.focus(),
      },
      {
        id: 'activity.narrow',
        title: w => own[w.code].narrow,
        keys: ['w'],
        run: () => {
          const { current, narrow } = now.current
          const subject = current && subjectOf(current)
          if (subject) narrow({ subject: subject.id })
        },
      },
      {
        id: 'activity.replay',
        title: w => own[w.code].replay,
        keys: ['.'],
        run: () => {
          const { current } = now.current
          if (current) navigate(replayFrom(current))
        },
      },
    ]
  }, [navigate])
  useCommands(commands)
}
