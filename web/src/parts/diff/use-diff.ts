// Where a reader is in a diff: the file that is shown, the lines under the cursor, what is searched for.
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { VListHandle } from 'virtua'
import { type Command, useCommands } from '../command.ts'
import { useStore } from '../use-store.ts'
import { blanksCount } from './preferences.ts'
import type { FileDiff } from './parse.ts'
import {
  changesIn,
  find,
  itemAt,
  layOut,
  type Picked,
  pickedIn,
  type Shape,
  type Spot,
  step,
  withoutBlanks,
} from './rows.ts'
import { diffWords } from './words.ts'

/** The rows under the cursor; `tip` is the one that moves. */
export type Cursor = { file: number; anchor: number; tip: number }

type Options = {
  shape: Shape
  folded: ReadonlySet<string>
  switchShape: () => void
  /** The lines that a comment is to stand on. Without it none can. */
  onPick?: ((picked: Picked) => void) | undefined
}

const NONE: ReadonlySet<string> = new Set()
const FRAMES = 20

export function useDiff(given: readonly FileDiff[], { shape, folded, switchShape, onPick }: Options) {
  const blanks = useStore(blanksCount)
  const files = useMemo(() => (blanks ? given : given.map(withoutBlanks)), [given, blanks])
  const list = useRef<VListHandle>(null)
  const [query, setQuery] = useState('')
  const [cursor, setCursor] = useState<Cursor>()
  const [top, setTop] = useState(0)
  const searched = query.trim()
  // What is folded away is searched, too.
  const laid = useMemo(
    () => layOut(files, shape, searched === '' ? folded : NONE),
    [files, shape, folded, searched === ''],
  )
  const found = useMemo(() => find(laid, searched), [laid, searched])
  useEffect(() => setCursor(undefined), [files, shape])

  const now = useRef({ laid, found, cursor, files, top, onPick, switchShape })
  now.current = { laid, found, cursor, files, top, onPick, switchShape }

  const show = useCallback((item: number, spot?: Spot) => {
    list.current?.scrollToIndex(item, { align: spot ? 'center' : 'start' })
    if (spot) whenDrawn(`[data-spot="${spot.file}:${spot.row}"]`)
  }, [])
  const go = useCallback(
    (spot: Spot | undefined, isMore = false) => {
      if (!spot) return
      setCursor(before => ({
        file: spot.file,
        anchor: isMore && before?.file === spot.file ? before.anchor : spot.row,
        tip: spot.row,
      }))
      show(itemAt(now.current.laid, spot), spot)
    },
    [show],
  )
  const toFile = useCallback(
    (path: string) => {
      const file = now.current.files.findIndex(one => one.path === path)
      if (file === -1) return
      setTop(file)
      show(now.current.laid.heads[file] ?? 0)
    },
    [show],
  )
  const seek = useCallback((by: 1 | -1) => go(step(now.current.found, spotOf(now.current.cursor), by)), [go])
  const pick = useCallback((file: number, row: number, isMore: boolean) => {
    const { cursor, files, laid, onPick } = now.current
    const anchor = isMore && cursor?.file === file ? cursor.anchor : row
    setCursor({ file, anchor, tip: row })
    const own = files[file]
    if (own) onPick?.(pickedIn(own, laid.rows[file] ?? [], Math.min(anchor, row), Math.max(anchor, row)))
  }, [])

  const canPick = onPick !== undefined
  const commands = useMemo((): Command[] => {
    const title = (
      key: 'nextChange' | 'lastChange' | 'nextFile' | 'lastFile' | 'lineDown' | 'lineUp' | 'switchShape',
    ) => {
      return ({ code }: { code: 'en' | 'ja' }) => diffWords[code][key]
    }
    const change = (by: 1 | -1) => () => go(step(changesIn(now.current.laid), spotOf(now.current.cursor), by))
    const file = (by: 1 | -1) => () => {
      const { files, top } = now.current
      const next = files[Math.max(0, Math.min(files.length - 1, top + by))]
      if (next) toFile(next.path)
    }
    const line =
      (by: 1 | -1, isMore = false) =>
      () => {
        const { cursor, laid, top } = now.current
        const { file, row } = spotOf(cursor) ?? { file: top, row: by === 1 ? -1 : 0 }
        const rows = laid.rows[file] ?? []
        let next = row + by
        while (rows[next]?.kind === 'gap') next += by
        if (rows[next]) go({ file, row: next }, isMore)
      }
    return [
      { id: 'diff.next', title: title('nextChange'), keys: ['n'], run: change(1) },
      { id: 'diff.last', title: title('lastChange'), keys: ['N'], run: change(-1) },
      { id: 'diff.file', title: title('nextFile'), keys: ['j'], run: file(1) },
      { id: 'diff.file-last', title: title('lastFile'), keys: ['k'], run: file(-1) },
      { id: 'diff.down', title: title('lineDown'), keys: ['ArrowDown'], run: line(1), onlyKeys: true },
      { id: 'diff.up', title: title('lineUp'), keys: ['ArrowUp'], run: line(-1), onlyKeys: true },
      { id: 'diff.shape', title: title('switchShape'), keys: ['s'], run: () => now.current.switchShape() },
    ]
  }, [go, toFile])
  useCommands(commands)

  /** The lines that are marked with the mouse, or those under the cursor. */
  const pickHere = useCallback(() => {
    const { cursor, laid, files, onPick } = now.current
    const marked = markedRows() ?? (cursor && { file: cursor.file, rows: [cursor.anchor, cursor.tip] })
    const own = marked && files[marked.file]
    if (!own) return false
    onPick?.(pickedIn(own, laid.rows[marked.file] ?? [], Math.min(...marked.rows), Math.max(...marked.rows)))
    return true
  }, [])

  const extend = useCallback(
    (by: 1 | -1) => {
      const { cursor, laid } = now.current
      const next = cursor && cursor.tip + by
      if (cursor && next !== undefined && laid.rows[cursor.file]?.[next]) go({ file: cursor.file, row: next }, true)
    },
    [go],
  )

  const place = spotOf(cursor)
  const isAt = (spot: Spot) => spot.file === place?.file && spot.row === place.row
  return {
    ...{ list, laid, query: searched, text: query, search: setQuery, found, cursor, top, setTop, toFile, seek, go },
    ...{ pick: canPick ? pick : undefined, pickHere, extend, foundAt: found.findIndex(isAt) + 1 },
  }
}

export type DiffState = ReturnType<typeof useDiff>

function spotOf(cursor: Cursor | undefined): Spot | undefined {
  return cursor && { file: cursor.file, row: cursor.tip }
}

/** The list draws it some frames later. */
function whenDrawn(selector: string, left = FRAMES): void {
  const element = document.querySelector(selector)
  if (element) element.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  else if (left > 0) requestAnimationFrame(() => whenDrawn(selector, left - 1))
}

function markedRows(): { file: number; rows: [number, number] } | undefined {
  const selection = window.getSelection()
  if (!selection || selection.isCollapsed) return undefined
  const [from, to] = [selection.anchorNode, selection.focusNode].map(node => {
    const element = node instanceof Element ? node : node?.parentElement
    return element?.closest<HTMLElement>('[data-spot]')?.dataset['spot']?.split(':').map(Number)
  })
  if (!from || !to || from[0] !== to[0]) return undefined
  return { file: from[0] ?? 0, rows: [from[1] ?? 0, to[1] ?? 0] }
}
