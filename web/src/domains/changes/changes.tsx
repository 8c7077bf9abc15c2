// Which worktrees differ from their base, and by how much; one of them opens its diff.
import { GitBranch, RefreshCw } from 'lucide-react'
import { useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { Link, useRoute, useSearch } from 'wouter'
import type { WorktreeView } from '#contract/worktrees.ts'
import { Bars } from '../../parts/bars.tsx'
import { Button } from '../../parts/button.tsx'
import { Counts } from '../../parts/diff/counts.tsx'
import { Empty } from '../../parts/empty.tsx'
import { Failure } from '../../parts/failure.tsx'
import { SafeText } from '../../parts/safe-text.tsx'
import { useProject } from '../../parts/use-project.ts'
import { useOwnWords } from '../../parts/use-words.ts'
import { Distance } from './distance.tsx'
import { keys } from './keys.ts'
import { type Overlap, othersOn, totalOf, withBranches } from './model.ts'
import { OverlapMatrix } from './overlap-matrix.tsx'
import { nearOf } from './near.ts'
import { NearStrip, OverlapStrip } from './overlap-strip.tsx'
import { useAllFiles, useFiles, useOverlaps, useWatched, useWorktrees } from './queries.ts'
import { WorktreeDiff } from './worktree-diff.tsx'
import { changesWords } from './words.ts'
import { decoded } from '../../parts/decoded.ts'

export function Changes() {
  const [, params] = useRoute('/changes/:worktree')
  const [project] = useProject()
  const found = useOverlaps(project).data
  const worktrees = useWorktrees(project).data
  const overlaps = useMemo(() => withBranches(found ?? [], worktrees ?? []), [found, worktrees])
  const chosen = params?.worktree
  if (chosen !== undefined) return <WorktreeDiff key={chosen} worktreeId={decoded(chosen)} overlaps={overlaps} />
  return <List project={project} overlaps={overlaps} />
}

function List({ project, overlaps }: { project: string | null; overlaps: readonly Overlap[] }) {
  const words = useOwnWords(changesWords)
  const queries = useQueryClient()
  const query = useSearch()
  const worktrees = useWorktrees(project)
  const all = worktrees.data ?? []
  const ids = all.map(({ worktree_id }) => worktree_id)
  useWatched(ids)
  const files = useAllFiles(ids)
  if (worktrees.isError && !worktrees.data)
    return <Failure error={worktrees.error} again={() => void worktrees.refetch()} />
  if (!worktrees.data) return <Bars count={4} height={56} />
  const isSame = (index: number) => files[index]?.data?.files.length === 0
  const same = all.filter((_, index) => isSame(index))
  if (same.length === all.length && overlaps.length === 0)
    return <Empty title={words.emptyTitle} hint={words.emptyHint} cli={words.emptyCli} />
  const changed = all.map((worktree, index) => ({ worktree, files: files[index]?.data?.files ?? [] }))
  const near = nearOf(changed, overlaps)
  return (
    <div className="h-full overflow-y-auto">
      <div className="mx-auto flex w-full max-w-5xl flex-col gap-6 px-8 py-6 max-md:px-4">
        <OverlapStrip overlaps={overlaps} query={query} />
        <NearStrip near={near} query={query} />
        <OverlapMatrix overlaps={overlaps} near={near} query={query} />
        <section aria-label={words.list} className="flex flex-col gap-2">
          <div className="flex items-center gap-2">
            <h2 className="min-w-0 flex-1 font-semibold">{words.list}</h2>
            <Button small onClick={() => void queries.invalidateQueries({ queryKey: keys.changes })}>
              <RefreshCw size={14} aria-hidden="true" /> {words.again}
            </Button>
          </div>
          <ul className="flex flex-col divide-y divide-line rounded-lg border border-line bg-sheet">
            {all
              .filter((_, index) => !isSame(index))
              .map(worktree => (
                <Row key={worktree.worktree_id} worktree={worktree} overlaps={overlaps} query={query} />
              ))}
          </ul>
        </section>
        {same.length > 0 && <p className="text-sm text-soft">{words.same(same.length)}</p>}
      </div>
    </div>
  )
}

type RowProps = { worktree: WorktreeView; overlaps: readonly Overlap[]; query: string }

function Row({ worktree, overlaps, query }: RowProps) {
  const words = useOwnWords(changesWords)
  const { worktree_id, branch, base } = worktree
  const files = useFiles(worktree_id)
  const others = new Set([...othersOn(overlaps, worktree_id).values()].flat())
  return (
    <li data-worktree={branch ?? worktree_id}>
      <Link
        href={`/changes/${worktree_id}${query === '' ? '' : `?${query}`}`}
        className="flex min-h-12 flex-wrap items-center gap-x-3 gap-y-0.5 px-4 py-2 hover:bg-ai-wash"
      >
        <span className="flex min-w-0 items-center gap-3 font-medium">
          <GitBranch size={16} aria-hidden="true" className="shrink-0 text-soft" />
          <span className="line-clamp-any min-w-0">
            <SafeText text={branch ?? words.detached} />
          </span>
        </span>
        <span className="line-clamp-any min-w-24 flex-1 text-sm text-soft">
          <SafeText text={words.against(base)} />
        </span>
        {others.size > 0 && <span className="text-sm text-kohaku">⚠ {words.also([...others].join(', '))}</span>}
        {files.data ? (
          <>
            <Distance {...files.data} />
            <span className="text-sm text-soft">
              {words.files(files.data.files.length)}
              {files.data.truncated && '+'}
            </span>
            <Counts {...totalOf(files.data.files)} />
          </>
        ) : (
          <span className="text-sm text-soft">{files.isError ? words.unread : words.reading}</span>
        )}
      </Link>
    </li>
  )
}
