// Our server in a JSON file: a member of the object that holds the servers.
import { isDeepStrictEqual } from 'node:util'
import { parse } from 'jsonc-parser'
import { REGISTERED_NAME } from '#contract/limits.ts'
import { type Format, type Found, type Insertion, lineAt, lineEndOf, type Range, Unusable } from './format.ts'
import { type Member, outline, type Outline, type Root } from './json-outline.ts'

export function jsonFormat(holderName: string): Format {
  return {
    find(text): Found | undefined {
      const holder = holderIn(text, outline(text), holderName)
      const found = holder?.object.members.filter(({ name }) => name === REGISTERED_NAME) ?? []
      const last = found.at(-1)
      if (!last) return undefined
      return { at: last.start, value: valueOf(text, last), repeated: found.length > 1 }
    },
    insert(text, entry) {
      const root = outline(text)
      const holder = holderIn(text, root, holderName)
      const style = styleOf(text, root)
      const [into, name, value] = holder
        ? [holder.object, REGISTERED_NAME, entry]
        : [root, holderName, { [REGISTERED_NAME]: entry }]
      return { insertions: insertMember(text, into, name, value, style), madeHolder: holder === undefined }
    },
    cuts(text, withHolder) {
      const root = outline(text)
      const holder = holderIn(text, root, holderName)
      if (!holder) return []
      const index = holder.object.members.findIndex(({ name }) => name === REGISTERED_NAME)
      if (index === -1) return []
      const lonely = holder.object.members.length === 1
      return withHolder && lonely && isBlank(text, holder.object)
        ? cutsOf(text, root, root.members.indexOf(holder.member))
        : cutsOf(text, holder.object, index)
    },
    saysTheRest(before, after) {
      const [was, is] = [outline(before), outline(after)]
      const [held, holds] = [holderIn(before, was, holderName), holderIn(after, is, holderName)]
      const others = (object: Outline, not: string | undefined) =>
        object.members.filter(({ name }) => name !== not).map(({ name, start, end }) => [name, start, end] as const)
      const same = (a: ReturnType<typeof others>, b: ReturnType<typeof others>) =>
        a.length === b.length &&
        a.every(([name, start, end], at) => {
          const other = b[at]
          return (
            other !== undefined && name === other[0] && before.slice(start, end) === after.slice(other[1], other[2])
          )
        })
      const [servers, left] = [
        others(held?.object ?? EMPTY, REGISTERED_NAME),
        others(holds?.object ?? EMPTY, REGISTERED_NAME),
      ]
      return (
        same(others(was, holderName), others(is, holderName)) &&
        same(servers, left) &&
        isDeepStrictEqual(commentsIn(before, was, held), commentsIn(after, is, holds))
      )
    },
    isBare(text) {
      // Not even a comment.
      return /^\uFEFF?\s*\{\s*\}\s*$/.test(text)
    },
    fresh(entry) {
      return `${JSON.stringify({ [holderName]: { [REGISTERED_NAME]: entry } }, null, 2)}\n`
    },
  }
}

const EMPTY: Outline = { open: 0, close: 0, members: [] }

type Holder = { member: Member; object: Outline }

/** Of several with the same name programs read the last. */
function holderIn(text: string, root: Outline, name: string): Holder | undefined {
  const member = root.members.findLast(one => one.name === name)
  if (!member) return undefined
  if (member.object) return { member, object: member.object }
  throw new Unusable(
    { en: `its "${name}" is no object`, ja: `"${name}" がオブジェクトではありません` },
    lineAt(text, member.start),
  )
}

function valueOf(text: string, member: Member): unknown {
  // The parser reads a lone value only; a member it reads in braces.
  const object = parse(`{${text.slice(member.start, member.end)}}`) as Record<string, unknown>
  return object[member.name]
}

/** But for those inside of our entry. */
function commentsIn(text: string, { comments }: Root, holder: Holder | undefined): string[] {
  const own = holder?.object.members.filter(({ name }) => name === REGISTERED_NAME) ?? []
  const others = comments.filter(({ from }) => !own.some(({ start, end }) => from > start && from < end))
  return others.map(({ from, to }) => text.slice(from, to))
}

type Style = { unit: string; lineEnd: string; oneLine: boolean }

function styleOf(text: string, root: Outline): Style {
  // Only a member behind a line break is looked at: a long line of members would be read once for each of them.
  const breaksBefore = ({ start }: Member, index: number) => {
    const before = root.members[index - 1]
    return text.slice(before?.comma ?? before?.end ?? root.open, start).includes('\n')
  }
  const first = root.members.find((member, index) => breaksBefore(member, index) && isFirstOnLine(text, member.start))
  const unit = first ? indentAt(text, first.start) : ''
  const oneLine = !text.slice(root.open, root.close).includes('\n') && root.members.length > 0
  return { unit: unit === '' ? '  ' : unit, lineEnd: lineEndOf(text), oneLine }
}

function insertMember(text: string, into: Outline, name: string, value: unknown, style: Style): Insertion[] {
  const last = into.members.at(-1)
  if (!last) return [intoEmpty(text, into, name, value, style)]
  const afterLast = last.comma === undefined ? last.end : last.comma + 1
  const place = afterComments(text, afterLast)
  const ownLine = isFirstOnLine(text, last.start) || place.lineComment
  const member = ownLine
    ? style.lineEnd + indentAt(text, last.start) + printed(name, value, indentAt(text, last.start), style)
    : ` ${compact(name, value)}`
  if (last.comma !== undefined) return [{ at: place.at, text: member }]
  if (place.at === last.end) return [{ at: place.at, text: `,${member}` }]
  return [
    { at: last.end, text: ',' },
    { at: place.at, text: member },
  ]
}

function intoEmpty(text: string, into: Outline, name: string, value: unknown, style: Style): Insertion {
  const place = afterComments(text, into.open + 1)
  if (style.oneLine && !place.lineComment) return { at: place.at, text: compact(name, value) }
  const outer = indentAt(text, into.open)
  const closesBelow = text.slice(place.at, into.close).includes('\n')
  const member = style.lineEnd + outer + style.unit + printed(name, value, outer + style.unit, style)
  return { at: place.at, text: closesBelow ? member : member + style.lineEnd + outer }
}

/** As engines print it when they write the whole file again: then our bytes are still the same, and known as ours. */
function printed(name: string, value: unknown, indent: string, { unit, lineEnd }: Style): string {
  return `${JSON.stringify(name)}: ${JSON.stringify(value, null, unit).replaceAll('\n', lineEnd + indent)}`
}

/** In one line, with spaces where people put them. */
function compact(name: string, value: unknown): string {
  const lines = JSON.stringify(value, null, ' ').split('\n')
  return `${JSON.stringify(name)}: ${lines.map(line => line.trim()).join(' ')}`
}

/** Comments on the same line belong to what stands before them. */
function afterComments(text: string, from: number): { at: number; lineComment: boolean } {
  const comment = /[ \t]*(?:\/\*[^]*?\*\/|(\/\/[^\r\n]*))/y
  let at = from
  for (;;) {
    comment.lastIndex = at
    const found = comment.exec(text)
    if (!found) return { at, lineComment: false }
    at = comment.lastIndex
    if (found[1] !== undefined) return { at, lineComment: true }
  }
}

/** Ways to take a member out, the best first. */
export function cutsOf(text: string, object: Outline, index: number): Range[][] {
  const { members } = object
  const [before, own, after] = [members[index - 1], members[index] as Member, members[index + 1]]
  const self = { from: own.start, to: own.end }
  const comma = own.comma === undefined ? [] : [at(own.comma)]
  const led = { from: spaceBefore(text, own.start), to: own.end }
  if (after) {
    const through = { from: own.start, to: (own.comma ?? own.end) + 1 }
    return before
      ? [[{ from: led.from, to: through.to }], [through]]
      : [[{ from: through.from, to: spaceBehind(text, through.to) }], [through]]
  }
  const commaBefore = before?.comma === undefined || own.comma !== undefined ? [] : [at(before.comma)]
  if (before)
    return [
      [...commaBefore, led, ...comma],
      [...commaBefore, self, ...comma],
    ]
  const whole = isBlank(text, object) ? [[{ from: object.open + 1, to: object.close }]] : []
  return [...whole, [led, ...comma], [self, ...comma]]
}

/** But for its members there is nothing in it, not even a comment. */
function isBlank(text: string, { open, close, members }: Outline): boolean {
  let from = open + 1
  for (const { start, end, comma } of members) {
    if (text.slice(from, start).trim() !== '') return false
    from = comma === undefined ? end : comma + 1
    if (comma !== undefined && text.slice(end, comma).trim() !== '') return false
  }
  return text.slice(from, close).trim() === ''
}

function at(offset: number): Range {
  return { from: offset, to: offset + 1 }
}

function isFirstOnLine(text: string, offset: number): boolean {
  return text.slice(lineStart(text, offset), offset).trim() === ''
}

function indentAt(text: string, offset: number): string {
  return /^[ \t]*/.exec(text.slice(lineStart(text, offset), offset))?.[0] ?? ''
}

function lineStart(text: string, offset: number): number {
  const start = text.lastIndexOf('\n', offset - 1) + 1
  return start === 0 && text.startsWith('\uFEFF') ? 1 : start
}

function spaceBefore(text: string, offset: number): number {
  let from = offset
  while (from > 0 && /[ \t\r\n]/.test(text[from - 1] as string)) from--
  return from
}

function spaceBehind(text: string, offset: number): number {
  let to = offset
  while (to < text.length && /[ \t\r\n]/.test(text[to] as string)) to++
  return to
}
