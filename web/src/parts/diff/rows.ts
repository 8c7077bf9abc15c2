// Pure: a diff as rows to draw, side by side or not, in blocks that a long list is drawn of.
import type { DiffLine, FileDiff } from './parse.ts'

export type Shape = 'unified' | 'split'

/** `twin`: the line that it took the place of, or that took its place. */
export type Row =
  | { kind: 'line'; line: DiffLine; twin: DiffLine | undefined }
  | { kind: 'pair'; left: DiffLine | undefined; right: DiffLine | undefined }
  | { kind: 'gap'; hidden: number; heading: string }

/** Of one file in the list: its head, or some of its rows. `from`: the number of the first row in the file. */
export type Item = { kind: 'head'; file: number } | { kind: 'rows'; file: number; from: number; rows: readonly Row[] }

export type Spot = { file: number; row: number }

const BLOCK = 25

export function rowsOf(file: FileDiff, shape: Shape): Row[] {
  const rows: Row[] = []
  let next = 1
  for (const { old, heading, lines } of file.hunks) {
    if (old > next || heading !== '') rows.push({ kind: 'gap', hidden: Math.max(0, old - next), heading })
    for (const run of runsOf(lines)) rows.push(...(shape === 'split' ? pairsOf(run) : linesOf(run)))
    next = old + lines.filter(({ kind }) => kind !== 'add').length
  }
  return rows
}

/** A line that stayed, or removed lines with the added ones that follow them. */
type Run = { same: DiffLine } | { dels: DiffLine[]; adds: DiffLine[] }

function runsOf(lines: readonly DiffLine[]): Run[] {
  const runs: Run[] = []
  for (const line of lines) {
    const last = runs.at(-1)
    if (line.kind === 'same') runs.push({ same: line })
    else if (last && 'dels' in last && !(line.kind === 'del' && last.adds.length > 0))
      last[line.kind === 'del' ? 'dels' : 'adds'].push(line)
    else runs.push({ dels: line.kind === 'del' ? [line] : [], adds: line.kind === 'add' ? [line] : [] })
  }
  return runs
}

/** The same file, in which lines that differ in blanks alone have stayed as they were. */
export function withoutBlanks(file: FileDiff): FileDiff {
  const bare = (text: string) => text.replace(/\s+/g, '')
  const hunks = file.hunks.map(hunk => ({
    ...hunk,
    lines: runsOf(hunk.lines).flatMap(run => {
      if ('same' in run) return [run.same]
      const { dels, adds } = run
      const isBlank =
        dels.length === adds.length && dels.every(({ text }, at) => bare(text) === bare(adds[at]?.text ?? ''))
      if (!isBlank) return [...dels, ...adds]
      return adds.map((line, at): DiffLine => ({ ...line, kind: 'same', old: dels[at]?.old ?? null }))
    }),
  }))
  return { ...file, hunks }
}

function linesOf(run: Run): Row[] {
  if ('same' in run) return [{ kind: 'line', line: run.same, twin: undefined }]
  const { dels, adds } = run
  return [
    ...dels.map((line, index): Row => ({ kind: 'line', line, twin: adds[index] })),
    ...adds.map((line, index): Row => ({ kind: 'line', line, twin: dels[index] })),
  ]
}

function pairsOf(run: Run): Row[] {
  if ('same' in run) return [{ kind: 'pair', left: run.same, right: run.same }]
  const { dels, adds } = run
  return Array.from({ length: Math.max(dels.length, adds.length) }, (_, index) => ({
    ...{ kind: 'pair' as const, left: dels[index], right: adds[index] },
  }))
}

export type Laid = {
  rows: readonly (readonly Row[])[]
  items: readonly Item[]
  /** Where each file begins. */
  heads: readonly number[]
}

export function layOut(files: readonly FileDiff[], shape: Shape, folded: ReadonlySet<string>): Laid {
  const rows = files.map(file => rowsOf(file, shape))
  const items: Item[] = []
  const heads = files.map((file, index) => {
    const head = items.push({ kind: 'head', file: index }) - 1
    const own = folded.has(file.path) ? [] : (rows[index] ?? [])
    for (let from = 0; from < own.length; from += BLOCK)
      items.push({ kind: 'rows', file: index, from, rows: own.slice(from, from + BLOCK) })
    return head
  })
  return { rows, items, heads }
}

/** The item that this row is drawn in. */
export function itemAt({ heads }: Laid, { file, row }: Spot): number {
  return (heads[file] ?? 0) + 1 + Math.floor(row / BLOCK)
}

function isChanged(row: Row | undefined): boolean {
  if (row?.kind === 'line') return row.line.kind !== 'same'
  return row?.kind === 'pair' && row.left !== row.right
}

/** Where each run of changed lines begins. */
export function changesIn({ rows }: Pick<Laid, 'rows'>): Spot[] {
  return rows.flatMap((own, file) =>
    own.flatMap((row, index) => (isChanged(row) && !isChanged(own[index - 1]) ? [{ file, row: index }] : [])),
  )
}

function textsOf(row: Row): string[] {
  if (row.kind === 'line') return [row.line.text]
  if (row.kind === 'gap') return []
  return [row.left, row.right].flatMap(line => (line ? [line.text] : []))
}

export function find({ rows }: Pick<Laid, 'rows'>, wanted: string): Spot[] {
  const text = wanted.toLowerCase()
  if (text === '') return []
  return rows.flatMap((own, file) =>
    own.flatMap((row, index) =>
      textsOf(row).some(one => one.toLowerCase().includes(text)) ? [{ file, row: index }] : [],
    ),
  )
}

const isBefore = (a: Spot, b: Spot) => a.file < b.file || (a.file === b.file && a.row < b.row)

/** The next one after `at`, or the one before it; from the other end where there is none. */
export function step(spots: readonly Spot[], at: Spot | undefined, by: 1 | -1): Spot | undefined {
  if (!at) return by === 1 ? spots[0] : spots.at(-1)
  if (by === 1) return spots.find(spot => isBefore(at, spot)) ?? spots[0]
  return spots.findLast(spot => isBefore(spot, at)) ?? spots.at(-1)
}

/** The lines that a person means by these rows: numbers of the file as it is now; none in one that is gone. */
export type Picked = { path: string; from: number | null; to: number | null }

export function pickedIn(file: FileDiff, rows: readonly Row[], from: number, to: number): Picked {
  const { path } = file
  const numbers = rows.slice(from, to + 1).flatMap(row => nowOf(row) ?? [])
  const [first, last] = [numbers[0], numbers.at(-1)]
  if (first !== undefined && last !== undefined) return { path, from: first, to: last }
  // Removed lines have no number now: the line that follows them stands for their place, or the one before.
  const after = rows.slice(to + 1).flatMap(row => nowOf(row) ?? [])[0]
  const before = rows
    .slice(0, from)
    .flatMap(row => nowOf(row) ?? [])
    .at(-1)
  const near = after ?? before ?? null
  return { path, from: near, to: near }
}

function nowOf(row: Row): number | undefined {
  if (row.kind === 'gap') return undefined
  return (row.kind === 'line' ? row.line : row.right)?.now ?? undefined
}
