import { Check, ChevronDown, ChevronRight, MessageSquarePlus, TriangleAlert } from 'lucide-react'
import type { FlaggedFile } from '#contract/thread.ts'
import { Button } from '../../parts/button.tsx'
import { Counts } from '../../parts/diff/counts.tsx'
import type { FileDiff } from '../../parts/diff/parse.ts'
import { SafeText } from '../../parts/safe-text.tsx'
import { useOwnWords, useWords } from '../../parts/use-words.ts'
import { CommentField, Comments } from './comments.tsx'
import type { Work } from './use-work.tsx'
import { threadWords } from './words.ts'

type Props = { file: FileDiff; work: Work; flag: FlaggedFile['why'] | undefined }

/** Above the lines of a file. A file that was seen is folded. */
export function FileHead({ file, work, flag }: Props) {
  const words = useOwnWords(threadWords)
  const { path, from } = file
  const isSeen = work.seen.has(path)
  const { writing, start } = work.commenting
  const Fold = isSeen ? ChevronRight : ChevronDown
  return (
    <div className="border-y border-line bg-sunk">
      <div className="flex min-h-9 flex-wrap items-center gap-x-3 gap-y-1 px-3 py-1 text-sm">
        <Fold size={14} aria-hidden="true" className="shrink-0 text-soft" />
        <h3 className="line-clamp-any min-w-48 flex-1 font-mono text-xs font-medium">
          <SafeText text={from === null ? path : `${from} → ${path}`} />
        </h3>
        {flag && <Flag why={flag} />}
        <Change file={file} />
        {!file.isBinary && <Counts added={file.added} removed={file.removed} />}
        <Button
          small
          look="quiet"
          className="!px-1.5"
          aria-label={`${words.commentFile}: ${path}`}
          title={words.commentFile}
          onClick={() => start({ path, from: null, to: null })}
        >
          <MessageSquarePlus size={14} aria-hidden="true" />
        </Button>
        <Button
          small
          look="quiet"
          aria-pressed={isSeen}
          className={isSeen ? 'text-matsu' : ''}
          onClick={() => work.toggleSeen(path)}
        >
          <Check size={14} aria-hidden="true" className={isSeen ? '' : 'opacity-30'} />
          {words.seen}
        </Button>
      </div>
      <OnFile path={path} work={work} isWriting={writing?.place.path === path && writing.place.to === null} />
    </div>
  )
}

/** Comments that no line of this diff stands for. */
export function OnFile({ path, work, isWriting }: { path: string; work: Work; isWriting: boolean }) {
  const own = work.placed.onFiles.get(path)
  if (!own && !isWriting) return null
  return (
    <div className="flex flex-col gap-2 border-t border-line bg-ground px-3 py-2">
      {own && <Comments comments={own} commenting={work.commenting} names={work.names} />}
      {isWriting && <CommentField commenting={work.commenting} />}
    </div>
  )
}

/** `isShort`: where there is no room for the word. */
export function Flag({ why, isShort = false }: { why: FlaggedFile['why']; isShort?: boolean }) {
  const words = useWords()
  const text = words.review.flag[why]
  return (
    <span title={isShort ? text : undefined} className="inline-flex shrink-0 items-center gap-1 text-sm text-kohaku">
      <TriangleAlert size={14} aria-hidden="true" />
      <span className={isShort ? 'sr-only' : ''}>{text}</span>
    </span>
  )
}

export function Change({ file }: { file: Pick<FileDiff, 'status'> }) {
  const words = useWords()
  if (file.status === 'modified') return null
  return <span className="shrink-0 text-sm text-soft">{words.review.change[file.status]}</span>
}
