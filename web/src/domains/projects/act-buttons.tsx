import { useQueryClient } from '@tanstack/react-query'
import { RotateCcw, Trash2, Undo2 } from 'lucide-react'
import { Suspense } from 'react'
import { Button } from '../../parts/button.tsx'
import { useCutOff } from '../../parts/can-write.ts'
import { dateFormat } from '../../parts/formats.ts'
import { later } from '../../parts/later.tsx'
import { useStore } from '../../parts/use-store.ts'
import { useOwnWords, useWords } from '../../parts/use-words.ts'
import type { TaskDetail } from './queries.ts'
import { acting, restore, type TaskAct } from './task-acts.ts'
import { taskActsWords } from './task-acts-words.ts'

const TaskActsDialog = later(async () => (await import('./task-acts-dialog.tsx')).TaskActsDialog)

/** Wherever such a question may be asked. */
export function ActQuestion() {
  const isAsked = useStore(acting) !== undefined
  if (!isAsked) return null
  return (
    <Suspense>
      <TaskActsDialog />
    </Suspense>
  )
}

/** Of a merge that stands: undo it. Of one that was undone, and not begun again: bring it back. */
function undoable({ stage, merge }: Pick<TaskDetail, 'stage' | 'merge'>): 'undo' | 'redo' | undefined {
  if (stage === 'merged') return merge?.kind !== 'merge' && merge?.outcome === null ? undefined : 'undo'
  const isUndone = merge?.kind === 'undo' && merge.outcome === 'merged'
  return isUndone && (stage === 'planned' || stage === 'waiting' || stage === 'done') ? 'redo' : undefined
}

const dayOf = (lang: string, at = '') => (at === '' ? '' : dateFormat(lang, { dateStyle: 'long' }).format(new Date(at)))

export function ActButtons({ task }: { task: TaskDetail }) {
  const own = useOwnWords(taskActsWords)
  const { code } = useWords()
  const queries = useQueryClient()
  const cutOff = useCutOff()
  const { task_id: id, handle, deleted_at, gone_at } = task
  const ask = (act: TaskAct) => acting.set({ act, tasks: [{ id, handle }] })
  const of = { small: true, disabled: cutOff !== undefined, title: cutOff } as const
  if (deleted_at !== undefined)
    return (
      <section
        data-deleted
        className="flex flex-wrap items-center gap-3 rounded-lg border border-kohaku bg-kohaku-wash p-4"
      >
        <p className="min-w-0 flex-1">{own.deletedAt(dayOf(code, gone_at))}</p>
        <Button {...of} onClick={() => void restore(queries, id, handle)}>
          <RotateCcw size={14} aria-hidden="true" /> {own.restore}
        </Button>
      </section>
    )
  const back = undoable(task)
  return (
    <section aria-label={own.acts} className="flex flex-wrap gap-2">
      {back && (
        <Button {...of} onClick={() => ask(back)}>
          <Undo2 size={14} aria-hidden="true" /> {back === 'undo' ? own.undoIt : own.redoIt}
        </Button>
      )}
      <Button {...of} look="quiet" onClick={() => ask('delete')}>
        <Trash2 size={14} aria-hidden="true" /> {own.deleteIt}
      </Button>
    </section>
  )
}
