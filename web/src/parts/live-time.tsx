// Times as people say them, which go on while they are looked at.
import { type ReactNode, useEffect, useState, useSyncExternalStore } from 'react'
import { dateFormat, numberFormat } from './formats.ts'
import { useWords } from './use-words.ts'

const listeners = new Set<() => void>()
let now = Date.now()
const look = () => {
  if (document.visibilityState !== 'visible') return
  now = Date.now()
  for (const listener of listeners) listener()
}
let timer: ReturnType<typeof setInterval> | undefined

/** The clock runs while something shows it. */
function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) {
    now = Date.now()
    timer = setInterval(look, 10_000)
    // A page that was hidden for hours shows the time of now, not of then.
    document.addEventListener('visibilitychange', look)
  }
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearInterval(timer)
    document.removeEventListener('visibilitychange', look)
  }
}

/** Another value as soon as it is another day, for a page that is open over midnight. */
export function useToday(): string {
  return useSyncExternalStore(subscribe, () => new Date(now).toDateString())
}

const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const

/** How long it has been: `4 m`. */
export function Since({ at }: { at: string }) {
  const { code } = useWords()
  const current = useSyncExternalStore(subscribe, () => now)
  const moment = new Date(at)
  return (
    <time dateTime={at} title={fullMoment(moment, code)}>
      {duration(Math.max(0, current - moment.getTime()), code)}
    </time>
  )
}

type MomentProps = { at: string | number; className?: string; children?: ReactNode }

/** When it was: the time of day, or what else is said of it, with the full moment for whoever points at it. */
export function Moment({ at, className, children }: MomentProps) {
  const { code } = useWords()
  const moment = new Date(at)
  return (
    <time dateTime={moment.toISOString()} title={fullMoment(moment, code)} className={className}>
      {children ?? clockTime(at, code)}
    </time>
  )
}

const fullMoment = (moment: Date, lang: string) =>
  dateFormat(lang, { dateStyle: 'full', timeStyle: 'medium' }).format(moment)

const SOON_MS = 3_600_000

/** How long it still lasts, second by second within the last hour; before that, when it ends. */
export function CountDown({ until }: { until: string }) {
  const { code, needs } = useWords()
  const end = Date.parse(until)
  const [left, setLeft] = useState(() => end - Date.now())
  useEffect(() => {
    setLeft(end - Date.now())
    const timer = setInterval(() => setLeft(end - Date.now()), 1000)
    return () => clearInterval(timer)
  }, [end])
  const text = left > SOON_MS ? needs.until(clockTime(until, code)) : needs.left(minutesAndSeconds(left))
  return (
    <time dateTime={until} title={needs.until(clockTime(until, code))} className="tabular-nums" data-count-down>
      {text}
    </time>
  )
}

/** `4:07`; never below zero. */
function minutesAndSeconds(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1000))
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}

function duration(ms: number, lang: string): string {
  if (ms < 60_000) return lang === 'ja' ? '1 分未満' : '<1m'
  const [unit, size] = UNITS.find(([, each]) => ms >= each) ?? (['minute', 60_000] as const)
  return numberFormat(lang, { style: 'unit', unit, unitDisplay: lang === 'ja' ? 'short' : 'narrow' }).format(
    Math.floor(ms / size),
  )
}

/** The moment itself, without the day when it is today. */
export function clockTime(at: string | number, lang: string): string {
  const moment = new Date(at)
  const today = moment.toDateString() === new Date().toDateString()
  const options = today ? ({ timeStyle: 'short' } as const) : ({ dateStyle: 'short', timeStyle: 'short' } as const)
  return dateFormat(lang, options).format(moment)
}
