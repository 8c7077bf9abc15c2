import { Suspense, useEffect, useState } from 'react'
import { type EventLine, line } from '../hub/event-line.ts'
import { clockTime } from '../parts/live-time.tsx'
import { useStore } from '../parts/use-store.ts'
import { useWords } from '../parts/use-words.ts'
import { later } from '../parts/later.tsx'

const LivePanel = later(async () => (await import('./live-panel.tsx')).LivePanel)

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
        <span className={state.kind === 'cut' ? 'whitespace-nowrap md:truncate' : 'max-md:sr-only'}>
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
        {isOpen && (
          <Suspense>
            <LivePanel state={state} reconnect={() => eventLine.reconnect()} />
          </Suspense>
        )}
      </section>
    </>
  )
}
