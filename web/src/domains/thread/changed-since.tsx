import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../../parts/button.tsx'
import { useCutOff } from '../../parts/can-write.ts'
import { SafeText } from '../../parts/safe-text.tsx'
import { useOwnWords } from '../../parts/use-words.ts'
import { takeIn } from './giving.ts'
import { type Review, useReview } from './queries.ts'
import { threadWords } from './words.ts'

/** What a person, or a program, did in the workspace after the report. */
export function ChangedSince({ review }: { review: Review }) {
  const own = useOwnWords(threadWords)
  const cutOff = useCutOff()
  const queries = useQueryClient()
  const [busy, setBusy] = useState(false)
  if (review.changed_since.length === 0) return null
  const take = async () => {
    setBusy(true)
    await takeIn(queries, review)
    setBusy(false)
  }
  return (
    <div
      data-changed-since
      className="flex flex-wrap items-center gap-2 rounded-lg border border-kohaku bg-kohaku-wash px-3 py-2"
    >
      <p className="line-clamp-any min-w-0 flex-1">
        <SafeText text={own.changedSince(review.changed_since.join(', '))} />
      </p>
      <Button small disabled={busy || cutOff !== undefined} title={cutOff} onClick={() => void take()}>
        {own.takeIn}
      </Button>
    </div>
  )
}

/** Of work that is not shown beside it. */
export function ChangedSinceReport({ taskId }: { taskId: string }) {
  const review = useReview(taskId).data
  return review ? <ChangedSince review={review} /> : null
}
