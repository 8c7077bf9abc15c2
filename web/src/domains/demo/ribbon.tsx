import { useState } from 'react'
import { call } from '../../hub/call.ts'
import { line } from '../../hub/event-line.ts'
import { Button } from '../../parts/button.tsx'
import { useCutOff } from '../../parts/can-write.ts'
import { notify } from '../../parts/notices.tsx'
import { useStore } from '../../parts/use-store.ts'
import { useOwnWords } from '../../parts/use-words.ts'
import { guideWords } from './guide-words.ts'
import { words as own } from './words.ts'

/** Over every view of a demo: what is seen here is not real work, and how to be rid of it. */
export function Ribbon() {
  const words = useOwnWords(own)
  const guide = useOwnWords(guideWords)
  const cutOff = useCutOff()
  const [asked, setState] = useState<'here' | 'ending' | 'ended'>('here')
  const now = useStore(line)
  // Ended from another page or its terminal: a demo whose hub stops is deleted with it.
  const state = now.kind === 'cut' && now.isStopped ? 'ended' : asked
  const end = () => {
    setState('ending')
    call('demo.end', {}).then(
      () => setState('ended'),
      (error: Error) => {
        setState('here')
        notify({ kind: 'failed', text: error.message })
      },
    )
  }
  return (
    <aside
      data-demo={state}
      className="flex min-h-9 shrink-0 items-center gap-3 border-b border-line bg-ai-wash px-4 py-1 text-sm max-md:px-3"
    >
      <p className="line-clamp-any min-w-0 flex-1" role="status">
        {state === 'ended' ? (
          words.ended
        ) : (
          <>
            <strong className="font-semibold">{words.demo}</strong> {words.ribbon}
            <span className="max-md:sr-only">{words.ribbonMore}</span>
            <span className="ml-4 text-soft max-xl:hidden">{guide.intro}</span>
          </>
        )}
      </p>
      {state !== 'ended' && (
        <Button small disabled={state === 'ending' || cutOff !== undefined} title={cutOff} onClick={end}>
          {state === 'ending' ? words.ending : words.end}
        </Button>
      )}
    </aside>
  )
}
