import { Check } from 'lucide-react'
import { type ReactNode, useEffect, useRef } from 'react'
import { VList, type VListHandle } from 'virtua'
import { SafeText } from '../safe-text.tsx'
import { useOwnWords } from '../use-words.ts'
import { Counts } from './counts.tsx'
import type { FileDiff } from './parse.ts'
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
  if (props.files.length > MOST_DRAWN) return <LongList {...props} />
  return (
    <ul className="flex flex-col">
      {props.files.map((file, index) => (
        <li key={file.path}>
          <Row {...props} file={file} index={index} />
        </li>
      ))}
    </ul>
  )
}

function LongList(props: Props) {
  const words = useOwnWords(diffWords)
  const list = useRef<VListHandle>(null)
  useEffect(() => list.current?.scrollToIndex(props.top, { align: 'nearest' }), [props.top])
  return (
    <VList ref={list} className="!h-[70vh]" aria-label={words.fileList} data-files={props.files.length}>
      {props.files.map((file, index) => (
        <Row key={file.path} {...props} file={file} index={index} />
      ))}
    </VList>
  )
}

type RowProps = Omit<Props, 'files'> & { file: FileDiff; index: number }

function Row({ file: { path, added, removed, isBinary }, index, top, seen, show, marks }: RowProps) {
  const words = useOwnWords(diffWords)
  return (
    <button
      type="button"
      aria-current={index === top ? 'true' : undefined}
      className={`flex min-h-8 w-full flex-wrap items-center gap-x-2 rounded-md px-2 py-1 text-left text-sm hover:bg-ai-wash ${index === top ? 'bg-ai-wash' : ''}`}
      onClick={() => show(path)}
    >
      <span className={`line-clamp-any min-w-0 flex-1 font-mono text-xs ${seen.has(path) ? 'text-soft' : ''}`}>
        <SafeText text={path} />
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
