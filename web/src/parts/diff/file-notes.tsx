import { Button } from '../button.tsx'
import type { FileDiff } from './parse.ts'
import type { DiffWords } from './words.ts'

type Props = { file: FileDiff; words: DiffWords; load?: ((path: string) => void) | undefined }

/** What the lines alone do not say of a file: no text, another mode, a pointer, an end that is missing. */
export function FileNotes({ file, words, load }: Props) {
  const { isBinary, isPointer, isCut, isMissing = false, modes, hunks, status, path } = file
  const said = [
    ...(modes ? [words.mode(...modes)] : []),
    ...(isBinary ? [words.binary] : []),
    ...(isPointer ? [words.pointer] : []),
    ...(isCut ? [words.cut] : []),
    ...(isMissing ? [words.missing] : []),
    ...(hunks.length === 0 && !isBinary && !modes && !isMissing
      ? [status === 'renamed' ? words.renamed : words.empty]
      : []),
  ]
  if (said.length === 0) return null
  return (
    <div className="flex flex-wrap items-center gap-2 border-b border-line bg-sheet px-3 py-2 text-sm text-soft">
      {said.join(' ')}
      {(isMissing || isCut) && load && (
        <Button small onClick={() => load(path)}>
          {words.load}
        </Button>
      )}
    </div>
  )
}
