// Where things stand in a TOML text that is known to be valid: its headers and its key/value pairs, with offsets. Values are
// skipped, not read; smol-toml reads them.
import { parse } from 'smol-toml'
import type { Range } from './format.ts'

export type Statement = {
  readonly kind: 'table' | 'array' | 'pair'
  /** Its whole name, the header above it included. */
  readonly path: readonly string[]
  /** Of its first character. */
  readonly start: number
  /** Behind its last. */
  readonly end: number
  /** Of a pair: where its value begins. */
  readonly value: number
}

export type Member = {
  readonly path: readonly string[]
  readonly start: number
  readonly end: number
  comma: number | undefined
}

export function statements(text: string): Statement[] {
  const found: Statement[] = []
  let table: readonly string[] = []
  for (let at = skipBlank(text, text.startsWith('\uFEFF') ? 1 : 0, true); at < text.length; ) {
    const start = at
    if (text[at] === '[') {
      const array = text[at + 1] === '['
      const key = readKey(text, skipBlank(text, at + (array ? 2 : 1), false))
      at = skipBlank(text, key.end, false) + (array ? 2 : 1)
      table = key.path
      found.push({ kind: array ? 'array' : 'table', path: table, start, end: at, value: at })
    } else {
      const key = readKey(text, at)
      const value = skipBlank(text, skipBlank(text, key.end, false) + 1, false)
      at = skipValue(text, value)
      found.push({ kind: 'pair', path: [...table, ...key.path], start, end: at, value })
    }
    at = skipBlank(text, at, true)
  }
  return found
}

/** What is in the inline table that begins at `open`, and where it ends. */
export function inlineMembers(text: string, open: number): { members: Member[]; close: number } {
  const members: Member[] = []
  let at = skipBlank(text, open + 1, true)
  while (text[at] !== '}' && at < text.length) {
    const key = readKey(text, at)
    const end = skipValue(text, skipBlank(text, skipBlank(text, key.end, false) + 1, true))
    const member: Member = { path: key.path, start: at, end, comma: undefined }
    members.push(member)
    at = skipBlank(text, end, true)
    if (text[at] !== ',') break
    member.comma = at
    at = skipBlank(text, at + 1, true)
  }
  return { members, close: at }
}

/** From the beginning of its line to the beginning of the next, with a comment that stands behind it. */
export function wholeLines(text: string, { start, end }: Pick<Statement, 'start' | 'end'>): Range {
  const from = text.lastIndexOf('\n', start - 1) + 1
  const next = text.indexOf('\n', end)
  return { from: from === 0 && text.startsWith('\uFEFF') ? 1 : from, to: next === -1 ? text.length : next + 1 }
}

const BARE = /[A-Za-z0-9_-]+/y

function readKey(text: string, from: number): { path: string[]; end: number } {
  const path: string[] = []
  let at = from
  for (;;) {
    const quote = text[at] === '"' || text[at] === "'"
    const end = quote ? skipString(text, at) : endOf(BARE, text, at)
    const raw = text.slice(at, end)
    // The library knows every escape there is.
    path.push(quote ? (Object.keys(parse(`${raw} = 0`))[0] ?? '') : raw)
    const dot = skipBlank(text, end, false)
    if (text[dot] !== '.') return { path, end }
    at = skipBlank(text, dot + 1, false)
  }
}

function skipValue(text: string, from: number): number {
  const first = text[from]
  if (first === '"' || first === "'") return skipString(text, from)
  if (first === '[' || first === '{') return skipBrackets(text, from)
  return endOf(/[^\s,\]}#]+(?: \d[^\s,\]}#]*)?/y, text, from)
}

/** A loop: nesting costs no stack. */
function skipBrackets(text: string, from: number): number {
  let depth = 0
  let at = from
  while (at < text.length) {
    const character = text[at] as string
    if (character === '"' || character === "'") at = skipString(text, at)
    else if (character === '#') at = endOfLine(text, at)
    else {
      if (character === '[' || character === '{') depth++
      if (character === ']' || character === '}') depth--
      at++
      if (depth === 0) return at
    }
  }
  return at
}

function skipString(text: string, from: number): number {
  const quote = text[from] as string
  const long = text.startsWith(quote.repeat(3), from)
  const close = long ? quote.repeat(3) : quote
  let at = from + close.length
  while (at < text.length && !text.startsWith(close, at)) at += quote === '"' && text[at] === '\\' ? 2 : 1
  at += close.length
  // Up to two quotes may stand right before the closing three.
  for (let more = 0; long && more < 2 && text[at] === quote; more++) at++
  return at
}

/** Spaces, and with `lines` also line ends and comments. Not with a regular expression: that runs out of stack in a large file. */
function skipBlank(text: string, from: number, lines: boolean): number {
  let at = from
  for (;;) {
    const character = text[at]
    if (character === ' ' || character === '\t' || (lines && (character === '\r' || character === '\n'))) at++
    else if (lines && character === '#') at = endOfLine(text, at)
    else return at
  }
}

function endOfLine(text: string, from: number): number {
  const end = text.indexOf('\n', from)
  return end === -1 ? text.length : end
}

function endOf(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from
  return pattern.test(text) ? pattern.lastIndex : from + 1
}
