// Edits of a task: shown at once in its sheet and on its card, put back when the hub refuses. Only what was changed is put back, and only
// while it still reads as this page left it.
import type { QueryClient } from '@tanstack/react-query'
import type { Priority } from '#contract/projects.ts'
import { write } from '../../hub/call.ts'
import { currentWords } from '../../words/words.ts'
import { keys, patchCard, type TaskDetail } from './queries.ts'
import { markTask, overtakes, same, sayRefused } from './refused.ts'
import { settled } from './settled.ts'
import { taskWords } from './task-words.ts'

export type Edit =
  | { field: 'title' | 'description'; value: string }
  | { field: 'priority'; value: Priority }
  | { field: 'labels'; value: string[] }

export async function editTask(queries: QueryClient, id: string, edit: Edit): Promise<void> {
  const key = keys.task(id)
  const before = queries.getQueryData<TaskDetail>(key)
  if (!before || same(before[edit.field], edit.value)) return
  show(queries, id, edit)
  markTask(queries, id)
  patchCard(queries, id, card => ({ ...card, pending: 'sending' }))
  // Labels are added and taken away one by one: those of another are left as they are.
  const check = edit.field === 'labels' ? undefined : overtakes(id, edit.field, before[edit.field], edit.value)
  try {
    await write('task.edit', { task_id: id, ...inputOf(before, edit) }, check)
  } catch (error) {
    const now = queries.getQueryData<TaskDetail>(key)
    const isConflict = now !== undefined && !same(now[edit.field], edit.value)
    if (now && !isConflict) show(queries, id, { ...edit, value: before[edit.field] } as Edit)
    const again = () => void editTask(queries, id, edit)
    sayRefused({ id, text: taskWords[currentWords().code].notSaved(before.title), error, isConflict, again })
  }
  patchCard(queries, id, settled)
  void queries.invalidateQueries({ queryKey: key })
}

function show(queries: QueryClient, id: string, { field, value }: Edit): void {
  queries.setQueryData<TaskDetail>(keys.task(id), task => task && { ...task, [field]: value })
  if (field !== 'description') patchCard(queries, id, card => ({ ...card, [field]: value }))
}

/** Labels of others are left alone: only what this page adds or takes away is sent. */
function inputOf({ labels }: TaskDetail, { field, value }: Edit) {
  if (field !== 'labels') return { [field]: value }
  const [add, remove] = [value.filter(one => !labels.includes(one)), labels.filter(one => !value.includes(one))]
  return { ...(add.length > 0 && { add_labels: add }), ...(remove.length > 0 && { remove_labels: remove }) }
}
