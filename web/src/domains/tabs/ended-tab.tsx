import type { TabRecord } from '#contract/records.ts'
import { Button } from '../../parts/button.tsx'
import { SafeText } from '../../parts/safe-text.tsx'
import { useOwnWords } from '../../parts/use-words.ts'
import { launching } from './launch-store.ts'
import { useScreen } from './queries.ts'
import { words as own } from './words.ts'

/** Why it ended, what it showed last, and how to go on. */
export function EndedTab({ tab, away }: { tab: TabRecord; away: () => void }) {
  const words = useOwnWords(own)
  const screen = useScreen(tab.tab_id)
  const lines = screen.data?.lines ?? []
  const { project_id: project, engine, branch, task } = tab
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2 border-b border-line px-3 py-2 text-sm">
        <p className="line-clamp-any min-w-0 flex-1 basis-60">
          {tab.end_reason !== null && words.end[tab.end_reason]}{' '}
          {tab.exit_code !== null && tab.exit_code !== 0 && words.exitCode(tab.exit_code)}{' '}
          {tab.problem !== null && <SafeText text={tab.problem} />}
        </p>
        <Button small look="quiet" onClick={away}>
          {words.ended.put}
        </Button>
        <Button small look="main" onClick={() => launching.set({ project, engine, branch, task })}>
          {words.ended.again}
        </Button>
      </div>
      {lines.some(line => line.trim() !== '') ? (
        <pre
          tabIndex={0}
          aria-label={words.ended.last}
          className="min-h-0 flex-1 overflow-auto bg-terminal px-2 py-1.5 font-mono text-sm text-soft"
        >
          <SafeText text={lines.join('\n')} />
        </pre>
      ) : (
        screen.data && <p className="p-6 text-center text-soft">{words.ended.none}</p>
      )}
    </div>
  )
}
