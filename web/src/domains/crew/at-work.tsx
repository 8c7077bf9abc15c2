import { Link } from 'wouter'
import { Since } from '../../parts/live-time.tsx'
import { StatusMark } from '../../parts/marks.tsx'
import { SafeText } from '../../parts/safe-text.tsx'
import type { WorkView } from './work.ts'

const MOST = 8

/** Who works, each as a line: for a place where nothing else is to be seen. */
export function AtWork({ work, label }: { work: readonly WorkView[]; label: string }) {
  if (work.length === 0) return null
  return (
    <ul
      aria-label={label}
      className="my-2 w-full divide-y divide-line rounded-lg border border-line bg-sheet text-left"
    >
      {work.slice(0, MOST).map(({ id, title, task, engine, started_at }) => (
        <li key={id}>
          <Link
            href={`/runs/${encodeURIComponent(id)}`}
            data-at-work={id}
            className="flex min-h-10 items-center gap-2.5 px-3.5 py-1.5 outline-offset-[-2px] hover:bg-ai-wash max-md:min-h-11"
          >
            <StatusMark status="working" />
            <span className="shrink-0 font-medium">
              <SafeText text={title} />
            </span>
            <span className="min-w-0 flex-1 truncate text-soft">
              <SafeText text={task === null ? (engine ?? '') : task.title} />
            </span>
            {started_at !== null && (
              <span className="shrink-0 text-sm text-soft">
                <Since at={started_at} />
              </span>
            )}
          </Link>
        </li>
      ))}
    </ul>
  )
}
