// What can be done about an item, as buttons; the first is the one that most people want.
import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, Suspense, useState } from 'react'
import { Link, useLocation } from 'wouter'
import type { InboxItem } from '#contract/inbox.ts'
import { Button } from '../../parts/button.tsx'
import { useCutOff } from '../../parts/can-write.ts'
import { KeyHint } from '../../parts/key-hint.tsx'
import { useOwnWords, useWords } from '../../parts/use-words.ts'
import {
  again,
  cancelTask,
  give,
  onlyFailed,
  sendAgain,
  settle,
  stopTab,
  tellBoth,
  tellDecision,
  waitFor,
} from './actions.ts'
import { sidesOf } from './item-words.tsx'
import { Snooze } from './snooze.tsx'
import { stepWords } from './step-words.ts'
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

const LINK =
  'inline-flex h-8 items-center gap-1.5 rounded-md border border-rule bg-sheet px-3 hover:bg-ai-wash max-md:h-11'

type Props = { item: InboxItem; helpers: Helpers; next: (() => void) | undefined }

export function Steps({ item, helpers, next }: Props) {
  const words = useWords()
  const own = useOwnWords(stepWords)
  const queries = useQueryClient()
  return (
    <div className="flex flex-wrap items-center gap-2" data-steps>
      <Own item={item} helpers={helpers} />
      {item.kind === 'untrusted' && (
        <Step main keys="e" run={() => settle(queries, item)}>
          {words.needs.trust}
        </Step>
      )}
      {DISMISSED.has(item.kind) && (
        <Step keys="e" run={() => settle(queries, item)}>
          {item.kind === 'run_failed' ? words.needs.seen : (DISMISSED_AS[item.kind]?.(own) ?? own.dismiss)}
        </Step>
      )}
      {item.task_id !== null && (
        <Link href={`/tasks/${item.task_id}`} className={LINK}>
          {words.needs.openTask}
        </Link>
      )}
      <Snooze item={item} />
      {next && (
        <Button look="quiet" className="max-md:hidden" onClick={next} data-next>
          {own.next} <KeyHint keys="]" />
        </Button>
      )}
    </div>
  )
}

const DISMISSED: ReadonlySet<string> = new Set([
  ...['run_failed', 'handoff', 'message_failed', 'overlap', 'not_startable'],
  ...['decision_replaced', 'crew_ended', 'phase_ended'],
])
const DISMISSED_AS: Partial<Record<string, (words: typeof stepWords.en) => string>> = {
  overlap: words => words.ignore,
  decision_replaced: words => words.fine,
  crew_ended: words => words.fine,
  phase_ended: words => words.fine,
}

/** The steps of each kind. */
function Own({ item, helpers }: Omit<Props, 'next'>) {
  const words = useWords()
  const own = useOwnWords(stepWords)
  const queries = useQueryClient()
  switch (item.kind) {
    case 'run_failed':
      return (
        <>
          <Step main keys="R" run={() => again(queries, item)}>
            {own.again}
          </Step>
          {item.crew_id !== null && <Step run={() => onlyFailed(queries, item)}>{own.onlyFailed}</Step>}
          <Link href={`/runs/${item.run_id}`} className={LINK}>
            {own.log}
          </Link>
          <Step
            run={() =>
              helpers.makeTask(own.taskTitle(item.title, (item.detail ?? '').split('\n')[0] ?? ''), item.project_id)
            }
          >
            {own.makeTask}
          </Step>
        </>
      )
    case 'tab_waits':
      return (
        <>
          <Link href={`/terminals?show=${item.tab_id}`} className={LINK} data-open-terminal>
            {own.openTerminal} <KeyHint keys="t" />
          </Link>
          <Step keys="s" run={() => stopTab(queries, item)}>
            {own.stop}
          </Step>
        </>
      )
    case 'handoff':
      return <Give item={item} helpers={helpers} />
    case 'message_failed':
      return item.command === null ? (
        <p className="w-full text-sm text-soft">{own.toEnded}</p>
      ) : (
        <Step main run={() => sendAgain(queries, item)}>
          {own.sendAgain}
        </Step>
      )
    case 'overlap':
      return <Overlap item={item} />
    case 'not_startable':
      return (
        <>
          <Link href="/settings/doctor" className={LINK}>
            {own.fix}
          </Link>
          <Link href={`/agents/${item.agent_id}`} className={LINK}>
            {own.otherEngine}
          </Link>
        </>
      )
    case 'decision_replaced':
      return (
        <>
          {item.tab_id === null && <p className="w-full text-sm text-soft">{own.startAgainHint}</p>}
          <Step main run={() => tellDecision(queries, item)}>
            {item.tab_id === null ? own.startAgain : own.tellAgent}
          </Step>
        </>
      )
    case 'crew_ended':
      return <Look item={item} href={`/crews/${item.crew_id}`} />
    case 'phase_ended':
      return <Look item={item} href={`/phases?project=${encodeURIComponent(item.project_id ?? '')}`} />
    case 'blocked':
      return (
        <>
          {item.merge !== null && item.task_id !== null && item.agent_name !== null && (
            <Suspense>
              <GiveBack
                taskId={item.task_id}
                handle={item.handle ?? item.title}
                who={item.agent_name}
                why={item.merge}
              />
            </Suspense>
          )}
          <Give item={item} helpers={helpers} isSide />
          <Step run={() => cancelTask(queries, item)}>{own.cancel}</Step>
        </>
      )
    case 'engine_paused':
      return (
        <>
          <Step main keys="e" run={() => settle(queries, item)}>
            {words.needs.resume}
          </Step>
          <Link href="/crew/agents" className={LINK}>
            {own.agents}
          </Link>
          <Link href="/settings/engines" className={LINK}>
            {own.engines}
          </Link>
        </>
      )
    default:
      return null
  }
}

/** What was looked at waits no longer. */
function Look({ item, href }: { item: InboxItem; href: string }) {
  const own = useOwnWords(stepWords)
  const queries = useQueryClient()
  const [, navigate] = useLocation()
  const look = async () => {
    navigate(href)
    await settle(queries, item)
  }
  return (
    <Step main run={look}>
      {own.look}
    </Step>
  )
}

/** `isSide`: the answer is the first step. */
function Give({ item, helpers, isSide = false }: Omit<Props, 'next'> & { isSide?: boolean }) {
  const own = useOwnWords(stepWords)
  const queries = useQueryClient()
  const [isOpen, setOpen] = useState(false)
  if (item.project_id === null) return null
  return (
    <>
      <Step main={!isSide} run={() => setOpen(true)}>
        {own.give}
      </Step>
      {isOpen &&
        helpers.pickAgent({
          project: item.project_id,
          choose: agent => void give(queries, item, agent),
          close: () => setOpen(false),
        })}
    </>
  )
}

function Overlap({ item }: { item: InboxItem }) {
  const own = useOwnWords(stepWords)
  const queries = useQueryClient()
  const [one, other] = item.sides
  const [name, otherName] = sidesOf(item)
  const wait = (from: typeof one, to: typeof one, text: string) =>
    from &&
    to &&
    from.task_id !== null &&
    to.task_id !== null && (
      <Step run={() => waitFor(queries, item, from.task_id ?? '', to.task_id ?? '', text)}>{text}</Step>
    )
  return (
    <>
      {item.sides.some(({ tab_id }) => tab_id !== null) && (
        <Step main run={() => tellBoth(queries, item)}>
          {own.tellBoth}
        </Step>
      )}
      {wait(one, other, own.waitFor(name, otherName))}
      {wait(other, one, own.waitFor(otherName, name))}
    </>
  )
}

type StepProps = { children: ReactNode; run: () => unknown; keys?: string; main?: boolean }

function Step({ children, run, keys, main = false }: StepProps) {
  const cutOff = useCutOff()
  return (
    <Button {...(main && { look: 'main' })} disabled={cutOff !== undefined} title={cutOff} onClick={() => void run()}>
      {children} {keys !== undefined && <KeyHint keys={keys} />}
    </Button>
  )
}
