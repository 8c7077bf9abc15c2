import { Check, ChevronRight } from 'lucide-react'
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react'
import { VList, type VListHandle } from 'virtua'
import { SafeText } from '../safe-text.tsx'
import { useOwnWords } from '../use-words.ts'
import { Counts } from './counts.tsx'
import type { FileDiff } from './parse.ts'
import { type TreeRow, treeRows } from './tree-rows.ts'
import { diffWords } from './words.ts'

type Props = {
  files: readonly FileDiff[]
  /** The file that is at the top of the list of lines. */
  top: number
  seen: ReadonlySet<string>
  show: (path: string) => void
  /** What else is to be known of a file. */
  marks: (path: string) => ReactNode
}

/** So many are drawn at once. Of more only those in sight are: a page with twenty thousand buttons does not answer any more. */
const MOST_DRAWN = 300

export function FileList(props: Props) {
  const [folded, setFolded] = useState<ReadonlySet<string>>(NONE)
  const rows = useMemo(() => treeRows(props.files, folded), [props.files, folded])
  const toggle = (folder: string) => {
    const next = new Set(folded)
    if (!next.delete(folder)) next.add(folder)
    setFolded(next)
  }
  const drawn = (row: TreeRow) =>
    row.kind === 'folder' ? (
      <Folder row={row} isFolded={folded.has(row.path)} toggle={() => toggle(row.path)} />
    ) : (
      <Row {...props} file={row.file} index={row.index} isBelow={row.folder !== ''} />
    )
  if (rows.length > MOST_DRAWN) return <LongList rows={rows} count={props.files.length} top={props.top} drawn={drawn} />
  return (
    <ul className="flex flex-col">
      {rows.map(row => (
        <li key={keyOf(row)}>{drawn(row)}</li>
      ))}
    </ul>
  )
}

const NONE: ReadonlySet<string> = new Set()
const keyOf = (row: TreeRow) => (row.kind === 'folder' ? `${row.path}/` : row.file.path)

type LongProps = { rows: readonly TreeRow[]; count: number; top: number; drawn: (row: TreeRow) => ReactNode }

function LongList({ rows, count, top, drawn }: LongProps) {
  const words = useOwnWords(diffWords)
  const list = useRef<VListHandle>(null)
  const at = rows.findIndex(row => row.kind === 'file' && row.index === top)
  useEffect(() => {
    if (at >= 0) list.current?.scrollToIndex(at, { align: 'nearest' })
  }, [at])
  return (
    <VList ref={list} className="!h-[70vh]" aria-label={words.fileList} data-files={count}>
      {rows.map(row => (
        <div key={keyOf(row)}>{drawn(row)}</div>
      ))}
    </VList>
  )
}

type FolderProps = { row: Extract<TreeRow, { kind: 'folder' }>; isFolded: boolean; toggle: () => void }

function Folder({ row: { path, count }, isFolded, toggle }: FolderProps) {
  return (
    <button
      type="button"
      aria-expanded={!isFolded}
      data-folder={path}
      className="flex min-h-7 w-full items-center gap-1 rounded-md px-1 pt-1 text-left text-xs text-soft hover:text-ink"
      onClick={toggle}
    >
      <ChevronRight size={12} aria-hidden="true" className={`shrink-0 ${isFolded ? '' : 'rotate-90'}`} />
      <span className="line-clamp-any min-w-0 flex-1 font-mono">
        <SafeText text={path} />
      </span>
      {isFolded && <span className="tabular-nums">{count}</span>}
    </button>
  )
}

type RowProps = Omit<Props, 'files'> & { file: FileDiff; index: number; isBelow: boolean }

function Row({ file: { path, added, removed, isBinary }, index, isBelow, top, seen, show, marks }: RowProps) {
  const words = useOwnWords(diffWords)
  const name = path.lastIndexOf('/') + 1
  return (
    <button
      type="button"
      aria-current={index === top ? 'true' : undefined}
      className={`flex min-h-8 w-full flex-wrap items-center gap-x-2 rounded-md py-1 pr-2 text-left text-sm hover:bg-ai-wash ${isBelow ? 'pl-5' : 'pl-2'} ${index === top ? 'bg-ai-wash' : ''}`}
      title={path}
      onClick={() => show(path)}
    >
      <span className={`line-clamp-any min-w-0 flex-1 font-mono text-xs ${seen.has(path) ? 'text-soft' : ''}`}>
        {/* The folder stands above; who hears the list gets the whole path. */}
        <span className="sr-only">
          <SafeText text={path.slice(0, name)} />
        </span>
        <SafeText text={path.slice(name)} />
      </span>
      {marks(path)}
      {!isBinary && <Counts added={added} removed={removed} />}
      {seen.has(path) && (
        <span className="text-matsu">
          <Check size={14} aria-hidden="true" />
          <span className="sr-only">{words.seen}</span>
        </span>
      )}
    </button>
  )
}
