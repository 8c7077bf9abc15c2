import { type ReactNode, useEffect, useMemo, useRef } from 'react'
import { useLocation, useRoute, useSearch } from 'wouter'
import type { EventNames, StoredEvent } from '#contract/events.ts'
import { Empty } from '../../parts/empty.tsx'
import { Failure } from '../../parts/failure.tsx'
import { Moment } from '../../parts/live-time.tsx'
import { SafeText } from '../../parts/safe-text.tsx'
import { Section } from '../../parts/section.tsx'
import { Select } from '../../parts/select.tsx'
import { useProject } from '../../parts/use-project.ts'
import { useStore } from '../../parts/use-store.ts'
import { useOwnWords, useWords } from '../../parts/use-words.ts'
import { Columns } from './columns.tsx'
import { Controls, useReplayKeys } from './controls.tsx'
import { Lanes } from './lanes.tsx'
import { film, pictureAt } from './model.ts'
import { usePlayer } from './player.ts'
import { loaded, type Recorded, SPANS, type Span, useGoingOn, useRecorded } from './queries.ts'
import { replayWords } from './words.ts'

/** Another domain puts an event, and who acted, into words. */
type Props = {
  sentence: (event: StoredEvent, names: EventNames) => ReactNode
  who: (caller: string, names: EventNames) => string
}

export function Replay(parts: Props) {
  const words = useOwnWords(replayWords)
  const [project] = useProject()
  const [, params] = useRoute('/crews/:id/replay')
  const crew = params?.id ?? null
  const [span, setSpan, at] = useAddress()
  const recorded = useRecorded({ span, project, crew })
  useGoingOn({ span, project, crew }, recorded.data)
  const count = useStore(loaded)
  return (
    <div className="relative flex h-full flex-col gap-4 overflow-x-hidden overflow-y-auto px-6 py-4 max-md:px-3 [&>*]:shrink-0">
      {crew === null && (
        <Select
          label={words.span}
          value={span}
          className="self-start"
          onChange={event => setSpan(event.target.value as Span)}
        >
          {(Object.keys(SPANS) as Span[]).map(one => (
            <option key={one} value={one}>
              {words.spans[one]}
            </option>
          ))}
        </Select>
      )}
      {recorded.isError && <Failure error={recorded.error} again={() => void recorded.refetch()} />}
      {recorded.isPending && <p className="text-soft">{words.loading(count)}</p>}
      {recorded.data?.events.length === 0 && <Empty title={words.empty} hint={words.emptyHint} />}
      {recorded.data && recorded.data.events.length > 0 && (
        <Stage key={`${span} ${project} ${crew}`} recorded={recorded.data} at={at} {...parts} />
      )}
    </div>
  )
}

function Stage({ recorded, at, sentence, who }: Props & { recorded: Recorded; at: number | undefined }) {
  const words = useOwnWords(replayWords)
  const { code } = useWords()
  const { events, tasks, names, isCut, seen } = recorded
  const made = useMemo(() => film(events, tasks), [events, tasks])
  const player = usePlayer(made, at)
  const { count, time, isPlaying } = player
  const picture = useMemo(() => pictureAt(made, count), [made, count])
  const shown = events[count - 1]
  const now = useRef({ film: made, player })
  now.current = { film: made, player }
  useReplayKeys(now)
  useAskedToPlay(player.play)
  const isEnd = time >= made.length
  useMoment(isPlaying ? undefined : isEnd ? null : (shown?.seq ?? 0))
  return (
    <>
      <h2 className="sr-only">{words.moment}</h2>
      <div className="sticky top-0 z-10 -mx-2 flex flex-col gap-2 rounded-lg border border-line bg-sheet px-3 py-2">
        <Controls film={made} player={player} isLive={isEnd && seen !== undefined} />
        <p className="line-clamp-2 min-h-6" data-moment={shown?.seq ?? 0}>
          {shown ? (
            <>
              <Moment at={shown.at} className="pr-2 text-soft">
                {new Date(shown.at).toLocaleTimeString(code)}
              </Moment>
              {sentence(shown, names)}
            </>
          ) : (
            <span className="text-soft">{words.before}</span>
          )}
        </p>
      </div>
      {isCut && <p className="text-sm text-kohaku">{words.cut(events.length)}</p>}
      <Section title={words.lanes}>
        <Lanes film={made} picture={picture} time={time} names={names} />
      </Section>
      <Section title={words.board}>
        <Columns picture={picture} newest={shown?.seq} names={names} />
      </Section>
      {picture.messages.size > 0 && (
        <Section title={words.messages}>
          <ul className="flex flex-col gap-1 text-sm">
            {[...picture.messages.values()].slice(-5).map(({ id, from, tabId, state }) => (
              <li key={id}>
                <SafeText text={`${tabName(from, names) ?? who(from, names)} → ${tabName(tabId, names) ?? tabId}`} />{' '}
                <span className="text-soft">{words.state[state]}</span>
              </li>
            ))}
          </ul>
        </Section>
      )}
    </>
  )
}

function tabName(id: string, { tabs }: EventNames): string | undefined {
  const tab = tabs[id.replace(/^tab:/, '')]
  return tab && `${tab.engine} · ${tab.branch}`
}

function useAddress(): [Span, (span: Span) => void, number | undefined] {
  const [path, navigate] = useLocation()
  const query = new URLSearchParams(useSearch())
  const wanted = query.get('span') ?? ''
  const span = wanted in SPANS ? (wanted as Span) : 'day'
  const choose = (next: Span) => {
    query.set('span', next)
    query.delete('at')
    navigate(`${path}?${query}`)
  }
  const at = query.get('at')
  return [span, choose, at === null || !/^\d+$/.test(at) ? undefined : Number(at)]
}

/** A link may ask for it. Once: who comes back to this address finds the moment that was left. */
function useAskedToPlay(play: () => void): void {
  const [path, navigate] = useLocation()
  const search = useSearch()
  const latest = useRef(play)
  latest.current = play
  useEffect(() => {
    const query = new URLSearchParams(search)
    if (!query.has('play')) return
    query.delete('play')
    query.delete('at')
    navigate(`${path}?${query}`, { replace: true })
    latest.current()
  }, [path, search, navigate])
}

/**
 * The address carries the moment, so that it can be passed on; null: the end, which is now and goes on. Not while it plays: browsers
 * forbid so many changes.
 */
function useMoment(seq: number | null | undefined): void {
  useEffect(() => {
    if (seq === undefined) return undefined
    const timer = setTimeout(() => {
      const query = new URLSearchParams(location.search)
      if (seq === null) query.delete('at')
      else query.set('at', String(seq))
      const text = query.toString()
      history.replaceState(history.state, '', `${location.pathname}${text === '' ? '' : `?${text}`}`)
    }, 300)
    return () => clearTimeout(timer)
  }, [seq])
}
