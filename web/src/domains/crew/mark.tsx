// Glyph and tone of what is at work.
import {
  Ban,
  CircleCheck,
  CircleDashed,
  CircleDot,
  CircleHelp,
  CircleX,
  Coffee,
  Hourglass,
  type LucideIcon,
  Timer,
} from 'lucide-react'
import type { WorkStatus } from './work.ts'

const MARKS: Record<WorkStatus, [LucideIcon, string]> = {
  queued: [CircleDashed, 'text-soft'],
  starting: [Hourglass, 'text-ai'],
  running: [CircleDot, 'text-ai'],
  waiting: [CircleHelp, 'text-kohaku'],
  idle: [Coffee, 'text-soft'],
  reported: [CircleDot, 'text-matsu'],
  completed: [CircleCheck, 'text-matsu'],
  asked: [CircleHelp, 'text-kohaku'],
  failed: [CircleX, 'text-shu'],
  timed_out: [Timer, 'text-shu'],
  cancelled: [Ban, 'text-soft'],
}

export function WorkMark({ status, size = 16 }: { status: WorkStatus; size?: number }) {
  const [Icon, tone] = MARKS[status]
  return <Icon size={size} aria-hidden="true" className={`shrink-0 ${tone}`} />
}
