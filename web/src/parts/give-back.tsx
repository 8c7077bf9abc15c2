// A merge that failed goes back to the agent whose work it is: it gets what stood in the way with its task.
import { useQueryClient } from '@tanstack/react-query'
import { Undo2 } from 'lucide-react'
import { write } from '../hub/call.ts'
import { Button } from './button.tsx'
import { useCutOff } from './can-write.ts'
import { notify } from './notices.tsx'
import { sentence } from './sentence.ts'
import { useOwnWords } from './use-words.ts'

const own = {
  en: {
    give: (who: string) => `Give back to ${who}`,
    gave: (handle: string, who: string) => `${handle} is back with ${who}`,
    conflict: (who: string) => `Its work did not merge: ${who} gets the conflict with the task, and resolves it.`,
    failed: (who: string) => `The merged tree did not pass its checks: ${who} gets their output with the task.`,
  },
  ja: {
    give: (who: string) => `${who} に差し戻す`,
    gave: (handle: string, who: string) => `${handle} を ${who} に差し戻しました`,
    conflict: (who: string) => `マージで競合しました。${who} はタスクと一緒に競合の内容を受け取り、解消します。`,
    failed: (who: string) => `マージ後のチェックに失敗しました。${who} はタスクと一緒にその出力を受け取ります。`,
  },
}

type Props = { taskId: string; handle: string; who: string; why?: 'conflict' | 'failed' }

/** `why`: said above the button, where nothing else says it. */
export function GiveBack({ taskId, handle, who, why }: Props) {
  const words = useOwnWords(own)
  const cutOff = useCutOff()
  const queries = useQueryClient()
  const give = async () => {
    try {
      await write('task.move', { task_id: taskId, status: 'in_progress' })
      notify({ kind: 'done', text: words.gave(handle, who) })
    } catch (error) {
      notify({ kind: 'failed', text: handle, detail: sentence(error) })
    }
    // The events say the same, but only when the line is there.
    for (const queryKey of [['inbox'], ['merges'], ['task', taskId], ['review', taskId]])
      void queries.invalidateQueries({ queryKey })
  }
  return (
    <div className="flex flex-col items-start gap-2" data-give-back>
      {why !== undefined && <p className="text-sm">{words[why](who)}</p>}
      <Button small disabled={cutOff !== undefined} title={cutOff} onClick={() => void give()}>
        <Undo2 size={14} aria-hidden="true" /> {words.give(who)}
      </Button>
    </div>
  )
}
