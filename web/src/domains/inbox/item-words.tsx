import { CircleHelp, CirclePause, CircleX, type LucideIcon, Search, ShieldAlert, SquareTerminal } from 'lucide-react'
import type { InboxItem } from '#contract/inbox.ts'
import type { InboxKind } from '#contract/inbox-values.ts'
import type { Words } from '../../words/en.ts'

const MARKS: Record<InboxKind, { icon: LucideIcon; tone: string }> = {
  blocked: { icon: CircleHelp, tone: 'text-kohaku' },
  tab_waits: { icon: SquareTerminal, tone: 'text-kohaku' },
  run_failed: { icon: CircleX, tone: 'text-shu' },
  review: { icon: Search, tone: 'text-ai' },
  untrusted: { icon: ShieldAlert, tone: 'text-kohaku' },
  engine_paused: { icon: CirclePause, tone: 'text-kohaku' },
}

export function KindMark({ kind, size = 16 }: { kind: InboxKind; size?: number }) {
  const { icon: Icon, tone } = MARKS[kind]
  return <Icon size={size} aria-hidden="true" className={`shrink-0 ${tone}`} />
}

/** Who wants what, in one line. */
export function headline({ kind, agent_name, engine, title }: InboxItem, { needs }: Words): string {
  switch (kind) {
    case 'untrusted':
      return needs.kind.untrusted
    case 'run_failed':
    case 'engine_paused':
      return needs.kind[kind](title)
    case 'tab_waits':
      return needs.kind.tab_waits(engine ?? needs.nobody)
    default:
      return needs.kind[kind](agent_name ?? needs.nobody)
  }
}
