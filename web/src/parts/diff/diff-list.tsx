// All changed files as one long list, of which only what is seen is drawn.
import { type KeyboardEvent, type ReactNode, useMemo } from 'react'
import { VList } from 'virtua'
import { useOwnWords } from '../use-words.ts'
import { DiffRows, MOST_SIGNS, type NotesAt } from './diff-rows.tsx'
import { FileNotes } from './file-notes.tsx'
import type { FileDiff } from './parse.ts'
import type { DiffState } from './use-diff.ts'
import { diffWords } from './words.ts'

type Props = {
  files: readonly FileDiff[]
  diff: DiffState
  wraps: boolean
  folded: ReadonlySet<string>
  /** Above the lines of each file. */
  head: (file: FileDiff) => ReactNode
  notesAt?: NotesAt | undefined
  unfold?: ((path: string) => void) | undefined
  /** Files whose lines a field stands in: it must not go while it is out of sight. */
  keep?: string | undefined
}

export function DiffList({ files, diff, wraps, folded, head, notesAt, unfold, keep }: Props) {
  const words = useOwnWords(diffWords)
  const { laid, list, cursor, query, pick, setTop } = diff
  const sizes = useMemo(() => files.map(sizeOf), [files])
  const kept = useMemo(() => {
    const file = keep === undefined ? -1 : files.findIndex(({ path }) => path === keep)
    const place = laid.items.flatMap((item, index) => (item.kind === 'rows' && item.file === file ? [index] : []))
    // In a long file the field is near the cursor, which is drawn anyway.
    return place.length > 8 ? [] : place
  }, [keep, files, laid])
  const onScroll = (offset: number) => {
    const view = list.current
    const item = laid.items[view?.findItemIndex(offset + 8) ?? 0]
    if (!view || !item) return
    // The last files may be too short to come to the top.
    const isEnd = offset + view.viewportSize >= view.scrollSize - 2
    setTop(before => (isEnd ? Math.max(before, item.file) : item.file))
  }
  const onKey = (event: KeyboardEvent) => {
    if (!event.shiftKey || (event.key !== 'ArrowDown' && event.key !== 'ArrowUp')) return
    event.preventDefault()
    diff.extend(event.key === 'ArrowDown' ? 1 : -1)
  }
  return (
    <VList
      ref={list}
      tabIndex={0}
      aria-label={words.diff}
      className="min-h-0 flex-1 outline-offset-[-2px]"
      bufferSize={200}
      keepMounted={kept}
      onScroll={onScroll}
      onKeyDown={onKey}
      data-diff
    >
      {laid.items.map((item, index) => {
        const file = files[item.file]
        if (!file) return <div key={index} />
        if (item.kind === 'head')
          return (
            <div key={file.path} data-file={file.path} className={item.file > 0 ? 'pt-4' : ''}>
              {head(file)}
              {!folded.has(file.path) && <FileNotes file={file} words={words} load={unfold} />}
            </div>
          )
        return (
          <DiffRows
            key={`${file.path}:${item.from}`}
            path={file.path}
            file={item.file}
            from={item.from}
            rows={item.rows}
            all={laid.rows[item.file] ?? item.rows}
            wraps={wraps}
            digits={sizes[item.file]?.digits ?? 3}
            width={sizes[item.file]?.width ?? 80}
            query={query}
            active={cursor?.file === item.file ? rangeOf(cursor.anchor, cursor.tip) : undefined}
            notesAt={notesAt}
            pick={pick}
            unfold={unfold}
          />
        )
      })}
    </VList>
  )
}

function rangeOf(a: number, b: number): readonly [number, number] {
  return a < b ? [a, b] : [b, a]
}

export function sizeOf({ hunks }: FileDiff): { digits: number; width: number } {
  let [most, width] = [0, 0]
  for (const { lines } of hunks)
    for (const { old, now, text } of lines) {
      most = Math.max(most, old ?? 0, now ?? 0)
      // Tabs, and signs that are twice as wide as a letter.
      if (text.length * 2 > width) width = Math.max(width, widthOf(text.slice(0, MOST_SIGNS)))
    }
  return { digits: Math.max(2, String(most).length), width }
}

function widthOf(text: string): number {
  let width = 0
  for (const sign of text) width += sign === '\t' ? 4 : (sign.codePointAt(0) ?? 0) > 0x10ff ? 2 : 1
  return width
}
