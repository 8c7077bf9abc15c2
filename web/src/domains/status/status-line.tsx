import { Link } from 'wouter'
import { clockTime } from '../../parts/live-time.tsx'
import { useWords } from '../../parts/use-words.ts'
import { useStatus, useTabCount } from './queries.ts'

/** The whole crew in one sentence. */
export function StatusLine({ waiting, working }: { waiting: number; working: number }) {
  const words = useWords()
  const status = useStatus().data
  const tabs = useTabCount().data ?? 0
  if (!status) return null
  const parts = [
    <span key="running">{working > 0 ? words.bottom.running(working) : words.bottom.idle}</span>,
    ...(tabs > 0 ? [<span key="tabs">{words.bottom.tabs(tabs)}</span>] : []),
    ...(waiting > 0
      ? [
          <Link key="waiting" href="/needs" className="text-kohaku underline-offset-2 hover:underline">
            {words.bottom.waiting(waiting)}
          </Link>,
        ]
      : []),
    ...status.pauses.map(({ engine, until }) => (
      <span key={engine} className="text-kohaku">
        {words.bottom.paused(engine, clockTime(until, words.code))}
      </span>
    )),
  ]
  return (
    <footer className="flex h-8 shrink-0 items-center gap-2 overflow-hidden border-t border-line px-4 text-sm whitespace-nowrap text-soft max-md:hidden">
      {parts.flatMap((part, index) =>
        index === 0
          ? [part]
          : [
              <span key={`dot ${part.key}`} aria-hidden="true">
                ·
              </span>,
              part,
            ],
      )}
    </footer>
  )
}
