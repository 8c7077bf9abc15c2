// What a reviewer needs of one change: its files, the comments on their lines, and which were seen.
import { useMemo } from 'react'
import { call } from '../../hub/call.ts'
import type { NotesAt } from '../../parts/diff/diff-rows.tsx'
import type { FileDiff } from '../../parts/diff/parse.ts'
import { useSeen } from '../../parts/diff/use-seen.ts'
import { useWholeFiles } from '../../parts/diff/whole-files.ts'
import { CommentField, Comments } from './comments.tsx'
import { type Commenting, useCommenting } from './commenting.ts'
import { keyOf, type Placed, placeComments } from './model.ts'
import type { Review } from './queries.ts'

export type Work = {
  files: readonly FileDiff[]
  unfold: (path: string) => void
  commenting: Commenting
  placed: Placed
  notesAt: NotesAt
  seen: ReadonlySet<string>
  toggleSeen: (path: string) => void
  /** What the agents in it are called. */
  names: Readonly<Record<string, string>>
  /** How many comments stand on a file. */
  countOn: (path: string) => number
}

export function useWork(review: Review, since: string | undefined): Work {
  const { task_id, snapshot, comments } = review
  const commit = snapshot?.commit ?? null
  const { files, unfold } = useWholeFiles(review.files, review.diff, async (path, context) => {
    const part = { task_id, path, context, ...(since !== undefined && { since }), ...(commit !== null && { commit }) }
    return (await call('task.diff', part)).value
  })
  const commenting = useCommenting(task_id, commit)
  const placed = useMemo(
    () => placeComments(comments, files, snapshot?.snapshot_id, since),
    [comments, files, snapshot?.snapshot_id, since],
  )
  const { seen, toggleSeen } = useSeen(task_id, files, commit)
  const { writing } = commenting
  const notesAt: NotesAt = (path, side, line) => {
    const own = placed.onLines.get(keyOf(path, side, line))
    const isHere = side === 'now' && writing?.place.path === path && writing.place.to === line
    if (!own && !isHere) return null
    return (
      <div key={side} className="flex flex-col gap-2">
        {own && <Comments comments={own} commenting={commenting} names={review.names} />}
        {isHere && <CommentField commenting={commenting} />}
      </div>
    )
  }
  const countOn = (path: string) => comments.filter(comment => comment.path === path).length
  return { files, unfold, commenting, placed, notesAt, seen, toggleSeen, names: review.names, countOn }
}
