// Glyph and word for states. Colour is never the only sign.
import {
  ArrowDown,
  ArrowUp,
  Ban,
  ChevronsUp,
  Circle,
  CircleCheck,
  CircleDashed,
  CircleDot,
  CircleHelp,
  Equal,
  GitMerge,
  Hourglass,
  type LucideIcon,
  Search,
  ShieldQuestion,
} from 'lucide-react'

type MarkOf = { icon: LucideIcon; tone: string }

const STATUS: Record<string, MarkOf> = {
  backlog: { icon: CircleDashed, tone: 'text-soft' },
  todo: { icon: Circle, tone: 'text-soft' },
  in_progress: { icon: CircleDot, tone: 'text-ai' },
  blocked: { icon: CircleHelp, tone: 'text-kohaku' },
  done: { icon: CircleCheck, tone: 'text-matsu' },
  cancelled: { icon: Ban, tone: 'text-soft' },
  planned: { icon: Circle, tone: 'text-soft' },
  working: { icon: CircleDot, tone: 'text-ai' },
  waiting: { icon: Hourglass, tone: 'text-kohaku' },
  checking: { icon: ShieldQuestion, tone: 'text-ai' },
  review: { icon: Search, tone: 'text-kohaku' },
  queued: { icon: GitMerge, tone: 'text-ai' },
  merged: { icon: GitMerge, tone: 'text-matsu' },
}

const PRIORITY: Record<string, MarkOf> = {
  urgent: { icon: ChevronsUp, tone: 'text-shu' },
  high: { icon: ArrowUp, tone: 'text-kohaku' },
  medium: { icon: Equal, tone: 'text-soft' },
  low: { icon: ArrowDown, tone: 'text-soft' },
}

export function StatusMark({ status, size = 14 }: { status: string; size?: number }) {
  return <Drawn mark={STATUS[status]} size={size} />
}

export function PriorityMark({ priority, label }: { priority: string; label: string }) {
  return (
    <span title={label} className="inline-flex">
      <Drawn mark={PRIORITY[priority]} size={14} />
      <span className="sr-only">{label}</span>
    </span>
  )
}

function Drawn({ mark, size }: { mark: MarkOf | undefined; size: number }) {
  if (!mark) return null
  const Icon = mark.icon
  return <Icon size={size} aria-hidden="true" className={`shrink-0 ${mark.tone}`} />
}
