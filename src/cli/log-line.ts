import { visibleLine } from './escape.ts'
import { localTime } from './format.ts'
import type { Io } from './io.ts'

/** A JSON line of the log as people read it; anything else as it is. */
export function logLine(line: string, io: Pick<Io, 'colors'>): string {
  const entry = parse(line)
  if (!entry) return visibleLine(line)
  const { timestamp, level, message, ...rest } = entry
  const time = typeof timestamp === 'string' ? localTime(timestamp) : ''
  const facts = Object.entries(rest).map(([name, value]) => io.colors.dim(visibleLine(`${name}=${show(value)}`)))
  const word = (typeof level === 'string' ? level : '').padEnd(5)
  const colour = { ERROR: io.colors.red, WARN: io.colors.yellow, DEBUG: io.colors.dim }[word.trim()] ?? io.colors.green
  return [time, colour(visibleLine(word).padEnd(5)), visibleLine(show(message ?? '')), ...facts].join(' ')
}

function show(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function parse(line: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined
  } catch {
    return undefined // Not the logger's.
  }
}
