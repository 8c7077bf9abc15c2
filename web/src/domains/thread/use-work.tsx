// What a reviewer needs of one change: its files, the comments on their lines, and which were seen.
import { useMemo, useState } from 'react'
import { call } from '../../hub/call.ts'
import type { NotesAt } from '../../parts/diff/diff-rows.tsx'
import type { FileDiff } from '../../parts/diff/parse.ts'
import { useWholeFiles } from '../../parts/diff/whole-files.ts'
import { CommentField, Comments } from './comments.tsx'
import { type Commenting, useCommenting } from './commenting.ts'
import { keyOf, lookOf, type Placed, placeComments } from './model.ts'
import type { Review } from './queries.ts'

export type Work = {
  files: readonly FileDiff[]
  unfold: (path: string) => void
  commenting: Commenting
  placed: Placed
  notesAt: NotesAt
  seen: ReadonlySet<string>
  toggleSeen: (path: string) => void
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
  const commenting = useCommenting(task_id)
  const placed = useMemo(
    () => placeComments(comments, files, snapshot?.snapshot_id, since),
    [comments, files, snapshot?.snapshot_id, since],
  )
  const [seen, toggleSeen] = useSeen(task_id, files, commit)
  const { writing } = commenting
  const notesAt: NotesAt = (path, side, line) => {
    const own = placed.onLines.get(keyOf(path, side, line))
    const isHere = side === 'now' && writing?.place.path === path && writing.place.to === line
    if (!own && !isHere) return null
    return (
      <div key={side} className="flex flex-col gap-2">
        {own && <Comments comments={own} commenting={commenting} />}
        {isHere && <CommentField commenting={commenting} />}
      </div>
    )
  }
  const countOn = (path: string) => comments.filter(comment => comment.path === path).length
  return { files, unfold, commenting, placed, notesAt, seen, toggleSeen, countOn }
}

/** Of this tab. A file that has changed since is not seen any more. */
function useSeen(taskId: string, files: readonly FileDiff[], commit: string | null) {
  const key = `toryo.seen.${taskId}`
  const [looks, setLooks] = useState<Record<string, string>>(() => {
    try {
      return JSON.parse(sessionStorage.getItem(key) ?? '{}') as Record<string, string>
    } catch {
      return {} // Not ours, or of another version.
    }
  })
  const seen = useMemo(
    () => new Set(files.filter(file => looks[file.path] === lookOf(file, commit)).map(({ path }) => path)),
    [files, looks, commit],
  )
  const toggle = (path: string) => {
    const file = files.find(one => one.path === path)
    if (!file) return
    const { [path]: _, ...others } = looks
    const next = seen.has(path) ? others : { ...others, [path]: lookOf(file, commit) }
    setLooks(next)
    sessionStorage.setItem(key, JSON.stringify(next))
  }
  return [seen, toggle] as const
}
