import { Maximize2, MessagesSquare, Square } from 'lucide-react'
import { type KeyboardEvent, useRef, useState } from 'react'
import { Link } from 'wouter'
import type { TabRecord } from '#contract/records.ts'
import { Bars } from '../../parts/bars.tsx'
import { Button } from '../../parts/button.tsx'
import { useCutOff } from '../../parts/can-write.ts'
import { Since } from '../../parts/live-time.tsx'
import { PlaceActs } from '../../parts/place-acts.tsx'
import { SafeText } from '../../parts/safe-text.tsx'
import { useStore } from '../../parts/use-store.ts'
import { useOwnWords } from '../../parts/use-words.ts'
import { stopping } from './actions.ts'
import { EndedTab } from './ended-tab.tsx'
import { PhoneKeys } from './phone-keys.tsx'
import { useTab } from './queries.ts'
import { TabMark } from './tab-mark.tsx'
import { TabTerminal } from './tab-terminal.tsx'
import type { TerminalScreen } from './terminal-screen.ts'
import { words as own } from './words.ts'

type Props = {
  id: string
  /** Known from the list; else it is asked for. */
  tab: TabRecord | undefined
  number: number
  /** When it began to wait for a person. */
  since: string | undefined
  isPhone: boolean
  stop: (tab: TabRecord) => void
  /** It ended, and was looked at. */
  away: () => void
  only: (() => void) | undefined
  /** Another tile was dropped on it. */
  drop: (id: string) => void
}

const DRAGGED = 'application/x-toryo-tab'

export function Tile({ id, tab: known, number, since, isPhone, stop, away, only, drop }: Props) {
  const words = useOwnWords(own)
  const asked = useTab(id, known === undefined)
  const tab = known ?? asked.data
  const place = useRef<HTMLElement>(null)
  const [screen, setScreen] = useState<TerminalScreen>()
  if (!tab && !asked.isError) return <Bars count={1} height={200} />
  if (!tab) return <p className="rounded-lg border border-line p-6 text-soft">{words.missing}</p>
  const onKey = (event: KeyboardEvent) => {
    if (event.target !== place.current || event.nativeEvent.isComposing) return
    if (event.key !== 'Enter') return
    screen?.focus()
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <section
      ref={place}
      data-tab={id}
      data-status={tab.status}
      aria-label={words.terminal(tab.branch)}
      tabIndex={-1}
      onKeyDown={onKey}
      onDragOver={event => {
        if (event.dataTransfer.types.includes(DRAGGED)) event.preventDefault()
      }}
      onDrop={event => drop(event.dataTransfer.getData(DRAGGED))}
      className={`flex h-full min-h-0 min-w-0 flex-col overflow-hidden bg-sheet ${isPhone ? '' : 'rounded-lg border border-line focus-within:border-ai'}`}
    >
      <Head tab={tab} number={number} since={since} stop={stop} only={only} isPhone={isPhone} />
      {tab.status === 'exited' ? (
        <EndedTab tab={tab} away={away} />
      ) : (
        <>
          <TabTerminal tabId={id} leave={() => place.current?.focus()} ready={setScreen} />
          {isPhone && <PhoneKeys screen={screen} />}
        </>
      )}
    </section>
  )
}

type HeadProps = Pick<Props, 'number' | 'since' | 'stop' | 'only' | 'isPhone'> & { tab: TabRecord }

function Head({ tab, number, since, stop, only, isPhone }: HeadProps) {
  const words = useOwnWords(own)
  const cutOff = useCutOff()
  const isStopping = useStore(stopping).has(tab.tab_id)
  return (
    <header
      draggable={!isPhone}
      onDragStart={event => event.dataTransfer.setData(DRAGGED, tab.tab_id)}
      className={`flex h-9 shrink-0 items-center gap-2 border-b border-line pr-1 pl-2.5 text-sm max-md:h-11 ${tab.status === 'waiting' ? 'bg-kohaku-wash' : ''} ${isPhone ? '' : 'cursor-grab'}`}
    >
      {!isPhone && number <= 9 && (
        <span aria-hidden="true" className="text-xs text-soft tabular-nums">
          {number}
        </span>
      )}
      <TabMark status={tab.status} />
      <h2 className="min-w-0 truncate font-medium" title={tab.branch}>
        <SafeText text={tab.branch} />
      </h2>
      <span className="shrink-0 text-soft">{tab.engine}</span>
      <span className={`shrink-0 ${tab.status === 'waiting' ? 'font-medium text-kohaku' : 'text-soft'}`}>
        {isStopping ? words.stop.asked : words.status[tab.status]}{' '}
        {tab.status === 'waiting' && since !== undefined && <Since at={since} />}
      </span>
      {tab.task !== null && (
        <Link href={`/tasks/${tab.task}`} className="shrink-0 font-mono text-xs text-ai hover:underline">
          {tab.task}
        </Link>
      )}
      <span className="ml-auto flex shrink-0 items-center">
        {!isPhone && tab.worktree_path !== null && <PlaceActs compact path={tab.worktree_path} />}
        <Link
          href={`/tabs/${tab.tab_id}/messages`}
          aria-label={`${words.messages.open}: ${tab.branch}`}
          title={words.messages.open}
          className="inline-flex h-7 items-center rounded-md px-1.5 text-soft hover:bg-ai-wash hover:text-ink max-md:h-11 max-md:px-3"
        >
          <MessagesSquare size={14} aria-hidden="true" />
        </Link>
        {only && (
          <Button small look="quiet" className="!px-1.5" aria-label={words.only} title={words.only} onClick={only}>
            <Maximize2 size={14} aria-hidden="true" />
          </Button>
        )}
        {tab.status !== 'exited' && (
          <Button
            small
            look="quiet"
            disabled={isStopping || cutOff !== undefined}
            title={cutOff}
            aria-label={`${words.stop.button}: ${tab.branch}`}
            onClick={() => stop(tab)}
          >
            <Square size={12} aria-hidden="true" /> {words.stop.button}
          </Button>
        )}
      </span>
    </header>
  )
}
