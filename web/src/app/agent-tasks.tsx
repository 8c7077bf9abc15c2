// The tasks of one agent, for the view of the crew: none imports another.
import { useMemo } from 'react'
import { Link } from 'wouter'
import { isClosed } from '../domains/projects/model.ts'
import { useCards } from '../domains/projects/queries.ts'
import { Bars } from '../parts/bars.tsx'
import { StatusMark } from '../parts/marks.tsx'
import { SafeText } from '../parts/safe-text.tsx'
import { useWords } from '../parts/use-words.ts'

const MOST = 30

export function AgentTasks({ agentId }: { agentId: string }) {
  const words = useWords()
  const cards = useCards().data
  const tasks = useMemo(
    () =>
      [...(cards?.byId.values() ?? [])]
        .filter(({ assignee_id, status }) => assignee_id === agentId && !isClosed(status))
        .sort((a, b) => (a.updated_at < b.updated_at ? 1 : -1))
        .slice(0, MOST),
    [cards, agentId],
  )
  if (!cards) return <Bars count={3} height={32} />
  if (tasks.length === 0) return <p className="text-soft">{words.board.emptyColumn}</p>
  return (
    <ul className="divide-y divide-line overflow-hidden rounded-lg border border-line bg-sheet">
      {tasks.map(task => (
        <li key={task.task_id}>
          <Link
            href={`/tasks/${task.task_id}`}
            className="flex min-h-9 items-center gap-2.5 px-3 py-1.5 outline-offset-[-2px] hover:bg-ai-wash max-md:min-h-11"
          >
            <StatusMark status={task.status} />
            <span className="font-mono text-sm text-soft">{task.handle}</span>
            <span className="line-clamp-any min-w-0 flex-1 truncate">
              <SafeText text={task.title} />
            </span>
            <span className="shrink-0 text-sm text-soft">{words.status[task.status]}</span>
          </Link>
        </li>
      ))}
    </ul>
  )
}
