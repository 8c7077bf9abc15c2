import { visible } from './escape.ts'
import type { Io } from './io.ts'

/** A diff for people. In a file or a pipe it is to be applied: there it stays the same bytes. */
export function diffText(diff: string, io: Io): string {
  if (io.width === undefined) return diff
  const { colors } = io
  return visible(diff)
    .split('\n')
    .map(whole => {
      // Git's own short form: two whole names of blobs are wider than most windows.
      const line = whole.replace(/^index ([0-9a-f]{7})[0-9a-f]+\.\.([0-9a-f]{7})[0-9a-f]+/, 'index $1..$2')
      if (/^(?:diff|index|---|\+\+\+|new file|deleted file|rename|similarity) ?/.test(line)) return colors.bold(line)
      if (line.startsWith('@@')) return colors.cyan(line)
      if (line.startsWith('+')) return colors.green(line)
      return line.startsWith('-') ? colors.red(line) : line
    })
    .join('\n')
}
