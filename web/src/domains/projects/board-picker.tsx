import { useQueryClient } from '@tanstack/react-query'
import type { Priority, TaskStatus } from '#contract/projects.ts'
import { PRIORITIES, TASK_STATUSES } from '#contract/task-values.ts'
import { PriorityMark, StatusMark } from '../../parts/marks.tsx'
import { type Option, Picker } from '../../parts/picker.tsx'
import { useStore } from '../../parts/use-store.ts'
import { useOwnWords, useWords } from '../../parts/use-words.ts'
import { boardWords } from './board-words.ts'
import { NOBODY } from './model.ts'
import { assign, move, prioritise } from './moving.ts'
import { useAgents } from './queries.ts'
import { picking } from './selection.ts'

/** What `a`, `P` and `m` ask. */
export function BoardPicker() {
  const words = useWords()
  const own = useOwnWords(boardWords)
  const queries = useQueryClient()
  const agents = useAgents().data
  const wish = useStore(picking)
  if (!wish) return null
  const { what, ids } = wish
  const options: Record<typeof what, Option[]> = {
    assignee: [
      { id: NOBODY, label: own.nobody },
      ...[...(agents?.values() ?? [])].map(({ agent_id, name, engine }) => ({
        ...{ id: agent_id, label: `${name} · ${engine}` },
      })),
    ],
    priority: PRIORITIES.map(id => ({
      ...{ id, label: words.priority[id], icon: <PriorityMark priority={id} label="" /> },
    })),
    status: TASK_STATUSES.map(id => ({ id, label: words.status[id], icon: <StatusMark status={id} /> })),
  }
  const choose = (id: string) => {
    for (const task of ids) {
      if (what === 'assignee') void assign(queries, task, id === NOBODY ? null : id)
      if (what === 'priority') void prioritise(queries, task, id as Priority)
      if (what === 'status') void move(queries, task, id as TaskStatus)
    }
  }
  return (
    <Picker
      label={own.pick[what](ids.length)}
      options={options[what]}
      choose={choose}
      close={() => picking.set(undefined)}
    />
  )
}
