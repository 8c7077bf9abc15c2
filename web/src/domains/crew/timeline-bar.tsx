import { useMemo } from 'react'
import { useWords } from '../../parts/use-words.ts'
import { clockTime } from '../../parts/live-time.tsx'
import type { WorkStatus } from './work.ts'
import { durationText } from './model.ts'
import { type Bar, fitting } from './timeline-model.ts'
import type { CrewWords } from './words.ts'
import { marked } from '../../parts/safe-text.tsx'

type Props = {
  bar: Bar
  now: number
  x: (at: number) => number
  height: number
  /** Where the next one begins, or the chart ends. */
  until: number
  words: CrewWords
  open: () => void
}

const FILLS: Partial<Record<WorkStatus, string>> = {
  completed: 'fill-matsu',
  failed: 'fill-shu',
  timed_out: 'fill-shu',
  waiting: 'fill-[url(#crew-dots)] stroke-kohaku',
  idle: 'fill-ai-wash stroke-ai',
  cancelled: 'fill-sunk stroke-rule [stroke-dasharray:3_2]',
}

/** A shape at its end says how it went; the colour only repeats it. */
const SHAPES: Partial<Record<WorkStatus, string>> = {
  completed: 'M-4 0-1 3.5 4-3.5',
  failed: 'M-3.5-3.5 3.5 3.5M3.5-3.5-3.5 3.5',
  timed_out: 'M-3.5-4H3.5L-3.5 4H3.5Z',
}

export function TimelineBar({ bar, now, x, height, until, words, open }: Props) {
  const { code } = useWords()
  const end = Math.max(bar.ended ?? now, bar.started ?? bar.created)
  const begin = bar.started ?? end
  const [left, mid, right] = [x(bar.created), x(begin), x(end)]
  const width = Math.max(3, right - mid)
  // Not with each step of a zoom: what is said of a bar changes with the bar, and while it is at work with the clock.
  const label = useMemo(() => {
    const took = durationText(end - (bar.started ?? bar.created), code)
    return words.timeline.bar(bar.label, words.status[bar.status], clockTime(bar.created, code), took)
  }, [bar, end, words, code])
  const shape = SHAPES[bar.status]
  const middle = height / 2
  return (
    <>
      <a
        href={bar.href}
        aria-label={label}
        data-bar={bar.id}
        className="group outline-none"
        draggable={false}
        onClick={event => {
          event.preventDefault()
          open()
        }}
      >
        <title>{marked(bar.detail === '' ? label : `${label}\n${bar.detail}`)}</title>
        {mid - left > 1 && (
          <rect x={left} y="8" width={mid - left} height={height - 16} rx="2" fill="url(#crew-hatch)" />
        )}
        {bar.started !== null && (
          <rect
            x={mid}
            y="6"
            width={width}
            height={height - 12}
            rx="3"
            className={`${FILLS[bar.status] ?? 'fill-ai'} group-hover:opacity-80`}
          />
        )}
        <rect
          x={Math.min(left, mid) - 3}
          y="3"
          width={Math.max(6, right - left) + 6}
          height={height - 6}
          rx="5"
          className="fill-transparent stroke-transparent group-focus-visible:stroke-ai"
          strokeWidth="2"
        />
        {shape !== undefined && (
          <g transform={`translate(${mid + width + 11} ${middle})`}>
            <path
              d={shape}
              fill="none"
              strokeWidth="2"
              strokeLinecap="round"
              strokeLinejoin="round"
              className={bar.status === 'completed' ? 'stroke-matsu' : 'stroke-shu'}
            />
          </g>
        )}
      </a>
      {/* Not in the link: its name says the rest. */}
      <Said bar={bar} inside={[mid, width]} beside={[mid + width + 20, until]} y={middle + 4} />
    </>
  )
}

/** What it is or was about, where there is room: on the bar, else behind it. The title has all of it. */
function Said({ bar, inside: [left, width], beside: [after, until], y }: SaidProps) {
  const [line] = bar.detail.trim().split('\n', 1)
  if (line === undefined || line === '' || bar.started === null) return null
  const isSolid = !['waiting', 'idle', 'cancelled'].includes(bar.status)
  const within = isSolid ? fitting(marked(line), width - 16) : ''
  const behind = within === '' ? fitting(marked(line), until - after - 8) : ''
  if (within === '' && behind === '') return null
  return (
    <text
      x={within === '' ? after : left + 8}
      y={y}
      aria-hidden="true"
      className={`pointer-events-none text-xs ${within === '' ? 'fill-soft' : 'fill-on-ai'}`}
    >
      {within || behind}
    </text>
  )
}

type SaidProps = { bar: Bar; inside: [number, number]; beside: [number, number]; y: number }
