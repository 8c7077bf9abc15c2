/** One command, as the shells need it. */
export type Node = {
  /** Without the program's name; empty for the program itself. */
  readonly path: readonly string[]
  readonly about: string
  readonly children: readonly { name: string; about: string }[]
  readonly options: readonly Flag[]
  readonly arguments: readonly Values[]
}

export type Values = { readonly choices: readonly string[]; readonly files: 'file' | 'folder' | undefined }
export type Flag = Values & {
  readonly names: readonly string[]
  readonly about: string
  readonly hasValue: boolean
}

/** In single quotes, for all three shells (fish knows the backslash in them as well). */
export function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
