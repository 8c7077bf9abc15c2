import { useMemo, useState } from 'react'
import type { FlaggedFile } from '#contract/thread.ts'
import { Counts } from '../../parts/diff/counts.tsx'
import { DiffRows } from '../../parts/diff/diff-rows.tsx'
import { sizeOf } from '../../parts/diff/diff-list.tsx'
import { FileNotes } from '../../parts/diff/file-notes.tsx'
import type { FileDiff } from '../../parts/diff/parse.ts'
import { pickedIn, rowsOf } from '../../parts/diff/rows.ts'
import { diffWords } from '../../parts/diff/words.ts'
import { Disclosure } from '../../parts/disclosure.tsx'
import { SafeText } from '../../parts/safe-text.tsx'
import { useOwnWords } from '../../parts/use-words.ts'
import { Change, Flag, OnFile } from './file-head.tsx'
import { LINES } from './model.ts'
import type { Work } from './use-work.tsx'
import { useReviewWords } from '../../parts/review-words.ts'

type Props = { work: Work; flagged: readonly FlaggedFile[] }

/** Each file opens its part of the diff, which is drawn only then. */
export function ChangedFiles({ work, flagged }: Props) {
  return (
    <ul className="flex flex-col divide-y divide-line overflow-hidden rounded-lg border border-line">
      {work.files.map(file => (
        <li key={file.path}>
          <File file={file} work={work} flag={flagged.find(({ path }) => path === file.path)?.why} />
        </li>
      ))}
    </ul>
  )
}

type FileProps = { file: FileDiff; work: Work; flag: FlaggedFile['why'] | undefined }

function File({ file, work, flag }: FileProps) {
  const { writing } = work.commenting
  const isWriting = writing?.place.path === file.path
  const [open, setOpen] = useState(isWriting)
  return (
    <details className="group/fold" open={open} onToggle={event => setOpen(event.currentTarget.open)}>
      <summary className="flex min-h-8 cursor-pointer flex-wrap items-center gap-x-3 px-3 py-1 text-sm hover:bg-ai-wash max-md:min-h-11">
        <span className="line-clamp-any min-w-0 flex-1 font-mono text-xs">
          <SafeText text={file.from === null ? file.path : `${file.from} → ${file.path}`} />
        </span>
        {flag && <Flag why={flag} />}
        <Change file={file} />
        {!file.isBinary && <Counts added={file.added} removed={file.removed} />}
        <Disclosure />
      </summary>
      {open && (
        <div className="border-t border-line">
          <OnFile path={file.path} work={work} isWriting={isWriting && writing.place.to === null} />
          <Lines file={file} work={work} />
        </div>
      )}
    </details>
  )
}

function Lines({ file, work }: { file: FileDiff; work: Work }) {
  const texts = useReviewWords()
  const own = useOwnWords(diffWords)
  const rows = useMemo(() => rowsOf(file, 'unified'), [file])
  const { digits, width } = sizeOf(file)
  return (
    <section aria-label={texts.diffOf(file.path)}>
      <FileNotes file={file} words={own} load={work.unfold} />
      <DiffRows
        {...{ path: file.path, file: 0, from: 0, rows: rows.slice(0, LINES), all: rows, wraps: true, digits, width }}
        query=""
        active={undefined}
        notesAt={work.notesAt}
        pick={(_, row) => work.commenting.start(pickedIn(file, rows, row, row))}
        unfold={work.unfold}
      />
      {rows.length > LINES && <p className="px-3 py-2 text-sm text-soft">{texts.cutLines(LINES)}</p>}
    </section>
  )
}
