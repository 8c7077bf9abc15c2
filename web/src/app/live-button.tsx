import { useEffect, useRef, useState } from 'react'
import { call } from '../hub/call.ts'
import { type EventLine, line, type LineState } from '../hub/event-line.ts'
import { Button } from '../parts/button.tsx'
import { clockTime } from '../parts/live-time.tsx'
import { useStore } from '../parts/use-store.ts'
import { useWords } from '../parts/use-words.ts'

const PANEL = 'live-panel'

/** Whether what is shown is how it is now; with how far it has got, how fast the hub answers, and a new connection. */
export function LiveButton({ eventLine }: { eventLine: EventLine }) {
  const words = useWords()
  const state = useStore(line)
  const [isOpen, setOpen] = useState(false)
  const [now, setNow] = useState(Date.now())
  useEffect(() => {
    if (state.kind !== 'cut') return undefined
    const timer = setInterval(() => setNow(Date.now()), 500)
    return () => clearInterval(timer)
  }, [state.kind])
  const isLive = state.kind === 'live'
  const seconds = state.kind === 'cut' ? Math.max(0, Math.ceil((state.retryAt - now) / 1000)) : 0
  const text = {
    live: words.line.live,
    starting: words.line.starting,
    cut: state.kind === 'cut' ? words.line.cut(clockTime(state.since, words.code)) : '',
  }[state.kind]
  return (
    <>
      <button
        type="button"
        data-line={state.kind}
        popoverTarget={PANEL}
        className={`live-anchor inline-flex h-8 min-w-0 items-center gap-1.5 rounded-md px-2 text-sm hover:bg-ai-wash max-md:h-11 max-md:min-w-8 max-md:justify-center ${state.kind === 'cut' ? 'text-kohaku' : 'text-soft'}`}
      >
        <span aria-hidden="true" className={isLive ? 'text-matsu' : ''}>
          {isLive ? '●' : '○'}
        </span>
        <span className={isLive ? 'max-md:sr-only' : 'truncate'}>
          <span className={state.kind === 'cut' ? 'max-md:hidden' : ''}>{text}</span>
          {state.kind === 'cut' && <span className="md:hidden">{words.line.cutShort}</span>}
          {state.kind === 'cut' && <span className="max-md:hidden">{` · ${words.line.retry(seconds)}`}</span>}
        </span>
      </button>
      <section
        id={PANEL}
        popover="auto"
        aria-label={words.line.label}
        className="below-live w-64 rounded-lg border border-line bg-sheet p-4 text-ink shadow-lg"
        onToggle={event => setOpen(event.newState === 'open')}
      >
        {isOpen && <Panel state={state} reconnect={() => eventLine.reconnect()} />}
      </section>
    </>
  )
}

function Panel({ state, reconnect }: { state: LineState; reconnect: () => void }) {
  const { line: words, code } = useWords()
  const delay = useDelay(state.kind)
  const seq = state.kind === 'starting' ? '–' : `#${state.seq.toLocaleString(code)}`
  return (
    <div className="flex flex-col gap-3">
      <h2 className="font-semibold">{words.label}</h2>
      {state.kind === 'cut' && <p className="text-sm text-kohaku">{words.noWrites}</p>}
      <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 text-sm [&_dd]:text-right [&_dt]:text-soft">
        <dt>{words.last}</dt>
        <dd data-last-event>{seq}</dd>
        {state.kind === 'live' && (
          <>
            <dt>{words.delay}</dt>
            <dd data-delay>{delay === undefined ? words.measuring : words.ms(delay)}</dd>
          </>
        )}
      </dl>
      <Button onClick={reconnect}>{words.reconnect}</Button>
    </div>
  )
}

/** There and back, measured when somebody asks. */
function useDelay(kind: LineState['kind']): number | undefined {
  const [delay, setDelay] = useState<number>()
  const asked = useRef(false)
  useEffect(() => {
    if (kind !== 'live' || asked.current) return
    asked.current = true
    const start = performance.now()
    void call('hub.status', {}).then(
      () => setDelay(Math.max(1, Math.round(performance.now() - start))),
      // Cut off meanwhile: the line says so.
      () => undefined,
    )
  }, [kind])
  return delay
}
