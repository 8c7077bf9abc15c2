// A verdict is never shown before the hub has taken it: what follows from it, a merge, is not the page's to promise.
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { Decision } from '#contract/thread.ts'
import { Refused, write } from '../../hub/call.ts'
import { notify } from '../../parts/notices.tsx'
import { sentence } from '../../parts/sentence.ts'
import { reviewWords } from '../../parts/review-words.ts'
import { currentWords } from '../../words/words.ts'
import { type Review, reviewKey } from './queries.ts'
import { session } from '../../hub/kept.ts'

export type Giving = {
  text: string
  edit: (text: string) => void
  /** What was asked of the hub and is not answered yet. */
  asked: Decision | undefined
  error: string | undefined
  give: (decision: Decision) => Promise<void>
}

/** The draft outlives a reload, and a page that was signed out. */
export function useGiving({ task_id: taskId, handle, snapshot }: Review): Giving {
  const queries = useQueryClient()
  const key = `toryo.verdict.${taskId}`
  const [text, setText] = useState(() => session.getItem(key) ?? '')
  const [asked, setAsked] = useState<Decision>()
  const [error, setError] = useState<string>()
  // A key that is held down must not ask twice before the next drawing.
  const busy = useRef(false)
  const edit = (value: string) => {
    setText(value)
    session.setItem(key, value)
  }
  const give = async (decision: Decision) => {
    if (busy.current) return
    busy.current = true
    setAsked(decision)
    setError(undefined)
    try {
      await send(queries, { taskId, handle, decision, summary: text.trim(), seen: snapshot?.commit ?? undefined })
      session.removeItem(key)
      setText('')
    } catch (failure) {
      setError(failure instanceof Refused ? failure.message : currentWords().error.unreached)
      void queries.invalidateQueries({ queryKey: reviewKey(taskId) })
    }
    busy.current = false
    setAsked(undefined)
  }
  return { text, edit, asked, error, give }
}

type Sent = { taskId: string; handle: string; decision: Decision; summary: string; seen: string | undefined }

async function send(queries: QueryClient, { taskId, handle, decision, summary, seen }: Sent): Promise<void> {
  await write('task.verdict', {
    ...{ task_id: taskId, decision },
    ...(summary !== '' && { summary }),
    // What is on the screen, and nothing that came after it.
    ...(seen !== undefined && { commit: seen }),
  })
  const texts = reviewWords[currentWords().code]
  notify({ kind: 'done', text: decision === 'accept' ? texts.accepted(handle) : texts.sentBack(handle) })
  // The events say the same, but only when the line is there.
  for (const queryKey of [['inbox'], ['task', taskId], reviewKey(taskId)]) void queries.invalidateQueries({ queryKey })
}

/** What was changed in its workspace after the report becomes a part of it, and is checked. */
export async function takeIn(queries: QueryClient, { task_id, handle }: Review): Promise<void> {
  try {
    await write('task.include', { task_id, paths: [] })
    notify({ kind: 'done', text: reviewWords[currentWords().code].included })
  } catch (error) {
    notify({ kind: 'failed', text: handle, detail: sentence(error) })
  }
  for (const queryKey of [['inbox'], ['task', task_id], reviewKey(task_id)])
    void queries.invalidateQueries({ queryKey })
}
