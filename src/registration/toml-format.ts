// Our server in a TOML file: a table of its own at the end, or a member where the servers are an inline table.
import { isDeepStrictEqual } from 'node:util'
import { parse, TomlError, type TomlTable } from 'smol-toml'
import { REGISTERED_NAME } from '#contract/limits.ts'
import { type Entry, type Format, type Insertion, lineAt, lineEndOf, type Range, Unusable } from './format.ts'
import { inlineMembers, type Statement, statements, wholeLines } from './toml-outline.ts'

export function tomlFormat(holder: string): Format {
  return {
    find(text) {
      const table = read(text)
      const servers = serversIn(text, table, holder)
      if (!servers || !Object.hasOwn(servers, REGISTERED_NAME)) return undefined
      // TOML itself allows no name twice.
      return { at: placeOf(text, holder), value: plain(servers[REGISTERED_NAME]), repeated: false }
    },
    insert(text, entry) {
      const servers = serversIn(text, read(text), holder)
      const inline = inlineHolder(statements(text), text, holder)
      if (inline) return { insertions: [intoInline(text, inline.value, entry)], madeHolder: false }
      return {
        insertions: [{ at: text.length, text: atTheEnd(text, holder, entry) }],
        madeHolder: servers === undefined,
      }
    },
    cuts(text) {
      const all = statements(text)
      const inline = inlineHolder(all, text, holder)
      if (inline) return inlineCuts(text, inline.value)
      const ours = all.filter(({ path }) => path[0] === holder && path[1] === REGISTERED_NAME)
      return ours.length === 0 ? [] : [ours.map(statement => wholeLines(text, statement))]
    },
    saysTheRest(before, after) {
      return isDeepStrictEqual(withoutServer(read(before), holder), withoutServer(read(after), holder))
    },
    isBare: text => /^\uFEFF?\s*$/.test(text),
    fresh: entry => block(holder, entry, '\n'),
  }
}

function read(text: string): TomlTable {
  try {
    return parse(text, { integersAsBigInt: true })
  } catch (cause) {
    if (!(cause instanceof TomlError)) throw cause
    const [why = ''] = cause.message.replace(/^Invalid TOML document: /, '').split('\n')
    throw new Unusable({ en: `it is not valid TOML (${why})`, ja: `正しい TOML ではありません (${why})` }, cause.line)
  }
}

function serversIn(text: string, table: TomlTable, holder: string): TomlTable | undefined {
  if (!Object.hasOwn(table, holder)) return undefined
  const servers = table[holder]
  if (isTable(servers)) return servers
  const at = statements(text).find(({ path }) => path[0] === holder)?.start ?? 0
  throw new Unusable(
    { en: `its "${holder}" is not a table`, ja: `"${holder}" がテーブルではありません` },
    lineAt(text, at),
  )
}

function isTable(value: unknown): value is TomlTable {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date)
}

function inlineHolder(all: readonly Statement[], text: string, holder: string): Statement | undefined {
  return all.find(
    ({ kind, path, value }) => kind === 'pair' && path.length === 1 && path[0] === holder && text[value] === '{',
  )
}

function placeOf(text: string, holder: string): number {
  const all = statements(text)
  const inline = inlineHolder(all, text, holder)
  const own = inline
    ? inlineMembers(text, inline.value).members.find(({ path }) => path[0] === REGISTERED_NAME)
    : all.find(({ path }) => path[0] === holder && path[1] === REGISTERED_NAME)
  return own?.start ?? -1
}

function atTheEnd(text: string, holder: string, entry: Entry): string {
  const lineEnd = lineEndOf(text)
  const body = text.replace(/^\uFEFF/, '')
  const separated = body === '' || /(?:^|\n)[ \t]*\r?\n$/.test(body)
  const started = body === '' || body.endsWith('\n')
  return (started ? '' : lineEnd) + (separated ? '' : lineEnd) + block(holder, entry, lineEnd)
}

function block(holder: string, entry: Entry, lineEnd: string): string {
  const pairs = Object.entries(entry).map(([name, value]) => `${name} = ${printed(value)}`)
  return [`[${holder}.${REGISTERED_NAME}]`, ...pairs, ''].join(lineEnd)
}

function intoInline(text: string, open: number, entry: Entry): Insertion {
  const pairs = Object.entries(entry).map(([name, value]) => `${name} = ${printed(value)}`)
  const own = `${REGISTERED_NAME} = { ${pairs.join(', ')} }`
  const last = inlineMembers(text, open).members.at(-1)
  if (!last) return { at: open + 1, text: ` ${own}${text[open + 1] === '}' ? ' ' : ''}` }
  return last.comma === undefined ? { at: last.end, text: `, ${own}` } : { at: last.comma + 1, text: ` ${own},` }
}

function inlineCuts(text: string, open: number): Range[][] {
  const { members } = inlineMembers(text, open)
  const index = members.findIndex(({ path }) => path[0] === REGISTERED_NAME)
  const own = members[index]
  if (!own || members.filter(({ path }) => path[0] === REGISTERED_NAME).length > 1) return []
  const before = members[index - 1]
  if (before?.comma !== undefined) return [[{ from: before.comma, to: own.end }]]
  const to = own.comma === undefined ? own.end : own.comma + 1
  const blanks = /^[ \t]*/.exec(text.slice(to))?.[0].length ?? 0
  return [[{ from: own.start, to: to + blanks }], [{ from: own.start, to }]]
}

function printed(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(printed).join(', ')}]`
  // A JSON string is a basic TOML string, but for DEL, which TOML does not allow as it is.
  return JSON.stringify(value).replaceAll('\u007F', '\\u007F')
}

/** As JSON would have it, to be compared with an entry. */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value === 'bigint') return Number(value)
  if (!isTable(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, plain(one)]))
}

function withoutServer(table: TomlTable, holder: string): TomlTable {
  const { [holder]: servers, ...rest } = table
  if (!isTable(servers)) return servers === undefined ? rest : { ...table }
  const { [REGISTERED_NAME]: _, ...others } = servers
  return Object.keys(others).length === 0 ? rest : { ...rest, [holder]: others }
}
