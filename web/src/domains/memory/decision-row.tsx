import { Link } from 'wouter'
import type { DecisionView } from '#contract/memory.ts'
import { SafeText } from '../../parts/safe-text.tsx'
import { useOwnWords } from '../../parts/use-words.ts'
import { words as own } from './words.ts'

type Props = { decision: DecisionView; hrefOf: (path: string) => string; isCurrent?: boolean }

export function DecisionRow({ decision, hrefOf, isCurrent = false }: Props) {
  const words = useOwnWords(own)
  const isReplaced = decision.superseded_by !== undefined
  return (
    <li>
      <Link
        href={hrefOf(`/memory/decisions/${decision.id}`)}
        aria-current={isCurrent ? 'true' : undefined}
        className={`flex flex-col gap-0.5 rounded-lg border px-3.5 py-2.5 hover:bg-ai-wash ${isCurrent ? 'border-fuji bg-fuji-wash' : 'border-line bg-sheet'}`}
      >
        <span className={`line-clamp-any font-medium ${isReplaced ? 'text-soft line-through' : ''}`}>
          <span className="text-fuji">#{decision.id}</span> <SafeText text={decision.decision} />
        </span>
        <span className="line-clamp-any line-clamp-2 text-sm text-soft">
          <SafeText text={decision.reason} />
        </span>
        {decision.superseded_by !== undefined && (
          <span className="text-xs text-kohaku">{words.replacedBy(decision.superseded_by)}</span>
        )}
      </Link>
    </li>
  )
}
