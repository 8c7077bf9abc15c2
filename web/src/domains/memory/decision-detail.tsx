import { ArrowDown } from 'lucide-react'
import { Fragment } from 'react'
import { Link } from 'wouter'
import { Bars } from '../../parts/bars.tsx'
import { Failure } from '../../parts/failure.tsx'
import { clockTime } from '../../parts/live-time.tsx'
import { StatusMark } from '../../parts/marks.tsx'
import { SafeText } from '../../parts/safe-text.tsx'
import { Section } from '../../parts/section.tsx'
import { useOwnWords, useWords } from '../../parts/use-words.ts'
import { DecisionRow } from './decision-row.tsx'
import { useDecision } from './queries.ts'
import { words as own } from './words.ts'
import { Markdown } from '../../parts/markdown/markdown.tsx'

/** What was decided and why, what it replaced, and who follows it. */
export function DecisionDetail({ id, hrefOf }: { id: number; hrefOf: (path: string) => string }) {
  const words = useOwnWords(own)
  const all = useWords()
  const found = useDecision(id)
  if (found.isError) return <Failure error={found.error} again={() => void found.refetch()} />
  const decision = found.data
  if (!decision) return <Bars count={4} height={56} />
  const isReplaced = decision.superseded_by !== undefined
  return (
    <article className="flex flex-col gap-6" data-detail={`decision-${id}`}>
      <header className="flex flex-col gap-2">
        <p className="flex flex-wrap items-center gap-x-2 text-sm text-soft">
          <span className="rounded-md bg-fuji-wash px-1.5 text-fuji">
            {words.decision} #{id}
          </span>
          <SafeText text={decision.project_name ?? words.everywhere} />
          {decision.topic_id !== null && (
            <Link
              href={hrefOf(`/memory/topics/${decision.topic_id}`)}
              className="min-w-0 underline-offset-2 hover:underline"
            >
              <span aria-hidden="true">› </span>
              <SafeText text={decision.topic_title ?? ''} />
            </Link>
          )}
          {decision.person !== undefined && <SafeText text={words.by(decision.person)} />}
          <time dateTime={decision.created_at}>{clockTime(decision.created_at, all.code)}</time>
          <span className={isReplaced ? 'text-kohaku' : 'text-matsu'}>
            {isReplaced ? words.replaced : words.stands}
          </span>
          <span data-told={decision.told_to.length}>{words.toldTo(decision.told_to.length)}</span>
        </p>
        <h2 className="line-clamp-any text-xl font-semibold whitespace-pre-wrap">
          <SafeText text={decision.decision} />
        </h2>
        <blockquote className="line-clamp-any border-l-3 border-hinoki py-1 pl-4 whitespace-pre-wrap">
          <span className="block text-xs text-soft">{words.because}</span>
          <Markdown text={decision.reason} />
        </blockquote>
      </header>
      {decision.chain.length > 1 && (
        <Section title={words.chain}>
          <ol className="flex flex-col gap-1">
            {decision.chain.map((one, at) => (
              <Fragment key={one.id}>
                {at > 0 && (
                  <li aria-hidden="true" className="pl-4 text-soft">
                    <ArrowDown size={14} />
                  </li>
                )}
                <DecisionRow decision={one} hrefOf={hrefOf} isCurrent={one.id === id} />
              </Fragment>
            ))}
          </ol>
        </Section>
      )}
      <Section title={words.tasks}>
        {decision.tasks.length === 0 && <p className="text-soft">{words.noTasks}</p>}
        <ul className="flex flex-col divide-y divide-line">
          {decision.tasks.map(task => (
            <li key={task.task_id}>
              <Link
                href={`/tasks/${encodeURIComponent(task.task_id)}`}
                className="flex min-h-9 flex-wrap items-center gap-x-2 rounded-md px-1 hover:bg-ai-wash max-md:min-h-11"
              >
                <StatusMark status={task.status} />
                <span className="sr-only">{all.status[task.status]}</span>
                <span className="font-mono text-xs text-soft">{task.handle}</span>
                <span className="min-w-0 flex-1 truncate">
                  <SafeText text={task.title} />
                </span>
                <span className="text-xs text-soft">
                  {[...(task.named ? [words.named] : []), ...(task.cited ? [words.cited] : [])].join(' · ')}
                </span>
              </Link>
            </li>
          ))}
        </ul>
      </Section>
    </article>
  )
}
