// Where things stand in a JSON text, comments and trailing commas allowed: the outermost object and those directly in it, with
// the offsets of their members. What is deeper is only checked.
import { printParseErrorCode, visit } from 'jsonc-parser'
import { lineAt, type Range, Unusable } from './format.ts'

export type Member = {
  readonly name: string
  /** Of its name. */
  readonly start: number
  /** Behind its value. */
  end: number
  /** Of the comma behind it. */
  comma: number | undefined
  object: Outline | undefined
}

export type Outline = { readonly open: number; close: number; readonly members: Member[] }

/** The outermost object, and all comments of the text. */
export type Root = Outline & { readonly comments: readonly Range[] }

const DEEPEST = 2

/** Throws Unusable unless the text is one JSON object. */
export function outline(text: string): Root {
  // The parser takes a byte order mark for a mistake.
  const lead = text.startsWith('\uFEFF') ? 1 : 0
  const stack: (Outline | undefined)[] = []
  const comments: Range[] = []
  let root: Outline | undefined
  let problem: { code: number; offset: number } | undefined
  const ended = (offset: number) => {
    const member = stack.at(-1)?.members.at(-1)
    if (member) member.end = lead + offset
  }
  const open = (offset: number, isObject: boolean) => {
    const deep = stack.length >= DEEPEST || !isObject || (stack.length > 0 && stack.at(-1) === undefined)
    const object: Outline | undefined = deep ? undefined : { open: lead + offset, close: -1, members: [] }
    const member = stack.at(-1)?.members.at(-1)
    if (member && object) member.object = object
    if (stack.length === 0) root = object
    stack.push(object)
  }
  const close = (offset: number, length: number) => {
    const object = stack.pop()
    if (object) object.close = lead + offset
    ended(offset + length)
  }
  const visitor = {
    onObjectBegin: (offset: number) => open(offset, true),
    onObjectProperty: (name: string, offset: number) => {
      stack.at(-1)?.members.push({ name, start: lead + offset, end: -1, comma: undefined, object: undefined })
    },
    onObjectEnd: close,
    onArrayBegin: (offset: number) => open(offset, false),
    onArrayEnd: close,
    onLiteralValue: (_value: unknown, offset: number, length: number) => ended(offset + length),
    onSeparator: (character: string, offset: number) => {
      const member = stack.at(-1)?.members.at(-1)
      if (character === ',' && member) member.comma = lead + offset
    },
    onComment: (offset: number, length: number) =>
      void comments.push({ from: lead + offset, to: lead + offset + length }),
    onError: (code: number, offset: number) => void (problem ??= { code, offset }),
  }
  try {
    visit(lead === 0 ? text : text.slice(lead), visitor, { allowTrailingComma: true })
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause
    throw new Unusable({ en: 'it is nested too deeply', ja: '入れ子が深すぎます' })
  }
  if (problem) {
    const name = printParseErrorCode(problem.code)
    throw new Unusable(
      { en: `it is not valid JSON (${name})`, ja: `正しい JSON ではありません (${name})` },
      lineAt(text, lead + problem.offset),
    )
  }
  if (!root) throw new Unusable({ en: 'it holds no JSON object', ja: 'JSON オブジェクトではありません' }, 1)
  return { ...root, comments }
}
