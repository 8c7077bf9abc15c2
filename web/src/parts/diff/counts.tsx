import { useOwnWords } from '../use-words.ts'
import { diffWords } from './words.ts'

/** Lines that were added and removed: +84 −12. */
export function Counts({ added, removed }: { added: number | undefined; removed: number | undefined }) {
  const words = useOwnWords(diffWords)
  if (added === undefined || removed === undefined) return null
  return (
    <span className="inline-flex shrink-0 gap-1.5 font-mono text-xs">
      <span className="text-matsu">
        +{added}
        <span className="sr-only"> {words.added}</span>
      </span>
      <span className="text-shu">
        −{removed}
        <span className="sr-only"> {words.removed}</span>
      </span>
    </span>
  )
}
