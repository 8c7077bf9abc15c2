// Reads values of which nothing is known. Programs change their output from version to version; what is not as expected is
// not there.
import { readFileSync } from 'node:fs'
import { looksSecret } from '#contract/secrets.ts'

export type Json = Readonly<Record<string, unknown>>

const EMPTY: Json = {}

export function object(value: unknown): Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : EMPTY
}

export function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

export function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

export function number(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined
}

/** A count that a program gives: null where it gives none. NaN for what is no number, which is refused with all that belongs to it. */
export function count(value: unknown): number | null {
  if (!isGiven(value)) return null
  return typeof value === 'number' ? value : Number.NaN
}

/** A count without what is a part of it. Null where one of them is: then the rest is unknown, too. */
export function without(whole: number | null, part: number | null): number | null {
  return whole === null || part === null ? null : whole - part
}

export function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null
}

const SAYING = ['command', 'file_path', 'filePath', 'path', 'pattern', 'query', 'url', 'description', 'prompt']
const BRIEF_CHARS = 300
const RESULT_CHARS = 2000

/** What says most of a tool's arguments, in one line; undefined where it has none. */
export function brief(input: unknown): string | undefined {
  const given = object(input)
  const named = SAYING.map(name => text(given[name])).find(value => value !== undefined)
  const said =
    named ??
    Object.values(given)
      .map(text)
      .find(value => value !== undefined && !looksSecret(value))
  return said?.slice(0, BRIEF_CHARS).replaceAll(/\s+/g, ' ').trim()
}

/** The text of a result: as it is, or in blocks as MCP has them. */
export function resultText(content: unknown): string {
  const blocks = list(content).map(block => text(object(block).text) ?? '')
  return (text(content) ?? blocks.join('\n')).slice(0, RESULT_CHARS)
}

/** Undefined when there is none, or one that the program whose file it is cannot read either. */
export function jsonFile(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return undefined
  }
}
