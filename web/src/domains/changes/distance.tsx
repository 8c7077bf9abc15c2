import { useOwnWords } from '../../parts/use-words.ts'
import { changesWords } from './words.ts'

type Props = { ahead?: number | undefined; behind?: number | undefined }

/** As git's own prompts have it: ↑ its commits, ↓ those of the base that it lacks. Nothing where there are none. */
export function Distance({ ahead = 0, behind = 0 }: Props) {
  const words = useOwnWords(changesWords)
  const said = [
    ...(ahead > 0 ? [{ sign: '↑', n: ahead, text: words.ahead(ahead) }] : []),
    ...(behind > 0 ? [{ sign: '↓', n: behind, text: words.behind(behind) }] : []),
  ]
  if (said.length === 0) return null
  return (
    <span data-distance className="inline-flex gap-2 text-sm text-soft tabular-nums">
      {said.map(({ sign, n, text }) => (
        <span key={sign} title={text}>
          <span aria-hidden="true">
            {sign}
            {n}
          </span>
          <span className="sr-only">{text}</span>
        </span>
      ))}
    </span>
  )
}
