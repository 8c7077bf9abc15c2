// The parts of a review beside its files, for the panel and the page.
import { TriangleAlert } from 'lucide-react'
import { Button } from '../../parts/button.tsx'
import { Since } from '../../parts/live-time.tsx'
import { SafeText } from '../../parts/safe-text.tsx'
import { Section } from '../../parts/section.tsx'
import { useOwnWords } from '../../parts/use-words.ts'
import { nameIn } from '../../parts/name-in.ts'
import type { Review } from './queries.ts'
import { threadWords } from './words.ts'
import { Markdown } from '../../parts/markdown/markdown.tsx'
import { useReviewWords } from '../../parts/review-words.ts'

export function Newer({ show }: { show: () => void }) {
  const words = useOwnWords(threadWords)
  return (
    <div
      role="alert"
      className="flex flex-wrap items-center gap-2 rounded-lg border border-kohaku bg-kohaku-wash px-3 py-2 text-sm"
    >
      <span className="min-w-0 flex-1">{words.newer}</span>
      <Button small onClick={show}>
        {words.showNewer}
      </Button>
    </div>
  )
}

export function Report({ review: { snapshot } }: { review: Review }) {
  const texts = useReviewWords()
  if (!snapshot?.summary) return null
  return (
    <Section title={texts.report}>
      <blockquote className="line-clamp-any border-l-3 border-hinoki bg-sheet py-1 pr-3 pl-4 whitespace-pre-wrap">
        <Markdown text={snapshot.summary} />
      </blockquote>
    </Section>
  )
}

export function Remarks({ review }: { review: Review }) {
  const texts = useReviewWords()
  const { remarks, untrusted, review: asked } = review
  const lines = [
    ...remarks,
    ...(untrusted.length > 0 ? [texts.untrusted(untrusted.map(({ name }) => name).join(', '))] : []),
    ...(asked?.problem ? [asked.problem] : []),
    ...(asked && (asked.state === 'waiting' || asked.state === 'running')
      ? [texts.agentReviews(review.names[asked.agent_id] ?? asked.agent_id)]
      : []),
  ]
  if (lines.length === 0) return null
  return (
    <ul className="flex flex-col gap-1 text-sm">
      {lines.map(line => (
        <li key={line} className="flex items-start gap-2">
          <TriangleAlert size={14} aria-hidden="true" className="mt-1 shrink-0 text-kohaku" />
          <span className="line-clamp-any min-w-0">
            <SafeText text={line} />
          </span>
        </li>
      ))}
    </ul>
  )
}

export function Decisions({ review: { decisions, cites } }: { review: Review }) {
  const words = useOwnWords(threadWords)
  const known = new Set(decisions.map(({ decision_id }) => String(decision_id)))
  const others = cites.filter(id => !known.has(id))
  if (decisions.length === 0 && others.length === 0) return null
  return (
    <Section title={words.decisions}>
      <ul className="flex flex-col gap-1.5 text-sm">
        {decisions.map(one => (
          <li key={one.decision_id} className="line-clamp-any border-l-2 border-fuji pl-2">
            <span className="font-medium text-fuji">#{one.decision_id}</span> <SafeText text={one.decision} />
            {one.cited && <span className="text-soft"> · {words.cited}</span>}
            {one.superseded_by !== undefined && (
              <span className="text-kohaku"> · {words.superseded(one.superseded_by)}</span>
            )}
          </li>
        ))}
        {others.map(id => (
          <li key={id} className="line-clamp-any border-l-2 border-fuji pl-2">
            <SafeText text={id} />
          </li>
        ))}
      </ul>
    </Section>
  )
}

export function Verdicts({ review: { verdicts, snapshots, names } }: { review: Review }) {
  const words = useOwnWords(threadWords)
  if (verdicts.length === 0) return null
  const numberOf = (id: string | null) => snapshots.find(({ snapshot_id }) => snapshot_id === id)?.number
  return (
    <Section title={words.verdicts}>
      <ul className="flex flex-col gap-1.5 text-sm">
        {verdicts.map(({ verdict_id, decision, summary, by, at, snapshot_id }) => {
          const number = numberOf(snapshot_id)
          return (
            <li key={verdict_id} className="line-clamp-any">
              <span className="font-medium">
                <SafeText text={nameIn(by, id => names[id] ?? id, words.you)} />
              </span>{' '}
              {words.verdict[decision]}
              <span className="text-soft">
                {number !== undefined && ` · ${words.snapshot(number)}`} · <Since at={at} />
              </span>
              {summary !== null && (
                <p className="whitespace-pre-wrap text-soft">
                  <Markdown text={summary} />
                </p>
              )}
            </li>
          )
        })}
      </ul>
    </Section>
  )
}
