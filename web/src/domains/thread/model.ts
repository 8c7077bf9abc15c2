// Pure: a diff in parts, one for each file.

/** So many lines of one file are drawn. */
export const LINES = 2000

/** Each part begins at its first hunk; `names` is what stands above it. */
export type DiffPart = { names: string; text: string }

export function splitDiff(diff: string): DiffPart[] {
  return diff
    .split(/^(?=diff --git )/m)
    .filter(part => part.startsWith('diff --git '))
    .map(part => {
      const hunk = part.search(/^@@/m)
      return hunk === -1 ? { names: part, text: '' } : { names: part.slice(0, hunk), text: part.slice(hunk).trimEnd() }
    })
}

/** The part that is about this path; undefined where git shows no lines: a binary file, or one that was only renamed. */
export function diffOf(parts: readonly DiffPart[], path: string): string | undefined {
  const lines = [`+++ b/${path}`, `--- a/${path}`, `+++ "b/${path}"`]
  const part = parts.find(({ names }) => names.split('\n').some(line => lines.includes(line.trimEnd())))
  return part && part.text !== '' ? part.text : undefined
}
