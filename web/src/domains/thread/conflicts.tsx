// Where work does not merge: what the base has there, and what the work has.
import { SafeText } from '../../parts/safe-text.tsx'
import { useOwnWords } from '../../parts/use-words.ts'
import type { Review } from './queries.ts'
import { threadWords } from './words.ts'

/** With the base as it is now: said before a verdict, since the queue can only send it back. */
export function Conflicts({ review, isNarrow = false }: { review: Review; isNarrow?: boolean }) {
  const words = useOwnWords(threadWords)
  const { merges_into: into, assignee_id: agent, handle, names } = review
  if (!into || into.conflicts.length === 0) return null
  const theirs = agent === null ? words.theirs : words.theirsBy(handle, names[agent] ?? agent)
  return (
    <section data-conflicts className="flex flex-col gap-3 rounded-lg border border-shu bg-shu-wash p-3">
      <h3 className="font-semibold">
        <SafeText text={words.notMerging(into.base)} />
      </h3>
      {into.conflicts.map(conflict => (
        <Sides key={conflict.path} {...{ conflict, theirs, isNarrow }} base={into.base} />
      ))}
    </section>
  )
}

type Props = {
  conflict: NonNullable<Review['merges_into']>['conflicts'][number]
  base: string
  theirs: string
  isNarrow?: boolean
}

export function Sides({ conflict, base, theirs, isNarrow = false }: Props) {
  const words = useOwnWords(threadWords)
  const sides = [
    { title: words.ours(base), text: conflict.ours },
    { title: theirs, text: conflict.theirs },
  ]
  return (
    <section className="flex flex-col gap-2">
      <h3 className="line-clamp-any font-mono text-sm">
        <SafeText text={words.conflict(conflict.path, conflict.kind)} />
      </h3>
      <div className={`grid gap-2 ${isNarrow ? '' : 'md:grid-cols-2'}`}>
        {sides.map(({ title, text }) => (
          <figure key={title} className="min-w-0">
            <figcaption className="text-sm text-soft">
              <SafeText text={title} />
            </figcaption>
            {text === undefined ? (
              <p className="text-sm text-soft">{words.noSide}</p>
            ) : (
              <pre
                tabIndex={0}
                aria-label={`${conflict.path}: ${title}`}
                className="max-h-72 overflow-auto rounded-lg border border-line bg-sunk px-3 py-2 font-mono text-xs"
              >
                <SafeText text={text} />
              </pre>
            )}
          </figure>
        ))}
      </div>
    </section>
  )
}
