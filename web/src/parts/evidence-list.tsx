// What checks said of a tree. One that failed shows the end of its output, since that is what a reviewer asks next.
import { CircleCheck, CircleX, Hourglass, type LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import type { EvidenceOutcome, EvidenceView } from '#contract/thread.ts'
import { Disclosure } from './disclosure.tsx'
import { SafeText } from './safe-text.tsx'
import { useReviewWords } from './review-words.ts'

const FAILED: ReadonlySet<EvidenceOutcome | null> = new Set(['failed', 'timed_out', 'not_started'])

type Props = {
  evidence: readonly EvidenceView[]
  /** All that a check wrote, below the end of it. */
  log?: ((evidence: EvidenceView) => ReactNode) | undefined
  /** What else tells one from another. */
  note?: ((evidence: EvidenceView) => string) | undefined
  /** Those that failed are folded, too: they are no news. */
  isQuiet?: boolean
}

export function EvidenceList({ evidence, log, note, isQuiet = false }: Props) {
  return (
    <ul className="flex flex-col gap-1.5">
      {evidence.map(one => (
        <li key={one.evidence_id}>
          <One evidence={one} log={log} note={note?.(one)} isQuiet={isQuiet} />
        </li>
      ))}
    </ul>
  )
}

type OneProps = { evidence: EvidenceView; log: Props['log']; note: string | undefined; isQuiet: boolean }

function One({ evidence, log, note, isQuiet }: OneProps) {
  const texts = useReviewWords()
  const { outcome, duration_ms, tail, check, required, exit_code, ran_in } = evidence
  const hasTail = tail.trim() !== ''
  const line = (
    <>
      <Mark outcome={outcome} />
      <span className="font-mono font-medium">
        <SafeText text={check} />
      </span>
      <span>{texts.outcome[outcome ?? 'running']}</span>
      {exit_code !== null && exit_code !== 0 && <span className="text-soft">{texts.exit(exit_code)}</span>}
      <span className="text-soft">{texts.ranIn[ran_in]}</span>
      {!required && <span className="text-soft">{texts.optional}</span>}
      {note !== undefined && <span className="text-soft">{note}</span>}
      <span className="ml-auto inline-flex items-center gap-2 text-soft tabular-nums">
        {duration_ms !== null && texts.seconds(duration_ms / 1000)}
        {hasTail && <Disclosure />}
      </span>
    </>
  )
  const look = 'flex min-h-8 flex-wrap items-center gap-x-2 gap-y-1 px-3 py-1 text-sm'
  if (!hasTail) return <p className={`${look} rounded-lg border border-line`}>{line}</p>
  return (
    <details className="group/fold rounded-lg border border-line" open={FAILED.has(outcome) && !isQuiet}>
      <summary className={`${look} cursor-pointer rounded-lg hover:bg-ai-wash`}>{line}</summary>
      <pre
        tabIndex={0}
        aria-label={texts.output(check)}
        className="max-h-72 overflow-auto rounded-b-lg border-t border-line bg-sunk px-3 py-2 font-mono text-xs"
      >
        <SafeText text={tail} />
      </pre>
      {log?.(evidence)}
    </details>
  )
}

function Mark({ outcome }: { outcome: EvidenceOutcome | null }) {
  const [Icon, tone]: [LucideIcon, string] =
    outcome === 'passed'
      ? [CircleCheck, 'text-matsu']
      : FAILED.has(outcome)
        ? [CircleX, 'text-shu']
        : [Hourglass, outcome === null ? 'text-ai' : 'text-kohaku']
  return <Icon size={14} aria-hidden="true" className={`shrink-0 ${tone}`} />
}
