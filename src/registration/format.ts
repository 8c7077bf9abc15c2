// What the two file formats have in common: an entry is put into a text, and taken out of it, as spans of the text. Nothing is
// ever printed again, so that not one byte of other entries can change.
import type { Text } from '#contract/errors.ts'

/** Our server's entry for an engine; plain JSON. */
export type Entry = Readonly<Record<string, unknown>>

/** Text that is put in at an offset of the text before. */
export type Insertion = { readonly at: number; readonly text: string }

export type Range = { readonly from: number; readonly to: number }

/** Our server as it stands in a text. */
export type Found = {
  /** Where it begins. */
  readonly at: number
  readonly value: unknown
  /** Written more than once: which is ours is unclear. */
  readonly repeated: boolean
}

export interface Format {
  /** Throws Unusable for a text that is not of this format, or in which no server can be entered. */
  find(text: string): Found | undefined
  insert(text: string, entry: Entry): { insertions: Insertion[]; madeHolder: boolean }
  /** Ways to take the entry out, the best first. `withHolder`: also what holds the servers, when nothing else is in it. */
  cuts(text: string, withHolder: boolean): Range[][]
  /** Whether `after` says all that `before` says, but for our entry (and an empty holder). */
  saysTheRest(before: string, after: string): boolean
  /** It holds nothing. */
  isBare(text: string): boolean
  /** A whole new file. */
  fresh(entry: Entry): string
}

/** A text or file that is left as it is, and why. */
export class Unusable extends Error {
  override readonly name = 'Unusable'
  readonly text: Text
  /** From 1; undefined when it is not about a line. */
  readonly line: number | undefined

  constructor(text: Text, line?: number) {
    super(text.en)
    this.text = text
    this.line = line
  }
}

export function lineAt(text: string, offset: number): number {
  let line = 1
  for (let at = text.indexOf('\n'); at !== -1 && at < offset; at = text.indexOf('\n', at + 1)) line++
  return line
}

export function withInsertions(text: string, insertions: readonly Insertion[]): string {
  let result = ''
  let from = 0
  for (const { at, text: added } of insertions) {
    result += text.slice(from, at) + added
    from = at
  }
  return result + text.slice(from)
}

/** The same insertions as places in the text that has them. */
export function placesAfter(insertions: readonly Insertion[]): Insertion[] {
  let shift = 0
  return insertions.map(({ at, text }) => {
    const place = { at: at + shift, text }
    shift += text.length
    return place
  })
}

export function withoutRanges(text: string, ranges: readonly Range[]): string {
  let result = ''
  let from = 0
  for (const range of ranges.toSorted((a, b) => a.from - b.from)) {
    result += text.slice(from, Math.max(from, range.from))
    from = Math.max(from, range.to)
  }
  return result + text.slice(from)
}

/** As the text's first line ends. */
export function lineEndOf(text: string): string {
  const at = text.indexOf('\n')
  return at > 0 && text[at - 1] === '\r' ? '\r\n' : '\n'
}
