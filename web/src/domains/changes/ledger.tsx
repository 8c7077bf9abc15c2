import { CornerDownRight, TriangleAlert } from 'lucide-react'
import { Link } from 'wouter'
import type { ApiOutput } from '#contract/api.ts'
import { clockTime } from '../../parts/live-time.tsx'
import { SafeText } from '../../parts/safe-text.tsx'
import { useOwnWords, useWords } from '../../parts/use-words.ts'
import type { Place } from './model.ts'
import { changesWords } from './words.ts'

export type About = ApiOutput<'worktree.about'>

type Props = {
  about: About
  /** What others change here, too. */
  elsewhere: readonly (Place & { lines: string })[]
  show: (path: string) => void
}

/** Who works here, and why the code is as it is: beside the lines that it explains. */
export function Ledger({ about, elsewhere, show }: Props) {
  const words = useOwnWords(changesWords)
  const { code } = useWords()
  const { task, tab, decisions } = about
  return (
    <aside aria-label={words.ledger} data-ledger className="flex flex-col gap-4 text-sm">
      {(task ?? tab) && (
        <dl className="grid grid-cols-[auto_1fr] gap-x-3 gap-y-1">
          {task && (
            <>
              <dt className="text-soft">{words.task}</dt>
              <dd className="line-clamp-any min-w-0">
                <Link href={`/tasks/${task.task_id}`} className="text-ai underline-offset-2 hover:underline">
                  <SafeText text={`${task.handle} ${task.title}`} />
                </Link>
              </dd>
            </>
          )}
          {tab && (
            <>
              <dt className="text-soft">{words.tab}</dt>
              <dd className="line-clamp-any min-w-0">
                <Link href={`/terminals?show=${tab.tab_id}`} className="text-ai underline-offset-2 hover:underline">
                  <SafeText text={tab.branch} />
                </Link>
              </dd>
            </>
          )}
        </dl>
      )}
      <section className="flex flex-col gap-2">
        <h2 className="font-semibold text-fuji">{words.ledger}</h2>
        <p className="text-xs text-soft">{task ? words.ledgerHint : words.noTask}</p>
        {task && decisions.length === 0 && <p className="text-soft">{words.noDecisions}</p>}
        <ul className="flex flex-col gap-2">
          {decisions.map(({ decision_id: id, decision, cited, told_at, superseded_by: next }) => (
            <li key={id} data-decision={id} className="border-l-2 border-hinoki pl-2">
              <Link
                href={`/memory/decisions/${id}`}
                className={`line-clamp-any underline-offset-2 hover:underline ${next === undefined ? '' : 'text-soft line-through'}`}
              >
                <span className="font-medium text-fuji">#{id}</span> <SafeText text={decision} />
              </Link>
              <span className="block text-xs text-soft">
                {told_at !== null && (
                  <>
                    {task?.agent_name ? <SafeText text={words.told(task.agent_name)} /> : words.toldNobody}{' '}
                    <time dateTime={told_at}>{clockTime(told_at, code)}</time>
                  </>
                )}
                {cited && `${told_at === null ? '' : ' · '}${words.cited}`}
              </span>
              {next !== undefined && (
                <Link
                  href={`/memory/decisions/${next}`}
                  className="flex items-center gap-1 text-xs text-kohaku underline-offset-2 hover:underline"
                >
                  <CornerDownRight size={12} aria-hidden="true" /> {words.superseded(next)}
                </Link>
              )}
            </li>
          ))}
        </ul>
      </section>
      {elsewhere.length > 0 && (
        <section className="flex flex-col gap-2" data-elsewhere>
          <h2 className="flex items-center gap-1.5 font-semibold text-kohaku">
            <TriangleAlert size={14} aria-hidden="true" /> {words.alsoHere}
          </h2>
          <ul className="flex flex-col gap-2">
            {elsewhere.map(({ worktreeId, path, who, lines }) => (
              <li key={`${worktreeId} ${path}`} className="line-clamp-any border-l-2 border-kohaku pl-2">
                <button
                  type="button"
                  className="text-left font-mono text-xs underline-offset-2 hover:underline"
                  onClick={() => show(path)}
                >
                  <SafeText text={path} />
                </button>
                <Link
                  href={`/changes/${worktreeId}?file=${encodeURIComponent(path)}`}
                  className="block text-xs text-kohaku underline-offset-2 hover:underline"
                >
                  <SafeText text={lines === '' ? words.also(who) : words.alsoLines(who, lines)} />
                </Link>
              </li>
            ))}
          </ul>
        </section>
      )}
    </aside>
  )
}
