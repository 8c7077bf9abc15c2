import { Circle, CircleDot, CircleHelp, CircleSlash, Hourglass, type LucideIcon } from 'lucide-react'
import type { TabStatus } from '#contract/tabs.ts'

const MARKS: Record<TabStatus, { icon: LucideIcon; tone: string }> = {
  starting: { icon: Hourglass, tone: 'text-soft' },
  running: { icon: CircleDot, tone: 'text-ai' },
  idle: { icon: Circle, tone: 'text-soft' },
  waiting: { icon: CircleHelp, tone: 'text-kohaku' },
  exited: { icon: CircleSlash, tone: 'text-soft' },
}

export function TabMark({ status, size = 14 }: { status: TabStatus; size?: number }) {
  const { icon: Icon, tone } = MARKS[status]
  return <Icon size={size} aria-hidden="true" className={`shrink-0 ${tone}`} />
}
