// Bars over time: which lane each has, where it stands, and what the axis says. Pure.
import type { WorkStatus } from './work.ts'

export type Bar = {
  id: string
  /** Bars of one label share lanes as far as they do not overlap. */
  label: string
  detail: string
  status: WorkStatus
  /** Waited from here, worked from `started`. */
  created: number
  started: number | null
  ended: number | null
  href: string
  cost: number | null
  stage: number | null
}

export type Span = { from: number; to: number }
export type Lane = { label: string; bars: Bar[] }

export function lanesOf(bars: readonly Bar[], now: number): Lane[] {
  const lanes: Lane[] = []
  for (const bar of [...bars].sort((a, b) => (a.stage ?? 0) - (b.stage ?? 0) || a.created - b.created)) {
    const free = lanes.find(
      ({ label, bars: taken }) => label === bar.label && taken.every(one => isApart(one, bar, now)),
    )
    if (free) free.bars.push(bar)
    else lanes.push({ label: bar.label, bars: [bar] })
  }
  return lanes
}

function isApart(a: Bar, b: Bar, now: number): boolean {
  return (a.ended ?? now) <= b.created || (b.ended ?? now) <= a.created
}

/** When each stage of a plan began; nothing where there is one stage alone, or none. */
export function stageStarts(bars: readonly Bar[]): { stage: number; at: number }[] {
  const starts = new Map<number, number>()
  for (const { stage, started } of bars)
    if (stage !== null && started !== null) starts.set(stage, Math.min(starts.get(stage) ?? started, started))
  if (starts.size < 2) return []
  return [...starts].map(([stage, at]) => ({ stage, at })).sort((a, b) => a.stage - b.stage)
}

/** As much of a text as has room, for letters of 12 px; empty where that is too little to be read. */
export function fitting(text: string, px: number): string {
  let room = px
  let end = 0
  for (const sign of text) {
    room -= sign > '\u2e7f' ? 12.5 : 6.6
    if (room < 0) break
    end += sign.length
  }
  if (end === text.length) return text
  return end < LEAST_SIGNS ? '' : `${text.slice(0, end - 1).trimEnd()}…`
}

const LEAST_SIGNS = 8

/** From the first to now, or to the end when all have ended; never less than some seconds. */
export function spanOf(bars: readonly Bar[], now: number): Span {
  const from = Math.min(...bars.map(({ created }) => created))
  const to = Math.max(...bars.map(({ ended }) => ended ?? now))
  const room = Math.max(10_000, to - from) * 0.03
  return { from: from - room, to: Math.max(to, from + 10_000) + room }
}

const LEAST_MS = 2000
const MOST_MS = 7 * 86_400_000

/** Around a moment, which stays where it is. */
export function zoomed({ from, to }: Span, factor: number, around: number): Span {
  const length = Math.min(MOST_MS, Math.max(LEAST_MS, (to - from) * factor))
  const share = (around - from) / (to - from)
  return { from: around - share * length, to: around + (1 - share) * length }
}

export function moved({ from, to }: Span, by: number): Span {
  return { from: from + by, to: to + by }
}

const STEPS = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10_800, 21_600, 43_200, 86_400].map(
  seconds => seconds * 1000,
)

/** Moments for the axis: round ones, at most so many. */
export function ticksOf({ from, to }: Span, most: number): number[] {
  const step = STEPS.find(one => (to - from) / one <= most) ?? 86_400_000
  // In the clock of the person who looks: midnight is midnight.
  const offset = new Date(from).getTimezoneOffset() * 60_000
  const first = Math.ceil((from - offset) / step) * step + offset
  const ticks: number[] = []
  for (let at = first; at <= to && ticks.length < 100; at += step) ticks.push(at)
  return ticks
}
