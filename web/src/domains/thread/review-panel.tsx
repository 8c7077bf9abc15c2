// Reported work, as a person needs it to accept it or to want changes: what to know first, then report, checks, files.
import { Maximize2 } from 'lucide-react'
import { Link } from 'wouter'
import { Bars } from '../../parts/bars.tsx'
import { EvidenceList } from '../../parts/evidence-list.tsx'
import { Failure } from '../../parts/failure.tsx'
import { Section } from '../../parts/section.tsx'
import { useOwnWords } from '../../parts/use-words.ts'
import { AfterAccept } from './after-accept.tsx'
import { ChangedFiles } from './changed-files.tsx'
import { Conflicts } from './conflicts.tsx'
import { Comments } from './comments.tsx'
import { EvidenceLog } from './evidence-log.tsx'
import { HeldFiles } from './held-files.tsx'
import { type Review, useReview } from './queries.ts'
import { EarlierChecks, ReviewFacts } from './review-facts.tsx'
import { Decisions, Newer, Remarks, Report, Verdicts } from './review-parts.tsx'
import { useShown } from './use-shown.ts'
import { useWork } from './use-work.tsx'
import { VerdictForm } from './verdict-form.tsx'
import { threadWords } from './words.ts'
import { useReviewWords } from '../../parts/review-words.ts'

export function ReviewPanel({ taskId }: { taskId: string }) {
  const review = useReview(taskId)
  // Not what was there when it was last open: the review would stay on it.
  if (review.data && review.isFetchedAfterMount) return <Panel review={review.data} isPart />
  if (review.isError) return <Failure error={review.error} again={() => void review.refetch()} />
  return <Bars count={3} height={48} />
}

type PanelProps = { review: Review; since?: string | undefined; isPart?: boolean }

/** `isPart`: of another view, with a way to the page of its own. */
export function Panel({ review: newest, since, isPart = false }: PanelProps) {
  const texts = useReviewWords()
  const own = useOwnWords(threadWords)
  const { shown: review, newer } = useShown(newest)
  const work = useWork(review, since)
  const { snapshot, evidence } = review
  const held = snapshot?.held ?? []
  return (
    <div className="flex flex-col gap-4" data-review={review.task_id}>
      {newer && <Newer show={newer} />}
      <Remarks review={review} />
      <Report review={review} />
      <ReviewFacts review={review} />
      <Conflicts review={review} />
      {review.stage === 'review' ? <VerdictForm review={review} /> : !isPart && <AfterAccept review={review} />}
      {evidence.length > 0 && (
        <Section title={texts.checks}>
          <EvidenceList evidence={evidence} log={one => <EvidenceLog evidence={one} />} />
          <EarlierChecks review={review} />
        </Section>
      )}
      {held.length > 0 && (
        <Section title={texts.held}>
          <HeldFiles taskId={review.task_id} held={held} />
        </Section>
      )}
      {work.files.length > 0 && (
        <Section title={texts.files(work.files.length)}>
          <ChangedFiles work={work} flagged={snapshot?.flagged ?? []} />
          {isPart && (
            <Link
              href={`/tasks/${review.task_id}/review`}
              className="inline-flex items-center gap-1.5 self-start text-sm text-ai hover:underline max-md:min-h-11"
            >
              <Maximize2 size={14} aria-hidden="true" /> {own.open}
            </Link>
          )}
        </Section>
      )}
      {work.placed.others.length > 0 && (
        <Section title={texts.comments(work.placed.others.length)}>
          <Comments comments={work.placed.others} commenting={work.commenting} names={review.names} isFar />
        </Section>
      )}
      <Decisions review={review} />
      <Verdicts review={review} />
    </div>
  )
}
