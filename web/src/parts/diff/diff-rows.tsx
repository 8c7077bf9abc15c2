import { Fragment, memo, type ReactNode, useState } from 'react'
import { SafeText } from '../safe-text.tsx'
import { useStore } from '../use-store.ts'
import { useOwnWords } from '../use-words.ts'
import { coloursOf, type Tone } from './colours.ts'
import type { DiffLine } from './parse.ts'
import { wordMarking } from './preferences.ts'
import type { Row } from './rows.ts'
import { useColours } from './use-colours.ts'
import { foundIn, piecesOf, wordMarks } from './word-marks.ts'
import { diffWords, type DiffWords } from './words.ts'

/** What stands under a line: a comment, or the field for one. */
export type NotesAt = (path: string, side: 'old' | 'now', line: number) => ReactNode

export type RowsProps = {
  path: string
  file: number
  from: number
  rows: readonly Row[]
  /** All of the file: a comment may have begun above these. */
  all: readonly Row[]
  wraps: boolean
  /** Digits of the largest line number, and letters of the longest line. */
  digits: number
  width: number
  query: string
  /** The rows that are under the cursor. */
  active: readonly [from: number, to: number] | undefined
  notesAt?: NotesAt | undefined
  pick?: ((file: number, row: number, isMore: boolean) => void) | undefined
  unfold?: ((path: string) => void) | undefined
}

/** A longer line is of a machine. Drawn whole, a line of a megabyte stops the page for seconds. */
export const MOST_SIGNS = 2000

const TONES = { add: 'bg-matsu-wash', del: 'bg-shu-wash', same: '', none: 'bg-sunk' }
const SIGNS = { add: '+', del: '−', same: ' ' }
/** Whole names: the styles are made from what stands in the source. */
const COLOURS: Record<Tone, string> = {
  ...{ keyword: 'text-code-keyword', string: 'text-code-string', number: 'text-code-number' },
  ...{ name: 'text-code-name', type: 'text-code-type', comment: 'text-code-comment' },
}
const NEW = { add: 'bg-matsu/25', del: 'bg-shu/25', same: '' }

/** Few elements for each line: a row, its numbers, its text. */
export const DiffRows = memo(function DiffRows(props: RowsProps) {
  const words = useOwnWords(diffWords)
  const { path, file, from, rows, wraps, digits, width, active, notesAt } = props
  useColours(path, props.all, from, rows.length)
  const isSplit = rows.some(({ kind }) => kind === 'pair')
  const columns = (width + 2 * digits + 8) * (isSplit ? 2 : 1)
  return (
    <div
      className="bg-sheet font-mono text-xs leading-5 [tab-size:4]"
      style={wraps ? undefined : { minWidth: `${columns}ch` }}
    >
      {rows.map((row, offset) => {
        const index = from + offset
        const isActive = active !== undefined && active[0] <= index && index <= active[1]
        if (row.kind === 'gap') return <Gap key={index} row={row} path={path} unfold={props.unfold} words={words} />
        const notes = notesAt && notesOf(row, path, notesAt)
        return (
          <Fragment key={index}>
            <div
              data-spot={`${file}:${index}`}
              className={`${row.kind === 'pair' ? 'grid grid-cols-2' : 'flex'} ${isActive ? 'outline-2 -outline-offset-2 outline-ai' : ''}`}
            >
              {row.kind === 'line' ? (
                <Cell {...props} words={words} index={index} line={row.line} twin={row.twin} numbers="both" />
              ) : (
                <>
                  <Cell {...props} words={words} index={index} line={row.left} twin={twinOf(row)} numbers="old" />
                  <Cell
                    {...props}
                    words={words}
                    index={index}
                    line={row.right}
                    twin={twinOf(row, true)}
                    numbers="now"
                  />
                </>
              )}
            </div>
            {notes}
          </Fragment>
        )
      })}
    </div>
  )
})

function twinOf({ left, right }: Extract<Row, { kind: 'pair' }>, isRight = false): DiffLine | undefined {
  if (left === right) return undefined
  return isRight ? left : right
}

function notesOf(row: Exclude<Row, { kind: 'gap' }>, path: string, notesAt: NotesAt): ReactNode {
  const [left, right] = row.kind === 'line' ? [row.line, row.line] : [row.left, row.right]
  const old = left?.old === null || left === undefined ? null : notesAt(path, 'old', left.old)
  const now = right?.now === null || right === undefined ? null : notesAt(path, 'now', right.now)
  if (!old && !now) return null
  return (
    <div className="border-y border-line bg-ground font-sans text-sm">
      <div className="sticky left-0 flex max-w-[min(100%,52rem)] flex-col gap-2 px-3 py-2">
        {old}
        {now}
      </div>
    </div>
  )
}

type CellProps = RowsProps & {
  words: DiffWords
  index: number
  line: DiffLine | undefined
  twin: DiffLine | undefined
  numbers: 'both' | 'old' | 'now'
}

function Cell({ words, line, twin, numbers, digits, wraps, query, index, file, pick }: CellProps) {
  const side = numbers === 'now' ? 'border-l border-line' : ''
  if (!line) return <div className={`${TONES.none} ${side}`} />
  const number = (value: number | null) => `${value ?? ''}`.padStart(digits)
  const shown = numbers === 'both' ? `${number(line.old)} ${number(line.now)}` : number(line[numbers])
  const gutter = `${shown} ${SIGNS[line.kind]} `
  const look = 'shrink-0 self-stretch pl-2 text-left whitespace-pre text-soft select-none'
  return (
    <div className={`flex min-w-0 flex-1 ${TONES[line.kind]} ${side}`}>
      {pick ? (
        <button
          type="button"
          tabIndex={-1}
          className={`${look} hover:bg-ai hover:text-on-ai`}
          onClick={event => pick(file, index, event.shiftKey)}
        >
          <span aria-hidden="true">{gutter}</span>
          <span className="sr-only">{line.now === null ? words.lineGone : words.lineOf(line.now)}</span>
        </button>
      ) : (
        <span className={look}>{gutter}</span>
      )}
      <span
        className={`min-w-0 flex-1 pr-2 ${wraps ? 'whitespace-pre-wrap [overflow-wrap:anywhere]' : 'whitespace-pre'}`}
      >
        <LineText line={line} twin={twin} query={query} words={words} />
        {line.isOpen && (
          <span title={words.open} className="text-kohaku select-none">
            {' ⏎̸'}
            <span className="sr-only">{words.open}</span>
          </span>
        )}
      </span>
    </div>
  )
}

type LineProps = { line: DiffLine; twin: DiffLine | undefined; query: string; words: DiffWords }

function LineText(props: LineProps) {
  const { line, query, words } = props
  const [isWhole, setWhole] = useState(false)
  if (line.text.length <= MOST_SIGNS) return <ShortLine {...props} />
  // What is searched for may stand behind the cut.
  const text = isWhole || foundIn(line.text, query).length > 0 ? line.text : line.text.slice(0, MOST_SIGNS)
  return (
    <>
      <SafeText text={text} />
      {text.length < line.text.length && (
        <button
          type="button"
          className="ml-2 rounded-md border border-rule bg-sheet px-1.5 font-sans text-ai select-none"
          onClick={() => setWhole(true)}
        >
          {words.wholeLine(line.text.length)}
        </button>
      )}
    </>
  )
}

function ShortLine({ line, twin, query }: LineProps) {
  const isMarking = useStore(wordMarking)
  const marks = isMarking ? wordMarks(line, twin) : []
  const found = foundIn(line.text, query)
  // The sign of a line break that Windows wrote would only be drawn as a mark on each line.
  const text = line.text.replace(/\r$/, '')
  const colours = coloursOf(line)
  if (marks.length === 0 && found.length === 0 && colours.length === 0) return <SafeText text={text} />
  return piecesOf(text, marks, found, colours).map((piece, index) => {
    const drawn = <SafeText text={piece.text} />
    if (piece.isFound)
      return (
        <mark key={index} className="rounded-[2px] bg-kohaku text-ground">
          {drawn}
        </mark>
      )
    if (!piece.isNew && piece.tone === undefined) return <Fragment key={index}>{drawn}</Fragment>
    const tone = piece.tone === undefined ? '' : COLOURS[piece.tone]
    return (
      <span key={index} className={piece.isNew ? `rounded-[2px] ${NEW[line.kind]} ${tone}` : tone}>
        {drawn}
      </span>
    )
  })
}

type GapProps = {
  row: Extract<Row, { kind: 'gap' }>
  path: string
  unfold: RowsProps['unfold']
  words: DiffWords
}

function Gap({ row: { hidden, heading }, path, unfold, words }: GapProps) {
  return (
    <div className="flex min-h-6 items-center gap-3 border-y border-line bg-sunk px-3 text-soft">
      {hidden > 0 && (
        <span className="shrink-0 font-sans">
          <span aria-hidden="true">⋯ </span>
          {words.hidden(hidden)}
        </span>
      )}
      <span className="min-w-0 flex-1 truncate">
        <SafeText text={heading} />
      </span>
      {hidden > 0 && unfold && (
        <button
          type="button"
          className="shrink-0 rounded-md px-1.5 font-sans text-ai underline-offset-2 hover:underline max-md:min-h-9"
          onClick={() => unfold(path)}
        >
          {words.unfold}
        </button>
      )}
    </div>
  )
}
