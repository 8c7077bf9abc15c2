// What waits for a verdict, what waits to be merged into each base, and what came of it lately.
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { Bars } from '../../parts/bars.tsx'
import { Empty } from '../../parts/empty.tsx'
import { Failure } from '../../parts/failure.tsx'
import { Since } from '../../parts/live-time.tsx'
import { StatusMark } from '../../parts/marks.tsx'
import { SafeText } from '../../parts/safe-text.tsx'
import { useOwnWords } from '../../parts/use-words.ts'
import { MergeRow } from './merge-row.tsx'
import { queuesOf } from './model.ts'
import { useMerges } from './queries.ts'
import { threadWords } from './words.ts'

/** Reported work that waits for a person, as the inbox knows it. */
export type Waiting = {
  task_id: string
  handle: string | null
  title: string
  who: string | null
  since: string | null
}

type Props = {
  project: string | null
  waiting: readonly Waiting[] | undefined
  nameOf: (project: string) => string
  agentName: (id: string) => string
}

const RECENT = 20

export function Queue({ project, waiting, nameOf, agentName }: Props) {
  const words = useOwnWords(threadWords)
  const merges = useMerges(project)
  if (merges.isError && !merges.data) return <Failure error={merges.error} again={() => void merges.refetch()} />
  if (!merges.data || !waiting) return <Bars count={5} height={56} />
  const queues = queuesOf(merges.data)
  const recent = merges.data.filter(({ outcome }) => outcome !== null).slice(0, RECENT)
  if (waiting.length === 0 && merges.data.length === 0)
    return <Empty title={words.emptyTitle} hint={words.emptyHint} cli="toryo queue" />
  return (
    <div className="h-full overflow-y-auto">
      <div className="mx-auto flex w-full max-w-5xl flex-col gap-8 px-8 py-6 max-md:px-4">
        <Group title={words.up}>
          {waiting.length === 0 ? (
            <Nothing text={words.upEmpty} />
          ) : (
            <List>
              {waiting.map(one => (
                <li key={one.task_id} data-waiting={one.task_id}>
                  <Link
                    href={`/tasks/${one.task_id}/review${project === null ? '' : `?project=${encodeURIComponent(project)}`}`}
                    className="flex min-h-11 flex-wrap items-center gap-x-3 px-4 py-2 hover:bg-ai-wash"
                  >
                    <StatusMark status="review" />
                    <span className="line-clamp-any min-w-0 flex-1">
                      {one.handle !== null && <span className="mr-2 font-mono text-sm text-soft">{one.handle}</span>}
                      <SafeText text={one.title} />
                    </span>
                    {one.who !== null && (
                      <span className="text-sm text-soft">
                        <SafeText text={one.who} />
                      </span>
                    )}
                    {one.since !== null && (
                      <span className="text-sm text-soft">
                        <Since at={one.since} />
                      </span>
                    )}
                  </Link>
                </li>
              ))}
            </List>
          )}
        </Group>
        <Group title={words.queue}>
          {queues.length === 0 && <Nothing text={words.queueEmpty} />}
          {queues.map(queue => (
            <section key={`${queue.project} ${queue.base}`} className="flex flex-col gap-2">
              <h3 className="text-sm text-soft">
                {project === null && <SafeText text={`${nameOf(queue.project)} · `} />}
                <SafeText text={words.queueOf(queue.base)} />
              </h3>
              <List>
                {queue.merges.map(merge => (
                  <MergeRow key={merge.merge_id} merge={merge} agentName={agentName} />
                ))}
              </List>
            </section>
          ))}
        </Group>
        {recent.length > 0 && (
          <Group title={words.recent}>
            <List>
              {recent.map(merge => (
                <MergeRow key={merge.merge_id} merge={merge} agentName={agentName} />
              ))}
            </List>
          </Group>
        )}
      </div>
    </div>
  )
}

function Group({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="flex flex-col gap-3">
      <h2 className="font-semibold">{title}</h2>
      {children}
    </section>
  )
}

function List({ children }: { children: ReactNode }) {
  return <ul className="flex flex-col divide-y divide-line rounded-lg border border-line bg-sheet">{children}</ul>
}

function Nothing({ text }: { text: string }) {
  return <p className="rounded-lg border border-dashed border-line px-4 py-3 text-sm text-soft">{text}</p>
}
