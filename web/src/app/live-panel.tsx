import { useEffect, useRef, useState } from 'react'
import { call } from '../hub/call.ts'
import type { LineState } from '../hub/event-line.ts'
import { Button } from '../parts/button.tsx'
import { useWords } from '../parts/use-words.ts'

export function LivePanel({ state, reconnect }: { state: LineState; reconnect: () => void }) {
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

/** There and back, measured on request. */
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
