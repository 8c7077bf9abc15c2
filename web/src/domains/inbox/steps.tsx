// What can be done about an item, as buttons.
import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, Suspense, useState } from 'react'
import { Link, useLocation } from 'wouter'
import type { InboxItem } from '#contract/inbox.ts'
import { Button } from '../../parts/button.tsx'
import { useCutOff } from '../../parts/can-write.ts'
import { KeyHint } from '../../parts/key-hint.tsx'
import { useOwnWords, useWords } from '../../parts/use-words.ts'
import { give } from './actions.ts'
import { Snooze } from './snooze.tsx'
import { stepWords } from './step-words.ts'
import { rowStepsOf, type Step, type StepContext, stepsOf } from './steps-of.ts'
import { later } from '../../parts/later.tsx'

const GiveBack = later(async () => (await import('../../parts/give-back.tsx')).GiveBack)

/** What other domains do for an item. */
export type Helpers = {
  /** Opens the dialog for a new task. */
  makeTask: (title: string, project: string | null) => void
  /** Lets a person choose an agent of the project. */
  pickAgent: (props: {
    project: string
    choose: (agent: { id: string; name: string }) => void
    close: () => void
  }) => ReactNode
}

type Props = { item: InboxItem; helpers: Helpers; next: (() => void) | undefined }

export function Steps({ item, helpers, next }: Props) {
  const own = useOwnWords(stepWords)
  const { context, picker } = useSteps(item, helpers)
  return (
    <div className="flex flex-wrap items-center gap-2" data-steps>
      <Hint item={item} />
      {item.kind === 'blocked' && item.merge !== null && item.task_id !== null && item.agent_name !== null && (
        <Suspense>
          <GiveBack taskId={item.task_id} handle={item.handle ?? item.title} who={item.agent_name} why={item.merge} />
        </Suspense>
      )}
      {stepsOf(item, context).map(step => (
        <StepButton key={step.id} step={step} />
      ))}
      {picker}
      {/* One group: alone on a line of its own, the last one would look lost. */}
      <span className="flex items-center gap-2">
        <Snooze item={item} />
        {next && (
          <Button look="quiet" className="max-md:hidden" onClick={next} data-next>
            {own.next} <KeyHint keys="]" />
          </Button>
        )}
      </span>
    </div>
  )
}

/** `enter`: goes to what there is to do, in the detail. */
type RowProps = { item: InboxItem; helpers: Helpers; enter: () => void }

/** The first of them, in the row of the item that is open. */
export function RowSteps({ item, helpers, enter }: RowProps) {
  const { context, picker } = useSteps(item, helpers)
  return (
    <div data-row-steps className="absolute bottom-3 left-[47px] flex gap-2">
      {rowStepsOf(item, context, enter).map(step => (
        <StepButton key={step.id} small step={step} />
      ))}
      {picker}
    </div>
  )
}

function useSteps(item: InboxItem, helpers: Helpers): { context: StepContext; picker: ReactNode } {
  const words = useWords()
  const own = useOwnWords(stepWords)
  const queries = useQueryClient()
  const [, navigate] = useLocation()
  const [isPicking, setPicking] = useState(false)
  const { makeTask, pickAgent } = helpers
  const picker =
    isPicking &&
    item.project_id !== null &&
    pickAgent({
      project: item.project_id,
      choose: agent => void give(queries, item, agent),
      close: () => setPicking(false),
    })
  return { context: { words, own, queries, navigate, makeTask, pick: () => setPicking(true) }, picker }
}

/** What a person should know before. */
function Hint({ item }: { item: InboxItem }) {
  const own = useOwnWords(stepWords)
  const text =
    item.kind === 'message_failed' && item.command === null
      ? own.toEnded
      : item.kind === 'decision_replaced' && item.tab_id === null
        ? own.startAgainHint
        : item.check !== null
          ? own.acceptHint
          : undefined
  return text === undefined ? null : <p className="w-full text-sm text-soft">{text}</p>
}

const LINK = 'inline-flex items-center gap-1.5 rounded-md border border-rule bg-sheet hover:bg-ai-wash'

type ButtonProps = { step: Step; small?: boolean }

function StepButton({ step, small = false }: ButtonProps) {
  const cutOff = useCutOff()
  const hint = step.keys !== undefined && <KeyHint keys={step.keys} />
  if ('href' in step)
    return (
      <Link
        href={step.href}
        className={`${LINK} ${small ? 'h-7 px-2 text-sm' : 'h-8 px-3 max-md:h-11'}`}
        {...(step.id === 'terminal' && !small && { 'data-open-terminal': true })}
      >
        {step.text} {hint}
      </Link>
    )
  return (
    <Button
      {...(step.main && { look: 'main' })}
      small={small}
      {...(step.id !== 'into' && { disabled: cutOff !== undefined, title: cutOff })}
      onClick={() => void step.run()}
    >
      {step.text} {hint}
    </Button>
  )
}
