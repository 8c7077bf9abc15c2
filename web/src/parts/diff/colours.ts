// Pure: which parts of a line are keywords, strings and so on. A grammar reads the lines of one side as one text, because a comment or a
// string may go over several of them.
import type { DiffLine } from './parse.ts'
import type { Row } from './rows.ts'

export const TONES = ['keyword', 'string', 'number', 'name', 'type', 'comment'] as const
export type Tone = (typeof TONES)[number]
/** From (included) to (not included), in the line's text. */
export type Coloured = readonly [from: number, to: number, tone: Tone]
/** As a grammar gives them: text without a meaning, or a part with its kind and what it is made of. */
export type Token = string | { type: string; content: Token | readonly Token[]; alias?: string | readonly string[] }
export type Tokenize = (text: string) => readonly Token[]

/** Lines above a block that are read, too, so that it is known what it stands in. */
const LEAD = 60
/** A minified file is not read by a person, and would take a grammar long. */
const MOST_SIGNS = 20_000

const KINDS: Record<string, Tone> = {
  ...{
    keyword: 'keyword',
    boolean: 'keyword',
    atrule: 'keyword',
    important: 'keyword',
    rule: 'keyword',
    tag: 'keyword',
  },
  ...{ string: 'string', char: 'string', regex: 'string', 'template-string': 'string', 'attr-value': 'string' },
  ...{
    'triple-quoted-string': 'string',
    'string-literal': 'string',
    url: 'string',
    code: 'string',
    'code-snippet': 'string',
  },
  ...{ number: 'number', constant: 'number', symbol: 'number', variable: 'number', unit: 'number' },
  ...{ function: 'name', 'function-definition': 'name', property: 'name', key: 'name', 'attr-name': 'name' },
  ...{ selector: 'name', macro: 'name', decorator: 'name', annotation: 'name', title: 'name', table: 'name' },
  ...{ 'class-name': 'type', builtin: 'type', namespace: 'type', 'maybe-class-name': 'type', directive: 'type' },
  ...{ comment: 'comment', prolog: 'comment', doctype: 'comment', cdata: 'comment', blockquote: 'comment' },
}

const known = new WeakMap<DiffLine, readonly Coloured[]>()
const NONE: readonly Coloured[] = []

/** Of a line that was coloured before. */
export const coloursOf = (line: DiffLine): readonly Coloured[] => known.get(line) ?? NONE

/** Colours `count` rows of a file from `from` on. Answers whether there was anything left to do. */
export function colour(all: readonly Row[], from: number, count: number, tokenize: Tokenize): boolean {
  const wanted = all.slice(from, from + count)
  if (wanted.every(row => linesOf(row).every(line => known.has(line)))) return false
  let start = from
  while (start > 0 && from - start < LEAD && all[start - 1]?.kind !== 'gap') start--
  const rows = all.slice(start, from + count)
  // A line that stayed is the same text on both sides; as it stands now is what people read.
  for (const side of ['old', 'now'] as const) {
    for (const part of partsOf(rows)) {
      const lines = part.flatMap(row => lineOn(row, side) ?? [])
      if (lines.reduce((sum, { text }) => sum + text.length, 0) <= MOST_SIGNS) read(lines, tokenize)
    }
  }
  for (const row of wanted) for (const line of linesOf(row)) if (!known.has(line)) known.set(line, NONE)
  return true
}

/** Between two gaps lines follow each other. */
function partsOf(rows: readonly Row[]): Row[][] {
  const parts: Row[][] = [[]]
  for (const row of rows) {
    if (row.kind === 'gap') parts.push([])
    else parts.at(-1)?.push(row)
  }
  return parts
}

function linesOf(row: Row): DiffLine[] {
  if (row.kind === 'gap') return []
  return row.kind === 'line' ? [row.line] : [row.left, row.right].filter(line => line !== undefined)
}

function lineOn(row: Row, side: 'old' | 'now'): DiffLine | undefined {
  return linesOf(row).find(line => line[side] !== null)
}

function read(lines: readonly DiffLine[], tokenize: Tokenize): void {
  const ranges: Coloured[][] = lines.map(() => [])
  let [line, column] = [0, 0]
  const walk = (token: Token, tone: Tone | undefined): void => {
    if (typeof token !== 'string') {
      const own = isPlain(token) ? undefined : (toneOf(token) ?? tone)
      const inside = Array.isArray(token.content) ? (token.content as readonly Token[]) : [token.content as Token]
      for (const one of inside) walk(one, own)
      return
    }
    for (const [index, part] of token.split('\n').entries()) {
      if (index > 0) [line, column] = [line + 1, 0]
      if (tone !== undefined && part.trim() !== '') ranges[line]?.push([column, column + part.length, tone])
      column += part.length
    }
  }
  for (const token of tokenize(lines.map(({ text }) => text).join('\n'))) walk(token, undefined)
  for (const [index, one] of lines.entries()) known.set(one, ranges[index] ?? NONE)
}

/** What a template puts in is code again, and signs have no colour. */
const PLAIN = new Set(['interpolation', 'punctuation', 'operator', 'interpolation-punctuation'])
const isPlain = ({ type }: Exclude<Token, string>) => PLAIN.has(type)

function toneOf({ type, alias }: Exclude<Token, string>): Tone | undefined {
  for (const name of [type, ...(typeof alias === 'string' ? [alias] : (alias ?? []))])
    if (Object.hasOwn(KINDS, name)) return KINDS[name]
  return undefined
}
