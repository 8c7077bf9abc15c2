import { Link } from 'wouter'
import { SafeText } from '../../parts/safe-text.tsx'
import { Section } from '../../parts/section.tsx'
import { useOwnWords } from '../../parts/use-words.ts'
import { useRecall } from './queries.ts'
import { words as own } from './words.ts'

const MOST = 3
/** Longer ones are questions with a story before them; the hub takes no more than 2,000. */
const ASKED = 500

/** Decisions about what is asked, so that the same is not decided twice. Without any there is nothing to see. */
export function Fitting({ project, question }: { project: string; question: string }) {
  const words = useOwnWords(own)
  const found = useRecall(project, question.slice(-ASKED), ['decision']).data?.results ?? []
  const shown = found.filter(({ superseded_by }) => superseded_by === undefined).slice(0, MOST)
  if (shown.length === 0) return null
  return (
    <Section title={words.fitting}>
      <ul className="flex flex-col gap-1" data-fitting>
        {shown.map(({ id, title, snippet }) => (
          <li key={id} className="line-clamp-any line-clamp-2 text-sm">
            <Link href={`/memory/decisions/${id}?project=${encodeURIComponent(project)}`} className="hover:underline">
              <span className="text-fuji">#{id}</span> <SafeText text={title} />
            </Link>{' '}
            <span className="text-soft">
              <SafeText text={snippet} />
            </span>
          </li>
        ))}
      </ul>
    </Section>
  )
}
