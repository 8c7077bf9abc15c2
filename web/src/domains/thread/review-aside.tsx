import { MessageSquare } from 'lucide-react'
import { FileList } from '../../parts/diff/file-list.tsx'
import { EvidenceList } from '../../parts/evidence-list.tsx'
import { Section } from '../../parts/section.tsx'
import { useOwnWords } from '../../parts/use-words.ts'
import { AfterAccept } from './after-accept.tsx'
import { Conflicts } from './conflicts.tsx'
import { Comments } from './comments.tsx'
import { Flag } from './file-head.tsx'
import { EvidenceLog } from './evidence-log.tsx'
import { HeldFiles } from './held-files.tsx'
import type { Review } from './queries.ts'
import { EarlierChecks, ReviewFacts } from './review-facts.tsx'
import { Decisions, Newer, Remarks, Report, Verdicts } from './review-parts.tsx'
import type { Work } from './use-work.tsx'
import { VerdictForm } from './verdict-form.tsx'
import { threadWords } from './words.ts'
import { useReviewWords } from '../../parts/review-words.ts'

type Props = {
  review: Review
  work: Work
  newer: (() => void) | undefined
  /** The file that is at the top of the list. */
  top: number
  show: (path: string) => void
}

export function ReviewAside({ review, work, newer, top, show }: Props) {
  const texts = useReviewWords()
  const { evidence, snapshot, comments, stage } = review
  const held = snapshot?.held ?? []
  const isUp = stage === 'review' || (review.status === 'blocked' && snapshot?.commit !== null)
  return (
    <>
      {newer && <Newer show={newer} />}
      <Remarks review={review} />
      <Report review={review} />
      <ReviewFacts review={review} />
      <Conflicts review={review} isNarrow />
      {isUp ? <VerdictForm review={review} /> : <AfterAccept review={review} />}
      {evidence.length > 0 && (
        <div data-evidence>
          <Section title={texts.checks}>
            <EvidenceList evidence={evidence} log={one => <EvidenceLog evidence={one} />} />
            <EarlierChecks review={review} />
          </Section>
        </div>
      )}
      {held.length > 0 && (
        <Section title={texts.held}>
          <HeldFiles taskId={review.task_id} held={held} />
        </Section>
      )}
      <Files review={review} work={work} top={top} show={show} />
      {comments.length > 0 && (
        <Section title={texts.comments(comments.length)}>
          <Comments comments={comments} commenting={work.commenting} names={review.names} isFar show={show} />
        </Section>
      )}
      <Decisions review={review} />
      <Verdicts review={review} />
    </>
  )
}

function Files({ review, work, top, show }: Omit<Props, 'newer'>) {
  const texts = useReviewWords()
  const own = useOwnWords(threadWords)
  const { files, seen } = work
  if (files.length === 0) return null
  const flags = new Map(review.snapshot?.flagged.map(({ path, why }) => [path, why]))
  return (
    <Section title={`${texts.files(files.length)} · ${own.seenCount(seen.size, files.length)}`}>
      <FileList
        files={files}
        top={top}
        seen={seen}
        show={show}
        marks={path => {
          const flag = flags.get(path)
          const comments = work.countOn(path)
          return (
            <>
              {flag && <Flag why={flag} isShort />}
              {comments > 0 && (
                <span className="inline-flex items-center gap-1 text-xs text-soft">
                  <MessageSquare size={12} aria-hidden="true" />
                  <span aria-hidden="true">{comments}</span>
                  <span className="sr-only">{texts.comments(comments)}</span>
                </span>
              )}
            </>
          )
        }}
      />
    </Section>
  )
}
