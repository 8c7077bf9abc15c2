import { SafeText } from '../../parts/safe-text.tsx'
import { useOwnWords } from '../../parts/use-words.ts'
import { piecesOf } from './model.ts'
import { words as own } from './words.ts'

export const PROMPT_LOOK =
  'max-h-[60vh] overflow-auto rounded-lg border border-line bg-sheet px-4 py-3 font-mono text-xs leading-relaxed whitespace-pre-wrap [overflow-wrap:anywhere]'

/** A prompt as agents read it, with its places marked. */
export function PromptText({ text, label }: { text: string; label: string }) {
  return (
    <pre tabIndex={0} aria-label={label} className={PROMPT_LOOK}>
      {piecesOf(text).map((piece, at) =>
        piece.isPlace ? (
          <mark key={at} className="rounded-sm bg-kohaku-wash px-0.5 text-kohaku" data-place>
            <SafeText text={piece.text} />
          </mark>
        ) : (
          <SafeText key={at} text={piece.text} />
        ),
      )}
    </pre>
  )
}

/** What becomes of places, and what agents get besides the text. */
export function PromptNotes({ text }: { text: string }) {
  const words = useOwnWords(own)
  const places = [...new Set(piecesOf(text).flatMap(piece => (piece.isPlace ? [piece.text] : [])))]
  return (
    <div className="flex flex-col gap-1 text-sm text-soft" data-notes>
      {places.length > 0 && (
        <p className="line-clamp-any text-kohaku">
          <SafeText text={words.places(places.slice(0, 10).join(' '))} />
        </p>
      )}
      <p>{words.added}</p>
    </div>
  )
}
