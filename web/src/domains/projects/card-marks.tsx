// Marks of a card, as few elements as they can be: a board has hundreds of them.
import type { Priority } from '#contract/projects.ts'

const PRIORITIES: Record<Priority, { path: string; tone: string }> = {
  urgent: { path: 'm17 11-5-5-5 5m10 7-5-5-5 5', tone: 'text-shu' },
  high: { path: 'm5 12 7-7 7 7M12 19V5', tone: 'text-kohaku' },
  medium: { path: 'M5 9h14M5 15h14', tone: 'text-soft' },
  low: { path: 'M12 5v14m7-7-7 7-7-7', tone: 'text-soft' },
}

export function CardPriority({ priority, label }: { priority: Priority; label: string }) {
  const { path, tone } = PRIORITIES[priority]
  return <Glyph path={path} label={label} className={tone} />
}

const PATHS = {
  waits: 'M10 13a5 5 0 0 0 7.5.5l3-3a5 5 0 0 0-7-7l-1.8 1.7M14 11a5 5 0 0 0-7.5-.5l-3 3a5 5 0 0 0 7 7l1.8-1.7',
  parts: 'M6 3v12a3 3 0 0 0 3 3h11M6 9h14',
  tools: 'M14.7 6.3a4 4 0 0 0 5 5L11 20a2.8 2.8 0 0 1-4-4l8.700-8.700a4 4 0 0 1 5-5',
} as const

export function CardGlyph({ of, label }: { of: keyof typeof PATHS; label: string }) {
  return <Glyph path={PATHS[of]} label={label} className="" />
}

function Glyph({ path, label, className }: { path: string; label: string; className: string }) {
  return (
    <svg
      viewBox="0 0 24 24"
      width={14}
      height={14}
      fill="none"
      stroke="currentColor"
      strokeWidth={2}
      strokeLinecap="round"
      strokeLinejoin="round"
      role="img"
      aria-label={label}
      className={`shrink-0 ${className}`}
    >
      <path d={path} />
    </svg>
  )
}
