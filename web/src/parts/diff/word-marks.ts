// Pure: which parts of a changed line are new in it.
import type { Coloured, Tone } from './colours.ts'
import type { DiffLine } from './parse.ts'

/** From (included) to (not included), in the line's text. */
export type Range = readonly [from: number, to: number]

/** Longer lines are compared by their beginning and end alone. */
const MOST_TOKENS = 160
/** Where more of a line is different, marks say nothing. */
const MOST_CHANGED = 0.7

const known = new WeakMap<DiffLine, readonly Range[]>()

/** In `line`, which took the place of `twin` or the other way round. */
export function wordMarks(line: DiffLine, twin: DiffLine | undefined): readonly Range[] {
  if (!twin) return []
  const before = known.get(line)
  if (before) return before
  const marks = marksOf(line.text, twin.text)
  known.set(line, marks)
  return marks
}

export function marksOf(text: string, other: string): Range[] {
  const [mine, theirs] = [tokensOf(text), tokensOf(other)]
  let start = 0
  while (start < mine.length && start < theirs.length && mine[start] === theirs[start]) start++
  let end = 0
  while (end < mine.length - start && end < theirs.length - start && mine.at(-1 - end) === theirs.at(-1 - end)) end++
  const middle = mine.slice(start, mine.length - end)
  const common = commonIn(middle, theirs.slice(start, theirs.length - end))
  const ranges: [number, number][] = []
  let at = mine.slice(0, start).join('').length
  for (const [index, token] of middle.entries()) {
    const last = ranges.at(-1)
    if (!common.has(index) && last?.[1] === at) last[1] += token.length
    else if (!common.has(index)) ranges.push([at, at + token.length])
    at += token.length
  }
  const changed = ranges.reduce((sum, [from, to]) => sum + to - from, 0)
  return changed > MOST_CHANGED * text.trim().length ? [] : ranges
}

function tokensOf(text: string): string[] {
  return text.match(/[\p{L}\p{N}_]+|\s+|[^]/gu) ?? []
}

/** The longest common subsequence, as indexes of `mine`. */
function commonIn(mine: readonly string[], theirs: readonly string[]): Set<number> {
  const found = new Set<number>()
  if (mine.length > MOST_TOKENS || theirs.length > MOST_TOKENS) return found
  const width = theirs.length + 1
  const lengths = new Uint16Array((mine.length + 1) * width)
  const at = (a: number, b: number) => lengths[a * width + b] ?? 0
  for (let a = mine.length - 1; a >= 0; a--)
    for (let b = theirs.length - 1; b >= 0; b--)
      lengths[a * width + b] = mine[a] === theirs[b] ? at(a + 1, b + 1) + 1 : Math.max(at(a + 1, b), at(a, b + 1))
  for (let a = 0, b = 0; a < mine.length && b < theirs.length; ) {
    if (mine[a] === theirs[b]) {
      found.add(a++)
      b++
    } else if (at(a + 1, b) >= at(a, b + 1)) a++
    else b++
  }
  return found
}

/** Where the words of a search stand. */
export function foundIn(text: string, wanted: string): Range[] {
  if (wanted === '') return []
  const [where, what] = [text.toLowerCase(), wanted.toLowerCase()]
  const ranges: Range[] = []
  for (let at = where.indexOf(what); at !== -1; at = where.indexOf(what, at + what.length))
    ranges.push([at, at + what.length])
  return ranges
}

export type Piece = { text: string; isNew: boolean; isFound: boolean; tone: Tone | undefined }

/** The text in pieces, each either inside or outside of every range. */
export function piecesOf(
  text: string,
  marks: readonly Range[],
  found: readonly Range[],
  colours: readonly Coloured[] = [],
): Piece[] {
  const ends = [...marks, ...found, ...colours].flatMap(([from, to]) => [from, to])
  const cuts = [...new Set([0, text.length, ...ends.filter(at => at < text.length)])].sort((a, b) => a - b)
  const inside = (ranges: readonly Range[], at: number) => ranges.some(([from, to]) => from <= at && at < to)
  return cuts.slice(0, -1).map((at, index) => ({
    text: text.slice(at, cuts[index + 1]),
    isNew: inside(marks, at),
    isFound: inside(found, at),
    tone: colours.find(([from, to]) => from <= at && at < to)?.[2],
  }))
}
