// Bars over time, without a library: zoom by wheel and + −, drag to move. Queued time is hatched, what waits for a person dotted, failures
// have a shape. A table says the same.
import { Minus, Plus, Scan, Table2 } from 'lucide-react'
import { useEffect, useMemo, useRef, useState } from 'react'
import { Link, useLocation } from 'wouter'
import { Bars } from '../../parts/bars.tsx'
import { Button } from '../../parts/button.tsx'
import { type Command, useCommands } from '../../parts/command.ts'
import { Failure } from '../../parts/failure.tsx'
import { dateFormat } from '../../parts/formats.ts'
import { Moment } from '../../parts/live-time.tsx'
import { SafeText } from '../../parts/safe-text.tsx'
import { useOwnWords, useWords } from '../../parts/use-words.ts'
import { costOf } from '../../parts/used.ts'
import { useNow } from './elapsed.tsx'
import { WorkMark } from './mark.tsx'
import { durationText, ofProject } from './model.ts'
import { NobodyWorked } from './nobody-worked.tsx'
import { barOf, useWork } from './queries.ts'
import { TimelineBar } from './timeline-bar.tsx'
import { type Bar, lanesOf, moved, type Span, spanOf, stageStarts, ticksOf, zoomed } from './timeline-model.ts'
import { crewWords } from './words.ts'

const LANE = 30
const AXIS = 26
/** Where the stages of a plan are named. */
const STAGES = 20
/** As wide as what stands beside a tick. */
const TICK_PX = 84

export function RecentTimeline({ project }: { project: string | null }) {
  const words = useOwnWords(crewWords)
  const answer = useWork()
  const bars = useMemo(() => ofProject(answer.data?.work ?? [], project).map(barOf), [answer.data, project])
  if (answer.isError && !answer.data) return <Failure error={answer.error} again={() => void answer.refetch()} />
  if (!answer.data) return <Bars count={6} height={30} />
  if (bars.length === 0) return <NobodyWorked project={project} title={words.timeline.empty} />
  return (
    <div className="px-4 py-4 max-md:px-3">
      <Timeline bars={bars} />
    </div>
  )
}

/** `isPlan`: of one crew, whose stages are marked. */
export function Timeline({ bars, isPlan = false }: { bars: readonly Bar[]; isPlan?: boolean }) {
  const words = useOwnWords(crewWords)
  const now = useNow()
  const [asTable, setTable] = useState(false)
  const [chosen, setChosen] = useState<Span>()
  const span = chosen ?? spanOf(bars, now)
  const state = useRef(span)
  state.current = span
  const commands = useMemo((): Command[] => {
    const zoom = (factor: number) => () => {
      const { from, to } = state.current
      setChosen(zoomed(state.current, factor, (from + to) / 2))
    }
    const step = (share: number) => () =>
      setChosen(moved(state.current, (state.current.to - state.current.from) * share))
    const own =
      (key: 'zoomIn' | 'zoomOut' | 'fit' | 'earlier' | 'later'): Command['title'] =>
      w =>
        crewWords[w.code].timeline[key]
    return [
      { id: 'timeline.in', title: own('zoomIn'), keys: ['+', '='], run: zoom(0.6), onlyKeys: true },
      { id: 'timeline.out', title: own('zoomOut'), keys: ['-'], run: zoom(1 / 0.6), onlyKeys: true },
      { id: 'timeline.fit', title: own('fit'), keys: ['0'], run: () => setChosen(undefined), onlyKeys: true },
      { id: 'timeline.left', title: own('earlier'), keys: ['ArrowLeft'], run: step(-0.2), onlyKeys: true },
      { id: 'timeline.right', title: own('later'), keys: ['ArrowRight'], run: step(0.2), onlyKeys: true },
      {
        id: 'timeline.table',
        title: w => crewWords[w.code].keys.table,
        keys: ['t'],
        run: () => setTable(before => !before),
        onlyKeys: true,
      },
    ]
  }, [])
  useCommands(commands)
  const middle = (span.from + span.to) / 2
  const tool = '!px-1.5'
  return (
    <section aria-label={words.timeline.label} className="flex min-w-0 flex-col gap-2" data-timeline>
      <div className="flex flex-wrap items-center gap-1">
        {!asTable && <Legend />}
        <div className="ml-auto flex gap-1">
          {!asTable && (
            <>
              <Button
                small
                className={tool}
                aria-label={words.timeline.zoomIn}
                onClick={() => setChosen(zoomed(span, 0.6, middle))}
              >
                <Plus size={14} aria-hidden="true" />
              </Button>
              <Button
                small
                className={tool}
                aria-label={words.timeline.zoomOut}
                onClick={() => setChosen(zoomed(span, 1 / 0.6, middle))}
              >
                <Minus size={14} aria-hidden="true" />
              </Button>
              <Button
                small
                className={tool}
                aria-label={words.timeline.fit}
                title={words.timeline.fit}
                onClick={() => setChosen(undefined)}
              >
                <Scan size={14} aria-hidden="true" />
              </Button>
            </>
          )}
          <Button small aria-pressed={asTable} onClick={() => setTable(!asTable)}>
            <Table2 size={14} aria-hidden="true" /> {asTable ? words.timeline.chart : words.timeline.table}
          </Button>
        </div>
      </div>
      {asTable ? <BarTable bars={bars} now={now} /> : <Chart {...{ bars, now, span, isPlan }} choose={setChosen} />}
    </section>
  )
}

type ChartProps = { bars: readonly Bar[]; now: number; span: Span; isPlan: boolean; choose: (span: Span) => void }

function Chart({ bars, now, span, isPlan, choose }: ChartProps) {
  const words = useOwnWords(crewWords)
  const { code } = useWords()
  const [, navigate] = useLocation()
  const [ref, width] = useWidth()
  const gutter = width < 560 ? 84 : 150
  const room = Math.max(50, width - gutter - 8)
  const x = (at: number) => gutter + ((at - span.from) / (span.to - span.from)) * room
  const lanes = useMemo(() => lanesOf(bars, now), [bars, now])
  const ticks = ticksOf(span, Math.max(2, Math.floor(room / 100)))
  const stages = useMemo(() => (isPlan ? stageStarts(bars) : []), [bars, isPlan])
  const top = AXIS + (stages.length > 0 ? STAGES : 0)
  const height = top + lanes.length * LANE + 4
  useGestures(ref, { span, gutter, room, choose })
  return (
    <div ref={ref} className="touch-pan-y overflow-hidden rounded-lg border border-line bg-sheet select-none">
      <svg width={Math.max(width, 1)} height={height} role="group" aria-label={words.timeline.label} className="block">
        <defs>
          <pattern id="crew-hatch" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
            <rect width="6" height="6" className="fill-sunk" />
            <rect width="2" height="6" className="fill-rule opacity-60" />
          </pattern>
          <pattern id="crew-dots" width="6" height="6" patternUnits="userSpaceOnUse">
            <rect width="6" height="6" className="fill-kohaku-wash" />
            <circle cx="2" cy="2" r="1.3" className="fill-kohaku" />
            <circle cx="5" cy="5" r="1.3" className="fill-kohaku" />
          </pattern>
          <clipPath id="crew-chart">
            <rect x={gutter} y="0" width={room + 8} height={height} />
          </clipPath>
        </defs>
        <g clipPath="url(#crew-chart)" aria-hidden="true">
          {ticks.map(at => (
            <g key={at}>
              <line x1={x(at)} x2={x(at)} y1={AXIS} y2={height} className="stroke-line" />
              {x(at) + TICK_PX < width && (
                <text x={x(at) + 4} y="17" className="fill-soft text-xs">
                  {tickText(at, ticks, code)}
                </text>
              )}
            </g>
          ))}
          {stages.map(({ stage, at }) => (
            <g key={stage} data-stage-start={stage}>
              <line x1={x(at)} x2={x(at)} y1={AXIS} y2={height} className="stroke-rule [stroke-dasharray:3_3]" />
              <text x={x(at) + 4} y={AXIS + 14} className="fill-soft text-xs font-medium">
                {words.stage(stage + 1)}
              </text>
            </g>
          ))}
          <line x1={x(now)} x2={x(now)} y1="4" y2={height} className="stroke-hinoki" strokeWidth="2" />
        </g>
        {lanes.map((lane, index) => (
          <g key={`${lane.label}${index}`} transform={`translate(0 ${top + index * LANE})`}>
            {(index > 0 || stages.length > 0) && <line x1="0" x2={width} y1="0" y2="0" className="stroke-line" />}
            <text x="10" y="20" className="fill-ink text-sm" aria-hidden="true">
              {cut(lane.label, gutter < 100 ? 9 : 18)}
            </text>
            <g clipPath="url(#crew-chart)">
              {lane.bars.map((bar, at) => (
                <TimelineBar
                  key={bar.id}
                  bar={bar}
                  now={now}
                  x={x}
                  height={LANE}
                  until={at + 1 < lane.bars.length ? x(lane.bars[at + 1]?.created ?? 0) : gutter + room}
                  words={words}
                  open={() => navigate(bar.href)}
                />
              ))}
            </g>
          </g>
        ))}
      </svg>
    </div>
  )
}

function BarTable({ bars, now }: { bars: readonly Bar[]; now: number }) {
  const words = useOwnWords(crewWords)
  const { code } = useWords()
  const { columns } = words.timeline
  const cell = 'px-3 py-1.5 text-left'
  return (
    <div className="overflow-x-auto rounded-lg border border-line bg-sheet">
      <table className="w-full text-sm">
        <thead>
          <tr className="border-b border-line text-soft">
            {[columns.who, columns.status, columns.start, columns.took, columns.cost].map(title => (
              <th key={title} scope="col" className={`${cell} font-semibold`}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {bars.map(bar => (
            <tr key={bar.id}>
              <th scope="row" className={`${cell} font-medium`}>
                <Link href={bar.href} className="underline-offset-2 hover:underline">
                  <SafeText text={bar.label} />
                </Link>
              </th>
              <td className={cell}>
                <span className="inline-flex items-center gap-1.5 whitespace-nowrap">
                  <WorkMark status={bar.status} size={14} /> {words.status[bar.status]}
                </span>
              </td>
              <td className={`${cell} whitespace-nowrap`}>
                {bar.started === null ? '–' : <Moment at={bar.started} />}
              </td>
              <td className={`${cell} whitespace-nowrap`}>
                {bar.started === null ? '–' : durationText((bar.ended ?? now) - bar.started, code)}
              </td>
              <td className={`${cell} whitespace-nowrap`}>{costOf(bar.cost, code)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Legend() {
  const words = useOwnWords(crewWords)
  const { legend } = words.timeline
  const swatch = 'h-3 w-5 rounded-[3px]'
  return (
    <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-xs text-soft" aria-hidden="true">
      <span className="flex items-center gap-1.5">
        <svg width="20" height="12" className="rounded-[3px]">
          <rect width="20" height="12" className="fill-sunk" />
          <path d="M-2 14 12 0M4 14 18 0M10 14 24 0" className="stroke-rule" />
        </svg>
        {legend.queued}
      </span>
      <span className="flex items-center gap-1.5">
        <span className={`${swatch} bg-ai`} /> {legend.running}
      </span>
      <span className="flex items-center gap-1.5">
        <span className={`${swatch} border border-ai bg-ai-wash`} /> {legend.idle}
      </span>
      <span className="flex items-center gap-1.5">
        <svg width="20" height="12" className="rounded-[3px] border border-kohaku">
          <rect width="20" height="12" className="fill-kohaku-wash" />
          <path
            d="M3 3h14M6 8h14"
            className="stroke-kohaku"
            strokeWidth="2.4"
            strokeLinecap="round"
            strokeDasharray="0 6"
          />
        </svg>
        {legend.waiting}
      </span>
      <span className="flex items-center gap-1.5">
        <span className={`${swatch} bg-matsu`} /> {legend.completed} ✓
      </span>
      <span className="flex items-center gap-1.5">
        <span className={`${swatch} bg-shu`} /> {legend.failed} ✕
      </span>
      <span className="flex items-center gap-1.5">
        <span className={`${swatch} bg-shu`} /> {legend.timedOut}
        <svg width="10" height="10" viewBox="-5 -5 10 10" className="fill-none stroke-shu stroke-2">
          <path d="M-3.5-4H3.5L-3.5 4H3.5Z" />
        </svg>
      </span>
      <span className="flex items-center gap-1.5">
        <span className={`${swatch} border border-dashed border-rule`} /> {legend.cancelled}
      </span>
      <span className="flex items-center gap-1.5">
        <span className="h-3 w-0.5 bg-hinoki" /> {words.timeline.now}
      </span>
    </p>
  )
}

function useWidth() {
  const ref = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState(0)
  useEffect(() => {
    const element = ref.current
    if (!element) return undefined
    const observer = new ResizeObserver(([entry]) => setWidth(Math.floor(entry?.contentRect.width ?? 0)))
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return [ref, width] as const
}

type Gestures = { span: Span; gutter: number; room: number; choose: (span: Span) => void }

/** The wheel zooms around the pointer; dragging moves. React's own wheel listener may not keep the page from scrolling. */
function useGestures(ref: React.RefObject<HTMLDivElement | null>, gestures: Gestures): void {
  const now = useRef(gestures)
  now.current = gestures
  useEffect(() => {
    const element = ref.current
    if (!element) return undefined
    let held: { x: number; span: Span } | undefined
    let isDragged = false
    const moment = (clientX: number) => {
      const { span, gutter, room } = now.current
      const share = (clientX - element.getBoundingClientRect().left - gutter) / room
      return span.from + share * (span.to - span.from)
    }
    const onWheel = (event: WheelEvent) => {
      // Where there is more than fits, the wheel alone scrolls.
      const isLong = element.clientHeight > window.innerHeight * 0.7
      if (isLong && !event.ctrlKey && !event.metaKey) return
      event.preventDefault()
      const { span, room, choose } = now.current
      if (Math.abs(event.deltaX) > Math.abs(event.deltaY))
        return choose(moved(span, (event.deltaX / room) * (span.to - span.from)))
      choose(zoomed(span, event.deltaY > 0 ? 1.15 : 1 / 1.15, moment(event.clientX)))
    }
    const onDown = (event: PointerEvent) => {
      isDragged = false
      if (event.button === 0) held = { x: event.clientX, span: now.current.span }
    }
    const onMove = (event: PointerEvent) => {
      if (!held || Math.abs(event.clientX - held.x) < 4) return
      isDragged = true
      const { room, choose } = now.current
      choose(moved(held.span, -((event.clientX - held.x) / room) * (held.span.to - held.span.from)))
    }
    const onUp = () => (held = undefined)
    // A drag begins and ends on a bar, and is not meant to open it.
    const onClick = (event: MouseEvent) => {
      if (!isDragged) return
      event.preventDefault()
      event.stopPropagation()
    }
    element.addEventListener('wheel', onWheel, { passive: false })
    element.addEventListener('pointerdown', onDown)
    element.addEventListener('click', onClick, true)
    window.addEventListener('pointermove', onMove)
    window.addEventListener('pointerup', onUp)
    return () => {
      element.removeEventListener('wheel', onWheel)
      element.removeEventListener('pointerdown', onDown)
      element.removeEventListener('click', onClick, true)
      window.removeEventListener('pointermove', onMove)
      window.removeEventListener('pointerup', onUp)
    }
  }, [ref])
}

/** With seconds where two ticks would else say the same. */
function tickText(at: number, [first = 0, second = first]: readonly number[], lang: string): string {
  const time = second - first < 60_000 ? ({ timeStyle: 'medium' } as const) : ({ timeStyle: 'short' } as const)
  return dateFormat(lang, time).format(at)
}

/** Of a branch that is too long, the end: its beginning is that of many. */
function cut(text: string, length: number): string {
  if (text.length <= length) return text
  const end = text.slice(text.lastIndexOf('/') + 1)
  return end.length > length ? `${end.slice(0, length - 1)}…` : end
}
