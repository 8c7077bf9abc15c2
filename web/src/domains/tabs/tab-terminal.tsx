// A terminal in its place. What draws it is a chunk of its own, loaded when the first one is shown.
import { useEffect, useRef, useState } from 'react'
import { lineIsBack } from '../../hub/call.ts'
import { line } from '../../hub/event-line.ts'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { notify } from '../../parts/notices.tsx'
import { SafeText } from '../../parts/safe-text.tsx'
import { useStore } from '../../parts/use-store.ts'
import { useOwnWords } from '../../parts/use-words.ts'
import { currentWords } from '../../words/words.ts'
import { FindBar } from './find-bar.tsx'
import { lineCount } from './model.ts'
import type { TerminalScreen } from './terminal-screen.ts'
import { words as own } from './words.ts'

type Props = {
  tabId: string
  /** Where the focus goes when a person leaves the terminal. */
  leave: () => void
  ready?: (screen: TerminalScreen | undefined) => void
}

export function TabTerminal({ tabId, leave, ready }: Props) {
  const place = useRef<HTMLDivElement>(null)
  const [screen, setScreen] = useState<TerminalScreen>()
  const [isFinding, setFinding] = useState(false)
  const [question, setQuestion] = useState<Question>()
  const now = useRef({ leave, ready })
  now.current = { leave, ready }
  useEffect(() => {
    const at = place.current
    let shown: TerminalScreen | undefined
    let isGone = false
    const ask = (text: string) => new Promise<boolean>(answer => setQuestion({ text, answer }))
    void whenLoaded(() => import('./terminal-screen.ts')).then(({ screenOf }) => {
      if (isGone || !at) return
      shown = screenOf(tabId)
      shown.show(at, {
        leave: () => now.current.leave(),
        find: () => setFinding(true),
        ask,
        refused,
      })
      setScreen(shown)
      now.current.ready?.(shown)
    })
    return () => {
      isGone = true
      if (at) shown?.hide(at)
      setScreen(undefined)
      now.current.ready?.(undefined)
    }
  }, [tabId])
  const closeFind = () => {
    setFinding(false)
    screen?.focus()
  }
  return (
    <div className="relative flex min-h-0 flex-1 flex-col">
      {isFinding && screen && <FindBar screen={screen} close={closeFind} />}
      <div ref={place} data-terminal className="min-h-0 flex-1 bg-terminal p-1.5 pr-0" />
      {screen && <Notes screen={screen} />}
      {question && (
        <PasteQuestion
          text={question.text}
          answer={yes => {
            setQuestion(undefined)
            question.answer(yes)
            if (!yes) screen?.focus()
          }}
        />
      )}
    </div>
  )
}

/** While the hub is away it cannot be had; it is when the line is back. */
async function whenLoaded<T>(load: () => Promise<T>): Promise<T> {
  for (;;)
    try {
      return await load()
    } catch (error) {
      if (line.get().kind === 'live') throw error
      await lineIsBack()
    }
}

type Question = { text: string; answer: (yes: boolean) => void }

const QUIET_MS = 5000
let refusedAt = 0

/** Said once, not for each key. */
function refused(): void {
  if (Date.now() - refusedAt < QUIET_MS) return
  refusedAt = Date.now()
  const words = own[currentWords().code]
  notify({ kind: 'failed', text: words.refused, detail: words.refusedHint })
}

/** What is to be known of it now: cut off, another window's size, where a link leads. */
function Notes({ screen }: { screen: TerminalScreen }) {
  const words = useOwnWords(own)
  const { state, size, isForeign, address } = useStore(screen.shown)
  const text =
    address !== undefined
      ? words.opens(address)
      : state === 'cut'
        ? words.cut
        : isForeign && size
          ? words.size(size.cols, size.rows)
          : undefined
  return (
    <p
      data-terminal-state={state}
      data-foreign={isForeign}
      title={isForeign ? words.sizeHint : undefined}
      className={
        text === undefined
          ? 'sr-only'
          : `line-clamp-any pointer-events-none absolute right-2 bottom-2 left-2 w-fit max-w-full rounded-md border border-line bg-sheet px-2 py-0.5 text-xs ${state === 'cut' ? 'text-kohaku' : 'text-soft'}`
      }
    >
      {text !== undefined && <SafeText text={text} />}
    </p>
  )
}

function PasteQuestion({ text, answer }: { text: string; answer: (yes: boolean) => void }) {
  const words = useOwnWords(own)
  return (
    <Dialog label={words.paste.title(lineCount(text))} closeLabel={words.paste.no} close={() => answer(false)}>
      <div className="flex flex-col gap-3 p-5">
        <h2 className="text-lg font-semibold">{words.paste.title(lineCount(text))}</h2>
        <p className="text-soft">{words.paste.hint}</p>
        <pre
          tabIndex={0}
          className="max-h-60 overflow-auto rounded-lg border border-line bg-sunk px-3 py-2 font-mono text-xs"
        >
          <SafeText text={text.slice(0, 5000)} />
        </pre>
        <div className="flex justify-end gap-2">
          <Button look="quiet" onClick={() => answer(false)}>
            {words.paste.no}
          </Button>
          <Button look="main" data-autofocus onClick={() => answer(true)}>
            {words.paste.yes}
          </Button>
        </div>
      </div>
    </Dialog>
  )
}
