import type { Kind } from './names.ts'

/** One command, as the shells need it. */
export type Node = {
  /** Without the program's name; empty for the program itself. */
  readonly path: readonly string[]
  readonly about: string
  readonly children: readonly { name: string; about: string }[]
  readonly options: readonly Flag[]
  readonly arguments: readonly Values[]
}

export type Values = {
  readonly choices: readonly string[]
  readonly files: 'file' | 'folder' | undefined
  /** Names that the hub knows. */
  readonly names: Kind | undefined
  /** It may be given again and again. */
  readonly several: boolean
}
export type Flag = Values & {
  readonly flags: readonly string[]
  readonly about: string
  readonly hasValue: boolean
}

/** In single quotes, for all three shells (fish knows the backslash in them as well). */
export function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}

/** Prints such names one to a line; nothing when no hub runs. */
export function askNames(shell: string, kind: Kind | '$1'): string {
  return `toryo completion ${shell} --names ${kind} 2>/dev/null`
}
