// Reads values of which nothing is known. Programs change their output from version to version; what is not as expected is
// not there.
import { readFileSync } from 'node:fs'

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

/** Undefined when there is none, or one that the program whose file it is cannot read either. */
export function jsonFile(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return undefined
  }
}
