import { ChevronDown, ChevronUp, X } from 'lucide-react'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { Button } from '../../parts/button.tsx'
import { TextField } from '../../parts/field.tsx'
import { useOwnWords } from '../../parts/use-words.ts'
import type { TerminalScreen } from './terminal-screen.ts'
import { words as own } from './words.ts'

/** Opaque, so that the numbers of matches come with them; xterm wants colours as #rrggbb. */
const DECORATIONS = {
  ...{ matchBackground: '#f8ecd0', matchOverviewRuler: '#80580c' },
  ...{ activeMatchBackground: '#e0b35c', activeMatchColorOverviewRuler: '#b3361f' },
}

/** Searches what the terminal shows and what has scrolled out of it. */
export function FindBar({ screen, close }: { screen: TerminalScreen; close: () => void }) {
  const words = useOwnWords(own)
  const field = useRef<HTMLInputElement>(null)
  const [text, setText] = useState('')
  const [found, setFound] = useState({ index: -1, count: 0 })
  useEffect(() => {
    field.current?.focus()
    const heard = screen.search.onDidChangeResults(({ resultIndex, resultCount }) =>
      setFound({ index: resultIndex, count: resultCount }),
    )
    return () => {
      heard.dispose()
      screen.search.clearDecorations()
    }
  }, [screen])
  const edit = (value: string) => {
    setText(value)
    if (value === '') screen.search.clearDecorations()
    else screen.search.findPrevious(value, { incremental: true, decorations: DECORATIONS })
  }
  const step = (isBack: boolean) => {
    if (text === '') return
    if (isBack) screen.search.findPrevious(text, { decorations: DECORATIONS })
    else screen.search.findNext(text, { decorations: DECORATIONS })
  }
  const onKey = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Escape') close()
    if (event.key === 'Enter') step(!event.shiftKey)
  }
  return (
    <div role="search" className="flex items-center gap-1 border-b border-line bg-sheet px-2 py-1" onKeyDown={onKey}>
      <TextField
        ref={field}
        label={words.find.label}
        placeholder={words.find.label}
        className="!h-7 min-w-0 flex-1 max-md:!h-9"
        value={text}
        onChange={event => edit(event.target.value)}
      />
      <span role="status" className="min-w-12 text-center text-xs text-soft tabular-nums">
        {text !== '' && (found.count === 0 ? words.find.none : `${found.index + 1}/${found.count}`)}
      </span>
      <Button small look="quiet" className="!px-1.5" aria-label={words.find.before} onClick={() => step(true)}>
        <ChevronUp size={14} aria-hidden="true" />
      </Button>
      <Button small look="quiet" className="!px-1.5" aria-label={words.find.next} onClick={() => step(false)}>
        <ChevronDown size={14} aria-hidden="true" />
      </Button>
      <Button small look="quiet" className="!px-1.5" aria-label={words.find.close} onClick={close}>
        <X size={14} aria-hidden="true" />
      </Button>
    </div>
  )
}
