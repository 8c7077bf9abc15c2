// Tables that line up in a terminal, whatever the script, and fit into it.
import { visibleLine } from './escape.ts'
import { pairs } from './format.ts'
import type { Io } from './io.ts'
import { cut, cutStart, padEnd, widthOf } from './width.ts'

export type Column<R> = {
  readonly title: string
  readonly value: (row: R) => string | null
  /** Prose: may be cut when the terminal is narrow. Ids never are, since people copy them. */
  readonly prose?: boolean
  /** A path: may be cut, too, and is at its beginning. */
  readonly path?: boolean
  /** Left out of a terminal that is too narrow, the last of these first. */
  readonly optional?: boolean
  /** Left out only where the rest has no room otherwise, the last of these first. */
  readonly yields?: boolean
  readonly colour?: (text: string, row: R) => string
}

const GAP = 2
const NARROWEST = 10
/** Prose that is cut to less than this says little: other columns go first. */
const READABLE = 24

/** `io.width` undefined: not a terminal, so nothing is cut. */
export function table<R>(rows: readonly R[], all: readonly Column<R>[], io: Pick<Io, 'width' | 'colors'>): string {
  const measured = all.map(column => {
    const cells = rows.map(row => visibleLine(column.value(row) ?? '') || '-')
    return {
      column: { ...column, title: column.title.toUpperCase() },
      cells,
      width: Math.max(widthOf(column.title), ...cells.map(widthOf)),
    }
  })
  const shown = leaveOut(measured, io.width)
  const columns = shown.map(({ column }) => column)
  const widths = fit(
    shown.map(({ width }) => width),
    columns.map(isElastic),
    io.width,
  )
  if (io.width !== undefined && lineWidth(widths) > io.width) return stacked(rows, measured, io)
  const line = (texts: string[], paint: (text: string, index: number) => string) =>
    texts
      .map((text, index) => {
        const short = (columns[index]?.path ? cutStart : cut)(text, widths[index] as number)
        // Colour after cutting and measuring: escape sequences have no width.
        const padding = padEnd(short, index === texts.length - 1 ? 0 : (widths[index] as number)).slice(short.length)
        return paint(short, index) + padding
      })
      .join(' '.repeat(GAP))
      .trimEnd()
  const header = line(
    columns.map(column => column.title),
    text => io.colors.bold(text),
  )
  const body = rows.map((row, number) => {
    const texts = shown.map(({ cells }) => cells[number] as string)
    return line(texts, (text, index) => {
      const { colour } = columns[index] as Column<R>
      if (text === '-') return io.colors.dim(text)
      return colour ? colour(text, row) : text
    })
  })
  return [header, ...body].join('\n')
}

/** Where not even the ids have room beside each other: one row below the other, with all that is known. */
function stacked<R>(
  rows: readonly R[],
  columns: readonly { column: Column<R>; cells: string[] }[],
  io: Pick<Io, 'colors'>,
): string {
  const [first, ...others] = columns
  return rows
    .map((row, number) => {
      const facts = others.map(({ column, cells }): [string, string] => {
        const text = cells[number] === '-' ? '' : (cells[number] as string)
        return [column.title, text && column.colour ? column.colour(text, row) : text]
      })
      return `${io.colors.bold(first?.cells[number] ?? '')}\n${pairs(facts, io)}`
    })
    .join('\n')
}

function isElastic({ prose, path }: Measured['column']): boolean {
  return prose === true || path === true
}

function lineWidth(widths: readonly number[]): number {
  return widths.reduce((sum, width) => sum + width, GAP * (widths.length - 1))
}

type Measured = { column: Pick<Column<never>, 'prose' | 'path' | 'optional' | 'yields'>; width: number }

/** The columns that leave those that may be cut enough to be read, and let the line fit at all. */
function leaveOut<C extends Measured>(columns: readonly C[], limit: number | undefined): readonly C[] {
  if (limit === undefined) return columns
  const readable = without(columns, limit, READABLE, ({ column }) => column.optional === true)
  return without(readable, limit, NARROWEST, ({ column }) => column.yields === true)
}

function without<C extends Measured>(
  columns: readonly C[],
  limit: number,
  least: number,
  goes: (one: C) => boolean,
): readonly C[] {
  const widths = columns.map(({ column, width }) => (isElastic(column) ? Math.min(width, least) : width))
  const last = columns.findLastIndex(goes)
  if (lineWidth(widths) <= limit || last === -1) return columns
  return without(columns.toSpliced(last, 1), limit, least, goes)
}

/** Takes from the widest column that may be cut, again and again, until the line fits or nothing more can be taken. */
export function fit(widths: number[], elastic: boolean[], limit: number | undefined): number[] {
  const fitted = [...widths]
  if (limit === undefined) return fitted
  let excess = lineWidth(fitted) - limit
  while (excess > 0) {
    let widest = -1
    for (const [index, width] of fitted.entries())
      if (elastic[index] && width > NARROWEST && width > (fitted[widest] ?? 0)) widest = index
    if (widest === -1) break
    fitted[widest] = (fitted[widest] as number) - 1
    excess--
  }
  return fitted
}
