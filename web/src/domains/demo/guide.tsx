import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Check, ChevronRight, Circle, CircleDot, X } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Link, useLocation } from 'wouter'
import { call } from '../../hub/call.ts'
import { Button } from '../../parts/button.tsx'
import { KeyHint } from '../../parts/key-hint.tsx'
import { useOwnWords } from '../../parts/use-words.ts'
import { guideWords } from './guide-words.ts'
import { look, nextOf, PATHS, type Seen, stateOf, type Step, STEPS, UNSEEN } from './steps.ts'
import { session } from '../../hub/kept.ts'

const KEY = 'toryo.demo.guide'

/** In one line what goes on, and what is there for a newcomer to do: each step lights up when its time has come. */
export function Guide({ kinds, isLoaded }: { kinds: readonly string[]; isLoaded: boolean }) {
  const words = useOwnWords(guideWords)
  const [isOpen, setOpen] = useState(() => session.getItem(KEY) !== 'closed')
  const [seen, setSeen] = useState<Seen>(UNSEEN)
  const [path] = useLocation()
  const isMerged = useMerged(kinds)
  const shown = kinds.join()
  useEffect(() => setSeen(before => look(before, shown.split(','), path)), [shown, path])
  if (!isOpen || !isLoaded) return null
  const steps = STEPS.map(step => ({ step, state: stateOf(step, seen, kinds, isMerged) }))
  const next = nextOf(steps)
  const close = () => {
    session.setItem(KEY, 'closed')
    setOpen(false)
  }
  return (
    <aside
      aria-label={words.label}
      className="flex shrink-0 items-center gap-x-5 gap-y-1 border-b border-line bg-sheet px-4 py-1.5 text-sm max-md:px-3"
    >
      <ol className="flex min-w-0 flex-1 items-center gap-1 max-md:hidden">
        {steps.map(({ step, state }, at) => (
          <li key={step} className="flex min-w-0 items-center gap-1">
            {at > 0 && <ChevronRight size={14} aria-hidden="true" className="shrink-0 text-soft" />}
            <StepLink step={step} state={state} isNext={step === next?.step} />
          </li>
        ))}
      </ol>
      <div className="min-w-0 flex-1 md:hidden">
        {next ? <StepLink step={next.step} state="now" isNext /> : <span className="text-soft">{words.intro}</span>}
      </div>
      <Button small look="quiet" className="ml-auto !px-1.5" aria-label={words.close} onClick={close}>
        <X size={14} aria-hidden="true" />
      </Button>
    </aside>
  )
}

const MARKS = { later: Circle, now: CircleDot, done: Check }
const TONES = { later: 'text-soft', now: 'text-ai', done: 'text-matsu' }

function StepLink({ step, state, isNext }: { step: Step; state: 'later' | 'now' | 'done'; isNext: boolean }) {
  const words = useOwnWords(guideWords)
  const Icon = MARKS[state]
  return (
    <Link
      href={PATHS[step]}
      data-step={step}
      data-state={state}
      className={`inline-flex min-h-8 min-w-0 items-center gap-1.5 rounded-md px-2 hover:bg-ai-wash max-md:min-h-11 ${isNext ? 'bg-ai-wash font-medium' : ''} ${state === 'now' ? '' : 'text-soft'} ${step === 'replay' && state === 'now' ? 'anim-pulse' : ''}`}
    >
      <Icon size={14} aria-hidden="true" className={`shrink-0 ${TONES[state]}`} />
      <span className="min-w-0 truncate">{words.steps[step]}</span>
      {step === 'answer' && state === 'now' && <KeyHint keys="!" />}
      <span className="sr-only">({words.states[state]})</span>
    </Link>
  )
}

/** Looked at again when what waits changes. */
function useMerged(kinds: readonly string[]): boolean {
  const { data } = useQuery({
    queryKey: ['demo-merged', kinds.join()],
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) =>
      (await call('task.show', { task_id: 'tsk_prices' }, { signal })).value.verdicts.length > 0,
  })
  return data ?? false
}
