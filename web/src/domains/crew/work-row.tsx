import { CircleStop, RotateCcw } from 'lucide-react'
import { Link, useLocation, useSearch } from 'wouter'
import type { WorkView } from './work.ts'
import { Button } from '../../parts/button.tsx'
import { useCutOff } from '../../parts/can-write.ts'
import { Moment } from '../../parts/live-time.tsx'
import { SafeText } from '../../parts/safe-text.tsx'
import { useOwnWords, useWords } from '../../parts/use-words.ts'
import { costOf } from '../../parts/used.ts'
import { stopWork } from '../../parts/interrupt.ts'
import { repeatRun } from './actions.ts'
import { Elapsed } from './elapsed.tsx'
import { WorkMark } from './mark.tsx'
import { isOpen } from './model.ts'
import { hrefOf } from './queries.ts'
import { crewWords } from './words.ts'

const INDENT = ['pl-3', 'pl-8', 'pl-13', 'pl-18', 'pl-23'] as const

export function WorkRow({ work, depth }: { work: WorkView; depth: number }) {
  const words = useOwnWords(crewWords)
  const search = useSearch()
  const href = hrefOf(work)
  const isTab = work.kind === 'tab'
  return (
    <li
      data-row
      data-work={work.id}
      data-status={work.status}
      className={`relative flex items-center gap-3 py-2 pr-3 hover:bg-ai-wash has-[a:focus-visible]:bg-ai-wash ${INDENT[Math.min(depth, 4)]}`}
    >
      <WorkMark status={work.status} />
      <div className="flex min-w-0 flex-1 flex-col">
        <div className="flex min-w-0 flex-wrap items-baseline gap-x-2">
          <Link
            href={search === '' || isTab ? href : `${href}?${search}`}
            className="font-medium after:absolute after:inset-0 focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-ai"
          >
            <SafeText text={work.title} />
          </Link>
          <span className="text-sm">
            {work.stop_asked && isOpen(work) ? words.stopping : words.status[work.status]}
          </span>
          <span className="text-sm text-soft empty:hidden">
            <SafeText text={engineText(work)} />
          </span>
          {work.task !== null && (
            <span className="line-clamp-any min-w-0 truncate text-sm text-soft">
              <span className="font-mono">{work.task.handle}</span> <SafeText text={work.task.title} />
            </span>
          )}
        </div>
        {work.last_message !== null && (
          <p className="line-clamp-any truncate text-sm text-soft" data-message>
            <SafeText text={work.last_message} />
          </p>
        )}
        <Numbers work={work} className="md:hidden" />
      </div>
      <Numbers work={work} className="max-md:hidden" />
      <Act work={work} />
    </li>
  )
}

/** The model, where it says more than the engine does. */
export function engineText({ engine, model }: { engine: string | null; model: string | null }): string {
  return [engine, model === engine || model === 'default' ? null : model].filter(Boolean).join(' · ')
}

/** In columns where there is room for them: rows are compared. */
function Numbers({ work, className }: { work: WorkView; className: string }) {
  const words = useOwnWords(crewWords)
  const { code } = useWords()
  const column = 'md:text-right'
  return (
    <div
      className={`shrink-0 gap-x-3 text-sm text-soft tabular-nums max-md:flex max-md:flex-wrap max-md:[&>span:empty]:hidden md:grid md:grid-cols-[8.5rem_4.5rem_5rem_5rem] whitespace-nowrap ${className}`}
    >
      <span className={column}>{work.tool_calls !== null && work.tool_calls > 0 && words.calls(work.tool_calls)}</span>
      <span className={column}>{costOf(work.cost_usd, code)}</span>
      <span className={column}>
        {work.started_at !== null && <Elapsed from={work.started_at} to={work.ended_at} />}
      </span>
      <span className={column}>{work.ended_at !== null && <Moment at={work.ended_at} />}</span>
    </div>
  )
}

function Act({ work }: { work: WorkView }) {
  const words = useOwnWords(crewWords)
  const cutOff = useCutOff()
  const [, navigate] = useLocation()
  // The columns beside it stay in line.
  if (work.kind !== 'run') return <span className="w-8 shrink-0 max-md:hidden" />
  const open = isOpen(work)
  const Icon = open ? CircleStop : RotateCcw
  const act = async () => {
    const crew = open ? void (await stopWork(work.id)) : await repeatRun(work.id)
    if (crew !== undefined) navigate(`/crews/${crew}`)
  }
  return (
    <Button
      small
      look="quiet"
      className="relative z-1"
      aria-label={`${open ? words.stop : words.repeat}: ${work.title}`}
      disabled={cutOff !== undefined || (open && work.stop_asked)}
      title={cutOff ?? (open ? words.stop : words.repeat)}
      onClick={() => void act()}
    >
      <Icon size={15} aria-hidden="true" />
    </Button>
  )
}
