import { useState } from 'react'
import type { HeldFile } from '#contract/thread.ts'
import { Refused, write } from '../../hub/call.ts'
import { Button } from '../../parts/button.tsx'
import { useCutOff } from '../../parts/can-write.ts'
import { notify } from '../../parts/notices.tsx'
import { SafeText } from '../../parts/safe-text.tsx'
import { useWords } from '../../parts/use-words.ts'
import { useReviewWords } from '../../parts/review-words.ts'

/** A person can let in what looks like a secret or is too large; the others cannot be part of a snapshot. */
const MAY_COME_IN: ReadonlySet<HeldFile['why']> = new Set(['secret', 'size'])

export function HeldFiles({ taskId, held }: { taskId: string; held: readonly HeldFile[] }) {
  const words = useWords()
  const texts = useReviewWords()
  const cutOff = useCutOff()
  const [asked, setAsked] = useState(false)
  const include = async (path: string) => {
    setAsked(true)
    try {
      await write('task.include', { task_id: taskId, paths: [path] })
      notify({ kind: 'done', text: texts.included })
    } catch (error) {
      notify({ kind: 'failed', text: path, detail: error instanceof Refused ? error.message : words.error.unreached })
    }
    setAsked(false)
  }
  return (
    <ul className="flex flex-col gap-1 rounded-lg border border-kohaku bg-kohaku-wash px-3 py-2 text-sm">
      {held.map(({ path, why }) => (
        <li key={path} className="flex flex-wrap items-center gap-x-2">
          <span className="line-clamp-any min-w-0 font-mono">
            <SafeText text={path} />
          </span>
          <span className="flex-1">{texts.heldWhy[why]}</span>
          {MAY_COME_IN.has(why) && (
            <Button
              small
              disabled={asked || cutOff !== undefined}
              title={cutOff}
              aria-label={`${texts.include}: ${path}`}
              onClick={() => void include(path)}
            >
              {texts.include}
            </Button>
          )}
        </li>
      ))}
    </ul>
  )
}
