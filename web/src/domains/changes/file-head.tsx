import { Check, ChevronDown, ChevronRight, TriangleAlert } from 'lucide-react'
import { Button } from '../../parts/button.tsx'
import { Counts } from '../../parts/diff/counts.tsx'
import type { FileDiff } from '../../parts/diff/parse.ts'
import { diffWords } from '../../parts/diff/words.ts'
import { SafeText } from '../../parts/safe-text.tsx'
import { useOwnWords } from '../../parts/use-words.ts'
import { changesWords } from './words.ts'
import { useReviewWords } from '../../parts/review-words.ts'

type Props = {
  file: FileDiff
  /** Who else changes it now. */
  others: readonly string[] | undefined
  isSeen: boolean
  toggle: (path: string) => void
}

export function FileHead({ file: { path, from, status, added, removed, isBinary }, others, isSeen, toggle }: Props) {
  const words = useOwnWords(changesWords)
  const own = useOwnWords(diffWords)
  const texts = useReviewWords()
  const Fold = isSeen ? ChevronRight : ChevronDown
  return (
    <div className="flex min-h-9 flex-wrap items-center gap-x-3 gap-y-1 border-y border-line bg-sunk px-3 py-1 text-sm">
      <Fold size={14} aria-hidden="true" className="shrink-0 text-soft" />
      <h3 className="line-clamp-any min-w-48 flex-1 font-mono text-xs font-medium">
        <SafeText text={from === null ? path : `${from} → ${path}`} />
      </h3>
      {others && (
        <span className="inline-flex items-center gap-1 text-kohaku">
          <TriangleAlert size={14} aria-hidden="true" /> {words.also(others.join(', '))}
        </span>
      )}
      {status !== 'modified' && <span className="text-soft">{texts.change[status]}</span>}
      {!isBinary && <Counts added={added} removed={removed} />}
      <Button
        small
        look="quiet"
        aria-pressed={isSeen}
        className={isSeen ? 'text-matsu' : ''}
        onClick={() => toggle(path)}
      >
        <Check size={14} aria-hidden="true" className={isSeen ? '' : 'opacity-30'} />
        {own.seen}
      </Button>
    </div>
  )
}
