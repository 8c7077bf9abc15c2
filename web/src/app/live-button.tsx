import { useEffect, useState } from 'react'
import { type EventLine, line } from '../hub/event-line.ts'
import { clockTime } from '../parts/live-time.tsx'
import { useStore } from '../parts/use-store.ts'
import { useWords } from '../parts/use-words.ts'

/** Whether what is shown is how it is now. */
export function LiveButton({ eventLine }: { eventLine: EventLine }) {
  const words = useWords()
  const state = useStore(line)
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
    <button
      type="button"
      data-line={state.kind}
      title={state.kind === 'starting' ? undefined : words.line.detail(state.seq)}
      className={`inline-flex h-8 min-w-0 items-center gap-1.5 rounded-md px-2 text-sm hover:bg-ai-wash max-md:h-11 ${state.kind === 'cut' ? 'text-kohaku' : 'text-soft'}`}
      onClick={() => eventLine.reconnect()}
    >
      <span aria-hidden="true" className={isLive ? 'text-matsu' : ''}>
        {isLive ? '●' : '○'}
      </span>
      <span className={isLive ? 'max-md:sr-only' : 'truncate'}>
        {text}
        {state.kind === 'cut' && <span className="max-md:hidden">{` · ${words.line.retry(seconds)}`}</span>}
      </span>
    </button>
  )
}
