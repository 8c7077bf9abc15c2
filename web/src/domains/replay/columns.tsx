import type { EventNames } from '#contract/events.ts'
import { TASK_STATUSES } from '#contract/task-values.ts'
import { StatusMark } from '../../parts/marks.tsx'
import { SafeText } from '../../parts/safe-text.tsx'
import { useOwnWords, useWords } from '../../parts/use-words.ts'
import type { Picture, TaskThen } from './model.ts'
import { replayWords } from './words.ts'

const SHOWN = 8

/** The board as it stood, small. What the newest event moved is on top, and marked. */
export function Columns({
  picture,
  newest,
  names,
}: {
  picture: Picture
  newest: number | undefined
  names: EventNames
}) {
  const words = useWords()
  const own = useOwnWords(replayWords)
  const tasks = [...picture.tasks.values()]
  return (
    <div className="grid grid-cols-2 gap-3 md:grid-cols-3 xl:grid-cols-6">
      {TASK_STATUSES.map(status => {
        const there = tasks
          .filter(task => task.status === status)
          .toSorted((a, b) => (b.movedBy ?? 0) - (a.movedBy ?? 0))
        return (
          <section key={status} data-then={status} className="min-w-0 rounded-lg bg-sunk p-2">
            <h4 className="flex items-center gap-1.5 px-1 pb-1.5 text-sm font-semibold">
              <StatusMark status={status} /> {words.status[status]}
              <span className="font-normal text-soft">{there.length}</span>
            </h4>
            <ul className="flex flex-col gap-1">
              {there.slice(0, SHOWN).map(task => (
                <Chip key={task.id} task={task} isNew={newest !== undefined && task.movedBy === newest} names={names} />
              ))}
            </ul>
            {there.length > SHOWN && <p className="px-1 pt-1 text-xs text-soft">{own.more(there.length - SHOWN)}</p>}
          </section>
        )
      })}
    </div>
  )
}

function Chip({ task, isNew, names }: { task: TaskThen; isNew: boolean; names: EventNames }) {
  const who = task.agentId === null ? undefined : (names.agents[task.agentId] ?? task.agentId)
  return (
    <li
      data-task-then={task.id}
      className={`rounded-md border bg-sheet px-2 py-1 text-sm ${isNew ? 'border-ai bg-ai-wash' : 'border-line'}`}
    >
      <p className="truncate">
        <SafeText text={task.title} />
      </p>
      <p className="truncate text-xs text-soft">
        <SafeText text={[task.handle, who].filter(Boolean).join(' · ')} />
      </p>
    </li>
  )
}
