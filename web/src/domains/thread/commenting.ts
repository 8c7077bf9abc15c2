// Comments on lines. Kept ones are the hub's drafts, which go out with the verdict; the one that is being written is this tab's.
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { CommentView } from '#contract/thread.ts'
import { Refused, write } from '../../hub/call.ts'
import type { Picked } from '../../parts/diff/rows.ts'
import { notify } from '../../parts/notices.tsx'
import { currentWords } from '../../words/words.ts'
import { reviewKey } from './queries.ts'
import { session } from '../../hub/kept.ts'

export type Writing = { place: Picked; text: string }

export type Commenting = {
  writing: Writing | undefined
  /** Goes on with what was written before, on the new lines. */
  start: (place: Picked) => void
  edit: (text: string) => void
  cancel: () => void
  keep: () => Promise<void>
  drop: (comment: CommentView, isEdited?: boolean) => Promise<void>
  isBusy: boolean
}

/** `commit`: of the snapshot that is shown, whose lines are counted. */
export function useCommenting(taskId: string, commit: string | null): Commenting {
  const queries = useQueryClient()
  const key = `toryo.comment.${taskId}`
  const [writing, setWriting] = useState<Writing | undefined>(() => stored(key))
  const [isBusy, setBusy] = useState(false)
  const set = (next: Writing | undefined) => {
    setWriting(next)
    if (next) session.setItem(key, JSON.stringify(next))
    else session.removeItem(key)
  }
  const ask = async (what: () => Promise<unknown>, after: Writing | undefined) => {
    if (isBusy) return
    setBusy(true)
    try {
      await what()
      await queries.invalidateQueries({ queryKey: reviewKey(taskId) })
      set(after)
    } catch (error) {
      const text = error instanceof Refused ? error.message : currentWords().error.unreached
      notify({ kind: 'failed', text })
    }
    setBusy(false)
  }
  return {
    ...{ writing, isBusy },
    start: place => set({ place, text: writing?.text ?? '' }),
    edit: text => writing && set({ ...writing, text }),
    cancel: () => set(undefined),
    keep: async () => {
      if (!writing || writing.text.trim() === '') return
      const { path, from, to } = writing.place
      const lines = { ...(from !== null && { from_line: from }), ...(to !== null && { to_line: to }) }
      const seen = commit !== null && { commit }
      const comment = { task_id: taskId, path, ...lines, text: writing.text.trim(), ...seen }
      await ask(() => write('task.comment', comment), undefined)
    },
    drop: (comment, isEdited = false) => {
      const { comment_id, path, from_line: from, to_line: to, text } = comment
      const again = isEdited && path !== null ? { place: { path, from, to }, text } : writing
      return ask(() => write('task.uncomment', { comment_id }), again)
    },
  }
}

function stored(key: string): Writing | undefined {
  try {
    return (JSON.parse(session.getItem(key) ?? 'null') as Writing | null) ?? undefined
  } catch {
    return undefined // Not ours, or of another version.
  }
}
