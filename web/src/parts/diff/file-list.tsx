import { Check } from 'lucide-react'
import type { ReactNode } from 'react'
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

export function FileList({ files, top, seen, show, marks }: Props) {
  const words = useOwnWords(diffWords)
  return (
    <ul className="flex flex-col">
      {files.map(({ path, added, removed, isBinary }, index) => (
        <li key={path}>
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
        </li>
      ))}
    </ul>
  )
}
