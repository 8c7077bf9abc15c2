import { Link } from 'wouter'
import { Bars } from '../../parts/bars.tsx'
import { Failure } from '../../parts/failure.tsx'
import { clockTime } from '../../parts/live-time.tsx'
import { SafeText } from '../../parts/safe-text.tsx'
import { Section } from '../../parts/section.tsx'
import { useOwnWords, useWords } from '../../parts/use-words.ts'
import { DecisionRow } from './decision-row.tsx'
import { pathTo, type Topic } from './model.ts'
import { useTopic } from './queries.ts'
import { words as own } from './words.ts'
import { Markdown } from '../../parts/markdown/markdown.tsx'

type Props = { id: number; topics: readonly Topic[]; hrefOf: (path: string) => string }

export function TopicDetail({ id, topics, hrefOf }: Props) {
  const words = useOwnWords(own)
  const { code } = useWords()
  const found = useTopic(id)
  if (found.isError) return <Failure error={found.error} again={() => void found.refetch()} />
  const topic = found.data
  if (!topic) return <Bars count={4} height={56} />
  const above = pathTo(topics, id).slice(0, -1)
  const decisions = [...topic.decisions].sort((a, b) => b.id - a.id)
  return (
    <article className="flex flex-col gap-6" data-detail={`topic-${id}`}>
      <header className="flex flex-col gap-1">
        <p className="flex flex-wrap gap-x-1.5 text-sm text-soft">
          <SafeText text={topic.project_name} />
          {above.map(one => (
            <span key={one.id} className="flex min-w-0 gap-1.5">
              <span aria-hidden="true">›</span>
              <Link href={hrefOf(`/memory/topics/${one.id}`)} className="underline-offset-2 hover:underline">
                <SafeText text={one.title} />
              </Link>
            </span>
          ))}
        </p>
        <h2 className="line-clamp-any text-xl font-semibold">
          <SafeText text={topic.title} />
        </h2>
        {topic.description !== null && (
          <p className="line-clamp-any whitespace-pre-wrap text-soft">
            <Markdown text={topic.description} />
          </p>
        )}
      </header>
      <Section title={words.decisions}>
        {decisions.length === 0 && <p className="text-soft">{words.noDecisions}</p>}
        <ul className="flex flex-col gap-2">
          {decisions.map(decision => (
            <DecisionRow key={decision.id} decision={decision} hrefOf={hrefOf} />
          ))}
        </ul>
      </Section>
      <Section title={words.entries}>
        {topic.logs.length === 0 && <p className="text-soft">{words.noEntries}</p>}
        <ul className="flex flex-col gap-4">
          {[...topic.logs]
            .sort((a, b) => b.id - a.id)
            .map(entry => (
              <li key={entry.id} className="flex flex-col gap-1 border-l-3 border-hinoki pl-3">
                <time dateTime={entry.created_at} className="text-xs text-soft">
                  {clockTime(entry.created_at, code)}
                </time>
                <p className="line-clamp-any whitespace-pre-wrap">
                  <Markdown text={entry.content} />
                </p>
              </li>
            ))}
        </ul>
      </Section>
    </article>
  )
}
