import { ChevronDown, ChevronUp, Columns2, Highlighter, type LucideIcon, Rows3, Space, WrapText } from 'lucide-react'
import type { KeyboardEvent } from 'react'
import { Button } from '../button.tsx'
import { TextField } from '../field.tsx'
import { useOwnWords } from '../use-words.ts'
import type { Store } from '../../hub/store.ts'
import { useStore } from '../use-store.ts'
import { blanksCount, wordMarking } from './preferences.ts'
import type { Shape } from './rows.ts'
import type { DiffState } from './use-diff.ts'
import { diffWords } from './words.ts'

type Props = {
  diff: DiffState
  shape: Shape
  choose: (shape: Shape) => void
  wraps: boolean
  wrap: (wraps: boolean) => void
}

export function DiffTools({ diff, shape, choose, wraps, wrap }: Props) {
  const words = useOwnWords(diffWords)
  const { text, query, search, found, foundAt, seek } = diff
  const onKey = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Enter') seek(event.shiftKey ? -1 : 1)
    else if (event.key === 'Escape') search('')
    else return
    event.preventDefault()
  }
  return (
    <div className="flex min-w-0 flex-wrap items-center gap-1.5">
      <fieldset className="flex max-md:hidden" aria-label={words.layout}>
        {(['unified', 'split'] as const).map(one => {
          const Icon = one === 'split' ? Columns2 : Rows3
          return (
            <Button
              key={one}
              small
              aria-pressed={shape === one}
              title={words[one]}
              className={`${one === 'split' ? '-ml-px rounded-l-none' : 'rounded-r-none'} ${shape === one ? '!bg-ai-wash text-ink' : 'text-soft'}`}
              onClick={() => choose(one)}
            >
              <Icon size={14} aria-hidden="true" />
              <span className="max-xl:sr-only">{words[one]}</span>
            </Button>
          )
        })}
      </fieldset>
      <Button
        small
        aria-pressed={wraps}
        title={words.wrap}
        aria-label={words.wrap}
        className={`!px-2 ${wraps ? '!bg-ai-wash text-ink' : 'text-soft'}`}
        onClick={() => wrap(!wraps)}
      >
        <WrapText size={14} aria-hidden="true" />
      </Button>
      <Toggle store={wordMarking} label={words.words} icon={Highlighter} />
      <Toggle store={blanksCount} label={words.blanks} icon={Space} />
      <TextField
        label={words.search}
        placeholder={words.search}
        data-search
        type="search"
        className="!h-7 !w-44 text-sm max-md:!h-9"
        value={text}
        onChange={event => search(event.target.value)}
        onKeyDown={onKey}
      />
      {query !== '' && (
        <>
          <span role="status" className="text-sm text-soft">
            {words.found(foundAt, found.length)}
          </span>
          <Button small look="quiet" className="!px-1" aria-label={words.before} onClick={() => seek(-1)}>
            <ChevronUp size={14} aria-hidden="true" />
          </Button>
          <Button small look="quiet" className="!px-1" aria-label={words.after} onClick={() => seek(1)}>
            <ChevronDown size={14} aria-hidden="true" />
          </Button>
        </>
      )}
    </div>
  )
}

/** One for all diffs: what a person likes does not depend on what is read. */
function Toggle({ store, label, icon: Icon }: { store: Store<boolean>; label: string; icon: LucideIcon }) {
  const isOn = useStore(store)
  return (
    <Button
      small
      aria-pressed={isOn}
      title={label}
      aria-label={label}
      className={`!px-2 ${isOn ? '!bg-ai-wash text-ink' : 'text-soft'}`}
      onClick={() => store.set(!isOn)}
    >
      <Icon size={14} aria-hidden="true" />
    </Button>
  )
}
