// The log of a run: only what is seen is drawn, and its end is followed until the person scrolls up.
import { CircleCheck, CircleX, CornerDownRight, Hammer, type LucideIcon, Sparkle } from 'lucide-react'
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react'
import { VList, type VListHandle } from 'virtua'
import { Bars } from '../../parts/bars.tsx'
import { Button } from '../../parts/button.tsx'
import { Disclosure } from '../../parts/disclosure.tsx'
import { SafeText } from '../../parts/safe-text.tsx'
import { useStore } from '../../parts/use-store.ts'
import { useOwnWords } from '../../parts/use-words.ts'
import { LogFollower, type LogState } from './follow-log.ts'
import { entriesOf, type LogEntry, rawEntry } from './log-entry.ts'
import { crewWords } from './words.ts'

const SHOWS = ['all', 'tools', 'raw'] as const
type Show = (typeof SHOWS)[number]
/** Nearer to the end than this counts as being there. */
const NEAR_PX = 40
/** One that has ended with so little needs no more room. */
const SHORT = 8

export function RunLog({ id }: { id: string }) {
  const words = useOwnWords(crewWords)
  const [follower] = useState(() => new LogFollower(id))
  useEffect(() => {
    follower.start()
    return () => follower.stop()
  }, [follower])
  const log = useStore(follower.log)
  const [show, setShow] = useState<Show>('all')
  const { entries, first } = useEntries(log, show)
  return (
    <section aria-label={words.sheet.log} className="flex flex-col gap-2" data-log={log.state}>
      <div className="flex flex-wrap items-center gap-2">
        <h3 className="text-sm font-semibold text-soft">{words.sheet.log}</h3>
        <State state={log.state} />
        <fieldset className="ml-auto flex rounded-md border border-line" aria-label={words.log.show}>
          {SHOWS.map(one => (
            <button
              key={one}
              type="button"
              aria-pressed={show === one}
              className={`h-7 px-2.5 text-sm first:rounded-l-md last:rounded-r-md max-md:h-9 ${show === one ? 'bg-ai-wash font-medium' : 'text-soft hover:text-ink'}`}
              onClick={() => setShow(one)}
            >
              {words.log[one]}
            </button>
          ))}
        </fieldset>
      </div>
      {(log.from > 0 || log.dropped > 0) && (
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-soft">
          {log.dropped > 0 && words.log.dropped(log.dropped)}
          <Button small onClick={() => follower.fromStart()}>
            {words.log.earlier}
          </Button>
        </p>
      )}
      {log.shortened && <p className="text-sm text-kohaku">{words.log.shortened}</p>}
      {entries.length === 0 && log.state === 'opening' ? (
        <Bars count={3} height={20} />
      ) : entries.length === 0 ? (
        <p className="rounded-lg border border-line bg-sunk px-3 py-6 text-center text-sm text-soft">
          {show === 'tools' && log.lines.length > 0
            ? words.log.noCalls
            : log.state === 'ended'
              ? words.log.none
              : words.log.empty}
        </p>
      ) : (
        <Lines key={show} {...{ entries, first }} isShort={log.state === 'ended' && entries.length < SHORT} />
      )}
      {log.state === 'full' && (
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-soft" data-log-full>
          {words.log.full(log.lines.length)}
          <Button small onClick={() => follower.further()}>
            {words.log.further}
          </Button>
          <Button small onClick={() => follower.toEnd()}>
            {words.log.end}
          </Button>
        </p>
      )}
    </section>
  )
}

/** `first`: how many are not here any more, so that the others keep their numbers. */
type Entries = { entries: readonly LogEntry[]; first: number }
/** `sizes`: how many entries each line became. */
type Read = Entries & { from: number; dropped: number; sizes: readonly number[]; firstTool: number }

const isTool = ({ kind }: LogEntry) => kind === 'tool'

/** Each line is read once. */
function useEntries({ lines, from, dropped }: LogState, show: Show): Entries {
  const fresh = (): Read => ({ from, dropped, entries: [], sizes: [], first: 0, firstTool: 0 })
  const read = useRef<Read>(undefined)
  return useMemo(() => {
    if (show === 'raw') return { entries: lines.map(rawEntry), first: dropped }
    const known = read.current?.from === from ? read.current : fresh()
    const gone = dropped - known.dropped
    const isSame = gone >= 0 && gone <= known.sizes.length && known.sizes.length - gone <= lines.length
    const before = isSame ? known : fresh()
    const left = isSame ? gone : 0
    const cut = before.sizes.slice(0, left).reduce((sum, size) => sum + size, 0)
    const sizes = before.sizes.slice(left)
    const added = lines.slice(sizes.length).map(entriesOf)
    const now: Read = {
      ...{ from, dropped, entries: [...before.entries.slice(cut), ...added.flat()] },
      sizes: [...sizes, ...added.map(one => one.length)],
      first: before.first + cut,
      firstTool: before.firstTool + before.entries.slice(0, cut).filter(isTool).length,
    }
    read.current = now
    return show === 'tools' ? { entries: now.entries.filter(isTool), first: now.firstTool } : now
  }, [lines, from, dropped, show])
}

function Lines({ entries, first, isShort }: Entries & { isShort: boolean }) {
  const words = useOwnWords(crewWords)
  const total = first + entries.length
  // What is read stays where it is when lines before it go.
  const firstBefore = useRef(first)
  const isShift = firstBefore.current !== first
  useEffect(() => {
    firstBefore.current = first
  }, [first])
  const list = useRef<VListHandle>(null)
  const following = useRef(true)
  const place = useRef({ offset: 0, isHeld: false, mayReturn: false })
  const [seen, setSeen] = useState(total)
  const [isAway, setAway] = useState(false)
  const toEnd = () => {
    following.current = true
    setAway(false)
    list.current?.scrollToIndex(entries.length - 1, { align: 'end' })
  }
  useEffect(() => {
    if (!following.current) return
    list.current?.scrollToIndex(entries.length - 1, { align: 'end' })
    setSeen(total)
  }, [total, entries.length])
  // Only the person ends it: the list itself moves, too, when it measures what was added.
  const leave = () => {
    const handle = list.current
    if (!handle || handle.scrollSize <= handle.viewportSize || !following.current) return
    following.current = false
    // A move to the end may be under way: this takes its place. What still comes of it is not the person coming back.
    handle.scrollTo(handle.scrollOffset)
    place.current.mayReturn = false
    setSeen(total)
    setAway(true)
  }
  const onScroll = (offset: number) => {
    const handle = list.current
    if (!handle) return
    const isUp = offset < place.current.offset
    place.current.offset = offset
    const isAtEnd = handle.scrollSize - handle.viewportSize - offset < NEAR_PX
    if (isUp && place.current.isHeld && !isAtEnd) leave()
    if (!isAtEnd) place.current.mayReturn = true
    if (isAtEnd && !isUp && (following.current || place.current.mayReturn)) {
      following.current = true
      setSeen(total)
      setAway(false)
    }
    if (following.current && !isAtEnd) handle.scrollToIndex(entries.length - 1, { align: 'end' })
  }
  const hold = (isHeld: boolean) => () => {
    place.current.isHeld = isHeld
  }
  const fresh = total - seen
  return (
    <div className="relative">
      <VList
        ref={list}
        shift={isShift}
        tabIndex={0}
        role="log"
        aria-live="off"
        aria-label={words.log.label}
        data-log-list
        className={`${isShort ? '!h-44' : '!h-[max(280px,46dvh)]'} rounded-lg border border-line bg-sunk py-2 font-mono text-xs`}
        onScroll={onScroll}
        onWheel={event => {
          if (event.deltaY < 0) leave()
          else place.current.mayReturn = true
        }}
        onKeyDown={event => {
          if (['ArrowUp', 'PageUp', 'Home'].includes(event.key)) leave()
        }}
        onTouchMove={hold(true)}
        onPointerDown={hold(true)}
        onPointerUp={hold(false)}
      >
        {entries.map((entry, index) => (
          <Line key={first + index} entry={entry} />
        ))}
      </VList>
      {isAway && (
        <Button small look="main" className="absolute right-4 bottom-3 shadow-lg" onClick={toEnd} data-log-end>
          {fresh > 0 ? words.log.fresh(fresh) : words.log.end}
        </Button>
      )}
    </div>
  )
}

const ICONS: Partial<Record<LogEntry['kind'], [LucideIcon, string]>> = {
  tool: [Hammer, 'text-ai'],
  result: [CornerDownRight, 'text-soft'],
  error: [CircleX, 'text-shu'],
  end: [CircleCheck, 'text-matsu'],
  note: [Sparkle, 'text-soft'],
}

function Line({ entry }: { entry: LogEntry }) {
  const words = useOwnWords(crewWords)
  const [Icon, tone] = ICONS[entry.kind] ?? [undefined, '']
  let body: ReactNode = <SafeText text={entry.text} />
  if (entry.kind === 'tool')
    body = (
      <>
        <span className="font-semibold">
          <SafeText text={entry.name ?? ''} />
        </span>{' '}
        <SafeText text={entry.text} />
      </>
    )
  if (entry.kind === 'note')
    body = entry.text === '' ? words.log.session('') : <SafeText text={words.log.session(entry.text)} />
  if (entry.kind === 'end') body = <SafeText text={entry.text === '' ? words.log.finished : entry.text} />
  if (entry.kind === 'json')
    body = (
      <details className="group/fold">
        <summary className="flex cursor-pointer list-none items-center gap-1.5 max-md:min-h-11">
          <Disclosure /> <SafeText text={entry.name || 'JSON'} />
        </summary>
        <SafeText text={entry.text} />
      </details>
    )
  const isQuiet = entry.kind === 'result' || entry.kind === 'note' || entry.kind === 'json'
  return (
    <div
      data-entry={entry.kind}
      className={`flex gap-2 px-3 py-0.5 ${isQuiet ? 'text-soft' : ''} ${entry.kind === 'say' ? 'py-1.5 font-sans text-sm' : ''} ${entry.kind === 'error' ? 'text-shu' : ''}`}
    >
      {Icon && <Icon size={13} aria-hidden="true" className={`mt-0.5 shrink-0 ${tone}`} />}
      <div className={`line-clamp-any min-w-0 whitespace-pre-wrap ${entry.kind === 'result' ? 'line-clamp-4' : ''}`}>
        {body}
      </div>
    </div>
  )
}

function State({ state }: { state: LogState['state'] }) {
  const words = useOwnWords(crewWords)
  if (state === 'opening') return null
  if (state === 'full') return null
  const tone = { live: 'text-matsu', ended: 'text-soft', cut: 'text-kohaku' }[state]
  return (
    <span role="status" className={`flex items-center gap-1.5 text-sm ${tone}`}>
      {state === 'live' && <span aria-hidden="true" className="size-2 rounded-full bg-matsu" />}
      {words.log[state]}
    </span>
  )
}
