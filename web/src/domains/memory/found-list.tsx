import { Fragment } from 'react'
import { Link } from 'wouter'
import type { ApiOutput } from '#contract/api.ts'
import { Since } from '../../parts/live-time.tsx'
import { SafeText } from '../../parts/safe-text.tsx'
import { useOwnWords } from '../../parts/use-words.ts'
import { marked, nearestTopic, type Topic, withoutTitle, wordsIn } from './model.ts'
import { words as own } from './words.ts'

type Hit = ApiOutput<'memory.recall'>['results'][number]

/** Where a hit can be looked at. Entries are read in their topic. */
function addressOf(hit: Hit): string {
  if (hit.kind === 'decision') return `/memory/decisions/${hit.id}`
  return `/memory/topics/${hit.kind === 'topic' ? hit.id : hit.topic_id}`
}

type Props = {
  answer: ApiOutput<'memory.recall'>
  query: string
  topics: readonly Topic[]
  hrefOf: (path: string) => string
  path: string
}

export function FoundList({ answer: { results, notice }, query, topics, hrefOf, path }: Props) {
  const words = useOwnWords(own)
  if (results.length === 0) return <Nothing query={query} near={nearestTopic(topics, query)} hrefOf={hrefOf} />
  return (
    <section aria-label={words.results} className="min-h-0 flex-1 overflow-y-auto">
      {notice !== undefined && <p className="px-4 py-2 text-sm text-kohaku">{notice}</p>}
      <ul className="flex flex-col divide-y divide-line">
        {results.map(hit => (
          <li key={`${hit.kind} ${hit.id}`}>
            <Link
              href={hrefOf(addressOf(hit))}
              data-hit={`${hit.kind}-${hit.id}`}
              aria-current={path === addressOf(hit) ? 'page' : undefined}
              className={`flex flex-col gap-0.5 px-4 py-2.5 outline-offset-[-2px] hover:bg-ai-wash ${path === addressOf(hit) ? 'bg-ai-wash' : ''}`}
            >
              <span className="flex items-baseline gap-2">
                <span className="min-w-0 flex-1 truncate font-medium">
                  {hit.kind === 'decision' && <span className="text-fuji">#{hit.id} </span>}
                  <Marked text={hit.title} query={query} />
                </span>
                <span className="shrink-0 text-xs text-soft">
                  {words.kinds[hit.kind]} · <Since at={hit.created_at} />
                </span>
              </span>
              <span className="line-clamp-any line-clamp-2 text-sm text-soft">
                <Marked text={withoutTitle(hit.snippet, hit.title)} query={query} />
              </span>
              {hit.superseded_by !== undefined && (
                <span className="text-xs text-kohaku">{words.replacedBy(hit.superseded_by)}</span>
              )}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** What was searched, word by word, and where it may be. */
function Nothing({ query, near, hrefOf }: { query: string; near: Topic | undefined } & Pick<Props, 'hrefOf'>) {
  const words = useOwnWords(own)
  return (
    <div className="flex flex-col gap-3 px-4 py-6" role="status">
      <p className="font-medium">{words.nothing}</p>
      <p className="flex flex-wrap items-baseline gap-1.5 text-sm text-soft">
        {words.searched}
        {wordsIn(query).map(word => (
          <span key={word} className="line-clamp-any rounded-md bg-sunk px-1.5 text-ink">
            <SafeText text={word} />
          </span>
        ))}
      </p>
      {near && (
        <p className="line-clamp-any" data-near={near.id}>
          <span className="text-soft">{words.near} </span>
          <Link href={hrefOf(`/memory/topics/${near.id}`)} className="text-ai underline underline-offset-2">
            <SafeText text={near.title} />
          </Link>
        </p>
      )}
      <p className="text-sm text-soft">{words.nothingHint}</p>
    </div>
  )
}

function Marked({ text, query }: { text: string; query: string }) {
  return marked(text, query).map((part, at) =>
    part.isHit ? (
      <mark key={at} className="rounded-[3px] bg-kohaku-wash text-ink">
        <SafeText text={part.text} />
      </mark>
    ) : (
      <Fragment key={at}>
        <SafeText text={part.text} />
      </Fragment>
    ),
  )
}
