import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Check, ChevronRight, Circle, CircleDot, X } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Link, useLocation } from 'wouter'
import type { InboxItem } from '#contract/inbox.ts'
import { call } from '../../hub/call.ts'
import { Button } from '../../parts/button.tsx'
import { CommandLine } from '../../parts/command-line.tsx'
import { KeyHint } from '../../parts/key-hint.tsx'
import { useOwnWords } from '../../parts/use-words.ts'
import { guideWords } from './guide-words.ts'
import { isAsked, look, type Made, nextOf, pathOf, type Seen, stateOf, type Step, STEPS, UNSEEN } from './steps.ts'
import { session } from '../../hub/kept.ts'

const KEY = 'toryo.demo.guide'
const SEEN_KEY = 'toryo.demo.seen'

/** In one line what goes on, and what is there for a newcomer to do: each step lights up when its time has come. `program`: what calls it on a command line. */
export function Guide({ items, program }: { items: readonly InboxItem[] | undefined; program: string }) {
  const words = useOwnWords(guideWords)
  const [isOpen, setOpen] = useState(() => session.getItem(KEY) !== 'closed')
  const seen = useSeen(items ?? [])
  const made = useMade(items)
  if (!isOpen || !items || !made) return null
  const steps = STEPS.map(step => ({ step, state: stateOf(step, seen, items, made), path: pathOf(step, items) }))
  const next = nextOf(steps)
  const done = steps.filter(({ state }) => state === 'done').length
  const close = () => {
    session.setItem(KEY, 'closed')
    setOpen(false)
  }
  return (
    <aside
      aria-label={words.label}
      data-done={done}
      className="flex shrink-0 items-center gap-x-5 gap-y-1 border-b border-line bg-sheet px-4 py-1.5 text-sm max-md:px-3"
    >
      {done < STEPS.length && (
        <ol className="flex min-w-0 flex-1 items-center gap-1 max-md:hidden">
          {steps.map(({ step, state, path }, at) => (
            <li key={step} className="flex min-w-0 items-center gap-1">
              {at > 0 && <ChevronRight size={14} aria-hidden="true" className="shrink-0 text-soft" />}
              <StepLink {...{ step, state, path }} isNext={step === next?.step} />
            </li>
          ))}
        </ol>
      )}
      {done < STEPS.length && (
        <div className="flex min-w-0 flex-1 items-center gap-2 md:hidden">
          {next ? <StepLink {...next} isNext /> : <span className="text-soft">{words.intro}</span>}
        </div>
      )}
      {done === STEPS.length ? (
        <div className="flex min-w-0 items-center gap-2 max-md:flex-1 max-md:flex-col max-md:items-start" role="status">
          <span>
            <Check size={14} aria-hidden="true" className="mr-1.5 inline text-matsu" />
            {words.after(STEPS.length)}
          </span>
          <CommandLine text={`${program} init`} />
        </div>
      ) : (
        <span className="shrink-0 text-soft">{words.count(done, STEPS.length)}</span>
      )}
      <Button small look="quiet" className="ml-auto !px-1.5" aria-label={words.close} onClick={close}>
        <X size={14} aria-hidden="true" />
      </Button>
    </aside>
  )
}

const MARKS = { later: Circle, now: CircleDot, done: Check }
const TONES = { later: 'text-soft', now: 'text-ai', done: 'text-matsu' }

type StepProps = { step: Step; state: 'later' | 'now' | 'done'; path: string; isNext: boolean }

function StepLink({ step, state, path, isNext }: StepProps) {
  const words = useOwnWords(guideWords)
  const Icon = MARKS[state]
  return (
    <Link
      href={path}
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

/** Kept over a reload. */
function useSeen(items: readonly InboxItem[]): Seen {
  const [path] = useLocation()
  const [seen, setSeen] = useState<Seen>(() => ({ ...UNSEEN, ...JSON.parse(session.getItem(SEEN_KEY) ?? '{}') }))
  const asks = isAsked(items)
  useEffect(() => setSeen(before => look(before, asks, path)), [asks, path])
  useEffect(() => session.setItem(SEEN_KEY, JSON.stringify(seen)), [seen])
  return seen
}

/** Looked at again when what waits changes: an answer is a decision of Sora's task, a review its verdict. */
function useMade(items: readonly InboxItem[] | undefined): Made | undefined {
  const { data } = useQuery({
    queryKey: ['demo-made', (items ?? []).map(({ item_id }) => item_id).join()],
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }): Promise<Made> => {
      const [login, prices] = await Promise.all(
        ['tsk_login', 'tsk_prices'].map(task_id => call('task.show', { task_id }, { signal })),
      )
      return {
        answered: (login?.value.decisions.length ?? 0) > 0,
        reviewed: (prices?.value.verdicts.length ?? 0) > 0,
      }
    },
  })
  return data
}
