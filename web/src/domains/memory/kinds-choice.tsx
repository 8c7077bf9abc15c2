import { useOwnWords } from '../../parts/use-words.ts'
import { type Kind, KINDS } from './model.ts'
import { words as own } from './words.ts'

type Props = { kinds: readonly Kind[]; change: (kinds: readonly Kind[]) => void }

/** What is searched. One is always left: a search for nothing finds nothing. */
export function KindsChoice({ kinds, change }: Props) {
  const words = useOwnWords(own)
  const toggle = (kind: Kind) =>
    change(KINDS.filter(one => (one === kind ? !kinds.includes(kind) : kinds.includes(one))))
  return (
    <fieldset className="flex flex-wrap gap-x-4 gap-y-1 text-sm">
      <legend className="sr-only">{words.kindsLabel}</legend>
      {KINDS.map(kind => (
        <label key={kind} className="inline-flex items-center gap-1.5 max-md:min-h-11">
          <input
            type="checkbox"
            className="accent-ai"
            checked={kinds.includes(kind)}
            disabled={kinds.length === 1 && kinds.includes(kind)}
            onChange={() => toggle(kind)}
          />
          {words.plural[kind]}
        </label>
      ))}
    </fieldset>
  )
}
