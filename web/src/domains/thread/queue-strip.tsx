// Where reported work would stand in line: below it, so that a verdict is given with the queue in sight.
import { GitMerge } from 'lucide-react'
import { Link } from 'wouter'
import { SafeText } from '../../parts/safe-text.tsx'
import { useOwnWords } from '../../parts/use-words.ts'
import { queuesOf } from './model.ts'
import { type Review, useMerges, useShownTask } from './queries.ts'
import { threadWords } from './words.ts'

/** More of them are a number. */
const SHOWN = 4

export function QueueStrip({ review }: { review: Review }) {
  const words = useOwnWords(threadWords)
  const merges = useMerges(review.project_id).data
  const own = useShownTask(review.task_id).data?.merge
  const base = review.merges_into?.base ?? (own && own.outcome === null ? own.base : undefined)
  if (base === undefined || !merges) return null
  const waiting = queuesOf(merges).find(queue => queue.base === base)?.merges ?? []
  const isIn = waiting.some(({ task_id }) => task_id === review.task_id)
  return (
    <aside
      aria-label={words.queueFor(base)}
      data-queue-strip
      className="flex shrink-0 flex-wrap items-center gap-x-3 gap-y-1 border-t border-line bg-sunk px-3 py-1.5 text-sm text-soft"
    >
      <Link href="/queue" className="inline-flex items-center gap-1.5 font-medium text-ink hover:underline">
        <GitMerge size={14} aria-hidden="true" /> <SafeText text={words.queueFor(base)} />
      </Link>
      {waiting.length === 0 && <span>{words.queueFree}</span>}
      {waiting.slice(0, SHOWN).map(({ merge_id, task_id, handle, position, step, waits }) => (
        <span key={merge_id} className="line-clamp-any min-w-0" title={waits ?? undefined}>
          <span className="tabular-nums">{position}</span>{' '}
          <Link href={`/tasks/${task_id}/review`} className="font-mono text-ink hover:underline">
            {handle}
          </Link>{' '}
          {words.step[step ?? 'behind']}
        </span>
      ))}
      {waiting.length > SHOWN && <span>{words.queueMore(waiting.length - SHOWN)}</span>}
      {review.merges_into?.checkouts?.map(checkout => (
        <BaseCheckout key={checkout.path} base={base} {...checkout} />
      ))}
      {!isIn && review.stage === 'review' && <span>{words.thenThis(waiting.length + 1, review.handle)}</span>}
    </aside>
  )
}

type Checkout = NonNullable<NonNullable<Review['merges_into']>['checkouts']>[number]

/** What a merge would meet where the base is checked out. */
function BaseCheckout({ base, path, clean, files, operation }: Checkout & { base: string }) {
  const words = useOwnWords(threadWords)
  const waits = operation !== null || files.length > 0
  const text =
    operation !== null
      ? words.baseBusy(base, path, operation)
      : files.length > 0
        ? words.baseDirty(base, path, files)
        : clean
          ? words.baseClean(base, path)
          : words.baseUnsaved(base, path)
  return (
    <span className={`line-clamp-any min-w-0 ${waits ? 'text-kohaku' : ''}`} data-base={waits ? 'waits' : 'free'}>
      <SafeText text={text} />
    </span>
  )
}
