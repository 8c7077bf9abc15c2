// The diff of one worktree against its base, as it lies there now: committed or not.
import { ArrowLeft, RefreshCw, TriangleAlert } from 'lucide-react'
import { useEffect, useMemo, useState } from 'react'
import { Link, useSearch } from 'wouter'
import { call } from '../../hub/call.ts'
import { Bars } from '../../parts/bars.tsx'
import { Button } from '../../parts/button.tsx'
import { type Command, useCommands } from '../../parts/command.ts'
import { Counts } from '../../parts/diff/counts.tsx'
import { DiffList } from '../../parts/diff/diff-list.tsx'
import { DiffTools } from '../../parts/diff/diff-tools.tsx'
import { useFileKeys } from '../../parts/diff/file-keys.ts'
import { FileList } from '../../parts/diff/file-list.tsx'
import { useQueryValue, useShape, useWrap } from '../../parts/diff/preferences.ts'
import type { Picked } from '../../parts/diff/rows.ts'
import { useDiff } from '../../parts/diff/use-diff.ts'
import { useSeen } from '../../parts/diff/use-seen.ts'
import { useWholeFiles } from '../../parts/diff/whole-files.ts'
import { Disclosure } from '../../parts/disclosure.tsx'
import { Failure } from '../../parts/failure.tsx'
import { useDesktop, useWide } from '../../parts/use-desktop.ts'
import { PlaceActs } from '../../parts/place-acts.tsx'
import { useOwnWords } from '../../parts/use-words.ts'
import { Distance } from './distance.tsx'
import { FileHead } from './file-head.tsx'
import { Ledger } from './ledger.tsx'
import { LineActs } from './line-acts.tsx'
import { type Overlap, othersOn, type Place, placesOf, quoted, totalOf } from './model.ts'
import { useAbout, useDiffText, useFiles, useLinesOfOthers, useWatched, useWorktree } from './queries.ts'
import { BasePick, FileSteps, WorktreeTitle } from './walk.tsx'
import { OverlapCount } from './overlap-strip.tsx'
import { changesWords } from './words.ts'

type Props = { worktreeId: string; overlaps: readonly Overlap[] }
type Files = NonNullable<ReturnType<typeof useFiles>['data']>['files']

const NO_FILES: Files = []

export function WorktreeDiff({ worktreeId, overlaps }: Props) {
  const words = useOwnWords(changesWords)
  const [base] = useQueryValue('base')
  const worktree = useWorktree(worktreeId)
  const listed = useFiles(worktreeId, base)
  const patch = useDiffText(worktreeId, base)
  useWatched([worktreeId])
  const failed = [worktree, listed, patch].find(({ isError, data }) => isError && !data)
  const again = () => {
    for (const one of [worktree, listed, patch]) void one.refetch()
  }
  const search = useSearch()
  const kept = new URLSearchParams(search).get('project')
  const files = listed.data?.files ?? NO_FILES
  return (
    <div className="flex h-full min-h-0 flex-col">
      <header className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b border-line px-4 py-2 text-sm max-md:px-3">
        <Link
          href={`/changes${kept === null ? '' : `?project=${encodeURIComponent(kept)}`}`}
          className="inline-flex items-center gap-1 text-soft hover:text-ink max-md:order-first max-md:min-h-11"
        >
          <ArrowLeft size={14} aria-hidden="true" /> {words.back}
        </Link>
        {worktree.data && <WorktreeTitle worktree={worktree.data} />}
        {worktree.data && <PlaceActs path={worktree.data.path} />}
        {worktree.data && <BasePick worktree={worktree.data} />}
        {listed.data && <Distance {...listed.data} />}
        {files.length > 0 && (
          <span className="inline-flex items-center gap-2 text-soft">
            {words.files(files.length)}
            {listed.data?.truncated && '+'} <Counts {...totalOf(files)} />
          </span>
        )}
        <OverlapCount overlaps={overlaps} worktreeId={worktreeId} project={kept} />
        <Button small look="quiet" className="ml-auto max-md:order-first" disabled={patch.isFetching} onClick={again}>
          <RefreshCw size={14} aria-hidden="true" /> {words.again}
        </Button>
      </header>
      {failed ? (
        <Failure error={failed.error} again={again} />
      ) : !listed.data || !patch.data ? (
        <Bars count={6} height={40} />
      ) : files.length === 0 ? (
        <p className="p-8 text-soft">{words.none}</p>
      ) : (
        <Lines
          worktreeId={worktreeId}
          listed={files}
          diff={patch.data.diff}
          base={base}
          at={patch.dataUpdatedAt}
          overlaps={overlaps}
        />
      )}
    </div>
  )
}

type LinesProps = Props & {
  listed: Files
  diff: string
  base: string | undefined
  /** When it was read. */
  at: number
}

function Lines({ worktreeId, listed, diff: text, base, at, overlaps }: LinesProps) {
  const words = useOwnWords(changesWords)
  const about = useAbout(worktreeId).data
  const [picked, setPicked] = useState<Picked>()
  const isDesktop = useDesktop()
  const isWide = useWide()
  const { files, unfold } = useWholeFiles(
    listed,
    text,
    async (path, context) =>
      (await call('worktree.diff', { worktree_id: worktreeId, path, context, ...(base !== undefined && { base }) }))
        .value,
  )
  // Of a file that has no room in the diff nothing says whether it changed since: a new look makes it unseen.
  const { seen, toggleSeen } = useSeen(worktreeId, files, String(at))
  const { shape, choose, switchShape } = useShape()
  const [wraps, wrap] = useWrap()
  const [file] = useQueryValue('file')
  const onPick = about && setPicked
  const diff = useDiff(files, { shape, folded: seen, switchShape, onPick })
  useFileKeys(files[diff.top]?.path, { toggleSeen, unfold })
  const { toFile, pickHere } = diff
  useLineKey(pickHere)
  useEffect(() => {
    if (file !== undefined) toFile(file)
  }, [file, toFile])
  const others = othersOn(overlaps, worktreeId)
  const elsewhere = useElsewhere(overlaps, worktreeId)
  const mark = (path: string) => {
    const who = others.get(path)
    return (
      who && (
        <span title={words.also(who.join(', '))} className="text-kohaku">
          <TriangleAlert size={14} aria-hidden="true" />
          <span className="sr-only">{words.also(who.join(', '))}</span>
        </span>
      )
    )
  }
  return (
    <div className="flex min-h-0 flex-1">
      {isDesktop && (
        <div className="w-72 shrink-0 overflow-y-auto border-r border-line p-2">
          <FileList files={files} top={diff.top} seen={seen} show={toFile} marks={mark} />
        </div>
      )}
      <div className="flex min-w-0 flex-1 flex-col">
        {!isWide && about && (
          <details className="group/fold border-b border-line px-3">
            <summary className="flex min-h-8 cursor-pointer items-center gap-1 text-sm text-soft max-md:min-h-11">
              <Disclosure /> {words.ledger} {about.decisions.length}
            </summary>
            <div className="max-h-60 overflow-y-auto pb-3">
              <Ledger about={about} elsewhere={elsewhere} show={toFile} />
            </div>
          </details>
        )}
        <div className="flex border-b border-line px-3 py-1.5 md:justify-end">
          <DiffTools diff={diff} shape={shape} choose={choose} wraps={wraps} wrap={wrap} />
        </div>
        <DiffList
          files={files}
          diff={diff}
          wraps={wraps}
          folded={seen}
          head={one => (
            <FileHead file={one} others={others.get(one.path)} isSeen={seen.has(one.path)} toggle={toggleSeen} />
          )}
          unfold={unfold}
        />
        {!isDesktop && <FileSteps files={files} top={diff.top} show={toFile} />}
      </div>
      {isWide && about && (
        <div className="w-64 shrink-0 overflow-y-auto border-l border-line p-3">
          <Ledger about={about} elsewhere={elsewhere} show={toFile} />
        </div>
      )}
      {picked && about && (
        <LineActs picked={picked} quote={quoted(files, picked)} about={about} close={() => setPicked(undefined)} />
      )}
    </div>
  )
}

/** Each file that others change, too, with their lines as soon as they are known. */
function useElsewhere(overlaps: readonly Overlap[], worktreeId: string): (Place & { lines: string })[] {
  const places = useMemo(() => placesOf(overlaps, worktreeId), [overlaps, worktreeId])
  const lines = useLinesOfOthers(places)
  return places.map((place, at) => ({ ...place, lines: lines[at]?.data ?? '' }))
}

/** `.` on the lines under the cursor. */
function useLineKey(pickHere: () => boolean): void {
  const commands = useMemo(
    (): Command[] => [
      { id: 'changes.line', title: w => changesWords[w.code].line, keys: ['.'], run: () => void pickHere() },
    ],
    [pickHere],
  )
  useCommands(commands)
}
