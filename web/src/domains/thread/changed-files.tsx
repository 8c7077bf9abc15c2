import { TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import type { FlaggedFile } from '#contract/thread.ts'
import { Disclosure } from '../../parts/disclosure.tsx'
import { SafeText } from '../../parts/safe-text.tsx'
import { useWords } from '../../parts/use-words.ts'
import type { Review } from './queries.ts'
import { diffOf, LINES, splitDiff } from './model.ts'

type Props = { files: Review['files']; diff: string; flagged: readonly FlaggedFile[] }

/** Each file opens its part of the diff, which is drawn only then. */
export function ChangedFiles({ files, diff, flagged }: Props) {
  const parts = splitDiff(diff)
  return (
    <ul className="flex flex-col divide-y divide-line rounded-lg border border-line">
      {files.map(file => (
        <li key={file.path}>
          <File
            file={file}
            text={diffOf(parts, file.path)}
            flag={flagged.find(({ path }) => path === file.path)?.why}
          />
        </li>
      ))}
    </ul>
  )
}

type FileProps = { file: Review['files'][number]; text: string | undefined; flag: FlaggedFile['why'] | undefined }

function File({ file, text, flag }: FileProps) {
  const words = useWords()
  const [open, setOpen] = useState(false)
  const line = (
    <>
      <span className="line-clamp-any min-w-0 flex-1 font-mono">
        <SafeText text={file.from === undefined ? file.path : `${file.from} → ${file.path}`} />
      </span>
      {flag && (
        <span className="inline-flex items-center gap-1 text-kohaku">
          <TriangleAlert size={14} aria-hidden="true" />
          {words.review.flag[flag]}
        </span>
      )}
      <span className="text-soft">{words.review.change[file.status]}</span>
    </>
  )
  const look = 'flex min-h-8 flex-wrap items-center gap-x-3 px-3 py-1 text-sm max-md:min-h-11'
  if (text === undefined) return <p className={look}>{line}</p>
  return (
    <details className="group/fold" onToggle={event => setOpen(event.currentTarget.open)}>
      <summary className={`${look} cursor-pointer hover:bg-ai-wash`}>
        {line}
        <Disclosure />
      </summary>
      {open && <Diff text={text} label={file.path} />}
    </details>
  )
}

const TONES: Record<string, string> = { '+': 'bg-matsu-wash', '-': 'bg-shu-wash', '@': 'text-soft' }

function Diff({ text, label }: { text: string; label: string }) {
  const words = useWords()
  const lines = text.split('\n')
  return (
    <>
      <pre
        tabIndex={0}
        aria-label={words.review.diffOf(label)}
        className="overflow-x-auto border-t border-line bg-sunk py-1 font-mono text-xs leading-5"
      >
        <code className="block w-max min-w-full">
          {lines.slice(0, LINES).map((line, index) => (
            <span key={index} className={`block px-3 ${TONES[line.charAt(0)] ?? ''}`}>
              <SafeText text={line === '' ? ' ' : line} />
            </span>
          ))}
        </code>
      </pre>
      {lines.length > LINES && <p className="px-3 py-2 text-sm text-soft">{words.review.cutLines(LINES)}</p>}
    </>
  )
}
