// Work that is reported while a reviewer reads does not change under the eyes: it is offered, and shown when it is asked for.
import { useState } from 'react'
import type { Review } from './queries.ts'

export function useShown(review: Review): { shown: Review; newer: (() => void) | undefined } {
  const [pinned, setPinned] = useState(review)
  const commit = review.snapshot?.commit
  const isSame = pinned.snapshot?.commit === commit
  // After a verdict it is not read any more.
  const isRead = pinned.stage === 'review' && pinned.snapshot?.commit !== null
  const shown = isSame || !isRead ? review : pinned
  if (shown !== pinned) setPinned(shown)
  return { shown, newer: shown === review ? undefined : () => setPinned(review) }
}
