// How times, sizes and pairs of label and value read. Local time, since people look at their own clock.
import type { Lang } from '#contract/errors.ts'
import { visible } from './escape.ts'
import type { Io } from './io.ts'
import { padEnd, widthOf } from './width.ts'
import { wrap } from './wrap.ts'

const STEPS: [unit: Intl.RelativeTimeFormatUnit, seconds: number][] = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
]
const WEEK_MS = 7 * 86_400_000

/** `3 minutes ago`, or `3min ago` where room is short; after a week the date. */
export function ago(iso: string, now: number, lang: Lang, style: 'long' | 'narrow' = 'long'): string {
  const at = Date.parse(iso)
  if (Number.isNaN(at)) return visible(iso)
  const distance = at - now
  if (Math.abs(distance) > WEEK_MS) return localTime(iso).slice(0, 10)
  const seconds = Math.round(distance / 1000)
  const [unit, size] = STEPS.find(([, size]) => Math.abs(seconds) >= size) ?? ['second', 1]
  // In Japanese the narrow style only takes the space away: `7秒前` beside `7 秒前` elsewhere.
  const width = lang === 'ja' && style === 'narrow' ? 'short' : style
  return new Intl.RelativeTimeFormat(lang, { numeric: 'auto', style: width }).format(Math.trunc(seconds / size), unit)
}

/** `2026-07-01 12:30:05` on the user's clock. */
export function localTime(iso: string): string {
  const at = new Date(iso)
  if (Number.isNaN(at.getTime())) return visible(iso)
  const two = (part: number) => String(part).padStart(2, '0')
  const date = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`
  return `${date} ${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}`
}

/** Both: the fact, and how it reads. */
export function moment(iso: string, io: Pick<Io, 'now' | 'lang'>): string {
  const recent = Math.abs(Date.parse(iso) - io.now()) <= WEEK_MS
  return recent ? `${localTime(iso)} (${ago(iso, io.now(), io.lang)})` : localTime(iso)
}

export function bytes(count: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB']
  const step = Math.min(units.length - 1, count < 1000 ? 0 : Math.floor(Math.log10(count) / 3))
  const value = count / 1000 ** step
  return `${step > 0 && value < 10 ? value.toFixed(1) : Math.round(value)} ${units[step]}`
}

/** Aligned pairs; a value of several lines, or of more than the window is wide, goes on below its first one. Empty ones are left out. */
export function pairs(
  rows: [label: string, value: string | null | undefined][],
  io: Pick<Io, 'colors'> & Partial<Pick<Io, 'width'>>,
): string {
  const shown = rows.filter((row): row is [string, string] => Boolean(row[1]))
  const width = Math.max(0, ...shown.map(([label]) => widthOf(label)))
  const indent = ' '.repeat(width + 4)
  const room = Math.max(20, (io.width ?? Infinity) - indent.length)
  const lines = (value: string) => (widthOf(value) <= room ? value : wrap(value, room)).replaceAll('\n', `\n${indent}`)
  return shown
    .map(([label, value]) => `  ${io.colors.dim(padEnd(label.toLowerCase(), width))}  ${lines(value)}`)
    .join('\n')
}
