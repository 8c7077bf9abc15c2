// Which lines of a base a change touches: by these two changes of it are compared with each other.
import { textOf } from './path-text.ts'

/** From and to, both included, counted in the base. */
export type Lines = [from: number, to: number]

/** By path. */
export type Touched = ReadonlyMap<string, readonly Lines[]>

/** Of a file that is new, deleted or binary: all of it. */
const ALL: Lines = [0, Number.MAX_SAFE_INTEGER]

/** It is new, deleted or binary. */
export function isWhole(lines: readonly Lines[]): boolean {
  return lines[0] === ALL
}

/** The paths on which both touch a line, in the order of the first. An insertion touches the lines before and after it. */
export function sameLines(one: Touched, other: Touched): string[] {
  return [...one.keys()].filter(path => {
    const theirs = other.get(path) ?? []
    return one.get(path)?.some(([from, to]) => theirs.some(([start, end]) => from <= end && start <= to))
  })
}

/** `diff`: without lines around the changes, and each file under its own name. */
export function linesIn(diff: string): Map<string, Lines[]> {
  const found = new Map<string, Lines[]>()
  let lines: Lines[] = []
  let left = 0
  for (const line of diff.split('\n')) {
    if (left > 0 && /^[-+\\]/.test(line)) {
      if (line[0] !== '\\') left--
      continue
    }
    if (line.startsWith('diff --git ')) {
      const path = pathIn(line)
      lines = []
      if (path !== undefined) found.set(path, lines)
    } else if (/^(?:new file|deleted file|Binary files|GIT binary patch)/.test(line)) lines.splice(0, Infinity, ALL)
    else if (/^(?:old mode|new mode)/.test(line) && lines.length === 0) lines.push([0, 0])
    const [, at, count = '1', added = '1'] = /^@@ -(\d+)(?:,(\d+))? \+\d+(?:,(\d+))? @@/.exec(line) ?? []
    if (at === undefined) continue
    left = Number(count) + Number(added)
    if (lines[0] === ALL) continue
    // An insertion stands between two lines, and touches both.
    lines.push(count === '0' ? [Number(at), Number(at) + 1] : [Number(at), Number(at) + Number(count) - 1])
  }
  return found
}

/** Both names are the same. Git quotes those with signs that would be misread. */
function pathIn(line: string): string | undefined {
  const names = line.slice('diff --git '.length)
  if (names.startsWith('"')) return unquoted(names.slice(1, (names.length - 1) / 2 - 1)).slice(2)
  return names.slice(2, (names.length - 1) / 2)
}

const ESCAPES: Record<string, number> = { a: 7, b: 8, t: 9, n: 10, v: 11, f: 12, r: 13 }

function unquoted(text: string): string {
  const bytes: number[] = []
  for (const part of text.match(/\\x[0-9a-f]{2}|\\[0-7]{3}|\\.|[^\\]/gsu) ?? []) {
    if (/^\\x./.test(part)) bytes.push(Number.parseInt(part.slice(2), 16))
    else if (/^\\[0-7]/.test(part)) bytes.push(Number.parseInt(part.slice(1), 8))
    else if (part.startsWith('\\') && part.length > 1) bytes.push(ESCAPES[part[1] as string] ?? part.charCodeAt(1))
    else bytes.push(...Buffer.from(part))
  }
  return textOf(Buffer.from(bytes))
}
