import { type ReactNode, Suspense } from 'react'
import { Link } from 'wouter'
import { later } from '../../parts/later.tsx'
import { clockTime, Moment } from '../../parts/live-time.tsx'
import { useWords } from '../../parts/use-words.ts'
import { useStatus, useTabCount } from './queries.ts'

const CostToday = later(async () => (await import('./cost-today.tsx')).CostToday)

type Props = { waiting: number; working: number; project: string | null; query: string }

/** The whole crew in one sentence; each part leads to what it is about. */
export function StatusLine({ waiting, working, project, query }: Props) {
  const words = useWords()
  const status = useStatus().data
  const tabs = useTabCount(project).data ?? 0
  if (!status) return null
  const part = (key: string, path: string, text: ReactNode, tone = 'hover:text-ink') => (
    <Link key={key} href={`${path}${query}`} className={`underline-offset-2 hover:underline ${tone}`}>
      {text}
    </Link>
  )
  const parts = [
    part('running', '/crew', working > 0 ? words.bottom.running(working) : words.bottom.idle),
    ...(tabs > 0 ? [part('tabs', '/terminals', words.bottom.tabs(tabs))] : []),
    ...(waiting > 0 ? [part('waiting', '/needs', words.bottom.waiting(waiting), 'text-kohaku')] : []),
    ...status.pauses.map(({ engine, until }) =>
      part(
        engine,
        '/settings/engines',
        <Moment at={until}>{words.bottom.paused(engine, clockTime(until, words.code))}</Moment>,
        'text-kohaku',
      ),
    ),
  ]
  return (
    <footer className="flex h-8 shrink-0 items-center gap-2 overflow-hidden border-t border-line px-4 text-sm whitespace-nowrap text-soft max-md:hidden">
      {parts.flatMap((one, index) =>
        index === 0
          ? [one]
          : [
              <span key={`dot ${one.key}`} aria-hidden="true">
                ·
              </span>,
              one,
            ],
      )}
      <Suspense fallback={null}>
        <CostToday project={project} href={`/activity${query}`} />
      </Suspense>
    </footer>
  )
}
