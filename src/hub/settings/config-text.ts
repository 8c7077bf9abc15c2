// Pure: what a config.json says of each setting that the page may write, and the text with one of them changed.
import { isDeepStrictEqual } from 'node:util'
import { applyEdits, findNodeAtLocation, modify, type Node, parse, parseTree } from 'jsonc-parser'
import { Config, configSchema } from '#contract/config.ts'
import type { SettingView } from '#contract/settings.ts'
import { withoutRanges } from '#registration/format.ts'
import { cutsOf } from '#registration/json-format.ts'
import { outline, type Outline } from '#registration/json-outline.ts'

type Value = SettingView['value']
type Schema = {
  type?: string
  minimum?: number
  exclusiveMinimum?: number
  maximum?: number
  enum?: string[]
  properties?: Record<string, Schema>
}

const OPTIONS = { allowTrailingComma: true }

/** Numbers and choices. What names a program, an address or a role is for the file: a page must not be a way to run something. */
const GROUPS = ['limits', 'runner']
const SINGLE = ['name', 'tabs.permission', 'worktrees.setupMinutes']

const schema = configSchema() as Schema
const defaults = Config.parse({}) as unknown as Record<string, unknown>

export const SETTINGS: readonly string[] = [
  'name',
  ...GROUPS.flatMap(group => Object.keys(defaults[group] as object).map(key => `${group}.${key}`)),
  ...SINGLE.slice(1),
]

/** `current`: what holds now, which is not the text where that is broken. */
export function settingsIn(text: string, current: Config): SettingView[] {
  const tree = parseTree(text, [], OPTIONS)
  return SETTINGS.map(path => {
    const parts = path.split('.')
    const { type, minimum, exclusiveMinimum, maximum, enum: choices = [] } = schemaAt(parts)
    const node = tree && findNodeAtLocation(tree, parts)
    return {
      path,
      kind: choices.length > 0 ? 'choice' : type === 'integer' || type === 'number' ? type : 'text',
      value: valueAt(current, parts),
      default: valueAt(defaults, parts),
      line: node ? lineAt(text, node.offset) : null,
      min: minimum ?? exclusiveMinimum ?? null,
      max: maximum ?? null,
      choices,
    }
  })
}

/** What else the text sets, without its value. */
export function othersIn(text: string): { path: string; line: number }[] {
  const tree = parseTree(text, [], OPTIONS)
  if (tree?.type !== 'object') return []
  return (tree.children ?? []).flatMap(property => {
    const name = String(property.children?.[0]?.value ?? '')
    if (name === '$schema' || SETTINGS.includes(name)) return []
    const inside = (property.children?.[1]?.children ?? []).map(one => ({ one, path: `${name}.${keyOf(one)}` }))
    if (!SETTINGS.some(path => path.startsWith(`${name}.`)))
      return [{ path: name, line: lineAt(text, property.offset) }]
    return inside
      .filter(({ path }) => !SETTINGS.includes(path))
      .map(({ one, path }) => ({ path, line: lineAt(text, one.offset) }))
  })
}

const keyOf = (property: Node) => String(property.children?.[0]?.value ?? '')

/** Undefined where it cannot be done without changing anything else. `null` takes the setting out. */
export function edited(text: string, path: string, value: Value): string | undefined {
  const bom = text.startsWith('\uFEFF') ? '\uFEFF' : ''
  const before = text.slice(bom.length)
  const parts = path.split('.')
  const ways = value === null ? removed(before, parts) : [written(before, parts, value)]
  const after = ways.find(way => saysTheRest(before, way, parts) && valueAt(read(way), parts) === value)
  return after === undefined ? undefined : bom + after
}

function written(text: string, parts: string[], value: string | number): string {
  return applyEdits(text, modify(text, parts, value, { formattingOptions: styleOf(text) }))
}

/** The parser's own removal takes comments along that stand between two members. */
function removed(text: string, parts: readonly string[]): string[] {
  let object: Outline | undefined = outline(text)
  for (const part of parts.slice(0, -1)) object = object?.members.findLast(({ name }) => name === part)?.object
  const index = object?.members.findLastIndex(({ name }) => name === parts.at(-1)) ?? -1
  if (!object || index === -1) return []
  return cutsOf(text, object, index).map(ranges => withoutRanges(text, ranges))
}

function saysTheRest(before: string, after: string, parts: readonly string[]): boolean {
  return (
    isDeepStrictEqual(without(read(before), parts), without(read(after), parts)) &&
    isDeepStrictEqual(commentsIn(before), commentsIn(after))
  )
}

function read(text: string): Record<string, unknown> {
  return (parse(text, [], OPTIONS) as Record<string, unknown> | undefined) ?? {}
}

/** Whether the text itself says so; `null`: nothing at all, be it right or wrong. */
export function isSaid(text: string, path: string, value: Value): boolean {
  const said = at(parse(text.replace(/^\uFEFF/, ''), [], OPTIONS), path.split('.'))
  return value === null ? said === undefined : said === value
}

function schemaAt(parts: readonly string[]): Schema {
  return parts.reduce<Schema>((at, part) => at.properties?.[part] ?? {}, schema)
}

function valueAt(from: unknown, parts: readonly string[]): Value {
  const value = at(from, parts)
  return typeof value === 'string' || typeof value === 'number' ? value : null
}

function at(from: unknown, parts: readonly string[]): unknown {
  let inside = from
  for (const part of parts)
    inside = typeof inside === 'object' && inside !== null ? (inside as Record<string, unknown>)[part] : undefined
  return inside
}

/** An object that is empty now says as much as one that is missing. */
function without(from: Record<string, unknown>, [first = '', ...rest]: readonly string[]): Record<string, unknown> {
  const { [first]: own, ...others } = from
  if (rest.length === 0 || typeof own !== 'object' || own === null) return others
  const left = without(own as Record<string, unknown>, rest)
  return Object.keys(left).length === 0 ? others : { ...others, [first]: left }
}

function commentsIn(text: string): string[] {
  return outline(text).comments.map(({ from, to }) => text.slice(from, to))
}

/** As the file is written by its owner. */
function styleOf(text: string) {
  const indent = /\n([ \t]+)\S/.exec(text)?.[1] ?? '  '
  return { insertSpaces: !indent.startsWith('\t'), tabSize: indent.length, eol: text.includes('\r\n') ? '\r\n' : '\n' }
}

function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length
}
