import { Button } from '../button.tsx'
import { notesOf } from './notes.ts'
import type { FileDiff } from './parse.ts'
import type { DiffWords } from './words.ts'

type Props = { file: FileDiff; words: DiffWords; load?: ((path: string) => void) | undefined }

/** What the lines alone do not say of a file: no text, another mode, a pointer, an end that is missing. */
export function FileNotes({ file, words, load }: Props) {
  const { isCut, isMissing = false, path } = file
  const said = notesOf(file, words)
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
