// Reported work with room for its diff: what to know at the side, all changed files as one list beside it.
import { BadgeCheck } from 'lucide-react'
import { useEffect, useMemo } from 'react'
import { Link } from 'wouter'
import { Bars } from '../../parts/bars.tsx'
import { type Command, useCommands } from '../../parts/command.ts'
import { DiffList } from '../../parts/diff/diff-list.tsx'
import { useFileKeys } from '../../parts/diff/file-keys.ts'
import { DiffTools } from '../../parts/diff/diff-tools.tsx'
import { useQueryValue, useShape, useWrap } from '../../parts/diff/preferences.ts'
import { useDiff } from '../../parts/diff/use-diff.ts'
import { Failure } from '../../parts/failure.tsx'
import { GiveBack } from '../../parts/give-back.tsx'
import { Since } from '../../parts/live-time.tsx'
import { StatusMark } from '../../parts/marks.tsx'
import { notify } from '../../parts/notices.tsx'
import { SafeText } from '../../parts/safe-text.tsx'
import { Select } from '../../parts/select.tsx'
import { useDesktop } from '../../parts/use-desktop.ts'
import { useOwnWords, useWords } from '../../parts/use-words.ts'
import { currentWords } from '../../words/words.ts'
import { FileHead } from './file-head.tsx'
import { isVerified } from './model.ts'
import { type Review, useReview, useShownTask } from './queries.ts'
import { QueueStrip } from './queue-strip.tsx'
import { Panel } from './review-panel.tsx'
import { ReviewAside } from './review-aside.tsx'
import { useShown } from './use-shown.ts'
import { useWork } from './use-work.tsx'
import { threadWords } from './words.ts'

type Names = {
  /** What an agent is called. */
  nameOf: (agentId: string) => string
  engineOf: (agentId: string) => string | undefined
}

export function ReviewPage({ taskId, ...names }: Names & { taskId: string }) {
  const [since] = useQueryValue('since')
  const review = useReview(taskId, since)
  const isDesktop = useDesktop()
  // What is shown from before would be what the review stays on.
  const isNow = review.isFetchedAfterMount
  if (review.isError && !review.data) return <Failure error={review.error} again={() => void review.refetch()} />
  if (!review.data || !isNow) return <Bars count={6} height={48} />
  if (isDesktop) return <Wide key={since ?? ''} review={review.data} since={since} {...names} />
  return (
    <div className="flex h-full flex-col gap-4 overflow-y-auto px-4 py-3">
      <ReviewTitle review={review.data} {...names} />
      <SinceSelect review={review.data} />
      <Panel key={since ?? ''} review={review.data} since={since} />
      <QueueStrip review={review.data} />
    </div>
  )
}

function Wide({ review: newest, since, ...names }: Names & { review: Review; since: string | undefined }) {
  const own = useOwnWords(threadWords)
  const { shown: review, newer } = useShown(newest)
  const work = useWork(review, since)
  const { shape, choose, switchShape } = useShape()
  const [wraps, wrap] = useWrap()
  const [file] = useQueryValue('file')
  const diff = useDiff(work.files, { shape, folded: work.seen, switchShape, onPick: work.commenting.start })
  useReviewCommands(diff.pickHere)
  useFileKeys(work.files[diff.top]?.path, work)
  const { toFile } = diff
  useEffect(() => {
    if (file !== undefined) toFile(file)
  }, [file, toFile])
  const flags = new Map(review.snapshot?.flagged.map(({ path, why }) => [path, why]))
  return (
    <div className="flex h-full min-h-0" data-review={review.task_id}>
      <div className="flex h-full w-[25rem] shrink-0 flex-col gap-5 overflow-y-auto border-r border-line px-5 py-4">
        <ReviewTitle review={review} {...names} />
        <ReviewAside review={review} work={work} newer={newer} top={diff.top} show={toFile} />
      </div>
      <section aria-label={own.filesList} className="flex h-full min-w-0 flex-1 flex-col">
        <div className="flex min-h-11 flex-wrap items-center gap-2 border-b border-line px-3 py-1.5">
          <SinceSelect review={review} />
          <span className="flex-1" />
          <DiffTools diff={diff} shape={shape} choose={choose} wraps={wraps} wrap={wrap} />
        </div>
        {work.files.length === 0 ? (
          <p className="line-clamp-any p-8 text-soft" data-no-files>
            {review.elsewhere
              ? own.elsewhere(review.elsewhere.machine, review.elsewhere.path)
              : since === undefined
                ? own.noFiles
                : own.noFilesSince}
          </p>
        ) : (
          <DiffList
            files={work.files}
            diff={diff}
            wraps={wraps}
            folded={diff.query === '' ? work.seen : NONE}
            head={one => <FileHead file={one} work={work} flag={flags.get(one.path)} />}
            notesAt={work.notesAt}
            unfold={work.unfold}
            keep={work.commenting.writing?.place.path}
          />
        )}
        <QueueStrip review={review} />
      </section>
    </div>
  )
}

const NONE: ReadonlySet<string> = new Set()

function ReviewTitle({ review, nameOf, engineOf }: Names & { review: Review }) {
  const words = useWords()
  const own = useOwnWords(threadWords)
  const { handle, title, stage, task_id, assignee_id, evidence, snapshot } = review
  const task = useShownTask(task_id).data
  const branch = task?.workspace?.branch ?? review.branch
  const outcome = task?.status === 'blocked' && task.merge?.kind === 'merge' ? task.merge.outcome : undefined
  const engine = assignee_id === null ? undefined : engineOf(assignee_id)
  return (
    <header className="flex flex-col gap-1">
      <p className="flex flex-wrap items-center gap-x-2 text-sm text-soft">
        <Link href={`/tasks/${task_id}`} className="font-mono hover:underline" title={own.openTask}>
          {handle}
        </Link>
        {assignee_id !== null && (
          <span>
            <SafeText text={[nameOf(assignee_id), ...(engine === undefined ? [] : [engine])].join(' · ')} />
          </span>
        )}
        {branch !== null && (
          <span className="line-clamp-any min-w-0 font-mono text-xs">
            <SafeText text={branch} />
          </span>
        )}
      </p>
      <h2 className="line-clamp-any text-lg font-semibold">
        <SafeText text={title} />
      </h2>
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-soft">
        <span data-stage={stage} className="inline-flex items-center gap-1">
          <StatusMark status={stage} /> {words.stage[stage]}
        </span>
        {isVerified(evidence) && (
          <span data-verified className="inline-flex items-center gap-1 text-matsu">
            <BadgeCheck size={14} aria-hidden="true" /> {own.verified}
          </span>
        )}
        {stage === 'review' && snapshot && (
          <span data-waits className="text-kohaku">
            {own.waitsForYou} <Since at={snapshot.at} />
          </span>
        )}
      </p>
      {(outcome === 'conflict' || outcome === 'failed') && assignee_id !== null && (
        <GiveBack taskId={task_id} handle={handle} who={nameOf(assignee_id)} why={outcome} />
      )}
    </header>
  )
}

function SinceSelect({ review: { snapshots, snapshot } }: { review: Review }) {
  const words = useOwnWords(threadWords)
  const [since, set] = useQueryValue('since')
  const earlier = snapshots.filter(
    ({ snapshot_id, commit }) => snapshot_id !== snapshot?.snapshot_id && commit !== null,
  )
  if (earlier.length === 0) return null
  return (
    <Select
      label={words.since}
      value={since ?? ''}
      className="!h-7 shrink-0 text-sm max-md:!h-11"
      data-since
      onChange={event => set(event.target.value === '' ? undefined : event.target.value)}
    >
      <option value="">{words.whole}</option>
      {earlier.map(({ snapshot_id, number }) => (
        <option key={snapshot_id} value={snapshot_id}>
          {words.sinceOne(number)}
        </option>
      ))}
    </Select>
  )
}

function useReviewCommands(pickHere: () => boolean): void {
  const commands = useMemo((): Command[] => {
    const own = ({ code }: { code: 'en' | 'ja' }) => threadWords[code]
    const comment = () => {
      if (!pickHere()) notify({ kind: 'done', text: own(currentWords()).noLine })
    }
    return [
      { id: 'review.comment', title: w => own(w).comment, keys: ['c', '.'], run: comment },
      { id: 'review.evidence', title: w => own(w).evidence, keys: ['e'], run: showEvidence },
    ]
  }, [pickHere])
  useCommands(commands)
}

function showEvidence(): void {
  const section = document.querySelector('[data-evidence]')
  section?.scrollIntoView({ block: 'start' })
  const first = section?.querySelector('summary')
  if (first instanceof HTMLElement) first.focus()
}
