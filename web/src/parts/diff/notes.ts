// Pure: what the lines alone do not say of a file.
import type { FileDiff } from './parse.ts'
import type { DiffWords } from './words.ts'

export function notesOf(file: FileDiff, words: DiffWords): string[] {
  const { isBinary, isPointer, isCut, isMissing = false, modes, mode, hunks, status } = file
  const kind = kindOf(mode)
  return [
    ...(modes ? [modeNote(modes, words)] : []),
    ...(kind === 'file' ? [] : [words.is[kind]]),
    ...(isBinary ? [words.binary] : []),
    ...(isPointer ? [words.pointer] : []),
    ...(isCut ? [words.cut] : []),
    ...(isMissing ? [words.missing] : []),
    ...(hunks.length === 0 && !isBinary && !modes && !isMissing
      ? [status === 'renamed' ? words.renamed : words.empty]
      : []),
  ]
}

function modeNote([old, now]: readonly [string, string], words: DiffWords): string {
  // The first three digits are the type, the others who may do what.
  if (old.slice(0, 3) === now.slice(0, 3)) return words.mode(old, now)
  return words.typeChanged(words.kind[kindOf(old)], words.kind[kindOf(now)])
}

type Kind = keyof DiffWords['kind']

/** As git writes modes. */
function kindOf(mode: string | null): Kind {
  if (mode === '120000') return 'symlink'
  if (mode === '160000') return 'submodule'
  return mode === '100755' ? 'executable' : 'file'
}
