import {
  CircleCheck,
  CircleHelp,
  CirclePause,
  CircleX,
  Flag,
  GitCompareArrows,
  Handshake,
  History,
  type LucideIcon,
  MailX,
  PlugZap,
  Search,
  ShieldAlert,
  SquareTerminal,
  Undo2,
  UserX,
} from 'lucide-react'
import type { InboxItem } from '#contract/inbox.ts'
import type { InboxKind } from '#contract/inbox-values.ts'
import { groupOf } from './model.ts'
import type { Words } from '../../words/en.ts'

const MARKS: Record<InboxKind, { icon: LucideIcon; tone: string }> = {
  blocked: { icon: CircleHelp, tone: 'text-kohaku' },
  tab_waits: { icon: SquareTerminal, tone: 'text-kohaku' },
  run_failed: { icon: CircleX, tone: 'text-shu' },
  review: { icon: Search, tone: 'text-ai' },
  undo_failed: { icon: Undo2, tone: 'text-shu' },
  untrusted: { icon: ShieldAlert, tone: 'text-kohaku' },
  command: { icon: ShieldAlert, tone: 'text-kohaku' },
  engine_paused: { icon: CirclePause, tone: 'text-kohaku' },
  not_startable: { icon: PlugZap, tone: 'text-shu' },
  no_agent: { icon: UserX, tone: 'text-kohaku' },
  no_runner: { icon: PlugZap, tone: 'text-shu' },
  disk_low: { icon: CircleX, tone: 'text-shu' },
  handoff: { icon: Handshake, tone: 'text-kohaku' },
  message_failed: { icon: MailX, tone: 'text-shu' },
  overlap: { icon: GitCompareArrows, tone: 'text-kohaku' },
  decision_replaced: { icon: History, tone: 'text-kohaku' },
  crew_ended: { icon: CircleCheck, tone: 'text-matsu' },
  phase_ended: { icon: Flag, tone: 'text-ai' },
}

export function KindMark({ item, size = 16 }: { item: InboxItem; size?: number }) {
  const { icon: Icon, tone } = MARKS[groupOf(item) === 'failures' && item.kind === 'blocked' ? 'run_failed' : item.kind]
  return <Icon size={size} aria-hidden="true" className={`shrink-0 ${tone}`} />
}

/** Who wants what, in one line. */
export function headline(item: InboxItem, { needs, inbox: own }: Words): string {
  const { kind, agent_name, engine, title } = item
  switch (kind) {
    case 'untrusted':
      return needs.kind.untrusted
    case 'run_failed':
    case 'engine_paused':
      return needs.kind[kind](title)
    case 'tab_waits':
      return needs.kind.tab_waits(agent_name ?? engine ?? needs.nobody)
    case 'not_startable':
    case 'handoff':
    case 'decision_replaced':
      return own.kind[kind](agent_name ?? needs.nobody)
    case 'message_failed':
    case 'phase_ended':
      return own.kind[kind](title)
    case 'crew_ended':
    case 'no_agent':
    case 'undo_failed':
      return own.kind[kind]
    case 'command':
    case 'no_runner':
    case 'disk_low':
      return title
    case 'overlap':
      return own.kind.overlap(...sidesOf(item))
    case 'blocked':
      if (item.check !== null) return own.checkFailed(item.check.name)
      if (item.merge === 'conflict') return own.notMerged
      return needs.kind.blocked(agent_name ?? needs.nobody)
    default:
      return needs.kind[kind](agent_name ?? needs.nobody)
  }
}

/** A task by its handle, a tab by its id. */
export function sidesOf({ sides, title }: Pick<InboxItem, 'sides' | 'title'>): [string, string] {
  const [one, other] = sides.map(({ handle, tab_id }) => handle ?? tab_id ?? title)
  return [one ?? title, other ?? title]
}
