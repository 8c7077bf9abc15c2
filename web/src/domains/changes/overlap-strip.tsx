import { Files, Split, TriangleAlert } from 'lucide-react'
import { Link } from 'wouter'
import { Since } from '../../parts/live-time.tsx'
import { SafeText } from '../../parts/safe-text.tsx'
import { useOwnWords } from '../../parts/use-words.ts'
import { type Between, nameOf, type Overlap, pairsOf } from './model.ts'
import type { Near } from './near.ts'
import { changesWords } from './words.ts'

/** Those who work on the same lines now, before a merge says so. */
export function OverlapStrip({ overlaps, query }: { overlaps: readonly Overlap[]; query: string }) {
  const words = useOwnWords(changesWords)
  const pairs = pairsOf(overlaps)
  if (pairs.length === 0) return null
  return (
    <section aria-label={words.overlapsTitle} className="flex flex-col gap-2">
      <h2 className="flex items-center gap-2 font-semibold">
        <TriangleAlert size={16} aria-hidden="true" className="text-kohaku" /> {words.overlaps(pairs.length)}
      </h2>
      <ul className="flex flex-col divide-y divide-kohaku/30 rounded-lg border border-kohaku bg-kohaku-wash text-sm">
        {pairs.map(pair => {
          const { a, b, kind, since } = pair
          const Icon = kind === 'conflict' ? TriangleAlert : Split
          return (
            <li
              key={`${a.worktree_id} ${b.worktree_id} ${kind}`}
              data-overlap={kind}
              className="flex flex-wrap items-center gap-x-2 gap-y-1 px-3 py-2"
            >
              <Icon size={14} aria-hidden="true" className={kind === 'conflict' ? 'text-shu' : 'text-kohaku'} />
              <Pair pair={pair} query={query} />
              <Since at={since} />
            </li>
          )
        })}
      </ul>
    </section>
  )
}

/** Beside one worktree: how many others it meets, and the way to all of them. */
export function OverlapCount(props: { overlaps: readonly Overlap[]; worktreeId: string; project: string | null }) {
  const words = useOwnWords(changesWords)
  const { overlaps, worktreeId, project } = props
  const own = pairsOf(overlaps).filter(({ a, b }) => a.worktree_id === worktreeId || b.worktree_id === worktreeId)
  if (own.length === 0) return null
  return (
    <Link
      href={`/changes${project === null ? '' : `?project=${encodeURIComponent(project)}`}`}
      data-overlap-count
      className="inline-flex items-center gap-1 text-kohaku underline-offset-2 hover:underline max-md:min-h-11"
    >
      <TriangleAlert size={14} aria-hidden="true" /> {words.overlaps(own.length)}
    </Link>
  )
}

/** Of more a person reads none. */
const SHOWN = 20

/** Those on the same files, without the same lines: good to know before they meet, and nothing to do. */
export function NearStrip({ near, query }: { near: readonly Near[]; query: string }) {
  const words = useOwnWords(changesWords)
  if (near.length === 0) return null
  return (
    <section aria-label={words.nearTitle} className="flex flex-col gap-2">
      <h2 className="flex items-center gap-2 font-semibold">
        <Files size={16} aria-hidden="true" className="text-soft" /> {words.near(near.length)}
      </h2>
      <ul className="flex flex-col divide-y divide-line rounded-lg border border-line bg-sheet text-sm">
        {near.slice(0, SHOWN).map(pair => (
          <li
            key={`${pair.a.worktree_id} ${pair.b.worktree_id}`}
            data-near={pair.kind}
            className="flex flex-wrap items-center gap-x-2 gap-y-1 px-3 py-2"
          >
            <Pair pair={pair} query={query} />
          </li>
        ))}
        {near.length > SHOWN && <li className="px-3 py-2 text-soft">{words.nearMore(near.length - SHOWN)}</li>}
      </ul>
    </section>
  )
}

/** Who, what between them, and where. */
function Pair({ pair: { a, b, kind, files }, query }: { pair: Between; query: string }) {
  const words = useOwnWords(changesWords)
  return (
    <>
      <SideLink side={a} file={files[0]} query={query} />
      <span aria-hidden="true">×</span>
      <SideLink side={b} file={files[0]} query={query} />
      <span>{words.kind[kind]}</span>
      <span className="line-clamp-any min-w-40 flex-1 font-mono text-xs">
        <SafeText text={files.join(', ')} />
      </span>
    </>
  )
}

function SideLink({ side, file, query }: { side: Overlap['a']; file: string | undefined; query: string }) {
  const search = new URLSearchParams(query)
  if (file !== undefined) search.set('file', file)
  return (
    <Link
      href={`/changes/${side.worktree_id}?${search}`}
      className="font-medium text-ai underline-offset-2 hover:underline"
    >
      <SafeText text={nameOf(side)} />
    </Link>
  )
}
