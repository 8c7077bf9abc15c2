// Reported work, as a person needs it to accept it or to want changes: what to know first, then report, checks, files.
import { TriangleAlert } from 'lucide-react'
import { Bars } from '../../parts/bars.tsx'
import { EvidenceList } from '../../parts/evidence-list.tsx'
import { Failure } from '../../parts/failure.tsx'
import { SafeText } from '../../parts/safe-text.tsx'
import { Section } from '../../parts/section.tsx'
import { useWords } from '../../parts/use-words.ts'
import { ChangedFiles } from './changed-files.tsx'
import { Comments } from './comments.tsx'
import { HeldFiles } from './held-files.tsx'
import { type Review, useReview } from './queries.ts'
import { VerdictForm } from './verdict-form.tsx'

export function ReviewPanel({ taskId }: { taskId: string }) {
  const review = useReview(taskId)
  if (review.data) return <Work review={review.data} />
  if (review.isError) return <Failure error={review.error} again={() => void review.refetch()} />
  return <Bars count={3} height={48} />
}

function Work({ review }: { review: Review }) {
  const words = useWords()
  const { snapshot, evidence, files, comments, cites } = review
  const held = snapshot?.held ?? []
  return (
    <div className="flex flex-col gap-4" data-review={review.task_id}>
      <Remarks review={review} />
      {snapshot?.summary && (
        <Section title={words.review.report}>
          <blockquote className="line-clamp-any border-l-3 border-hinoki bg-sheet py-1 pr-3 pl-4 whitespace-pre-wrap">
            <SafeText text={snapshot.summary} />
          </blockquote>
        </Section>
      )}
      {review.stage === 'review' && <VerdictForm review={review} />}
      {evidence.length > 0 && (
        <Section title={words.review.checks}>
          <EvidenceList evidence={evidence} />
        </Section>
      )}
      {held.length > 0 && (
        <Section title={words.review.held}>
          <HeldFiles taskId={review.task_id} held={held} />
        </Section>
      )}
      {files.length > 0 && (
        <Section title={words.review.files(files.length)}>
          <ChangedFiles files={files} diff={review.diff} flagged={snapshot?.flagged ?? []} />
          {review.truncated && <p className="text-sm text-soft">{words.review.cut}</p>}
        </Section>
      )}
      {comments.length > 0 && (
        <Section title={words.review.comments(comments.length)}>
          <Comments comments={comments} />
        </Section>
      )}
      {cites.length > 0 && (
        <Section title={words.review.cites}>
          <p className="line-clamp-any text-sm">
            <SafeText text={cites.join(', ')} />
          </p>
        </Section>
      )}
    </div>
  )
}

function Remarks({ review }: { review: Review }) {
  const words = useWords()
  const { remarks, untrusted, review: asked } = review
  const lines = [
    ...remarks,
    ...(untrusted.length > 0 ? [words.review.untrusted(untrusted.map(({ name }) => name).join(', '))] : []),
    ...(asked?.problem ? [asked.problem] : []),
    ...(asked && (asked.state === 'waiting' || asked.state === 'running')
      ? [words.review.agentReviews(asked.agent_id)]
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
